// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "report.hpp"

#include <upsweep/version.hpp>

#include <fmt/format.h>
#include <mpi.h>
#include <nlohmann/json.hpp>

namespace nbody {

spread over_ranks(upsweep::mpi::communicator const& comm, double mine) {
  using upsweep::mpi::check;
  spread result;
  check(MPI_Allreduce(&mine, &result.min, 1, MPI_DOUBLE, MPI_MIN, comm.get()), "MPI_Allreduce");
  check(MPI_Allreduce(&mine, &result.max, 1, MPI_DOUBLE, MPI_MAX, comm.get()), "MPI_Allreduce");
  check(MPI_Allreduce(&mine, &result.mean, 1, MPI_DOUBLE, MPI_SUM, comm.get()), "MPI_Allreduce");
  result.mean /= comm.size();
  return result;
}

std::string thermo_header() {
  return fmt::format("{:>8} {:>18} {:>18} {:>18} {:>18} {:>18}\n", "step", "temperature", "potential", "kinetic", "total", "pressure");
}

std::string to_line(thermo_row const& row) {
  return fmt::format("{:>8} {:>18.15g} {:>18.15g} {:>18.15g} {:>18.15g} {:>18.15g}\n", row.step, row.temperature, row.potential,
                     row.kinetic, row.total, row.pressure);
}

std::string to_line(list_summary const& list) {
  return fmt::format("list at step {}: {} pairs, largest row {}, hash {:016x}\n", list.step, list.pairs, list.largest_row, list.hash);
}

std::string timing_text(results const& r, options const& o) {
  auto const line = [](std::string_view name, spread const& s) {
    return fmt::format("{:>12} {:>9.4f} {:>9.4f} {:>9.4f}\n", name, s.min, s.mean, s.max);
  };
  std::string text = fmt::format("{:>12} {:>9} {:>9} {:>9}   seconds over ranks\n", "", "min", "mean", "max");
  for (std::size_t k = 0; k < phase_names.size(); ++k) text += line(phase_names[k], r.phases[k]);
  text += line("all steps", r.loop);
  double const work = static_cast<double>(r.particles) * static_cast<double>(o.steps);
  if (o.steps > 0) text += fmt::format("{:.4g} particle-steps a second, {} rebuilds of the list\n", work / r.loop.max, r.rebuilds);
  return text;
}

std::string to_json(results const& r, options const& o, upsweep::mpi::communicator const& comm,
                    upsweep::mpi::rank_grid const& grid) {
  using nlohmann::ordered_json;
  auto const seconds = [](spread const& s) { return ordered_json{{"min", s.min}, {"mean", s.mean}, {"max", s.max}}; };
  ordered_json json;
  json["version"] = UPSWEEP_VERSION_STRING;
  json["backend"] = space_type::name();
  json["ranks"] = comm.size();
  json["ranks_grid"] = {grid[0], grid[1], grid[2]};
  json["threads"] = Kokkos::DefaultHostExecutionSpace().concurrency();
  json["atoms"] = r.particles;
  json["precision"] = "double";
  json["cutoff"] = o.cutoff;
  json["skin"] = o.skin;
  json["dt"] = o.dt;
  json["steps"] = o.steps;
  json["thermo"] = ordered_json::array();
  for (auto const& row : r.thermo)
    json["thermo"].push_back({{"step", row.step}, {"temperature", row.temperature}, {"potential", row.potential},
                              {"kinetic", row.kinetic}, {"total", row.total}, {"pressure", row.pressure}});
  json["list_cutoff"] = o.list_cutoff();
  json["lists"] = ordered_json::array();
  for (auto const& list : r.lists)
    json["lists"].push_back({{"step", list.step}, {"pairs", list.pairs}, {"largest_row", list.largest_row},
                             {"list_hash", fmt::format("{:016x}", list.hash)}});
  json["rebuilds"] = r.rebuilds;
  json["phases"] = ordered_json::object();
  for (std::size_t k = 0; k < phase_names.size(); ++k) json["phases"][std::string(phase_names[k])] = seconds(r.phases[k]);
  json["loop"] = seconds(r.loop);
  return json.dump(2) + "\n";
}

}  // namespace nbody

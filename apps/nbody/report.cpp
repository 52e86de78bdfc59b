// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "report.hpp"

#include "text.hpp"

#include <upsweep/base/printable.hpp>
#include <upsweep/mpi/reduce.hpp>
#include <upsweep/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace nbody {
namespace {

/// mean is the sum until it is divided.
struct join_spreads {
  using value_type = spread;
  spread identity() const {
    double const all = std::numeric_limits<double>::infinity();
    return {.min = all, .mean = 0, .max = -all};
  }
  spread operator()(spread const& a, spread const& b) const {
    return {.min = std::min(a.min, b.min), .mean = a.mean + b.mean, .max = std::max(a.max, b.max)};
  }
};

}  // namespace

spread over_ranks(upsweep::mpi::communicator const& comm, double mine) {
  spread result = upsweep::mpi::reduce(comm, spread{mine, mine, mine}, join_spreads{});
  result.mean /= comm.size();
  return result;
}

namespace {

std::string hash_text(std::uint64_t hash) { return text("%016llx", static_cast<unsigned long long>(hash)); }

}  // namespace

std::string thermo_header() {
  return text("%8s %18s %18s %18s %18s %18s\n", "step", "temperature", "potential", "kinetic", "total", "pressure");
}

std::string to_line(thermo_row const& row) {
  return text("%8lld %18.15g %18.15g %18.15g %18.15g %18.15g\n", static_cast<long long>(row.step), row.temperature,
              row.potential, row.kinetic, row.total, row.pressure);
}

std::string to_line(list_summary const& list) {
  return "list at step " + std::to_string(list.step) + ": " + std::to_string(list.pairs) + " pairs, largest row " +
         std::to_string(list.largest_row) + ", hash " + hash_text(list.hash) + "\n";
}

std::string end_text(results const& r, options const& o) {
  if (r.cause == end_cause::none) return {};
  return std::string("ended by ") + name_of(r.cause) + " after step " + std::to_string(r.last_step) +
         (o.checkpoint.empty() ? "; without --checkpoint there is nothing to go on from\n"
                               : "; the same command with --restart " + upsweep::printable(o.checkpoint) +
                                     " in place of the start goes on\n");
}

std::string state_text(results const& r) {
  return "state at step " + std::to_string(r.last_step) + ": hash " + hash_text(r.state) + "\n";
}

std::string timing_text(results const& r, options const& o) {
  auto const line = [](char const* name, spread const& s) {
    return text("%12s %9.4f %9.4f %9.4f %9.2f\n", name, s.min, s.mean, s.max, s.imbalance());
  };
  std::string lines = text("%12s %9s %9s %9s %9s   seconds over ranks\n", "", "min", "mean", "max", "max/mean");
  for (std::size_t k = 0; k < phase_names.size(); ++k) lines += line(phase_names[k], r.phases[k]);
  lines += line("all steps", r.loop);
  auto const counts = [](char const* name, spread const& s) {
    return text("%12s %9.4g %9.4g %9.4g %9.2f\n", name, s.min, s.mean, s.max, s.imbalance());
  };
  lines += counts("particles", r.owned) + counts("ghosts", r.ghosts) + counts("pairs", r.pairs);
  double const work = static_cast<double>(r.particles) * static_cast<double>(r.steps);
  if (r.steps > 0)
    lines += text("%.4g particle-steps a second, ", work / r.loop.max) + std::to_string(r.rebuilds) +
             " rebuilds of the list" +
             (o.balanced == balance::none ? "" : ", " + std::to_string(r.cuts) + " cuts of the box") + "\n";
  return lines;
}

std::string to_json(results const& r, options const& o, upsweep::mpi::communicator const& comm,
                    upsweep::mpi::rank_grid const& grid) {
  using nlohmann::ordered_json;
  auto const over_ranks = [](spread const& s) {
    return ordered_json{{"min", s.min}, {"mean", s.mean}, {"max", s.max}, {"imbalance", s.imbalance()}};
  };
  ordered_json json;
  json["program"] = "upsweep-nbody";
  json["version"] = UPSWEEP_VERSION_STRING;
  json["backend"] = space_type::name();
  json["ranks"] = comm.size();
  json["ranks_grid"] = o.bisects() ? ordered_json(nullptr) : ordered_json{grid[0], grid[1], grid[2]};
  json["transport"] = r.transport;
  json["balance"] = o.balanced == balance::none    ? ordered_json(nullptr)
                    : o.balanced == balance::pairs ? "pairs"
                                                   : "time";
  json["half"] = o.half;
  json["overlap"] = o.overlap;
  json["threads"] = Kokkos::DefaultHostExecutionSpace().concurrency();
  json["atoms"] = r.particles;
  json["precision"] = "double";
  json["cutoff"] = o.cutoff;
  json["skin"] = o.skin;
  json["dt"] = o.dt;
  json["pair"] = o.pair;
  json["shift"] = o.shift;
  json["thermostat"] = o.thermostat;
  json["steps"] = r.last_step;
  json["ended_by"] = r.cause == end_cause::none ? ordered_json(nullptr) : ordered_json(name_of(r.cause));
  json["thermo"] = ordered_json::array();
  for (auto const& row : r.thermo) {
    ordered_json line{{"step", row.step}};
    for_each_number(row, [&](char const* name, double value) { line[name] = value; });
    json["thermo"].push_back(std::move(line));
  }
  json["list_cutoff"] = o.list_cutoff();
  json["lists"] = ordered_json::array();
  for (auto const& list : r.lists)
    json["lists"].push_back({{"step", list.step},
                             {"pairs", list.pairs},
                             {"largest_row", list.largest_row},
                             {"list_hash", hash_text(list.hash)}});
  json["rebuilds"] = r.rebuilds;
  json["cuts"] = r.cuts;
  json["state_hash"] = hash_text(r.state);
  json["phases"] = ordered_json::object();
  for (std::size_t k = 0; k < phase_names.size(); ++k) json["phases"][phase_names[k]] = over_ranks(r.phases[k]);
  json["particles_of_rank"] = over_ranks(r.owned);
  json["ghosts_of_rank"] = over_ranks(r.ghosts);
  json["pairs_of_rank"] = over_ranks(r.pairs);
  json["loop"] = over_ranks(r.loop);
  return json.dump(2) + "\n";
}

}  // namespace nbody

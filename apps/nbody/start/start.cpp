// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "start.hpp"

#include "../../support/mpi/launch.hpp"
#include "../../support/points/points_outside.hpp"
#include "../../support/points/read_points.hpp"
#include "../atoms.hpp"
#include "../checks.hpp"
#include "../dynamics/maxwell.hpp"
#include "../forces/pair_coefficients.hpp"
#include "../decomposition/open_box.hpp"
#include "../text.hpp"
#include "memory.hpp"
#include "npy_start.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/printable.hpp>
#include <upsweep/mpi/agree.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <utility>

namespace nbody {

namespace {

bool is_any(std::array<bool, 3> const& flags) { return flags[0] || flags[1] || flags[2]; }

/// New velocities, whatever the particles have.
void draw_velocities(upsweep::mpi::communicator const& comm, options const& o, upsweep::mpi::particle_piece& piece) {
  auto const masses = upsweep::mpi::all_or_none(comm, [&] { return masses_of(piece.data); });
  maxwell_velocities(comm, o.seed, o.temperature, piece.first, piece.total, masses, piece.data.velocities);
}

}  // namespace

upsweep::mpi::particle_piece make_fcc(upsweep::mpi::communicator const& comm, space_type const& space,
                                      options const& o) {
  // Cells are at most 10^6 in each direction, so 4 * a * b * c < 2^63.
  std::int64_t const n = 4 * o.cells[0] * o.cells[1] * o.cells[2];
  auto const range = upsweep::mpi::even_range(n, comm.rank(), comm.size());
  double const a = std::cbrt(4.0 / o.density);
  int const beside = apps::ranks_on_node();
  auto piece = upsweep::mpi::all_or_none(comm, [&] {
    constexpr double basis[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    upsweep::mpi::particle_piece p;
    p.first = range.first;
    p.total = n;
    // Refused before memory is asked for: the list's indices are int.
    auto const local =
        static_cast<std::size_t>(narrow<int>(range.last - range.first, "--cells", "the number of particles on a rank"));
    double const density = is_any(o.open) ? 0 : o.density;
    require_countable_neighbors("--lattice", density, o.list_cutoff());
    require_memory_for(space, "--cells", range.last - range.first, density, o.list_cutoff(), beside);
    for (std::size_t d = 0; d < 3; ++d) p.data.hi[d] = a * static_cast<double>(o.cells[d]);
    for (std::size_t d = 0; d < 3; ++d) p.data.periodic[d] = !o.open[d];
    p.data.masses = {1.0};
    p.data.types.assign(local, 1);
    p.data.ids.resize(local);
    p.data.image_flags.resize(3 * local);
    p.data.positions.resize(3 * local);
    p.data.velocities.resize(3 * local);
    for (std::size_t i = 0; i < local; ++i) {
      std::int64_t const id = range.first + static_cast<std::int64_t>(i);
      std::int64_t const cell = id / 4;
      std::int64_t const at[3] = {cell % o.cells[0], cell / o.cells[0] % o.cells[1], cell / o.cells[0] / o.cells[1]};
      p.data.ids[i] = id + 1;
      for (std::size_t d = 0; d < 3; ++d)
        p.data.positions[3 * i + d] = a * (static_cast<double>(at[d]) + basis[id % 4][d]);
    }
    return p;
  });
  draw_velocities(comm, o, piece);
  return piece;
}

namespace {

/// Names what of a file the simulation does not use, and takes it out of the data.
std::string take_unused(upsweep::particle_data& data) {
  auto names = std::move(data.skipped);
  auto const take = [&](auto& values, char const* name) {
    if (!values.empty()) names.emplace_back(name);
    values = {};
  };
  take(data.bonds, "Bonds");
  take(data.charges, "charges");
  take(data.radii, "radii");
  take(data.molecules, "molecule ids");
  data.skipped.clear();
  data.bond_types.clear();
  // Files may have thousands of names, of any bytes.
  constexpr std::size_t most = 40;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k) {
    text += k == 0 ? "" : ", ";
    text += upsweep::printable(names[k].substr(0, 60));
  }
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

/// Names of types that a checkpoint and a terminal can show: one name that is not plain text, and there are none.
std::map<std::int32_t, std::string> plain_names(std::map<std::int32_t, std::string> names) {
  constexpr std::size_t most = 1000;
  auto const is_plain = [](auto const& name) {
    return name.second.size() <= 60 && upsweep::printable(name.second) == name.second;
  };
  if (names.size() > most || !std::all_of(names.begin(), names.end(), is_plain)) names.clear();
  return names;
}

/// Hands rank 0's names of types to all ranks. Collective.
void share_species(upsweep::mpi::communicator const& comm, std::map<std::int32_t, std::string>& species) {
  std::string lines = upsweep::mpi::all_or_none(comm, [&] {
    std::string text;
    if (comm.rank() == 0)
      for (auto const& [type, name] : species) text += std::to_string(type) + " " + name + "\n";
    return text;
  });
  auto size = static_cast<int>(lines.size());
  upsweep::mpi::check(comm, MPI_Bcast(&size, 1, MPI_INT, 0, comm.get()), "MPI_Bcast");
  upsweep::mpi::all_or_none(comm, [&] { lines.resize(static_cast<std::size_t>(size)); });
  upsweep::mpi::check(comm, MPI_Bcast(lines.data(), size, MPI_CHAR, 0, comm.get()), "MPI_Bcast");
  upsweep::mpi::all_or_none(comm, [&] {
    std::istringstream text(lines);
    std::int32_t type = 0;
    for (std::string name; text >> type >> name;) species[type] = name;
  });
}

upsweep::box<double> box_in_file(std::string const& name, upsweep::particle_data const& data) {
  struct lean {
    double tilt;
    char const* name;
    std::size_t direction;  ///< of the edge that leans
  };
  for (auto const& [tilt, tilt_name, d] :
       std::array{lean{data.tilt[0], "xy", 1}, lean{data.tilt[1], "xz", 2}, lean{data.tilt[2], "yz", 2}})
    if (tilt != 0 && !data.periodic[d])
      throw upsweep::input_error(name + ": the edge in the open direction " + "xyz"[d] + " leans: " + tilt_name +
                                 " is " + text("%g", tilt) + " (expected 0: no image is taken along that edge)");
  try {
    return box_of(data);
  } catch (upsweep::precondition_error const& e) {
    throw upsweep::input_error(name + ": " + e.what());
  }
}

}  // namespace

upsweep::box<double> box_of(upsweep::particle_data const& data) {
  return upsweep::box<double>::triclinic({data.lo[0], data.lo[1], data.lo[2]}, {data.hi[0], data.hi[1], data.hi[2]},
                                         {.xy = data.tilt[0], .xz = data.tilt[1], .yz = data.tilt[2]},
                                         {data.periodic[0], data.periodic[1], data.periodic[2]});
}

void read_pair_coefficients(upsweep::mpi::communicator const& comm, options& o) {
  using upsweep::mpi::all_or_none;
  if (!o.pair_coefficients.empty()) {
    upsweep::mpi::parallel_reader const file(comm, o.pair_coefficients);
    auto text = all_or_none(comm, [&] {
      if (file.size() > (1u << 20)) throw upsweep::input_error(o.pair_coefficients + ": expected at most 1 MiB");
      return std::string(file.size(), ' ');
    });
    file.read(0, std::as_writable_bytes(std::span(text)));
    all_or_none(comm, [&] { o.coefficients = read_coefficients(o.pair_coefficients, text); });
  }
  all_or_none(comm, [&] {
    auto const name = o.pair_coefficients.empty() ? o.restart : o.pair_coefficients;
    if (!o.coefficients.empty()) require_complete(name, o.coefficients, o.cutoff);
    if (o.half && (o.pair != "lj" || !o.coefficients.empty()))
      throw upsweep::input_error("--half: expected --pair lj, and no coefficients of types");
  });
}

run_start read_or_make_start(upsweep::mpi::communicator const& comm, space_type const& space, options const& o,
                             checkpoint_reader const* checkpoint) {
  run_start start;
  if (!o.lattice.empty()) {
    start.particles = make_fcc(comm, space, o);
    return start;
  }
  int const beside = apps::ranks_on_node();
  auto const check = [&](std::string const& name, upsweep::particle_data const& data, std::int64_t total) {
    auto const box = box_in_file(name, data);
    // Particles may lie beyond open borders, anywhere. So nothing is known of their neighbours.
    double const density = is_open(box) ? 0 : static_cast<double>(total) / box.volume();
    auto const range = upsweep::mpi::even_range(total, comm.rank(), comm.size());
    require_countable_neighbors(name, density, o.list_cutoff());
    require_memory_for(space, o.restart.empty() ? "--input" : "--restart", range.last - range.first, density,
                       o.list_cutoff(), beside);
  };
  if (checkpoint != nullptr) {
    upsweep::mpi::all_or_none(comm, [&] {
      upsweep::particle_data box;
      auto const& header = checkpoint->header();
      copy_box(header, box);
      check(o.restart, box, header.particles);
    });
    return checkpoint->read();
  }
  auto& piece = start.particles;
  {
    auto const whole = upsweep::mpi::all_or_none(comm, [&] {
      if (comm.rank() != 0) return upsweep::particle_data{};
      if (is_checkpoint(o.input))
        throw upsweep::input_error("--input " + o.input + ": is a checkpoint of upsweep-nbody (expected --restart " +
                                   o.input + " in place of --input)");
      auto data = o.starts_from_npy() ? read_npy_start(o) : apps::read_points_file(o.input, o.atom_style);
      if (o.given.contains("--open"))
        for (std::size_t d = 0; d < 3; ++d) data.periodic[d] = !o.open[d];
      if (o.has_box()) apps::note_points_outside("upsweep-nbody", o, data.positions, box_in_file(o.input, data));
      // As LAMMPS' "velocity all create" does it: new velocities take the place of those that there are.
      bool const moves = std::any_of(data.velocities.begin(), data.velocities.end(), [](double v) { return v != 0; });
      if (o.draws_velocities() && moves) data.skipped.emplace_back("velocities");
      start.not_used = take_unused(data);
      start.species = plain_names(std::move(data.species));
      start.has_masses = !data.masses.empty() || !data.particle_masses.empty();
      return data;
    });
    piece = upsweep::mpi::scatter_particles(comm, whole);
    share_species(comm, start.species);
  }
  upsweep::mpi::all_or_none(comm, [&] {
    if (piece.total == 0) throw upsweep::input_error(o.input + ": no atoms (expected at least one)");
    check(o.input, piece.data, piece.total);
  });
  if (o.draws_velocities()) draw_velocities(comm, o, piece);
  return start;
}

}  // namespace nbody

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "trajectory_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>

namespace nbody {
namespace {

/// Appends the shortest decimal that is read back as the same value.
template <class Number>
void add(std::string& text, Number value, char end) {
  std::array<char, 32> digits{};
  auto const [last, code] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text.append(digits.data(), last);
  text += end;
}

template <class Numbers>
void add_three(std::string& text, Numbers const& values, std::size_t particle, char end) {
  for (std::size_t d = 0; d < 3; ++d) add(text, values[3 * particle + d], d < 2 ? ' ' : end);
}

std::string numbers_text(std::span<double const> values) {
  std::string text;
  for (double const value : values) add(text, value, ' ');
  if (!text.empty()) text.pop_back();
  return text;
}

/// "T T F": a word for each direction.
std::string flags(upsweep::box<double> const& box, std::string const& periodic, std::string const& open) {
  std::string text;
  for (int d = 0; d < 3; ++d) text += (d == 0 ? "" : " ") + (box.periodic(d) ? periodic : open);
  return text;
}

}  // namespace

trajectory_format format_of(std::string const& name) {
  auto const suffix = std::filesystem::path(name).extension().string();
  if (suffix == ".xyz" || suffix == ".extxyz") return trajectory_format::xyz;
  if (suffix == ".dump" || suffix == ".lammpstrj") return trajectory_format::lammps;
  if (suffix == ".vtk") return trajectory_format::vtk;
  if (suffix == ".h5" || suffix == ".h5md") return trajectory_format::h5md;
  return trajectory_format::none;
}

std::array<double, 9> edges_of(upsweep::box<double> const& box) {
  auto const tilt = box.tilt();
  return {box.length(0), 0, 0, tilt.xy, box.length(1), 0, tilt.xz, tilt.yz, box.length(2)};
}

std::string xyz_head(frame const& f) {
  std::array<double, 3> const origin{f.box.lo(0), f.box.lo(1), f.box.lo(2)};
  std::string text = std::to_string(f.particles) + "\nLattice=\"" + numbers_text(edges_of(f.box)) + "\" Origin=\"" +
                     numbers_text(origin) + "\" pbc=\"" + flags(f.box, "T", "F") + "\" Step=" + std::to_string(f.step) +
                     " Time=";
  add(text, f.time, ' ');
  return text + "Properties=species:S:1:pos:R:3:velo:R:3:mass:R:1:map_shift:I:3:type:I:1:id:I:1\n";
}

std::string xyz_rows(frame const& f) {
  std::string text;
  for (std::size_t i = 0; i < f.types.size(); ++i) {
    // X is the usual name of what is no chemical element.
    auto const name = f.species.find(f.types[i]);
    text += name == f.species.end() ? "X" : name->second;
    text += ' ';
    add_three(text, f.positions, i, ' ');
    add_three(text, f.velocities, i, ' ');
    add(text, f.masses[i], ' ');
    add_three(text, f.edges, i, ' ');
    add(text, f.types[i], ' ');
    add(text, f.first + static_cast<std::int64_t>(i) + 1, '\n');
  }
  return text;
}

std::string lammps_head(frame const& f) {
  auto const tilt = f.box.tilt();
  // LAMMPS gives the borders of the tilted box along x and y, not those of its edges.
  auto const ends = [](std::array<double, 4> const& of) { return std::minmax_element(of.begin(), of.end()); };
  std::array<double, 4> const x{0, tilt.xy, tilt.xz, tilt.xy + tilt.xz}, y{0, tilt.yz, 0, 0};
  std::array<double, 3> const low{*ends(x).first, *ends(y).first, 0}, high{*ends(x).second, *ends(y).second, 0};
  std::array<double, 3> const tilts{tilt.xy, tilt.xz, tilt.yz};
  bool const tilted = f.box.is_triclinic();
  std::string text = "ITEM: TIMESTEP\n" + std::to_string(f.step) + "\nITEM: NUMBER OF ATOMS\n" +
                     std::to_string(f.particles) + "\nITEM: BOX BOUNDS " + (tilted ? "xy xz yz " : "") +
                     flags(f.box, "pp", "ff") + "\n";
  for (std::size_t d = 0; d < 3; ++d) {
    auto const direction = static_cast<int>(d);
    add(text, f.box.lo(direction) + low[d], ' ');
    add(text, f.box.hi(direction) + high[d], tilted ? ' ' : '\n');
    if (tilted) add(text, tilts[d], '\n');
  }
  return text + "ITEM: ATOMS id type mass x y z ix iy iz vx vy vz\n";
}

std::string lammps_rows(frame const& f) {
  std::string text;
  for (std::size_t i = 0; i < f.types.size(); ++i) {
    add(text, f.first + static_cast<std::int64_t>(i) + 1, ' ');
    add(text, f.types[i], ' ');
    add(text, f.masses[i], ' ');
    add_three(text, f.positions, i, ' ');
    add_three(text, f.edges, i, ' ');
    add_three(text, f.velocities, i, '\n');
  }
  return text;
}

}  // namespace nbody

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Any bytes are refused by input_error, or give particles that fit together and can be written and read again. A first
// line "atom_style: full" makes "full" the argument of the reader.
#include "particles.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/lammps_data.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace {

using upsweep::particle_data;

void check_consistent(particle_data const& p) {
  std::size_t const n = p.size();
  fuzz::check_particles(p);
  fuzz::check(n == 0 || p.ids[0] >= 1, "an id below 1");
  auto const each_or_none = [n](auto const& values) { return values.empty() || values.size() == n; };
  fuzz::check(each_or_none(p.charges) && each_or_none(p.radii) && each_or_none(p.molecules),
              "charges, radii or molecules of some particles alone");
  fuzz::check(fuzz::all_finite(p.charges) && fuzz::all_finite(p.radii), "charges or radii that are not finite");
  fuzz::check(std::all_of(p.radii.begin(), p.radii.end(), [](double r) { return r >= 0; }), "a radius below 0");
  fuzz::check(p.bonds.size() == 2 * p.bond_types.size(), "bonds without a type");
  for (std::size_t k = 0; k < p.bonds.size(); ++k) {
    fuzz::check(p.bonds[k] >= 0 && p.bonds[k] < static_cast<std::int64_t>(n), "a bond of no particle");
    fuzz::check(p.bonds[k] != p.bonds[k ^ 1], "a bond of a particle with itself");
  }
  fuzz::check(std::all_of(p.bond_types.begin(), p.bond_types.end(), [](auto type) { return type >= 1; }),
              "a type of bonds below 1");
}

void add(std::string& text, double x) {
  char digits[32];
  auto const end = std::to_chars(digits, digits + sizeof digits, x).ptr;
  text.append(digits, end).append(" ");
}

/// The style that has what is there of charges, radii and molecules.
std::string style_of(particle_data const& p) {
  std::string const style = std::string(p.charges.empty() ? "" : " charge") + (p.molecules.empty() ? "" : " bond") +
                            (p.radii.empty() ? "" : " sphere");
  return style.empty() ? "atomic" : "hybrid" + style;
}

/// The particles as a data file, with the shortest digits that give the same numbers.
std::string to_text(particle_data const& p) {
  std::int64_t types = static_cast<std::int64_t>(p.masses.size());
  for (auto const type : p.types) types = std::max<std::int64_t>(types, type);
  std::string text = "written again\n" + std::to_string(p.size()) + " atoms\n" + std::to_string(types) +
                     " atom types\n" + std::to_string(p.bond_types.size()) + " bonds\n";
  for (std::size_t d = 0; d < 3; ++d) {
    add(text, p.lo[d]);
    add(text, p.hi[d]);
    text.append(1, "xyz"[d]).append("lo ").append(1, "xyz"[d]).append("hi\n");
  }
  for (double const x : p.tilt) add(text, x);
  text += "xy xz yz\n";
  if (!p.masses.empty()) text += "Masses\n\n";
  for (std::size_t k = 0; k < p.masses.size(); ++k) {
    text += std::to_string(k + 1) + " ";
    add(text, p.masses[k]);
    text += "\n";
  }
  if (p.size() > 0) text += "Velocities\n\n";
  for (std::size_t i = 0; i < p.size(); ++i) {
    text += std::to_string(p.ids[i]) + " ";
    for (std::size_t d = 0; d < 3; ++d) add(text, p.velocities[3 * i + d]);
    text += p.radii.empty() ? "\n" : "0 0 0\n";
  }
  if (p.size() > 0) text += "Atoms # " + style_of(p) + "\n\n";
  for (std::size_t i = 0; i < p.size(); ++i) {
    text += std::to_string(p.ids[i]) + " " + std::to_string(p.types[i]) + " ";
    for (std::size_t d = 0; d < 3; ++d) add(text, p.positions[3 * i + d]);
    if (!p.charges.empty()) add(text, p.charges[i]);
    if (!p.molecules.empty()) text += std::to_string(p.molecules[i]) + " ";
    if (!p.radii.empty()) {
      add(text, 2 * p.radii[i]);
      text += "1 ";
    }
    for (std::size_t d = 0; d < 3; ++d) text += std::to_string(p.image_flags[3 * i + d]) + " ";
    text += "\n";
  }
  text += "Bonds\n\n";
  for (std::size_t k = 0; k < p.bond_types.size(); ++k) {
    text += "1 " + std::to_string(p.bond_types[k]);
    for (std::size_t end = 0; end < 2; ++end)
      text += " " + std::to_string(p.ids[static_cast<std::size_t>(p.bonds[2 * k + end])]);
    text += "\n";
  }
  return text;
}

/// The words after "atom_style:" in the first line of a file.
std::string argument_in(std::string_view text) {
  constexpr std::string_view key = "atom_style:";
  if (!text.starts_with(key)) return {};
  return std::string(text.substr(key.size(), text.find('\n') - key.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t n) {
  static fuzz::folder const folder;
  particle_data p;
  try {
    p = upsweep::read_lammps_data(folder.file("x", bytes, n),
                                  {.atom_style = argument_in({reinterpret_cast<char const*>(bytes), n})});
  } catch (upsweep::input_error const& e) {
    fuzz::check(std::strstr(e.what(), "(expected ") != nullptr, "an error that does not say what was expected");
    return 0;
  }
  check_consistent(p);
  // Twice the radius is a finite number again, or the file has a larger one than it can say as a diameter.
  if (std::any_of(p.radii.begin(), p.radii.end(), [](double r) { return !std::isfinite(2 * r); })) return 0;
  auto const text = to_text(p);
  auto const again = upsweep::read_lammps_data(folder.file("y", text.data(), text.size()));
  fuzz::check(again.ids == p.ids && again.types == p.types && again.positions == p.positions &&
                  again.velocities == p.velocities && again.image_flags == p.image_flags && again.masses == p.masses &&
                  again.lo == p.lo && again.hi == p.hi && again.tilt == p.tilt && again.charges == p.charges &&
                  again.radii == p.radii && again.molecules == p.molecules && again.bonds == p.bonds &&
                  again.bond_types == p.bond_types && again.skipped.size() == (p.radii.empty() ? 0u : 2u),
              "other particles when written and read again");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "lammps_style_table.hpp"

#include "../tokens.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace upsweep::io::detail {
namespace {

int width(std::string_view field, int species) {
  if (field == "x" || field == "x0" || field == "v" || field == "omega" || field == "angmom" || field == "mu") return 3;
  if (field == "sp") return 4;  // direction and length of a spin
  if (field == "cs") return 2;  // a complex number
  if (field == "cc") return species;
  return 1;
}

/// Adds the columns of fields that are not there yet.
void add_fields(std::string_view text, int species, std::vector<std::string_view>& fields, int& columns,
                atom_style& style) {
  for (auto field = next_word(text); !field.empty(); field = next_word(text)) {
    if (std::find(fields.begin(), fields.end(), field) != fields.end()) continue;
    fields.push_back(field);
    if (field == "type") style.type = columns;
    if (field == "x") style.x = columns;
    if (field == "q") style.charge = columns;
    if (field == "molecule") style.molecule = columns;
    if (field == "radius") style.radius = columns;
    columns += width(field, species);
  }
}

/// Names of the fields that the reader does not look for.
std::vector<std::string> unread(std::string const& section, std::vector<std::string_view> const& fields) {
  static constexpr std::array<std::string_view, 7> read{"id", "type", "x", "q", "molecule", "radius", "v"};
  std::vector<std::string> names;
  for (auto const field : fields)
    if (std::find(read.begin(), read.end(), field) == read.end())
      names.push_back(section + " column " + std::string(field));
  return names;
}

}  // namespace

std::vector<style_fields> const& all_styles() {
  // The fields are those that LAMMPS itself reads (fields_data_atom and fields_data_vel of its atom styles), by its
  // names, which is not always what its documentation says: the type of template is behind the three template columns.
  using enum style_arguments;
  static std::vector<style_fields> const styles{
      {"atomic", "id type x", "id v"},
      {"charge", "id type q x", "id v"},
      {"molecular", "id molecule type x", "id v"},
      {"bond", "id molecule type x", "id v"},
      {"angle", "id molecule type x", "id v"},
      {"full", "id molecule type q x", "id v"},
      {"amoeba", "id molecule type q x", "id v"},
      {"sphere", "id type radius rmass x", "id v omega", zero_or_one},
      {"ellipsoid", "id type ellipsoid rmass x", "id v angmom"},
      {"body", "id type body rmass x", "id v angmom", any_words},
      {"dipole", "id type q x mu", "id v"},
      {"dpd", "id type dpdTheta x", "id v"},
      {"mdpd", "id type rho x", "id v"},
      {"edpd", "id type edpd_temp edpd_cv x", "id v"},
      {"tdpd", "id type x cc", "id v", species},
      {"electron", "id type q espin eradius x", "id v ervel"},
      {"line", "id molecule type line rmass x", "id v omega"},
      {"tri", "id molecule type tri rmass x", "id v omega angmom"},
      {"peri", "id type vfrac rmass x", "id v"},
      {"template", "id molecule molindex molatom type x", "id v", one_word},
      {"spin", "id type x sp", "id v"},
      {"sph", "id type rho esph cv x", "id v"},
      {"oxdna", "id type x", "id v"},
      {"apip", "id type x", "id v", one_word},
      {"wavepacket", "id type q espin eradius etag cs x", "id v ervel"},
      {"bpm/sphere", "id molecule type radius rmass x", "id v omega", zero_or_one},
      {"smd", "id type molecule vfrac rmass radius contact_radius x0 x", "id v"},
      {"dielectric", "id molecule type q x mu area ed em epsilon curvature", "id v"},
      {"rheo", "id type rheo_status rho x", "id v"},
      {"rheo/thermal", "id type rheo_status rho esph x", "id v"},
  };
  return styles;
}

style_fields const* find_style(std::string_view name) {
  if (name.ends_with("/kk")) name.remove_suffix(3);  // the variants for Kokkos read the same lines
  auto const& styles = all_styles();
  auto const found = std::find_if(styles.begin(), styles.end(), [&](auto const& s) { return s.name == name; });
  return found == styles.end() ? nullptr : &*found;
}

atom_style lay_out(std::vector<style_fields const*> const& styles, bool hybrid, int species) {
  atom_style style;
  std::vector<std::string_view> atoms, velocities;
  style.name = hybrid ? "hybrid" : "";
  if (hybrid) {
    add_fields("id type x", species, atoms, style.columns, style);
    add_fields("id v", species, velocities, style.velocity_columns, style);
  }
  for (auto const* s : styles) {
    style.name.append(style.name.empty() ? "" : " ").append(s->name);
    if (s->arguments == style_arguments::species) style.name.append(" ").append(std::to_string(species));
    add_fields(s->atoms, species, atoms, style.columns, style);
    // No field of a velocity is one of those that the reader looks for.
    add_fields(s->velocities, species, velocities, style.velocity_columns, style);
    // LAMMPS halves the column where one of these styles has it; smd has a radius there.
    if (s->name == "sphere" || s->name == "bpm/sphere") style.radius_unit = 0.5;
  }
  style.unread = unread("Atoms", atoms);
  style.unread_of_velocities = unread("Velocities", velocities);
  return style;
}

}  // namespace upsweep::io::detail

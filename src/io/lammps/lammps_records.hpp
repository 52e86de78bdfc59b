// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../line_reader.hpp"
#include "lammps_labels.hpp"
#include "lammps_style.hpp"

#include <upsweep/io/particle_data.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace upsweep::io::detail {

/// The line that each record came from, kept only where lines are not consecutive.
class record_lines {
 public:
  void add(std::size_t record, std::int64_t line);
  std::int64_t operator[](std::size_t record) const;

 private:
  std::vector<std::pair<std::size_t, std::int64_t>> runs_;
};

/// The lines of section Atoms, as they come.
class atom_records {
 public:
  /// names: what the file and the caller say of the style, or nothing.
  void begin(std::optional<atom_style> names) { style_ = std::move(names); }
  void add(std::string_view data, type_names const& types, line_reader const& reader);
  /// Nothing as long as no line has decided on it.
  std::optional<atom_style> const& style() const { return style_; }
  /// Moves everything to `out` in ascending order of ids. Throws input_error for an id given twice.
  void take(particle_data& out, line_reader const& reader);

 private:
  void split(std::string_view data);
  void choose_columns(type_names const& types, line_reader const& reader);

  std::optional<atom_style> style_;
  std::size_t columns_ = 0;  // of every line, from the first
  std::vector<std::string_view> words_;
  record_lines lines_;
  particle_data data_;
};

/// The lines of section Velocities, as they come.
class velocity_records {
 public:
  void add(std::string_view data, line_reader const& reader);
  void check_style(std::optional<atom_style> const& atoms, line_reader const& reader) const;
  /// Positions of the records in ascending order of ids, empty where they are in order. Throws input_error for an id
  /// given twice.
  std::vector<std::size_t> order(line_reader const& reader) const;
  /// Sets out.velocities, zero where there was no section. Throws input_error where the ids are not those of the atoms.
  void take(std::vector<std::size_t> const& order, particle_data& out, line_reader const& reader);

 private:
  std::size_t columns_ = 0;
  record_lines lines_;
  std::vector<std::int64_t> ids_;
  std::vector<double> values_;
};

/// The lines of section Masses.
class mass_records {
 public:
  void add(std::string_view data, type_names const& types, line_reader const& reader);
  /// Masses of type 1, 2, ... Throws input_error for a type given twice.
  std::vector<double> take(line_reader const& reader);

 private:
  record_lines lines_;
  std::vector<std::int64_t> types_seen_;
  std::vector<double> masses_;
};

}  // namespace upsweep::io::detail

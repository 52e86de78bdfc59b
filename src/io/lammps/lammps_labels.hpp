// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../line_reader.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace upsweep::io::detail {

/// The types of atoms or bonds: numbers up to a largest one, or the labels that a section such as Atom Type Labels has
/// for them. LAMMPS knows labels from where they are given, so the section comes before those that use them.
class type_names {
 public:
  /// what: "atom type"; section: where its labels are given.
  type_names(char const* what, char const* section) : what_(what), section_(section) {}

  /// types: the largest one.
  void begin(std::int64_t types) { types_ = types; }
  /// Takes a line "number label" of the section.
  void add(std::string_view data, line_reader const& reader);

  /// The type that a word of another section names. Throws input_error.
  std::int32_t read(std::string_view word, line_reader const& reader) const;
  /// Whether a word names a type.
  bool has(std::string_view word) const;

 private:
  char const* what_;
  char const* section_;
  std::int64_t types_ = 0;
  std::map<std::string, std::int32_t, std::less<>> labels_;
  std::set<std::int32_t> labelled_;
};

}  // namespace upsweep::io::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "lammps_style.hpp"

#include <string_view>
#include <vector>

namespace upsweep::io::detail {

/// Which words LAMMPS' command atom_style takes behind a style's name.
enum class style_arguments {
  none,
  zero_or_one,  ///< one word, 0 or 1, or none
  one_word,
  any_words,
  species  ///< the number of chemical species, which decides on columns
};

/// A style by the fields of its lines, in their order.
struct style_fields {
  std::string_view name;
  std::string_view atoms;       ///< of section Atoms
  std::string_view velocities;  ///< of section Velocities
  style_arguments arguments = style_arguments::none;
};

/// All styles of LAMMPS but hybrid.
std::vector<style_fields> const& all_styles();

/// The style of this name, with or without /kk at its end; or null.
style_fields const* find_style(std::string_view name);

/// The columns of a style, or of several that make a hybrid one: then id, type and x come first, and a field that
/// several have is there once. species: of tdpd.
atom_style lay_out(std::vector<style_fields const*> const& styles, bool hybrid, int species);

}  // namespace upsweep::io::detail

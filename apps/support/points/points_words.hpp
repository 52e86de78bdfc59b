// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../options/options.hpp"
#include "points_options.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace apps {

/// How programs differ in what they take.
struct points_kind {
  bool needs_box = false;    ///< a NumPy file without --box is refused
  bool may_be_flat = false;  ///< points in two dimensions, in a box of two lengths, are taken, too
};

/// The options of a program that reads points, while its command line is read: --input, --atom-style, --box, --origin
/// and --open. `values` gets them; the third length of a box of two is 0.
struct points_words {
  points_options& values;
  points_kind kind;
  std::string box, origin, open;
  CLI::Option *input_option, *origin_option, *open_option;

  points_words(CLI::App& app, points_options& into, points_kind of = {});

  /// Reads the words. Throws: bad_option for those that are wrong, or do not go with the file's format.
  void finish();
};

}  // namespace apps

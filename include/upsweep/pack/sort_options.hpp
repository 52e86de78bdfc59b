// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string_view>

namespace upsweep {

class workspace;

/// Which key comes first.
enum class sort_order { ascending, descending };

/// Options of sorts: `sort(space, keys, {.workspace = &ws, .order = sort_order::descending})`.
struct sort_options {
  upsweep::workspace* workspace = nullptr;  ///< with one, the call is asynchronous and takes its memory from there
  std::string_view label = {};              ///< goes into the kernels' labels, in brackets
  upsweep::sort_order order = sort_order::ascending;
  /// Only bits [first_bit, last_bit) of keys count, from the least significant one; keys equal in them stay in their
  /// order. The bits are those of the key as an unsigned integer of the same order: signed keys with their sign
  /// flipped, negative floating-point keys complemented and others with their sign set.
  int first_bit = 0;
  int last_bit = all_bits;

  static constexpr int all_bits = -1;  ///< as last_bit: all from first_bit on
};

}  // namespace upsweep

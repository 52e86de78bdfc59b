// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../base/vectors/sort_network.hpp"

#include <cstddef>

// To be included where the target is set.

namespace upsweep::neighbors::detail {

/// Words that are sorted by a network of these vectors.
template <class Word, template <class> class Lanes>
struct words_by_network {
  static void sort(Word* words, int n, int, Word*) {
    internal::sort_network<Word, Lanes>::sort(words, static_cast<std::size_t>(n), words);
  }
};

}  // namespace upsweep::neighbors::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/digit_look_back.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::detail {

/// How a pass of the single-pass sort cuts its work.
template <int Threads, int Items, int Teams, int Window = 4>
struct sort_shape {
  static constexpr int threads = Threads;  ///< at least 256
  static constexpr int items = Items;      ///< keys a thread
  static constexpr int teams = Teams;      ///< a multiprocessor, at least
  static constexpr int window = Window;    ///< rows that a look-back reads together
  static constexpr int tile = Threads * Items;
  /// Tiles whose keys one chain can count.
  static constexpr std::size_t portion_tiles = digit_look_back::most_keys / tile;
  static_assert(Threads >= 256 && Threads % 32 == 0 && tile <= 65536);
};

struct sort_tuning {
  static constexpr int survey_threads = 512;
  static constexpr int survey_teams = 2;  ///< a multiprocessor
  /// Words a digit in the survey's tables: 32 KiB of them.
  template <class Key>
  static constexpr int survey_columns = 32 / static_cast<int>(sizeof(Key));

  /// By the bytes that an element has in scratch.
  template <std::size_t KeyBytes, std::size_t ValueBytes>
  static constexpr auto shape() {
    constexpr bool large = compat::has_large_scratch;
    if constexpr (ValueBytes == 0 && KeyBytes <= 4) return sort_shape<256, 20, 4>{};
    else if constexpr (ValueBytes == 0) return sort_shape<256, 19, 3>{};
    else if constexpr (KeyBytes + ValueBytes <= 8) return std::conditional_t<large, sort_shape<512, 16, 2>, sort_shape<384, 12, 3>>{};
    else return std::conditional_t<large, sort_shape<384, 15, 2>, sort_shape<256, 9, 4>>{};
  }
};

}  // namespace upsweep::detail

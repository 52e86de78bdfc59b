// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/digit_look_back.hpp>

#include <cstddef>

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

  template <class Key, class Value>
  static constexpr auto shape() {
    if constexpr (sizeof(Key) + sizeof(Value) <= 8) return sort_shape<384, 20, 2>{};
    else return sort_shape<384, 12, 2>{};
  }
  template <class Key>
  static constexpr int survey_columns = sizeof(Key) <= 4 ? 8 : 4;
};

}  // namespace upsweep::detail

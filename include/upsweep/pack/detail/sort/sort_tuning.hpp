// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/sort/digit_look_back.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::pack::detail {

/// How a pass of the single-pass sort cuts its work.
template <int Threads, int Items, int Teams, int Window = 4>
struct sort_shape {
  static constexpr int threads = Threads;  ///< at least 256
  static constexpr int items = Items;      ///< keys per thread
  static constexpr int teams = Teams;      ///< per multiprocessor, at least
  static constexpr int window = Window;    ///< rows that a look-back reads together
  static constexpr int tile = Threads * Items;
  /// Tiles whose keys one chain can count.
  static constexpr std::size_t portion_tiles = digit_look_back::most_keys / tile;
  static_assert(Threads >= 256 && Threads % 32 == 0 && tile <= 65536);
};

/// H200, 2026-11-21, random keys, times CUB's DeviceRadixSort (CUDA 13.0, counts of 64 bits) in the same run, and ms a
/// call at 2^28; medians. With counts of 32 bits CUB is slower for uint32 alone (0.85) and faster with uint32 values
/// (1.14, 2^28, 2026-11-23):
///
///                                  2^20   2^22   2^24   2^26   2^28     ms
///   uint32                         1.37   1.44   1.13   1.05   1.03    5.28
///   uint32, uint32 values          1.35   1.28   1.05   1.01   1.01    8.43
///   uint64                         1.33   1.24   1.14   1.12   1.13   14.60
///   uint64, uint64 values           -     1.04   1.02   1.00   1.00   25.06   (2026-11-23, like the next two)
///   uint32, uint64 values           -     1.15   1.09   1.07   1.07    9.83
///   uint64, uint32 values           -     1.01   1.03   1.02   1.01   20.14
///
/// Sorted, reversed and few distinct keys at 2^26: uint32 1.00, 1.02, 0.93; uint64 with values 1.63, 1.64, 0.89; all
/// equal: 5.6, 10.9.
///
/// Other shapes (threads, items, teams), 2^26, us: uint32 256, 20, 4 1355; 384, 19, 3 1380; 256, 24, 3 1405; 512, 16, 3
/// 1540; 1024, 16, 1 1730. With uint32 values 512, 16, 2 2150; 384, 18, 2 2200; 512, 18, 2 2300; 256, 20, 3 2440; 384,
/// 14, 3 2690. uint64 256, 19, 3 3735; 384, 19, 2 3765; 384, 11, 3 4025; 512, 16, 2 4080. With uint64 values 384, 15, 2
/// 6294; 256, 23, 2 6298; 288, 20, 2 6350; 320, 18, 2 6399; 256, 15, 3 6905; 512, 11, 2 7018. uint32 with uint64 values
/// 384, 19, 2 2483; 320, 23, 2 2543; 384, 17, 2 2550; 256, 28, 2 2638; 256, 18, 3 2957. A look-back that reads 1, 4 or
/// 8 rows together: 1806, 1754, 1774 (uint32, before the kernel had fewer instructions). Tables of the digit counts
/// with 1, 4, 8 or 16 words per digit: 1394, 1391, 1386, 1377.
///
/// Short inputs, uint32, 2^16 / 2^20 / 2^22, us on the device alone (CUB of CUDA 13.0: 51 / 79 / 167): as it is 39 / 59
/// / 119; tiles of 256, 10, 4 33 / 63 / 150; 384, 12, 3 37 / 59 / 135; 512, 8, 2 37 / 59 / 153; 1024, 8, 1 45 / 60 /
/// 164; a look-back that reads 8 rows together 39 / 58 / 119; totals by atomics, the last team plans: 44 / 66 / 127.
struct sort_tuning {
  static constexpr int digit_count_threads = 512;
  static constexpr int digit_count_teams = 2;  ///< per multiprocessor
  /// Words per digit in the tables of digit counts: 32 KiB of them.
  template <class Key>
  static constexpr int digit_count_columns = 32 / static_cast<int>(sizeof(Key));

  /// By the bytes that an element has in scratch.
  template <std::size_t KeyBytes, std::size_t ValueBytes>
  static constexpr auto shape() {
    constexpr bool large = compat::has_large_scratch;
    if constexpr (ValueBytes == 0 && KeyBytes <= 4) return sort_shape<256, 20, 4>{};
    else if constexpr (ValueBytes == 0) return sort_shape<256, 19, 3>{};
    else if constexpr (KeyBytes + ValueBytes <= 8)
      return std::conditional_t<large, sort_shape<512, 16, 2>, sort_shape<384, 12, 3>>{};
    else if constexpr (KeyBytes + ValueBytes <= 12)
      return std::conditional_t<large, sort_shape<384, 19, 2>, sort_shape<256, 10, 4>>{};
    else return std::conditional_t<large, sort_shape<384, 15, 2>, sort_shape<256, 8, 4>>{};
  }
};

}  // namespace upsweep::pack::detail

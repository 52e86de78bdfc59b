// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/sort/digit_look_back.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::pack::detail {

/// Where a pass has the elements of a tile (sort_pass.hpp).
enum class tile_place { in_registers, in_scratch, by_sectors };

/// How a pass of the single-pass sort cuts its work.
template <int Threads, int Items, int Teams, tile_place Held, int Window = 4>
struct sort_shape {
  static constexpr tile_place held = Held;
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
/// (1.14, 2^28, 2026-11-23). Tiles of up to 8 bytes per element were in registers; today's were not measured there:
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
/// H100, 2026-11-28, today's shapes out of place, times CUB 3.6.0 with its faster counts, and ms a call at 2^28:
///
///                                  2^20   2^22   2^24   2^26   2^28     ms
///   uint32                         1.06   1.16   1.06   1.01   0.99    5.60
///   uint32, uint32 values          1.02   1.06   0.96   0.98   0.98    8.92
///   uint64                         1.02   1.03   1.04   1.00   1.05   16.10
///   uint64, uint32 values          0.97   0.99   0.97   0.96   0.96   26.07
///
/// Other shapes (threads, items, teams) there, 2^28, ms: uint32 256, 20, 4 5.89; 384, 23, 2 5.95; 512, 16, 3 6.55; in
/// scratch 384, 19, 3 5.66. uint64 in registers 384, 17, 2 17.24; 256, 19, 3 18.81; in scratch 384, 17, 3 16.36; 256,
/// 20, 4 17.19; by sectors 256, 23, 3 17.45. uint32 with uint32 values in registers 512, 16, 2 10.42; in scratch 384,
/// 23, 2 9.57; 384, 18, 3 10.67; by sectors 384, 23, 2 9.11; 384, 15, 3 11.24. uint64 with uint32 values by sectors
/// 384, 18, 2 25.15, but 0.93 times CUB at 2^22; in scratch 512, 13, 2 26.12; 384, 12, 3 30.74.
///
/// On the H200 (all in registers, but those of more than 8 bytes), 2^26, us: uint32 256, 20, 4 1355; 384, 19, 3 1380;
/// 256, 24, 3 1405; 512, 16, 3 1540; 1024, 16, 1 1730. With uint32 values 512, 16, 2 2150; 384, 18, 2 2200; 512, 18, 2
/// 2300; 256, 20, 3 2440; 384, 14, 3 2690. uint64 256, 19, 3 3735; 384, 19, 2 3765; 384, 11, 3 4025; 512, 16, 2 4080.
/// With uint64 values 384, 15, 2 6294; 256, 23, 2 6298; 288, 20, 2 6350; 320, 18, 2 6399; 256, 15, 3 6905; 512, 11, 2
/// 7018. uint32 with uint64 values 384, 19, 2 2483; 320, 23, 2 2543; 384, 17, 2 2550; 256, 28, 2 2638; 256, 18, 3 2957.
/// A look-back that reads 1, 4 or 8 rows together: 1806, 1754, 1774 (uint32, before the kernel had fewer instructions).
/// Tables of the digit counts with 1, 4, 8 or 16 words per digit: 1394, 1391, 1386, 1377.
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

  /// From so many keys on, tiles of keys of up to 4 bytes without values are longer: fewer sectors are stored in two
  /// parts. Shorter inputs are sorted faster by more and shorter tiles.
  static constexpr std::size_t long_input = std::size_t(1) << 27;

  /// Calls f with the shape for n elements, by the bytes that one has in scratch.
  template <std::size_t KeyBytes, std::size_t ValueBytes, class F>
  static auto with_shape([[maybe_unused]] std::size_t n, F const& f) {
    using enum tile_place;
    constexpr bool large = compat::has_large_scratch;
    if constexpr (ValueBytes == 0 && KeyBytes <= 4) {
      if constexpr (large) {
        if (n >= long_input) return f(sort_shape<384, 20, 3, in_registers>{});
      }
      return f(sort_shape<256, 20, 4, in_registers>{});
    } else if constexpr (ValueBytes == 0) {
      return f(std::conditional_t<large, sort_shape<256, 27, 3, in_scratch>, sort_shape<256, 19, 3, in_registers>>{});
    } else if constexpr (KeyBytes + ValueBytes <= 8) {
      return f(std::conditional_t<large, sort_shape<512, 18, 2, by_sectors>, sort_shape<384, 12, 3, in_registers>>{});
    } else if constexpr (KeyBytes + ValueBytes <= 12) {
      return f(std::conditional_t<large, sort_shape<384, 19, 2, in_scratch>, sort_shape<256, 10, 4, in_scratch>>{});
    } else {
      return f(std::conditional_t<large, sort_shape<384, 15, 2, in_scratch>, sort_shape<256, 8, 4, in_scratch>>{});
    }
  }
};

}  // namespace upsweep::pack::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>

namespace upsweep::scan::detail {

/// The numbers of the cache_tiles engine. Measured on two cores of a Xeon (Sapphire Rapids, 48 KB L1, 2 MB L2 a core,
/// 105 MB L3), 2026-11-21, 2 threads, g++ 16.
struct cpu_tuning {
  // These fix the association, and with it the bits of a floating-point result.

  /// Bytes of a tile of built-in elements: folded into the L1 or L2 cache, and scanned out of it.
  static constexpr std::size_t tile_bytes = 32 * 1024;
  /// Tiles of built-in elements below which the whole input is one tile: a fork costs 0.9 us. 128 KB, one thread / two:
  /// float 4.3 / 4.4 us, double 3.9 / 4.4 us, int32 4.2 / 4.4 us, int64 3.9 / 4.3 us.
  static constexpr std::size_t parallel_tiles = 5;
  /// Bytes of a tile of other elements; folded and scanned four tiles at a time, as four independent chains. 2^20
  /// maxima of double, a core of an AMD EPYC (Zen 5), 2026-11-28, us: tiles of 8 KB 890, of 2 KB, whose results are
  /// stored in order while the next tiles are prefetched, 706; a loop 506, with 2^14 7.8 and these tiles 5.9.
  static constexpr std::size_t generic_tile_bytes = 2 * 1024;
  /// Bytes of a tile of built-in elements whose results lie on the stack before they are stored. A functor that stores
  /// its prefix, same core, 2^14 int32 / double, us: this 1.3 / 2.9, four chains of generic tiles 2.9 / 3.4, before
  /// that 4.2 / 8.4, a loop 3.9 / 7.8.
  static constexpr std::size_t stored_tile_bytes = 8 * 1024;
  /// Bytes of values per tile of a segmented scan. Measured when the tiles were scanned in loops: 2^24 doubles by key,
  /// 2 threads, runs of mean length 8 / 100 / 10^5, a plain loop on one thread / this (2026-11-22): 64 KB 1.44 / 1.08 /
  /// 0.86, 128 KB 1.43 / 1.17 / 0.87, 256 KB 1.69 / 1.36 / 0.93.
  /// With 64 KB two threads share 2^14 doubles. That is faster only where both cores are idle. Two cores of an AMD EPYC
  /// 9004, 2026-11-25, segments of 37, active waiting, by key / flags / offsets, us: one thread 4.6 / 4.1 / 4.7, two
  /// threads 3.2 / 3.0 / 3.3; two threads beside other processes 3 to 12 ms, since a thread spins where the other one
  /// should run, while one thread takes 4.6 to 4.8 us there.
  static constexpr std::size_t segmented_tile_bytes = 256 * 1024;

  /// Elements and ends of segments a block of a reduction of segments. Not measured against others.
  static constexpr std::size_t segment_block = 32768;

  // These only schedule.

  /// What a thread takes for a byte of built-in numbers that it folds or scans, and for an element of other scans and
  /// reductions, at the least, nanoseconds. So much work is worth a fork without a look at the clock. The first is from
  /// the measurement at parallel_tiles (0.033). By key, 2^16 int32 took 0.7 an element on one core of an AMD EPYC,
  /// 2026-11-26; other monoids were not measured.
  ///
  /// A fold of up to cached_bytes takes little more: int32 on a core of an AMD EPYC 9004 0.009, of another EPYC 0.0104
  /// to 0.013. Two threads of the latter beside other work, 2026-11-27, medians of one thread / of two where launches
  /// are cheap: 256 KB 3.0 / 4.5 us, 384 KB 4.5 / 5.2, 512 KB 7.1 / 6.3, 768 KB 16.3 / 10.1. With this number 256 KB
  /// are left to one thread (fork_time::is_too_short).
  static constexpr double least_scan_nanoseconds = 0.03, least_fold_nanoseconds = 0.0076;
  static constexpr double least_generic_nanoseconds = 0.2;
  /// Bytes of built-in numbers up to which a thread may have all of them in its L2 cache.
  static constexpr std::size_t cached_bytes = 1024 * 1024;
  // us for int32, upsweep / memcpy, exclusive, in one run each:
  //
  //   tiles per thread         2^19             2^20        2^21
  //   16, else groups of 4    56 or 103 / 37   160 / 130   340 / 312
  //   32, else groups of 4     52 / 39         159 / 130    as above
  //   32, else groups of 2     56 / 44         173 / 133   356 / 279
  //   32, else groups of 8     53 / 39         164 / 129   349 / 308
  //   64, else groups of 1     56 / 41         164 / 156   375 / 299
  //   64, else groups of 4     55 / 41         159 / 155   325 / 310
  //
  // Two numbers where tickets hand a thread the tiles that lie in the other core's cache, in some calls.

  /// Tiles of a group where the input comes from memory: one prefix and 128 KB a group. Double 2^24 with 2 / 4 / 5 /
  /// 8 / 16 / 32: 14.5 / 10.7 / 11.4 / 13.4 / 15.9 / 17.6 ms (2026-11-22, where a copy took 19.7).
  static constexpr std::size_t group_tiles = 4;
  /// The same where one thread is alone, whose tiles then come from its L1 cache, and results go to the caches. 2^19 /
  /// 2^20 doubles, one core of a Xeon, 2026-11-29, us: 1 286 / 573, 2 289 / 580, 4 312 / 630.
  static constexpr std::size_t group_alone = 2;
  /// The most tiles that a thread may hold when every thread takes one run of them: input and output fit its L2 cache.
  static constexpr std::size_t largest_group = 32;
  /// The same of other elements, in tiles of 2 KB.
  static constexpr std::size_t generic_group_tiles = 64, largest_generic_group = 512, generic_group_alone = 16,
                               generic_polls_a_tile = 4;
  /// Bytes of states that a thread has on its stack for each purpose, or 32 states of a group where these are more.
  static constexpr std::size_t stack_bytes = 16 * 1024;
  /// And in tiles of 8 KB.
  static constexpr std::size_t stored_group_tiles = 16, largest_stored_group = 128, stored_group_alone = 4,
                               stored_polls_a_tile = 16;
  /// Bytes of the relay of prefixes on the stack of the calling thread: 16 a group for states of 8 bytes, so that 512
  /// MB are one launch.
  static constexpr std::size_t relay_bytes = 64 * 1024;
  /// Polls of a missing prefix, each of about 20 ns, for each tile of a group: in all about what its fold takes. If
  /// nobody sends a prefix during that, and another time, the thread that waits falls back. 2 threads, 2026-11-22, us
  /// for double 2^17, where threads have a group each, and for double 2^24 beside two busy processes:
  ///
  ///   polls a tile           16     32     64     128    256
  ///   2^17, quiet            42.2   41.8   42.0   41.7   42.5   8 polls: 63 for int64 in place of 47
  ///   2^24, busy            16180  16240  16160  16620  16750
  ///
  /// Where threads have a group each, they yield their core once before they fall back. Beside busy processes both
  /// threads may be on one core: int32 2^19 428 us without it, 278 with it, 282 with it after a quarter of the polls,
  /// which made int32 2^17 2.6 times as slow on average.
  static constexpr std::size_t polls_a_tile = 64;
  /// The same for tiles of segmented scans, whose fold takes long where segments are long.
  /// Not measured against others.
  static constexpr std::size_t segmented_polls_a_tile = 1024;
  /// The most such tiles that a thread may hold when every thread takes one run of them. Not measured against others.
  static constexpr std::size_t largest_segmented_group = 8;
  /// Output from which stores bypass the caches. 2^20 / 2^21 / 2^22 int32: 191 / 383 / 767 us through the caches, 160 /
  /// 340 / 682 past them, 188 / 381 / 766 with rep movsb from a buffer of 4 KB. Where an L3 cache still has the output
  /// of the call before, that is dear. Another Xeon (2 MB L2, 480 MB L3), one core, 2026-11-29, through / past, us,
  /// alone; behind a loop that wrote the output; with a loop that reads it:
  ///
  ///   4 MB    282 / 293       281 / 392       423 / 542
  ///   8 MB    566 / 596       569 / 721       857 / 1168
  ///   16 MB   1224 / 1226     1280 / 1466     1958 / 2659
  ///   64 MB   14563 / 12577   13809 / 12267   23783 / 17743
  ///
  /// 2^21 doubles between calls of loops that write the same 16 MB take 2970 past the caches, a loop 1190 to 2150.
  static constexpr std::size_t streaming_bytes = 32 * 1024 * 1024;
};

}  // namespace upsweep::scan::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/detail/cpu/cpu_tuning.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <limits>
#include <type_traits>

namespace upsweep::engine {

/// How the pipelined engine cuts its work: scratch decides.
template <int Workers, int Stages, int Teams, int BytesPerThread>
struct pipeline_shape {
  static constexpr int workers = Workers;  ///< warps, at most 30
  static constexpr int stages = Stages;    ///< tiles in scratch, at least 2
  static constexpr int teams = Teams;      ///< a multiprocessor
  /// an odd multiple of 16; for selection, which goes by rows, any multiple
  static constexpr int bytes_per_thread = BytesPerThread;
};

/// How kernels made of one_pass.hpp cut their work.
template <int Warps, int BytesPerThread, int Teams, int Pauses = 0, int Window = 1>
struct striped_shape {
  /// that have a part of the tile; a team has one more, and 1024 threads at most
  static constexpr int warps = Warps;
  static constexpr int bytes_per_thread = BytesPerThread;  ///< a multiple of 16; for selection any multiple of 4
  /// at least, per multiprocessor (CUDA), in wavefronts per SIMD unit (HIP)
  static constexpr int teams = Teams;
  static constexpr int pauses = Pauses;  ///< of 100 ns, before the first look at the tiles before
  /// groups before a tile's own whose tiles are looked at one by one
  static constexpr int window = Window;
};

/// How reductions cut their work (reduction_kernel.hpp).
template <int Warps, int BytesPerThread, int Teams, std::size_t LeastRows, std::size_t Tiles, std::size_t LongStretch>
struct reduction_shape {
  static constexpr int warps = Warps;                      ///< a team
  static constexpr int bytes_per_thread = BytesPerThread;  ///< in flight at once, a multiple of 16
  /// at least, per multiprocessor (CUDA), in wavefronts per SIMD unit (HIP)
  static constexpr int teams = Teams;
  static constexpr std::size_t least_rows = LeastRows;      ///< of a warp, where there is more than one tile
  static constexpr std::size_t tiles = Tiles;               ///< at most; and twice as many, where
  static constexpr std::size_t long_stretch = LongStretch;  ///< a warp would have so many rows
};

/// The library's own numbers, each with the reason or the measurement it came from.
template <class ExecutionSpace, bool Gpu = compat::is_gpu<ExecutionSpace>>
struct default_tuning;

template <class ExecutionSpace>
struct default_tuning<ExecutionSpace, false> : scan::detail::cpu_tuning {
  /// A team is one thread: a core's SIMD lanes want a plain loop.
  static constexpr int team_size = 1;
  /// Elements of a tile: those of 4 bytes fill half of a small L1 cache.
  static constexpr std::size_t tile_size = 4096;
  /// 1024 blocks keep 256 threads evenly busy.
  static constexpr std::size_t max_blocks = 1024;
  /// Polls before the fallback for a stalled predecessor; each yields the core.
  static constexpr int polls = 1000;
  using automatic = std::conditional_t<compat::launches_wait<ExecutionSpace>, engine::cache_tiles, engine::two_level>;
};

template <class ExecutionSpace>
struct default_tuning<ExecutionSpace, true> {
  static constexpr int team_size = 256;
  /// Bytes of states that a thread holds: loads of whole sectors, and no spills for 32-byte states.
  static constexpr std::size_t bytes_per_thread = 32;
  /// Eight teams of 256 threads on each of an H200's 132 multiprocessors.
  static constexpr std::size_t max_blocks = 1056;
  /// Round trips of a walk to memory before the fallback for a stalled tile: some ten milliseconds, longer than a
  /// tile ever takes.
  static constexpr int polls = 10000;
  /// The same where tiles are waited for that another kernel on the device may keep from starting
  /// (striped_selection.hpp): about a millisecond, since who waits asks a functor again.
  static constexpr int polls_for_total = 1000;
  /// Where pipelined cannot run. A look-back without warps, with team barriers and folds in one thread, was slower
  /// than two launches more: H200, 2026-11-21, 2^26 int32 / int64, fraction of a copy: two_level 0.19 / 0.36, that
  /// look-back 0.08 / 0.07.
  using automatic = std::conditional_t<compat::has_warps<ExecutionSpace>, engine::look_back, engine::two_level>;
  /// The same with warps, for elements of up to 4 bytes and for longer ones. Not measured with wavefronts of 64: as
  /// many threads that load there, and at most 96 bytes for each. clang 21 for gfx90a spills 74 registers of a scan of
  /// int32 with 160 bytes, 10 with 128 bytes, and none with 96.
  /// H200, 2026-11-22, 2^28 int32 / int64 / double, fraction of a copy (CUB 3.6.0: 0.71 / 0.77 / 0.76):
  ///   8 warps of 160 bytes, 3 teams, pause of 1000 ns              0.858 / 0.831 / 0.825
  ///   8 warps of 160 bytes, 3 teams, 600 ns, window of 2           0.822 / 0.821 / 0.803
  ///   8 warps of 144 bytes, 3 teams, 600 ns, window of 2           0.794 / 0.800 / 0.792
  ///   8 warps of 128 bytes, 3 teams, 600 ns, window of 2           0.792 / 0.793 / 0.793
  ///   7 warps of 160 bytes, 3 teams, 600 ns, window of 2           0.810 / 0.808 / 0.792
  ///   10 warps of 160 bytes, 2 teams, 600 ns, window of 2          0.803 / 0.780 / 0.774
  /// Nsight Compute, with another tile: warps wait at barriers (12 to 20 of the cycles between two instructions of a
  /// warp), that is for the prefix; then for memory (5 to 10).
  /// Elements in scratch beside those in registers, 96 + 128 bytes: 0.877 / 0.64 / 0.788. See one_pass.hpp for
  /// persistent teams.
  static constexpr int warp_width = compat::warp_width<ExecutionSpace>;
  template <int WarpsOf32, int BytesPerThread, int Teams, int Pauses = 0, int Window = 1>
  using striped = striped_shape<WarpsOf32 * 32 / warp_width,
                                (warp_width == 64 && BytesPerThread > 96 ? 96 : BytesPerThread), Teams, Pauses, Window>;
  using warp_look_back_4 = striped<8, 160, 3, 10>;
  using warp_look_back_8 = warp_look_back_4;
  /// Inputs of a few tiles, one team per tile (one_wave_scan.hpp), for elements of up to 4 bytes and for longer ones:
  /// small tiles first. H200, 2026-11-22, 20 calls in a row, us per call, 2^12 / 2^18 / 2^20 int32, 2^12 / 2^18 int64
  /// (CUB 3.6.0: 7 to 10):
  ///   16 warps of 32 bytes                 5.5 / 6.0 /  -     5.4 / 6.4
  ///   16 warps of 64 bytes                 5.7 / 5.9 / 6.5     -  /  -
  ///   16 warps of 48 bytes                 5.7 / 6.0 /  -      -  /  -
  ///    8 warps of 64 bytes                 5.7 / 5.8 /  -      -  /  -
  ///   12 warps of 96 bytes                 5.7 / 6.0 / 7.4     -  /  -
  using few_tiles_4 = striped<16, 64, 1, 0, 4>;
  using few_tiles_8 = striped<16, 32, 1, 0, 4>;
  /// Bytes up to which inputs are a few tiles: no limit but the number of tiles that one look-back sees.
  static constexpr std::size_t few_tiles_bytes = std::numeric_limits<std::size_t>::max();

  /// And large tiles: all teams at once, where tiles that go by ticket would leave a second wave with little to do.
  /// The same, 2^20 / 2^21 / 2^22 int32, 2^20 int64 / double (CUB 3.6.0: 7.4 / 8.6 / 12.8, 7.8 / 7.8 at
  /// best); 3 % are noise:
  ///   16 warps of 128 bytes, 2 teams, window of 7   7.4 / 8.5 / 11.4     -
  ///   13 warps of 160 bytes, 2 teams, window of 7   7.4 / 8.4 / 11.1     -
  ///   16 warps of 144 bytes, 2 teams, window of 7   12.3 / 12.6 / 14.2   -  (nvcc spills)
  ///   12 warps of 176 bytes, window of 4             -                  8.9 / 8.8
  ///    8 warps of 256 bytes, window of 4             -                  8.8 / 8.6
  ///   14 warps of 160 bytes, window of 3             -                  9.0 / 8.8
  ///    6 warps of 176 bytes, 2 teams, window of 7    -                  9.1 / 9.1
  ///   pipelined                                      -   / - / 15.3     10.5 / 10.5
  /// Where a device runs one of these teams at a time, lanes add up what they have before they scan it
  /// (striped_tile.hpp): the sum is there some 0.8 us earlier, and registers suffice. H200, 2026-11-28, 40 calls in a
  /// row, 2^20 / 2^21 / 2^22 int32 (CUB 3.6.0: 9.1 / 9.6 / 13.1), 2^19 / 2^20 / 2^21 int64 (8.7 / 9.0 / 13.0):
  ///   16 warps of 128 bytes, 2 teams, window of 7   6.8 / 9.1 / 12.0     -
  ///   26 warps of 160 bytes, window of 4            6.2 / 9.3 / 11.3     -
  ///   12 warps of 176 bytes, window of 4             -                   7.4 / 8.5 / -     (before: 8.0 / 9.3)
  ///   16 warps of 128 bytes, window of 4             -                   7.2 / 8.4 / -
  ///   20 warps of 112 bytes, window of 4             -                   7.2 / 8.2 / -
  ///   28 warps of  80 bytes, window of 4             -                   7.7 / 8.7 / -
  ///   16 warps of 256 bytes, window of 4             -                   8.6 / 9.1 / 12.1
  ///   pipelined                                      -                   -   / -   / 13.5 to 15.4
  using few_large_tiles_4 = striped<26, 160, 1, 0, 4>;
  using few_large_tiles_8 = striped<20, 112, 1, 0, 4>;
  static constexpr std::size_t few_large_tiles_bytes = std::size_t(1) << 24;
  using few_largest_tiles_8 = striped<16, 256, 1, 0, 4>;
  static constexpr std::size_t few_largest_tiles_bytes = std::size_t(1) << 24;

  /// Segmented scans, for values of up to 4 bytes and for longer ones: keys or flags are in registers beside so many
  /// bytes of values. H200, 2026-11-22, inclusive_scan_by_key with keys of int32, x CUB 3.6.0; segments of 8 to 10^5
  /// elements make little difference, these
  /// are of 100:                        int32 2^20 / 2^24 / 2^28    double
  ///   8 warps of 128 bytes, 2 teams   1.20 / 1.15 / 1.16          -
  ///   8 warps of 112 bytes, 3 teams   1.09 / 1.18 / 1.17          1.09 / 0.92 / 0.87
  ///   6 warps of 112 bytes, 4 teams   1.15 / 1.20 / 1.17          1.13 / 0.92 / 0.86
  ///  12 warps of 112 bytes, 2 teams   1.16 / 1.16 / 1.15          1.06 / 0.92 / 0.87
  ///   8 warps of  80 bytes, 3 teams   1.19 / 1.16 / 1.14          0.99 / 0.84 / 0.76
  ///   4 warps of 112 bytes, 6 teams   1.13 / 1.01 / 0.95          1.07 / 0.93 / 0.84
  ///   8 warps of 144 bytes, 2 teams   -                           1.09 / 0.92 / 0.87
  ///   8 warps of 176 bytes, 2 teams   -                           1.05 / 0.92 / 0.89
  /// With a scan of the lanes in each round (before elements were transposed in scratch) int32 2^28 had 1.09 at best,
  /// double the same 0.87: so what limits double is not the number of instructions. Its 2^28 moves 3.3 TB/s, as the
  /// plain scan of this kernel does.
  using segmented_4 = striped<8, 128, 2, 4>;
  using segmented_8 = striped<8, 112, 3, 6>;
  /// One team per tile (one_wave_scan.hpp), for values of 8 bytes, and up to how many bytes of them: an H200 runs 396
  /// of these teams at once. The same date, 2^20 double in segments of 8 / 37 / 100 / 10^5 by offsets, 20 calls in a
  /// row, us (CUB 3.6.0, by key: 11.4):
  ///    8 warps of 112 bytes, 3 teams                  10.7 / 10.3 / 10.2 /  9.8
  ///    the same, window of 4                          11.7 / 11.6 / 11.4 / 11.0
  ///    6 warps of 112 bytes, 4 teams, window of 4     11.2 / 11.2 / 11.0 / 10.5
  ///    8 warps of  96 bytes, 3 teams, window of 4     12.0 / 11.8 / 11.7 / 11.2
  ///   10 warps of 112 bytes, 2 teams, window of 7     12.8 / 12.4 / 11.9 / 11.5
  ///   16 warps of  64 bytes, 2 teams, window of 4     13.8 / 13.9 / 13.5 / 13.0
  ///   `segmented_8`, by tickets                       11.6 / 11.3 / 11.3 / 11.0
  ///    the same without its pauses                     11.3 / 11.0 / 10.9 / 10.5
  using few_segmented_8 = striped<8, 112, 3>;
  static constexpr std::size_t few_segmented_bytes = std::size_t(8) << 20;
  /// Bytes of values up to which warps find heads in offsets of segments by themselves, and the least mean length of
  /// segments; else bits are made. H200, 2026-11-23, single calls, us, int32, segments of 8 / 100 / 10^5, with bits and
  /// without (CUB 3.6.0, by key): 2^20 22.8 / 23.1 / 21.4 and 15.7 / 14.9 / 13.3 (17.0 / 16.8 / 16.4);
  /// 2^22 32.2 / 31.0 / 32.2 and 26.7 / 23.4 / 21.9;
  /// 2^24 80 / 69 / 68 and 90 / 70 / 68. double: 2^20 22.9 / 24.0 / 23.5 and 18.4 / 17.4 / 16.3 (17.6 / 18.3 /
  /// 18.1); 2^22 43 / 41 / 41 and 47 / 42 / 37. As many segments as elements, nearly all empty, at one place: 2^20
  /// int32 37, with bits 23.
  static constexpr std::size_t offsets_bytes = std::size_t(1) << 24;
  static constexpr std::size_t offsets_length = 4;
  /// Reductions of runs, for keys and values of up to 4 bytes and for longer ones:
  /// an odd multiple of 16 bytes per lane. H200, 2026-11-23,
  /// reduce_by_key with keys of int32, runs of mean length 100, x CUB 3.6.0 with a count of 64 bits, 2^20 / 2^24 / 2^28
  /// int32 (double: 2^27); with 32 bits, as upsweep-perf has it, and runs of 37 what ships has 0.98 / 1.01 / 1.01,
  /// 1.04 / 1.09 / 1.12 (double 2^28):
  ///   8 warps of  80 bytes, 3 teams           1.05 / 1.30 / 1.37    1.42 / 1.51 / 1.61
  ///   8 warps of 112 bytes, 3 teams           -                     1.58 / 1.80 / 1.95
  ///   the same without pauses                 1.12 / 1.34 / 1.36    1.63 / 1.81 / 1.93
  ///   8 warps of  48 bytes, 4 teams           1.09 / 1.21 / 1.18    -
  ///   6 warps of 112 bytes, 3 teams, 4 teams  1.02 / 1.22 / 1.27    1.63 / 1.69 / 1.79
  using run_sums_4 = striped<8, 80, 3, 6>;
  using run_sums_8 = striped<8, 112, 3, 6>;
  /// The same where teams are persistent (pipelined_run_sums.hpp), as many of these workers as have room in scratch
  /// (those in brackets), and up to how many bytes of keys or values, the longer ones, the others serve. H200,
  /// 2026-11-28, reduce_by_key with keys of int32 in runs of 37, us, 2^23 / 2^24 / 2^28 int32; double (CUB 3.6.0,
  /// counts of 32 bits: 37.2 / 62.7 / 835; 52.3 / 93.7 / 1342):
  ///    80 bytes, 3 stages, 1 team  (14)   31.0 / 49.6 / 650    -
  ///   112 bytes, 3 stages, 1 team  (10)   31.2 / 50.7 / 651    39.8 / 67.9 / 933    with 14 of them
  ///    48 bytes, 3 stages, 1 team  (24)   32.0 / 52.9 / 705    -
  ///    80 bytes, 2 stages, 1 team  (22)   35.3 / 62.2 / 868    -
  ///    48 bytes, 3 stages, 2 teams (12)   39.3 / 67.8 / 969    -
  ///   `run_sums_4`, `run_sums_8`          36.1 / 62.8 / 839    48.3 / 84.8 / 1204
  using pipelined_run_sums_4 = pipeline_shape<30, 3, 1, 80>;
  using pipelined_run_sums_8 = pipeline_shape<30, 3, 1, 112>;
  static constexpr std::size_t short_run_sums_bytes = std::size_t(16) << 20;

  /// Reductions. H200 (132 multiprocessors), 2026-11-22, x CUB 3.6.0, int32 / int64 / states of 32 bytes;
  /// double is like int64:
  ///                                   2^20             2^22             2^24             2^28
  ///   8 warps, 128 bytes, 264 tiles   1.22/1.14/1.05   1.06/1.10/1.09   0.93/1.03/1.00   0.96/1.01/0.99
  ///                       528         1.27/0.97/1.00   0.88/0.99/1.04   0.92/1.01/0.98   0.99/1.00/0.99
  ///                      1056         1.21/0.96/0.82   0.70/0.87/0.91   0.91/0.96/0.97   0.98/1.00/0.99
  ///   4 warps, 128 bytes, 528 tiles   1.06/1.07/1.03   0.94/1.12/1.06   0.97/1.03/0.99   0.96/1.00/0.98
  ///   4 warps,  96 bytes, 528 tiles   1.29/1.11/0.88   0.98/1.11/0.96   0.95/1.00/0.85   0.93/1.00/0.83
  ///  16 warps,  64 bytes, 264 tiles   1.23/1.00/0.91   0.89/0.95/1.02   0.89/0.97/0.96   0.95/0.96/0.95
  ///   8 warps,  64 bytes, 528 tiles   1.19/1.08/0.96   0.94/0.96/0.92   0.89/0.96/0.81   0.92/0.93/0.87
  /// Before, as a scan without output whose tiles went by ticket, 2^24 and 2^28 were at 0.8 to 0.9.
  /// Where operands may be taken in any order, lanes keep sums of their own and meet once. With that, H100, 2026-11-28,
  /// calls in a row, us, int32 2^22 / 2^24 / 2^26 / 2^28 (CUB 3.6.0: 8.1 to 11.7 / 28.2 / 96.3 / 351), double
  /// (10.7 / 50.5 / 181 / 700); the first row without:
  ///   8 warps, 128 bytes, 264 tiles, 2 teams    8.0 / 30.3 / 102 / 360    10.7 / 51.7 / 189 / 706
  ///   4 warps, 128 bytes, 528 tiles, 4 teams    8.2 / 28.9 /  97 / 356    10.4 / 50.5 / 184 / 701
  ///   4 warps,  96 bytes, 660 tiles, 5 teams    8.3 / 28.6 /  97 / 356    10.8 / 50.6 / 184 / 703
  ///   4 warps,  64 bytes, 1056 tiles, 8 teams   8.3 / 28.8 /  97 / 360    10.9 / 51.2 / 184 / 709
  ///   8 warps,  64 bytes, 528 tiles, 4 teams    8.1 / 28.5 /  97 / 361    10.4 / 50.7 / 184 / 708
  using reduction = reduction_shape<4 * 32 / warp_width, 128, 4, 4, 528, 512>;
  /// Reductions by one team (short_reduction.hpp), up to so many bytes. H200, 2026-11-23, us a call in a graph, int32
  /// 2^10 / 2^12 / 2^13 / 2^14 (CUB 3.6.0: 1.8 / 1.7 / 3.0 / 3.1), double 2^11 / 2^12 / 2^13 (1.8 / 3.2 / 3.3):
  ///    8 warps of 128 bytes   1.8 / 2.0 / 2.2 / 2.7   2.1 / 2.2 / 2.7
  ///    8 warps of  64 bytes   1.7 / 2.0 / 2.3 / 2.9   2.1 / 2.4 / 3.1
  ///    8 warps of  32 bytes   1.8 / 2.2 / 2.6 / 3.6   2.3 / 2.7 / 3.7
  ///   16 warps of  64 bytes   1.9 / 2.1 / 2.2 / 2.7   2.2 / 2.2 / 2.7
  ///   32 warps of  32 bytes   2.0 / 2.4 / 2.4 / 2.8   2.4 / 2.5 / 2.8
  ///    4 warps of 128 bytes   1.8 / 2.1 / 2.5 / 3.4   2.1 / 2.6 / 3.5
  ///   `reduction`             2.3 / 2.5 / 3.9 / 4.2   2.6 / 4.0 / 4.2
  /// Single calls of 2^12 int32 take 7.1 us (`reduction` 7.7, CUB 6.2); launched without Kokkos, the same kernel 6.3.
  using short_reduction = striped<8, 128, 1>;
  static constexpr std::size_t short_reduction_bytes = std::size_t(1) << 16;

  /// Elements and ends of segments that a thread has in a reduction of segments on GPUs without warps. Not measured.
  static constexpr std::size_t segment_block = 4096;
  /// Reductions of segments (segment_warps.hpp). H200, 2026-11-23, segments of random lengths with the mean that is
  /// given, us (CUB 3.6.0: 2^20 int32 8.1 / 5.7 / 4.7, 2^24 2479 / 842 / 217 / 114 / 63; 2^28 with a mean of 10^5 294):
  ///   bytes, stretch, longest, together, pieces   2^20: 190 / 400 / 1000   2^24: 8 / 24 / 96 / 190 / 400   2^28: 10^5
  ///   64, 16, 32, 8,  512                         6.0 / 5.6 / 5.6          53 /  47 / 44 / 43 / 41         275
  ///   64, 16, 32, 8, 1024                         6.1 / 6.0 / 5.8          52 /  47 / 44 / 44 / 41         277
  ///   64, 16, 32, 8, 2048                         6.8 / 6.8 / 6.1          53 /  47 / 44 / 43 / 41         276
  ///   64, 16, 32, 4, 1024                         5.9 / 5.9 / 5.8          55 /  51 / 48 / 47 / 44         275
  ///   64, 16, 24, 8, 1024                         6.0 / 5.9 / 5.5          53 /  47 / 44 / 43 / 41         275
  ///   96, 16, 32, 8, 1024                         6.0 / 6.0 / 6.3          55 /  51 / 48 / 47 / 45         272
  ///   96,  8, 16, 4, 4096                         7.8 / 6.6 / 6.7          87 /  68 / 64 / 64 / 49         300
  ///   96, 16, 16, 4, 4096                         7.4 / 6.6 / 6.7          65 / 161 / 72 / 54 / 49         299
  /// With a list of pieces and a second launch for them, 2^20 had 9.0 / 9.0 / 9.1.
  ///
  /// Groups of warps, the same day, x CUB, int32 of each size with the best number of warps per segment (double):
  ///                             400: 2^20/2^22/2^24     1000: the same          3000: and 2^28                10^4
  ///   8 warps,  64 bytes, 4 t.  1.16/1.58/1.84 (1.45)  0.99/1.15/1.36 (1.00)  1.02/0.84/0.90/1.07 (1.07)  1.06 (1.11)
  ///   8 warps,  64 bytes, 6 t.  1.13/1.54/1.80 (1.35)  0.96/1.18/1.31         1.00/0.81 (spills)
  ///   8 warps, 128 bytes, 4 t.  1.15/1.63/2.03 (1.49)  1.02/1.15/1.44 (1.00)  1.01/0.91/0.99/1.05 (1.01)  1.06 (1.00)
  ///   8 warps, 128 bytes, 3 t.  1.21/1.53/1.85 (1.43)  1.02/1.13/1.40 (1.00)  1.03/0.86/1.00/1.09 (1.09)  1.09 (1.12)
  /// Before, segments of 3000 were a warp's or, above 4096 elements, cut: 0.58 / 0.49 / 0.70 / 0.83. What counts is how
  /// many instructions a warp needs for a segment: with masks for each element, and blocks folded in order, eight warps
  /// for 3000 elements had 0.51 at 2^28, two of them 0.91. More warps than the device needs cost: 2^24, mean 1000, one
  /// warp 1.40, two 1.13, four 0.8. Teams that go on to other segments, offsets loaded ahead: 2^28 int32 mean 400 2.98
  /// and not 2.24, 1000 1.78 and 1.73; double, mean 3000, 0.96 and not 1.07. Cut into pieces of 1024 to 4096 elements,
  /// segments of 3000 had 0.46 to 0.65 at 2^22 and 2^24.
  /// Pieces of 1024 / 2048 / 8192 elements: 2^22, segments of 10^5, 2.12 / 2.08 / 1.18; 2^24, segments of 10^4, which
  /// need none, 0.97 / 0.96 / 1.04.
  struct segments {
    using shape = striped<8, 64, 4>;
    using team_shape = striped<8, 128, 3>;  ///< groups of warps
    /// elements per lane that a group is chosen for, by the mean length
    static constexpr std::size_t stretch = 16;
    static constexpr std::size_t least_stretch = 4;       ///< the same where the device has lanes for more
    static constexpr std::size_t longest_stretch = 32;    ///< longer ones are the whole warp's
    static constexpr std::size_t longest_of_warp = 4096;  ///< elements; longer segments are cut into pieces
    /// mean length in elements, from which on groups are of warps
    static constexpr std::size_t least_of_warps = 256;
    static constexpr std::size_t enough_warps = 2500;        ///< for a device: then no more of them for a segment
    static constexpr int together = 8;                       ///< loads of a lane in flight
    static constexpr std::size_t most_pieces = 512;          ///< about, of all elements, as long as pieces are short
    static constexpr std::size_t most_pieces_of_all = 2048;  ///< the same, where segments of the mean length are cut
    static constexpr std::size_t most_blocks = 8;            ///< of a piece
  };

  /// Tiles for select_in_one_pass() where devices have no bulk copies. H200, 2026-11-22, 2^28 int32, a tenth and half
  /// of them chosen, and two outputs; double; us (CUB 3.6.0: 489, 601; 814, 1026):
  ///   10 warps of 112 bytes, 3 teams   422 / 497 / 648    800 /  955 / 1255
  ///   12 warps of  96 bytes, 3 teams   429 / 510 / 654    797 /  963 / 1288
  ///    8 warps of 128 bytes, 3 teams   434 / 515 / 666    834 /  992 / 1293
  ///    8 warps of  96 bytes, 4 teams   447 / 522 / 677    847 /  997 / 1275
  ///   12 warps of 112 bytes, 2 teams   463 / 542 / 677    874 / 1062 / 1332
  ///    8 warps of 112 bytes, 3 teams   474 / 552 / 675    900 / 1075 / 1319
  ///    8 warps of  80 bytes, 4 teams   497 / 569 / 697    958 / 1104 / 1347
  ///   12 warps of  96 bytes, 2 teams   508 / 575 / 727    976 / 1118 / 1406
  ///    8 warps of  96 bytes, 3 teams   524 / 590 / 723   1002 / 1153 / 1394
  using warp_selection = striped<10, 112, 3, 6>;
  /// Tiles for inputs that are short, with bulk copies and without: enough of them for all multiprocessors. An element
  /// has four bytes at least here. H200, 2026-11-23, x CUB 3.6.0: half of int32 chosen / unique of int32, half left /
  /// half of int64 chosen:
  ///                                   2^16             2^20             2^22             2^24
  ///   16 warps of  64 bytes, 2 teams  1.46/1.37/1.33   1.43/1.41/1.23   1.30/1.26/1.03   1.05/1.04/0.90
  ///    8 warps of  64 bytes, 4 teams  1.47/1.40/1.37   1.34/1.36/1.25   1.26/1.27/1.01   1.00/1.01/0.85
  ///    8 warps of  96 bytes, 3 teams  1.40/1.39/1.41   1.33/1.33/1.23   1.26/1.23/1.06   1.06/1.05/0.91
  ///    8 warps of  32 bytes, 4 teams  1.44/1.42/1.41   1.31/1.28/1.00   0.92/0.92/0.69   0.68/0.68/0.54
  ///   `warp_selection`                1.29/1.26/1.28   1.34/1.35/1.23   1.29/1.26/1.14   1.20/1.21/1.10
  ///   `selection`                     1.05/0.95/1.04   1.09/1.08/1.11   1.18/1.07/1.18   1.30/1.21/1.17
  ///   `selection` with 2 stages of 8 warps of 128 bytes, 2 teams
  ///                                   1.20/1.11/1.21   1.19/1.14/1.07   1.10/1.11/1.14   1.24/1.16/1.10
  /// Runs of 37 int32 (run_length): 1.22, 1.34, 1.27, 1.17, and with `warp_selection` 1.15, 1.27, 1.29, 1.42.
  using short_selection = striped<16, 64, 2>;
  static constexpr std::size_t short_selection_bytes = std::size_t(16) << 20;
  /// Bytes up to which runs are found without bulk copies (run_length). H100, 2026-11-28, us, 2^23 / 2^24 / 2^28 int32,
  /// runs of 37; runs of 2 (CUB 3.6.0: 30.4 / 55.3 / 736; 41.6 / 72.5 / 1011):
  ///   `warp_selection`                    24.9 / 45.5 / 549    46.1 / 76.2 / 1022
  ///   `selection` (pipelined_runs.hpp)    23.1 / 38.8 / 425    57.7 / 95.7 / 1081
  static constexpr std::size_t short_runs_bytes = std::size_t(64) << 20;

  /// Tiles of joined parts (striped_selection.hpp): all teams at once, and so as many elements as registers hold. H200,
  /// 2026-11-23, half of the elements in front, 20 calls in a row, us: int32 2^16 / 2^20 / 2^21 / 2^22, int64 2^20 /
  /// 2^21 (CUB 3.6.0, which leaves the rest backwards: 8.1 / 9.8 / 13.5 / 19.0, 11.6 / 15.4), and int32 in three parts
  /// 2^20 / 2^21 (10.4 / 15.0):
  ///    8 warps of 128 bytes, 4 teams                5.6 / 7.1 /  8.8 / 13.5    8.8 / 12.1    -
  ///    8 warps of 128 bytes, 3 teams                -                          -             8.0 / 10.5
  ///   11 warps of 128 bytes, 3 teams                6.0 / 7.3 /  9.1 / 13.1    9.1 / 12.3    -
  ///   12 warps of 112 bytes, 3 teams                6.1 / 7.5 /  9.3 / 13.2    9.1 / 12.2    8.7 / 12.2
  ///   16 warps of  64 bytes, 2 teams                5.6 / 7.0 /  9.2 /  -      8.9 /  -      8.2 / 11.3
  ///    8 warps of  64 bytes, 4 teams                5.5 / 7.4 /  9.4 /  -      9.1 /  -      8.5 / 11.8
  ///   12 warps of 112 bytes, 3 teams, window of 4   -   / 8.9 / 12.2 / 16.4   11.9 /  -      -
  ///   16 warps of  64 bytes, 2 teams, window of 7   7.9 / 9.7 / 13.9 /  -     13.8 /  -      -
  ///   a part reversed by a second launch            9.4 / 12.0 / 15.8 / 21.9  12.3 / 20.1    14.2 / 18.0
  /// The last row keeps three parts as bits. Three parts of int64, 2^20: 4 teams 9.6, 3 teams 9.4, parts kept as bits
  /// 15.8 (CUB 9.9); but 3 teams take shorter inputs.
  using joined_selection = striped<8, 128, 4>;

  /// The pipelined engine, for elements of up to 4 bytes and for longer ones.
  /// H200, 2026-11-21, upsweep-autotune, 2^28 int32 / int64, fraction of a copy:
  ///   10 workers, 3 stages, 2 teams (105 KiB a team)   0.909 / 0.906
  ///   8 workers of 144 bytes, 3 stages, 2 teams        0.888 / 0.911
  ///   6 workers, 2 stages, 4 teams (42 KiB a team)     0.826 / 0.850
  ///     the same, compiled for teams that have no more 0.866 / 0.854
  ///   4 workers, 3 stages, 4 teams (42 KiB a team)     0.754 / 0.692
  /// One team with all of the scratch, in a first sketch of the kernel: 0.84 / 0.82.
  using pipelined_4 =
      std::conditional_t<compat::has_large_scratch, pipeline_shape<10, 3, 2, 112>, pipeline_shape<6, 2, 4, 112>>;
  using pipelined_8 = pipelined_4;
  /// Segmented scans of values of 8 bytes and more, with heads (keys, flags or bits) of up to 2 bytes and with longer
  /// ones: at most so many workers, since heads are in scratch beside the values; and from how many bytes of values on.
  /// H200, 2026-11-23, 2^28 double, us: keys of int32 (CUB 3.6.0: 1416) / flags of 1 byte / bits; workers in brackets:
  ///   112 bytes, 3 stages, 1 team  (14 / 18 / 20)   1578 / 1183 / 1204    14 for all, flags and offsets: 1387, 1350
  ///    80 bytes, 3 stages, 1 team  (19 / 25 / 28)   1469 / 1394 / 1499
  ///   112 bytes, 3 stages, 2 teams ( 6 /  9 / 10)   1573 / 1379 / 1366
  ///    80 bytes, 3 stages, 2 teams ( 9 / 12 / 14)   1602 / 1443 / 1660
  ///   112 bytes, 2 stages, 1 team  (20 / 27 / 30)   1533 / 1589 / 1665
  ///   112 bytes, 4 stages, 1 team  (10 / 12 / 12)   1708 / 1365 / 1292
  ///   look_back                                     1570 / 1608 / 1460
  /// 2^24: 106 (look_back 113, CUB 108) / 88 (116) / 89 (106). 2^22: 39 (40, CUB 42) / 32 (38) / 34 (36); 2^21 26
  /// (23) / 22 (22) / 22 (21). A tile takes a team some 4.7 us whatever its size, so what counts is how many
  /// elements the scratch of a multiprocessor holds: keys of 4 bytes leave room for fewer. The copy of a tile's keys
  /// begins 128 bytes before the tile, for the key before it. When it began 16 bytes before, it was not aligned to
  /// 128 bytes: shapes of 80 bytes were 3 % (1 team) and 9 % (2 teams) slower. The rows with 2 and 4 stages were
  /// measured that way.
  using pipelined_segments_2 = pipeline_shape<20, 3, 1, 112>;
  using pipelined_segments_8 = pipeline_shape<20, 3, 1, 80>;
  /// The same of rows of a matrix, whose heads are counted and take no scratch. H200, 2026-11-23, double, inclusive /
  /// exclusive, us; of rows of 8 to 262144 elements, which differ by 1 %:
  ///                                               2^22         2^24          2^28
  ///   144 bytes, 3 stages, 1 team (16 workers)    25.3 / 27.7  78.0 / 83.2   1113 / 1147
  ///   112 bytes, 3 stages, 1 team (20)            28.2 / 27.9  84.6 / 86.3   1181 / 1191
  ///   112 bytes, 3 stages, 2 teams (10)           28.9 / 29.3  87.5 / 87.8   1257 / 1255
  ///   look_back, 8 warps of 144 bytes, 3 teams    37   / 37    107  / 108    1470 / 1485
  ///   look_back as segments are scanned           34.5 / 36.3  108  / 113    1545 / 1613
  ///   CUB 13.0 by keys that it computes           36.5         107           1526
  using pipelined_rows = pipeline_shape<18, 3, 1, 144>;
  static constexpr std::size_t pipelined_segments_bytes = std::size_t(1) << 25;
  /// The same for select_in_one_pass(), where teams wait more for each other and are served best by few, large tiles.
  /// H200, 2026-11-21, 2^28 int32, a tenth and half of them chosen, and two outputs; int64; fraction of a copy of
  /// the same bytes:
  ///   18 workers of 128 bytes, 3 stages, 1 team  0.90 / 0.87 / 0.88   0.95 / 0.90 / 0.88
  ///   24 workers of 96 bytes, 3 stages, 1 team   0.79 / 0.87 / 0.87   0.91 / 0.89 / 0.90   short of registers
  /// and in an earlier form of the kernel, where these two had 0.90 / 0.88 / 0.88 and 0.86 / 0.91 / 0.90:
  ///   22 workers of 104 bytes, 3 stages, 1 team  0.88 / 0.87 / 0.89   0.91 / 0.89 / 0.90
  ///   20 workers of 112 bytes, 3 stages, 1 team  0.87 / 0.87 / 0.84   0.90 / 0.89 / 0.90
  ///   28 workers of 80 bytes, 3 stages, 1 team   0.78 / 0.87 / 0.80   0.90 / 0.91 / 0.91
  ///   12 workers of 96 bytes, 3 stages, 2 teams  0.77 / 0.87 / 0.88   0.82 / 0.90 / 0.89
  ///   10 workers of 112 bytes, 3 stages, 2 teams 0.75 / 0.84 / 0.82   0.80 / 0.89 / 0.87
  ///   14 workers of 112 bytes, 2 stages, 2 teams 0.65 / 0.72 / 0.71   0.86 / 0.88 / 0.82
  ///   10 workers of 80 bytes, 4 stages, 2 teams  0.58 / 0.74 / 0.82   0.64 / 0.80 / 0.84
  using selection =
      std::conditional_t<compat::has_large_scratch, pipeline_shape<18, 3, 1, 128>, pipeline_shape<6, 2, 4, 112>>;
};

/// The numbers that the engines use. A header that upsweep-autotune has written for a machine specialises this for a
/// backend; it inherits what it does not say.
template <class ExecutionSpace>
struct tuning : default_tuning<ExecutionSpace> {};

}  // namespace upsweep::engine

#if defined(UPSWEEP_TUNING_HEADER)
#include UPSWEEP_TUNING_HEADER
#endif

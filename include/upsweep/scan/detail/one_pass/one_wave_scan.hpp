// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/hand_over/look_back_memory.hpp>
#include <upsweep/scan/detail/one_pass/scan_work.hpp>
#include <upsweep/scan/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace upsweep::scan::detail {

/// The longer one of a problem's elements and its states.
template <class Problem>
struct widest_type {
  static constexpr std::size_t bytes =
      std::max(sizeof(typename decltype(Problem::in)::value_type), sizeof(typename Problem::state));
};
template <class Problem>
  requires(takes_segmented_tile<Problem>::value)
struct widest_type<Problem> : widest_type<problem_of_values<Problem>> {};
/// The shape for those of up to 4 bytes, or for longer ones.
template <class Problem, class Of4, class Of8>
using shape_for_width = std::conditional_t<(widest_type<Problem>::bytes <= 4), Of4, Of8>;

/// Elements of the tiles that one look-back sees, or those in so many bytes if they are fewer.
template <class ExecutionSpace, class Problem, class Shape>
constexpr std::size_t elements_in_view(std::size_t bytes) {
  using work = scan_work<Problem, Shape, internal::lanes_of<ExecutionSpace>>;
  return std::min(one_pass_kernel<work, false>::prefixes_type::tiles_in_view * work::tile::size,
                  bytes / work::tile::slot);
}

/// Scans of inputs that are no more tiles than one look-back sees, one team per tile. What counts there is the number
/// of round trips to memory behind one another. Load, publish, look back, store: four; for one tile two. Segmented
/// scans of 8-byte values do without tickets as long as all teams run at once, whatever one look-back sees: their
/// registers allow for a small window only. There are small tiles and large ones, and for elements of 8 bytes still
/// larger ones: small ones spread short inputs over the device, large ones take longer inputs.
template <class ExecutionSpace, class Problem, class Tuning = engine::tuning<ExecutionSpace>>
struct one_wave_scan {
  using small = shape_for_width<Problem, typename Tuning::few_tiles_4, typename Tuning::few_tiles_8>;
  static constexpr bool is_segmented = takes_segmented_tile<Problem>::value;
  using large = std::conditional_t<
      is_segmented, typename Tuning::few_segmented_8,
      shape_for_width<Problem, typename Tuning::few_large_tiles_4, typename Tuning::few_large_tiles_8>>;
  /// Large tiles of elements above 8 bytes are not measured, so there are none. Of 2-byte elements they are slow:
  /// 2^22 of them on an H200 (2026-11-22, 20 calls in a row) 14.6 us, pipelined 12.4 us; of 1 byte 8.7 us,
  /// pipelined 13.0 us.
  static constexpr std::size_t element_bytes = sizeof(typename decltype(Problem::in)::value_type);
  /// Segmented int32, inclusive_scan_by_key of 2^20: in large tiles 17.5 us, in small ones 14.9 us (two runs; CUB
  /// 18.6 and 19.8 us).
  static constexpr bool has_large =
      is_segmented ? widest_type<Problem>::bytes == 8
                   : element_bytes != 2 && element_bytes <= 8 && sizeof(typename Problem::state) <= 8;

  /// Elements up to which the input is a few small tiles, a few large ones, and a few of the largest. A size that the
  /// problem does not have is not asked for: its tile may not exist.
  static constexpr std::size_t most_small = elements_in_view<ExecutionSpace, Problem, small>(Tuning::few_tiles_bytes);
  static constexpr std::size_t most_large = [] {
    if constexpr (!has_large) return std::size_t(0);
    else if constexpr (is_segmented) return Tuning::few_segmented_bytes / 8;
    else return elements_in_view<ExecutionSpace, Problem, large>(Tuning::few_large_tiles_bytes);
  }();

  using largest = typename Tuning::few_largest_tiles_8;
  static constexpr bool has_largest = has_large && !is_segmented && widest_type<Problem>::bytes == 8;
  static constexpr std::size_t most_largest = [] {
    if constexpr (has_largest)
      return elements_in_view<ExecutionSpace, Problem, largest>(Tuning::few_largest_tiles_bytes);
    else return std::size_t(0);
  }();

  static constexpr std::size_t most = std::max({most_small, most_large, most_largest});
  static constexpr bool takes(std::size_t n) { return n <= most; }

  /// Bytes of the protocol's region that scans of up to n elements need, as far as they go this way: small tiles
  /// are more of them.
  static std::size_t region_bytes(std::size_t n) {
    std::size_t bytes = scan_region_bytes<small, ExecutionSpace, Problem>(std::min(n, most_small));
    if constexpr (has_large)
      bytes = std::max(bytes, scan_region_bytes<large, ExecutionSpace, Problem>(std::min(n, most_large)));
    if constexpr (has_largest)
      bytes = std::max(bytes, scan_region_bytes<largest, ExecutionSpace, Problem>(std::min(n, most_largest)));
    return bytes;
  }

  /// Pre: n > 0; takes(n); the region is as long as region_bytes() says and was zeroed before its first use.
  static void scan(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                   scan_names const& names) {
    if (problem.n <= most_small) return scan_by<small>(space, problem, memory, "few_tiles", names);
    if constexpr (has_largest)
      if (problem.n > most_large) return scan_by<largest>(space, problem, memory, "few_largest_tiles", names);
    if constexpr (has_large) scan_by<large>(space, problem, memory, "few_large_tiles", names);
  }

 private:
  template <class Shape>
  static void scan_by(ExecutionSpace const& space, Problem const& problem, look_back_memory const& memory,
                      std::string_view phase, scan_names const& names) {
    auto const kernel = make_scan_kernel<Shape, false, ExecutionSpace>(problem, memory);
    launch_pipeline<Shape::teams>(space, kernel, kernel.prefixes.tiles, phase, names);
  }
};

}  // namespace upsweep::scan::detail

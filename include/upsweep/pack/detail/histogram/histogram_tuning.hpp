// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// How a GPU's teams count a histogram.
template <int Threads, int Teams, int Loads, int Columns, int Words = 8192, int ColumnsOfRuns = 4,
          bool OneLaunch = true, int FewestPerTeam = 8192>
struct histogram_shape {
  static constexpr int threads = Threads;  ///< of a team
  static constexpr int teams = Teams;      ///< a multiprocessor
  static constexpr int loads = Loads;      ///< of 16 bytes that a thread begins before it counts what they bring
  static constexpr int computed = 8;       ///< the same of bins that are computed, or do not lie side by side
  /// Most counters that a bin has in a team's scratch, and words of scratch for those of all bins. With as many columns
  /// as banks no two lanes of a warp of 32 ask for the same bank, whatever the bins are.
  static constexpr int columns = Columns;
  static constexpr std::size_t words = Words;
  /// Up to so many columns equal neighbours are counted by one addition: many lanes may want the same word.
  static constexpr int columns_of_runs = ColumnsOfRuns;
  /// Whether a call with a workspace clears the result in the launch that counts.
  static constexpr bool one_launch = OneLaunch;
  /// Elements for which another team is worth its scratch, which has to be cleared and added up.
  static constexpr std::size_t fewest_per_team = FewestPerTeam;
  /// Up to so many elements one team counts alone: nothing has to be cleared.
  static constexpr std::size_t most_alone = 2 * fewest_per_team;

  /// Columns that so many bins have in scratch, a power of two; 0 for too many bins.
  static constexpr int columns_for(std::size_t bins) {
    return bins > words ? 0 : static_cast<int>(std::bit_floor(std::min<std::size_t>(words / bins, columns)));
  }
};

struct histogram_tuning {
  using gpu = histogram_shape<768, 2, 4, 32>;
};

/// What one team counts at most, so that 32 bits hold it.
inline constexpr std::size_t most_counted_by_team = std::size_t(1) << 31;

}  // namespace upsweep::pack::detail

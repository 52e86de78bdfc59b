// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Two sorts made of scans. Quicksort divides all segments at once in each step, each around a pivot of its own. Radix
// sort is just repeated partition, by the lowest bit first. (upsweep::sort takes eight bits at a time.)

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/pack/load_balance.hpp>
#include <upsweep/pack/pack_lists.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/scan/segmented_reduce.hpp>
#include <upsweep/scan/segmented_scan.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

/// How many keys are below, at and above a pivot.
struct parts {
  int below, at, above;
};
struct sum_of_parts {
  using value_type = parts;
  KOKKOS_FUNCTION parts identity() const { return {0, 0, 0}; }
  KOKKOS_FUNCTION parts operator()(parts const& l, parts const& r) const {
    return {l.below + r.below, l.at + r.at, l.above + r.above};
  }
};

/// Divides every segment of keys into three. Returns where the new segments start, with the number of keys at the end.
Kokkos::View<int*> divide(Kokkos::View<int*> const& keys, Kokkos::View<int*> const& starts) {
  Kokkos::DefaultExecutionSpace const space;
  std::size_t const n = keys.extent(0), segments = starts.extent(0) - 1;
  Kokkos::View<int*> const segment("segment", n), sorted("sorted", n);
  Kokkos::View<parts*> const part("part", n), before("before", n), all("all", segments);
  upsweep::load_balance(space, starts, segment);
  // The pivot of a segment is the key in its middle.
  Kokkos::parallel_for(
      "compare", Kokkos::RangePolicy<>(space, 0, n), KOKKOS_LAMBDA(std::size_t i) {
        int const s = segment(i), pivot = keys((starts(s) + starts(s + 1)) / 2);
        part(i) = {keys(i) < pivot, keys(i) == pivot, keys(i) > pivot};
      });
  upsweep::segmented_exclusive_scan(space, part, upsweep::segment_offsets{starts}, before, sum_of_parts{});
  upsweep::segmented_reduce(space, part, upsweep::segment_offsets{starts}, all, sum_of_parts{});
  Kokkos::parallel_for(
      "move", Kokkos::RangePolicy<>(space, 0, n), KOKKOS_LAMBDA(std::size_t i) {
        int const s = segment(i);
        int const place = part(i).below ? before(i).below
                          : part(i).at  ? all(s).below + before(i).at
                                        : all(s).below + all(s).at + before(i).above;
        sorted(starts(s) + place) = keys(i);
      });
  Kokkos::deep_copy(space, keys, sorted);
  // Empty parts make no segment.
  auto const made = upsweep::pack_lists<int>(
      space, segments + 1, KOKKOS_LAMBDA(std::size_t s, upsweep::emitter<int> const& emit) {
        if (s == segments) return emit(starts(s));
        if (all(s).below > 0) emit(starts(s));
        if (all(s).at > 0) emit(starts(s) + all(s).below);
        if (all(s).above > 0) emit(starts(s) + all(s).below + all(s).at);
      });
  return made.values;
}

std::vector<int> quicksort(std::vector<int> const& given, bool shows) {
  Kokkos::DefaultExecutionSpace const space;
  auto const keys = example::to_device(given);
  auto starts = example::to_device<int>({0, static_cast<int>(given.size())});
  // No segment is divided any more: all of its keys are the same.
  for (std::size_t segments = 0; starts.extent(0) > segments;) {
    segments = starts.extent(0);
    starts = divide(keys, starts);
    if (shows) {
      example::print("keys", upsweep::to_host(space, keys));
      example::print("  segments start at", upsweep::to_host(space, starts));
    }
  }
  return upsweep::to_host(space, keys);
}

/// The partitions are stable: none changes the order of keys whose bit is the same.
std::vector<int> radix_sort(std::vector<int> const& given, int bits, bool shows) {
  Kokkos::DefaultExecutionSpace const space;
  auto keys = example::to_device(given);
  Kokkos::View<int*> other("other", given.size());
  for (int bit = 0; bit < bits; ++bit) {
    auto const counts = upsweep::partition(space, keys, other, KOKKOS_LAMBDA(int k) { return (k >> bit & 1) == 0; });
    std::swap(keys, other);
    if (!shows) continue;
    std::cout << "bit " << bit << " (" << counts[0] << " zeros)";
    example::print("", upsweep::to_host(space, keys));
  }
  return upsweep::to_host(space, keys);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);

  example::expect("quicksort", quicksort({4, 3, 7, 9, 2, 3}, true), {2, 3, 3, 4, 7, 9});
  example::expect("radix sort", radix_sort({4, 3, 7, 9, 2, 3}, 4, true), {2, 3, 3, 4, 7, 9});

  std::mt19937 random(1);
  std::vector<int> keys;
  for (int k = 0; k < 50'000; ++k) keys.push_back(static_cast<int>(random() % 20'000));
  auto const by_quicksort = quicksort(keys, false), by_radix_sort = radix_sort(keys, 15, false);
  std::sort(keys.begin(), keys.end());
  example::confirm("50,000 keys are in the order of std::sort", by_quicksort == keys && by_radix_sort == keys);
  return example::exit_code();
}

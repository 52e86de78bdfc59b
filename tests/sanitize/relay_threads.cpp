// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernel of the cache_tiles engine on std::threads, for the thread sanitizer: groups by ticket and groups by
// thread, into other memory and in place, with loads that sleep, so that other threads fold groups and scan them. Exit
// code 1 for a wrong result, or if other threads folded or scanned no group.

#include "../oracle/monoids.hpp"

#include <upsweep/scan/detail/cpu/cache_tiles.hpp>
#include <upsweep/scan/tuning.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

namespace detail = upsweep::scan::detail;
using oracle::run;

struct small_tuning : detail::cpu_tuning {
  static constexpr std::size_t generic_tile_bytes = 256, generic_group_tiles = 4, largest_generic_group = 8,
                               relay_bytes = 64, generic_polls_a_tile = 4;
};
constexpr std::size_t tile_size = 256 / sizeof(run);

/// Who has touched an element, and how often it was read.
struct touched {
  std::atomic<int> loads{0};
  std::atomic<std::thread::id> first{};
};

/// Loads of which some sleep: of every seventh tile the one that comes first, which is the fold by its owner; of every
/// second of those the next one too, longer, which is the fold of a fallback if there is one.
struct sleeping_input {
  using value_type = run;
  run const* data;
  std::vector<touched>* seen;
  run load(std::size_t i) const {
    int const load = (*seen)[i].loads.fetch_add(1, std::memory_order_relaxed);
    if (load == 0) (*seen)[i].first.store(std::this_thread::get_id(), std::memory_order_relaxed);
    std::size_t const tile = i / tile_size;
    if (i % tile_size == 7 && tile % 7 == 3 && load < 1 + int(tile % 2))
      std::this_thread::sleep_for(std::chrono::microseconds(load == 0 ? 1000 : 3000));
    return data[i];
  }
};

struct recording_output {
  using value_type = run;
  run* data;
  std::vector<touched>* seen;
  std::atomic<int>* by_others;
  void store(std::size_t i, run const& value) const {
    if ((*seen)[i].first.load(std::memory_order_relaxed) != std::this_thread::get_id())
      by_others->fetch_add(1, std::memory_order_relaxed);
    data[i] = value;
  }
};

struct counts {
  int fallbacks = 0, by_others = 0;
};

bool check(std::size_t threads, bool ticketed, bool in_place, counts& all) {
  // The last tile is a part of one.
  std::size_t const tiles = ticketed ? 203 : threads * small_tuning::largest_generic_group - 1,
                    n = tiles * tile_size - 3;
  std::vector<run> in(n), other(in_place ? 0 : n);
  for (std::size_t i = 0; i < n; ++i) in[i] = {std::int64_t(i) + 1, std::int64_t(i) + 2};
  std::vector<run>& out = in_place ? in : other;
  std::vector<touched> seen(n);
  std::atomic<int> by_others{0};
  run const init{0, 1};
  auto const problem =
      detail::make_problem<true>(sleeping_input{in.data(), &seen}, recording_output{out.data(), &seen, &by_others},
                                 oracle::adjacent_only{}, detail::initial_value<run>{init}, n);
  using tiles_type = detail::generic_tiles<std::remove_const_t<decltype(problem)>, small_tuning>;
  using kernel_type = detail::cache_tiles_kernel<std::remove_const_t<decltype(problem)>, tiles_type, small_tuning>;
  static_assert(tiles_type::size == tile_size);
  std::size_t const group_size = ticketed ? small_tuning::generic_group_tiles : small_tuning::largest_generic_group;
  typename kernel_type::relay_type relay(upsweep::internal::divide_up(tiles, group_size), init);
  kernel_type const kernel{&problem, tiles_type(problem), 0, tiles, group_size, true, ticketed, &relay};
  std::vector<std::thread> team;
  for (std::size_t t = 0; t < threads; ++t) team.emplace_back([&kernel, t] { kernel(int(t)); });
  for (auto& thread : team) thread.join();
  for (std::size_t i = 0; i < n; ++i)
    if (!(out[i] == run{0, std::int64_t(i) + 2})) {
      std::printf("%zu threads, ticketed %d, in place %d: wrong at %zu\n", threads, int(ticketed), int(in_place), i);
      return false;
    }
  // An element is read for the fold and for the scan; more than that is fallback.
  for (auto const& element : seen) all.fallbacks += element.loads.load() > 2;
  all.by_others += by_others.load();
  return true;
}

}  // namespace

int main() {
  counts one, many;
  for (std::size_t threads : {1, 2, 3, 8})
    for (int call = 0; call < 5; ++call)
      for (bool ticketed : {true, false})
        for (bool in_place : {true, false})
          if (!check(threads, ticketed, in_place, threads == 1 ? one : many)) return 1;
  std::printf("%d elements folded by other threads, %d scanned by them\n", many.fallbacks, many.by_others);
  if (one.fallbacks != 0 || one.by_others != 0 || many.fallbacks == 0 || many.by_others == 0) return 1;
  std::puts("cache_tiles: right on 1, 2, 3 and 8 threads");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What tests of the selection of GPUs share: its kernel with lockstep lanes on a CPU, for warps of 32 and for
// wavefronts of 64.

#include "lockstep.hpp"

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/scan/detail/one_pass/classify_work.hpp>
#include <upsweep/scan/detail/one_pass/run_work.hpp>
#include <upsweep/scan/detail/one_pass/striped_selection.hpp>
#include <upsweep/scan/internal/part_counts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

namespace selections {

using namespace lockstep;

/// `Bytes` bytes that identify their element, as far as they can.
template <int Bytes>
struct record {
  unsigned char byte[Bytes];
  bool operator==(record const&) const = default;
};
template <int Bytes>
KOKKOS_FUNCTION record<Bytes> record_at(std::size_t i) {
  record<Bytes> x{};
  for (int k = 0; k < Bytes; ++k) x.byte[k] = static_cast<unsigned char>(i >> k % 4 * 8 ^ static_cast<std::size_t>(k));
  return x;
}

enum class pattern { none, one, all, scattered, blocks };
constexpr pattern patterns[] = {pattern::none, pattern::one, pattern::all, pattern::scattered, pattern::blocks};

KOKKOS_FUNCTION inline bool is_chosen(pattern which, std::size_t i, std::size_t n) {
  switch (which) {
    case pattern::none: return false;
    case pattern::one: return i == n / 2;
    case pattern::all: return true;
    case pattern::blocks: return i / 70 % 2 == 0;
    default: return (i * 0x9e3779b97f4a7c15u >> 40) % 10 < 3;
  }
}

/// Chooses by a pattern; counts the calls for each element, and those with another element than the one of their index.
template <class T>
struct counting {
  pattern which;
  std::size_t n;
  int* calls;
  int* wrong;
  KOKKOS_FUNCTION bool operator()(T const& x, std::size_t i) const {
    ++calls[i];
    if (!(x == record_at<sizeof(T)>(i))) ++*wrong;
    return is_chosen(which, i, n);
  }
};

/// Takes elements with their places; counts what comes to each place.
template <class T, bool Rest>
struct outputs {
  static constexpr bool wants_rest = Rest;
  T* to_chosen;
  T* to_rest;
  int* stores;  ///< to places of the chosen ones, and behind them of the others
  std::size_t n;
  std::uint64_t room;
  std::uint64_t* counts;  ///< what finish was called with, and how often
  KOKKOS_FUNCTION void chosen(std::uint64_t place, T const& x) const {
    to_chosen[place] = x;
    ++stores[place];
  }
  KOKKOS_FUNCTION void rest(std::uint64_t place, T const& x) const {
    to_rest[place] = x;
    ++stores[n + place];
  }
  KOKKOS_FUNCTION void finish(std::uint64_t count) const {
    counts[0] = count;
    ++counts[1];
  }
};

/// From the last element on.
struct last_to_first {
  KOKKOS_FUNCTION static constexpr bool backwards() { return true; }
};

using some_rows = upsweep::engine::striped_shape<3, 20, 1>;
using one_row = upsweep::engine::striped_shape<2, 4, 1>;

/// The region of the protocol, and its teams.
template <class Lanes, class Shape>
class engine {
 public:
  explicit engine(std::uint32_t epoch_limit = largest_epoch, std::uint64_t seed = 1)
      : epoch_limit_(epoch_limit), league_(1 << 15, seed) {}
  look_back_control& control() { return *reinterpret_cast<look_back_control*>(words_.data()); }

  template <class Problem>
  void select(Problem const& problem) {
    using work = selection_work<Problem, Shape, Lanes>;
    std::size_t const tiles = upsweep::internal::divide_up<std::size_t>(problem.n, work::rows::size);
    run(work{problem, tiles}, tiles, problem.in_place);
  }
  /// Joined parts, without tickets; the i-th team that runs has tile order[i].
  template <class Problem>
  void join(Problem const& problem, std::vector<std::size_t> const& order) {
    using work = selection_work<Problem, Shape, Lanes>;
    run<false>(work{problem, order.size()}, order.size(), false, order);
  }
  template <class Problem>
  void find_runs(Problem const& problem) {
    using work = run_work<Problem, Shape, Lanes>;
    run(work{problem}, upsweep::internal::divide_up<std::size_t>(problem.n, work::rows::size));
  }
  template <class Work>
  void ask(Work const& work) {
    run(work, upsweep::internal::divide_up<std::size_t>(work.problem.n, Work::rows::size));
  }

 private:
  template <bool Tickets = true, class Work>
  void run(Work const& work, std::size_t tiles, bool in_place = false, std::vector<std::size_t> const& order = {}) {
    using kernel = one_pass_kernel<Work, Tickets>;
    words_.resize(std::max(words_.size(), control_words + kernel::prefixes_type::words(tiles)));
    typename kernel::prefixes_type const prefixes{
        &control(), words_.data() + control_words, tiles, words_.size() - control_words, epoch_limit_, 1, in_place};
    kernel const k{work, prefixes};
    for (std::size_t i = 0; i < tiles; ++i)
      league_.run_team(static_cast<int>(order.empty() ? i : order[i]), static_cast<int>(tiles), kernel::team_size,
                       [&](lockstep_league_member const& m) { k(typename kernel::scan{}, m); });
  }

  std::uint32_t epoch_limit_;
  lockstep_league league_;
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(control_words);
};

/// A run starts where the pattern says so; counts the calls for each element, and those for the first or with other
/// elements than its own and the one before.
template <class T>
struct counting_starts {
  static constexpr bool wants_previous = true;
  counting<T> counts;
  KOKKOS_FUNCTION bool operator()(T const& before, T const& x, std::size_t i) const {
    if (i == 0 || !(before == record_at<sizeof(T)>(i - 1))) ++*counts.wrong;
    return counts(x, i);
  }
};
template <class Lanes, int Bytes, class Shape>
struct configuration {
  using lanes = Lanes;
  using shape = Shape;
  static constexpr int bytes = Bytes;
  static constexpr std::size_t tile = selection_tile_size<record<Bytes>, Shape::warps, Shape::bytes_per_thread, Lanes>;
};
// Each number of lanes, and each size of records; every one of both where there is time to compile them.
#ifdef UPSWEEP_TEST_EVERY_TYPE
using configurations = testing::Types<configuration<warps, 1, some_rows>, configuration<wavefronts, 1, some_rows>,
                                      configuration<warps, 4, some_rows>, configuration<wavefronts, 4, some_rows>,
                                      configuration<warps, 12, one_row>, configuration<wavefronts, 12, one_row>,
                                      configuration<warps, 64, one_row>>;
#else
using configurations = testing::Types<configuration<warps, 1, some_rows>, configuration<wavefronts, 4, some_rows>,
                                      configuration<wavefronts, 12, one_row>, configuration<warps, 64, one_row>>;
#endif

/// Sizes around tiles.
template <class Configuration>
std::vector<std::size_t> sizes() {
  constexpr std::size_t tile = Configuration::tile, lanes = Configuration::lanes::size;
  return {1, lanes - 1, lanes + 1, tile - 1, tile, tile + 1, 4 * tile + lanes + 3};
}

/// Calls check(n, which) with these numbers of elements and every pattern.
template <class Check>
void for_patterns(std::vector<std::size_t> const& numbers, Check const& check) {
  for (std::size_t const n : numbers)
    for (pattern const which : patterns) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", pattern " << static_cast<int>(which));
      ASSERT_NO_FATAL_FAILURE(check(n, which));
    }
}

}  // namespace selections

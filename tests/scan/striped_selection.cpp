// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Selection on GPUs with warps, named directly: devices with bulk copies select in another way, which
// tests/pack/selection.cpp tests through compact and partition. Compiled for GPUs only.

#include "../oracle/views.hpp"

#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/scan/internal/selection.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

namespace detail = upsweep::scan::detail;
using striped = detail::striped_selection;
using default_shape = striped::shape<oracle::space>;
/// Tiles of 256 elements of 4 bytes: many of them in a short input.
using small_shape = upsweep::engine::striped_shape<4, 8, 2>;
/// As many warps as a team may have, an odd number of rows.
using wide_shape = upsweep::engine::striped_shape<1024 / upsweep::compat::warp_width<oracle::space> - 1, 12, 1, 1>;

/// `Bytes` bytes that identify their element, as far as they can.
template <int Words, class Word = std::uint32_t>
struct record {
  Word word[Words];
  KOKKOS_FUNCTION friend bool operator==(record const& a, record const& b) {
    for (int k = 0; k < Words; ++k)
      if (a.word[k] != b.word[k]) return false;
    return true;
  }
};
template <class T>
struct make;
template <int Words, class Word>
struct make<record<Words, Word>> {
  KOKKOS_FUNCTION static record<Words, Word> at(std::size_t i) {
    record<Words, Word> x{};
    for (int k = 0; k < Words; ++k) x.word[k] = static_cast<Word>(i * 7 + static_cast<std::size_t>(k));
    return x;
  }
};

/// What is chosen of n elements.
struct pattern {
  enum kind { none, one, last, all, scattered, blocks };
  static constexpr kind kinds[] = {none, one, last, all, scattered, blocks};
  kind which;
  std::size_t n;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    switch (which) {
      case none: return false;
      case one: return i == n / 2;
      case last: return i + 1 == n;
      case all: return true;
      case blocks: return i / 700 % 2 == 0;
      default: return (i * 0x9e3779b97f4a7c15u >> 40) % 10 < 3;
    }
  }
};

/// Chooses by a pattern; counts the calls for each element, and those with another element than the one of their index.
template <class T>
struct counting {
  pattern chosen;
  int* calls;
  int* wrong;
  KOKKOS_FUNCTION bool operator()(T const& x, std::size_t i) const {
    Kokkos::atomic_inc(calls + i);
    if (!(x == make<T>::at(i))) Kokkos::atomic_inc(wrong);
    return chosen(i);
  }
};

template <class T, bool Rest>
struct outputs {
  static constexpr bool wants_rest = Rest;
  T* to_chosen;
  T* to_rest;
  std::uint64_t room;
  std::uint64_t* counts;  ///< what finish was called with, and how often
  KOKKOS_FUNCTION void chosen(std::uint64_t place, T const& x) const { to_chosen[place] = x; }
  KOKKOS_FUNCTION void rest(std::uint64_t place, T const& x) const { to_rest[place] = x; }
  KOKKOS_FUNCTION void finish(std::uint64_t count) const {
    counts[0] = count;
    Kokkos::atomic_inc(counts + 1);
  }
};

/// From the last element on.
struct last_to_first {
  KOKKOS_FUNCTION static constexpr bool backwards() { return true; }
};

template <class Shape, class T>
constexpr std::size_t tile_of = striped::tile_size<oracle::space, T, Shape>;

/// Around tiles; a group has as many tiles as a warp has lanes.
template <class Shape, class T>
std::vector<std::size_t> sizes() {
  constexpr std::size_t tile = tile_of<Shape, T>;
  return {1, 2, 31, 33, tile - 1, tile, tile + 1, 3 * tile, 3 * tile + 1, 32 * tile, 33 * tile + 5, 200 * tile - 1};
}

/// Selects and compares everything: both parts, what is behind them, counts and calls. room: for chosen elements.
template <class Shape, bool Rest, class T, class In, class Order = detail::first_to_last>
void check(In const& in, pattern const& which, std::size_t room, upsweep::workspace& ws, Order const& order = {}) {
  oracle::space const space;
  std::size_t const n = which.n;
  bool const backwards = order.backwards();
  std::vector<T> chosen, rest;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t const i = backwards ? n - 1 - k : k;
    (which(i) ? chosen : rest).push_back(make<T>::at(i));
  }
  std::uint64_t const found = chosen.size();
  if (chosen.size() > room) chosen.resize(room);
  T const guard = make<T>::at(n + 1);
  Kokkos::View<T*, oracle::memory> const to_chosen("chosen", chosen.size() + 1), to_rest("rest", rest.size() + 1);
  oracle::fill(to_chosen, guard);
  oracle::fill(to_rest, guard);
  Kokkos::View<int*, oracle::memory> const calls("calls", n + 1);
  Kokkos::View<std::uint64_t*, oracle::memory> const counts("counts", 2);
  detail::select_by<striped, Shape>(space, in, n, counting<T>{which, calls.data(), calls.data() + n},
                                    outputs<T, Rest>{to_chosen.data(), to_rest.data(), room, counts.data()}, ws,
                                    {"test", {}}, order);
  space.fence();
  chosen.push_back(guard);
  if (!Rest) rest.assign(rest.size(), guard);
  rest.push_back(guard);
  ASSERT_EQ(oracle::to_host(counts), (std::vector<std::uint64_t>{found, 1}));
  ASSERT_TRUE(oracle::to_host(to_chosen) == chosen);
  ASSERT_TRUE(oracle::to_host(to_rest) == rest);
  std::vector<int> expected(n + 1, 1);
  expected[n] = 0;
  ASSERT_EQ(oracle::to_host(calls), expected);
}

template <class T>
Kokkos::View<T*, oracle::memory> elements(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = make<T>::at(i);
  return oracle::to_device(values);
}

/// Calls check(in, which) for numbers of elements around tiles and every pattern.
template <class Shape, class T, class Check>
void for_patterns(Check const& check) {
  for (std::size_t n : sizes<Shape, T>()) {
    auto const view = elements<T>(n);
    for (pattern::kind const kind : pattern::kinds) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", kind " << kind);
      ASSERT_NO_FATAL_FAILURE(check(upsweep::internal::contiguous_sequence<T const>{view.data()}, pattern{kind, n}));
    }
  }
}

template <class Shape, class T>
void check_elements() {
  if constexpr (upsweep::internal::can_select_in_one_pass<oracle::space, T>) {
    upsweep::workspace ws(oracle::space{});
    for_patterns<Shape, T>([&](auto const& in, pattern const& which) {
      ASSERT_NO_FATAL_FAILURE((check<Shape, true, T>(in, which, which.n, ws)));
      ASSERT_NO_FATAL_FAILURE((check<Shape, false, T>(in, which, which.n, ws)));
    });
  }
}
TEST(striped_selection, elements_of_1_byte) { check_elements<default_shape, record<1, std::uint8_t>>(); }
TEST(striped_selection, elements_of_2_bytes) { check_elements<default_shape, record<1, std::uint16_t>>(); }
TEST(striped_selection, elements_of_4_bytes) { check_elements<default_shape, record<1>>(); }
TEST(striped_selection, elements_of_8_bytes) { check_elements<default_shape, record<1, std::uint64_t>>(); }
TEST(striped_selection, elements_of_12_bytes) { check_elements<default_shape, record<3>>(); }
TEST(striped_selection, elements_of_16_bytes) { check_elements<default_shape, record<2, std::uint64_t>>(); }
TEST(striped_selection, elements_of_64_bytes) { check_elements<default_shape, record<8, std::uint64_t>>(); }
TEST(striped_selection, tiles_of_few_elements) { check_elements<small_shape, record<1>>(); }
TEST(striped_selection, teams_of_1024_threads) { check_elements<wide_shape, record<1>>(); }

using word = record<1>;
constexpr bool runs_here = upsweep::internal::can_select_in_one_pass<oracle::space, word>;

TEST(striped_selection, room_for_fewer_than_are_chosen) {
  if constexpr (runs_here) {
    upsweep::workspace ws(oracle::space{});
    std::size_t const n = 5 * tile_of<default_shape, word> + 3;
    auto const view = elements<word>(n);
    upsweep::internal::contiguous_sequence<word const> const in{view.data()};
    for (pattern::kind const kind : pattern::kinds)
      for (std::size_t const room : {std::size_t(0), std::size_t(1), n / 7, n / 2, n - 1}) {
        SCOPED_TRACE(testing::Message() << "room " << room << ", kind " << kind);
        ASSERT_NO_FATAL_FAILURE((check<default_shape, true, word>(in, {kind, n}, room, ws)));
        ASSERT_NO_FATAL_FAILURE((check<default_shape, false, word>(in, {kind, n}, room, ws)));
      }
  }
}

template <class Shape, class T>
void check_backwards() {
  if constexpr (runs_here) {
    upsweep::workspace ws(oracle::space{});
    for_patterns<Shape, T>(
        [&](auto const& in, pattern const& which) { check<Shape, true, T>(in, which, which.n, ws, last_to_first{}); });
  }
}
TEST(striped_selection, backwards) { check_backwards<default_shape, word>(); }
TEST(striped_selection, backwards_1_byte) { check_backwards<default_shape, record<1, std::uint8_t>>(); }
TEST(striped_selection, backwards_in_tiles_of_few_elements) { check_backwards<small_shape, word>(); }

struct word_at {
  KOKKOS_FUNCTION word operator()(std::size_t i) const { return make<word>::at(i); }
};

TEST(striped_selection, inputs_of_every_form) {
  if constexpr (runs_here) {
    upsweep::workspace ws(oracle::space{});
    for (std::size_t n : sizes<default_shape, word>()) {
      SCOPED_TRACE(n);
      pattern const which{pattern::scattered, n};
      ASSERT_NO_FATAL_FAILURE(
          (check<default_shape, true, word>(upsweep::internal::functor_sequence<word_at>{{}}, which, n, ws)));
      auto const view = elements<word>(n);
      Kokkos::View<word*, oracle::memory> const room("room", 2 * n + 1);
      auto const unaligned = Kokkos::subview(room, std::make_pair(std::size_t(1), n + 1));
      Kokkos::deep_copy(unaligned, view);
      ASSERT_NO_FATAL_FAILURE((check<default_shape, true, word>(
          upsweep::internal::contiguous_sequence<word const>{unaligned.data()}, which, n, ws)));
      Kokkos::View<word*, Kokkos::LayoutStride, oracle::memory> const gaps(room.data(), Kokkos::LayoutStride(n, 2));
      Kokkos::deep_copy(gaps, view);
      ASSERT_NO_FATAL_FAILURE((check<default_shape, true, word>(
          upsweep::internal::strided_sequence<word const>{room.data(), 2}, which, n, ws)));
    }
  }
}

/// The words are cleared when the stamp's bits run out, and the next call finds them ready.
TEST(striped_selection, stamps_of_four_bits_over_many_calls) {
  if constexpr (runs_here) {
    oracle::space const space;
    constexpr std::size_t tile = tile_of<small_shape, word>;
    std::size_t const most = 300 * tile;
    std::size_t const bytes = striped::region_bytes<oracle::space>(300);
    Kokkos::View<std::uint64_t*, oracle::memory> const region("region", bytes / 8);
    auto const view = elements<word>(most);
    Kokkos::View<word*, oracle::memory> const out("out", most);
    Kokkos::View<int*, oracle::memory> const calls("calls", most + 1);
    Kokkos::View<std::uint64_t*, oracle::memory> const counts("counts", 2);
    for (std::size_t call = 0; call < 50; ++call) {
      std::size_t const n = 1 + call * 79193 % most;
      pattern const which{pattern::scattered, n};
      auto const problem = detail::selection_problem<upsweep::internal::contiguous_sequence<word const>, counting<word>,
                                                     outputs<word, false>>{
          {view.data()}, {which, calls.data(), calls.data() + most}, {out.data(), nullptr, n, counts.data()}, n, {}};
      striped::select<small_shape>(space, problem, {reinterpret_cast<std::byte*>(region.data()), bytes, 3},
                                   {"test", {}});
      space.fence();
      std::vector<word> chosen;
      for (std::size_t i = 0; i < n; ++i)
        if (which(i)) chosen.push_back(make<word>::at(i));
      auto found = oracle::to_host(out);
      ASSERT_EQ(oracle::to_host(counts)[0], chosen.size()) << "call " << call;
      found.resize(chosen.size());
      ASSERT_TRUE(found == chosen) << "call " << call;
    }
  }
}

/// Lets one element wait, and with it its tile.
struct slow_at {
  std::size_t slow;
  int* calls;
  KOKKOS_FUNCTION bool operator()(word const&, std::size_t i) const {
    if (i == slow) {
      Kokkos::atomic_inc(calls);
      for (int k = 0; k < 20000; ++k) upsweep::compat::pause();  // some milliseconds: many times what a tile takes
    }
    return i % 3 == 0;
  }
};

TEST(striped_selection, a_slow_tile_is_waited_for_and_asked_once) {
  if constexpr (runs_here) {
    oracle::space const space;
    upsweep::workspace ws(space);
    constexpr std::size_t tile = tile_of<default_shape, word>;
    std::size_t const n = 1000 * tile + 3, expected = (n + 2) / 3;
    auto const view = elements<word>(n);
    Kokkos::View<word*, oracle::memory> const out("out", expected);
    Kokkos::View<std::uint64_t*, oracle::memory> const counts("counts", 2);
    for (std::size_t const slow : {0, 1, 31, 32, 500, 1000}) {
      Kokkos::View<int*, oracle::memory> const calls("calls", 1);
      oracle::fill(out, word{});
      detail::select_by<striped, default_shape>(
          space, upsweep::internal::contiguous_sequence<word const>{view.data()}, n, slow_at{slow * tile, calls.data()},
          outputs<word, false>{out.data(), nullptr, expected, counts.data()}, ws, {"test", {}});
      space.fence();
      ASSERT_EQ(oracle::to_host(counts)[0], expected) << slow;
      auto const found = oracle::to_host(out);
      for (std::size_t k = 0; k < expected; ++k)
        ASSERT_TRUE(found[k] == make<word>::at(3 * k)) << "slow " << slow << ", place " << k;
      ASSERT_EQ(oracle::to_host(calls)[0], 1) << slow;
    }
  }
}

/// Takes joined parts.
struct joined_output {
  static constexpr bool wants_rest = true, wants_total = true;
  word* to;
  std::uint64_t room;
  std::uint64_t* counts;
  KOKKOS_FUNCTION void chosen(std::uint64_t place, word const& x) const { to[place] = x; }
  KOKKOS_FUNCTION void rest(std::uint64_t place, word const& x) const { to[place] = x; }
  KOKKOS_FUNCTION void finish(std::uint64_t count) const {
    counts[0] = count;
    Kokkos::atomic_inc(counts + 1);
  }
};

/// More teams than a device runs at once, that all wait for each other: those that run fall back for those that do not.
TEST(striped_selection, joined_parts_do_not_wait_for_teams_that_do_not_run) {
  if constexpr (runs_here) {
    oracle::space const space;
    constexpr std::size_t tile = tile_of<small_shape, word>, tiles = 20000, n = tiles * tile - 5;
    std::size_t const bytes = striped::region_bytes<oracle::space>(tiles);
    Kokkos::View<std::uint64_t*, oracle::memory> const region("region", bytes / 8);
    auto const in = elements<word>(n);
    Kokkos::View<word*, oracle::memory> const out("out", n);
    Kokkos::View<int*, oracle::memory> const calls("calls", n + 1);
    std::uint64_t fallbacks = 0;
    for (int polls : {1, 3, 50}) {
      Kokkos::View<std::uint64_t*, oracle::memory> const counts("counts", 2);
      pattern const which{polls == 3 ? pattern::blocks : pattern::scattered, n};
      auto const problem =
          detail::selection_problem<upsweep::internal::contiguous_sequence<word const>, counting<word>, joined_output>{
              {in.data()}, {which, calls.data(), calls.data() + n}, {out.data(), n, counts.data()}, n, {}};
      striped::select<small_shape>(space, problem,
                                   {reinterpret_cast<std::byte*>(region.data()), bytes, detail::largest_epoch, polls},
                                   {"test", {}});
      space.fence();
      std::vector<word> expected, rest;
      for (std::size_t i = 0; i < n; ++i) (which(i) ? expected : rest).push_back(make<word>::at(i));
      ASSERT_EQ(oracle::to_host(counts), (std::vector<std::uint64_t>{expected.size(), 1}));
      expected.insert(expected.end(), rest.begin(), rest.end());
      ASSERT_TRUE(oracle::to_host(out) == expected) << polls;
      auto const control = oracle::to_host(region)[offsetof(detail::look_back_control, fallbacks) / 8];
      EXPECT_GT(control, fallbacks) << polls;
      fallbacks = control;
    }
    EXPECT_EQ(oracle::to_host(calls)[n], 0);
  }
}

TEST(striped_selection, nothing_to_select_from) {
  if constexpr (runs_here) {
    upsweep::workspace ws(oracle::space{});
    ASSERT_NO_FATAL_FAILURE((
        check<default_shape, true, word>(upsweep::internal::functor_sequence<word_at>{{}}, {pattern::none, 0}, 0, ws)));
  }
}

}  // namespace

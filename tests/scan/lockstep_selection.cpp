// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The selection of GPUs, whole, on a CPU.

#include "lockstep_selection.hpp"

namespace {

using namespace selections;

/// One selection of n elements against loops.
template <int Bytes, bool Rest, class Lanes, class Shape, class Order = first_to_last>
void check(engine<Lanes, Shape>& machine, pattern which, std::size_t n, std::size_t room, Order const& order = {}) {
  using T = record<Bytes>;
  std::vector<T> in(n), chosen, rest;
  for (std::size_t i = 0; i < n; ++i) in[i] = record_at<Bytes>(i);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t const i = order.backwards() ? n - 1 - k : k;
    (is_chosen(which, i, n) ? chosen : rest).push_back(in[i]);
  }
  std::uint64_t const found = chosen.size();
  chosen.resize(std::min(chosen.size(), room));
  if (!Rest) rest.clear();

  std::vector<T> to_chosen(n), to_rest(n);
  std::vector<int> calls(n), stores(2 * n);
  std::vector<std::uint64_t> counts(2);
  int wrong = 0;
  machine.select(selection_problem<contiguous_sequence<T const>, counting<T>, outputs<T, Rest>, Order>{
      {in.data()},
      {which, n, calls.data(), &wrong},
      {to_chosen.data(), to_rest.data(), stores.data(), n, room, counts.data()},
      n,
      order});

  ASSERT_EQ(counts, (std::vector<std::uint64_t>{found, 1}));
  ASSERT_EQ(wrong, 0);
  ASSERT_TRUE(std::equal(chosen.begin(), chosen.end(), to_chosen.begin()));
  ASSERT_TRUE(std::equal(rest.begin(), rest.end(), to_rest.begin()));
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(calls[i], 1) << i;
    ASSERT_EQ(stores[i], i < chosen.size() ? 1 : 0) << i;
    ASSERT_EQ(stores[n + i], i < rest.size() ? 1 : 0) << i;
  }
  // Ready for the next call.
  ASSERT_EQ(machine.control().ticket, 0u);
  ASSERT_EQ(machine.control().finished, 0u);
}

/// Assigns elements to three parts: of what the pattern does not choose, stretches of 5 elements.
template <class T>
struct counting_parts {
  static constexpr int parts = 3;
  counting<T> chosen;
  KOKKOS_FUNCTION static int part_of(pattern which, std::size_t i, std::size_t n) {
    return is_chosen(which, i, n) ? 0 : i / 5 % 2 == 0 ? 1 : 2;
  }
  KOKKOS_FUNCTION int operator()(T const& x, std::size_t i) const {
    return chosen(x, i) ? 0 : part_of(chosen.which, i, chosen.n);
  }
};
/// Takes three parts into one array, in which they start at places of their own.
template <class T>
struct outputs_of_three {
  T* to;
  int* stores;
  upsweep::internal::part_counts<3> begins;
  std::uint64_t* counts;  ///< what finish was called with, and how often
  KOKKOS_FUNCTION upsweep::internal::part_counts<3> starts() const { return begins; }
  KOKKOS_FUNCTION void chosen(std::uint64_t place, T const& x) const {
    to[place] = x;
    ++stores[place];
  }
  KOKKOS_FUNCTION void second(std::uint64_t place, T const& x) const { chosen(place, x); }
  KOKKOS_FUNCTION void rest(std::uint64_t place, T const& x) const { chosen(place, x); }
  KOKKOS_FUNCTION void finish(upsweep::internal::part_counts<2> const& found) const {
    counts[0] = found.of[0];
    counts[1] = found.of[1];
    ++counts[2];
  }
};

/// Three parts of n elements, asked for in the same pass and before.
template <int Bytes, class Lanes, class Shape>
void check_three(engine<Lanes, Shape>& machine, pattern which, std::size_t n) {
  using T = record<Bytes>;
  using asking = classify_work<contiguous_sequence<T const>, counting_parts<T>, Shape, Lanes>;
  using known = typename asking::part_bits_type;
  using in_type = contiguous_sequence<T const>;
  std::vector<T> in(n), expected;
  std::vector<int> calls(n), once(n, 1);
  upsweep::internal::part_counts<3> begins{};
  for (std::size_t i = 0; i < n; ++i) in[i] = record_at<Bytes>(i);
  for (int part = 0; part < 3; ++part) {
    begins.of[part] = expected.size();
    for (std::size_t i = 0; i < n; ++i)
      if (counting_parts<T>::part_of(which, i, n) == part) expected.push_back(in[i]);
  }
  int wrong = 0;
  counting_parts<T> const part_of{{which, n, calls.data(), &wrong}};
  std::vector<std::uint64_t> const found{begins.of[1], begins.of[2] - begins.of[1], 1};
  for (bool ahead : {false, true}) {
    std::vector<T> to(n);
    std::vector<int> stores(n);
    std::vector<std::uint64_t> counts(3);
    outputs_of_three<T> const out{to.data(), stores.data(), begins, counts.data()};
    std::fill(calls.begin(), calls.end(), 0);
    if (ahead) {
      std::vector<typename known::word> words(known::count(n));
      known const parts{words.data()};
      upsweep::internal::part_counts<2> sum{};
      machine.ask(asking{{{in.data()}, part_of, {&sum}, n, {}}, parts});
      ASSERT_EQ(sum.of[0], found[0]);
      ASSERT_EQ(sum.of[1], found[1]);
      machine.select(selection_problem<in_type, known, outputs_of_three<T>>{{in.data()}, parts, out, n, {}});
    } else {
      machine.select(
          selection_problem<in_type, counting_parts<T>, outputs_of_three<T>>{{in.data()}, part_of, out, n, {}});
    }
    ASSERT_EQ(counts, found);
    ASSERT_EQ(wrong, 0);
    ASSERT_TRUE(to == expected);
    ASSERT_EQ(stores, once);
    ASSERT_EQ(calls, once);
  }
}

template <class Configuration>
struct lockstep_selection : testing::Test {};
TYPED_TEST_SUITE(lockstep_selection, configurations);

TYPED_TEST(lockstep_selection, from_both_ends_around_tiles) {
  engine<typename TypeParam::lanes, typename TypeParam::shape> machine;
  for_patterns(sizes<TypeParam>(), [&](std::size_t n, pattern which) {
    ASSERT_NO_FATAL_FAILURE((check<TypeParam::bytes, true>(machine, which, n, n)));
    ASSERT_NO_FATAL_FAILURE((check<TypeParam::bytes, false>(machine, which, n, n)));
    ASSERT_NO_FATAL_FAILURE((check<TypeParam::bytes, true>(machine, which, n, n, last_to_first{})));
  });
}

TYPED_TEST(lockstep_selection, three_parts_around_tiles) {
  engine<typename TypeParam::lanes, typename TypeParam::shape> machine;
  for_patterns(sizes<TypeParam>(),
               [&](std::size_t n, pattern which) { check_three<TypeParam::bytes>(machine, which, n); });
}

/// What takes joined parts: the rest begins where the selection says so.
template <class T>
struct joined_outputs : outputs_of_three<T> {
  static constexpr bool wants_rest = true, wants_total = true;
  std::uint64_t room;
  using outputs_of_three<T>::finish;
  KOKKOS_FUNCTION void finish(std::uint64_t found) const { finish(upsweep::internal::part_counts<2>{{found, 0}}); }
};

/// Joined parts of n elements by teams that run one after the other, so that all but the last one fall back for others.
/// With an order the teams behind one another are those of its tiles.
template <int Bytes, bool Three, class Lanes, class Shape>
void check_joined(engine<Lanes, Shape>& machine, pattern which, std::size_t n, std::uint64_t seed) {
  using T = record<Bytes>;
  using chooses = std::conditional_t<Three, counting_parts<T>, counting<T>>;
  constexpr std::size_t tile = selection_tile_size<T, Shape::warps, Shape::bytes_per_thread, Lanes>;
  std::size_t const tiles = upsweep::internal::divide_up(n, tile);
  std::vector<std::size_t> order(tiles);
  std::iota(order.begin(), order.end(), std::size_t(0));
  if (seed > 0) std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  std::vector<T> in(n), expected, to(n);
  std::vector<int> calls(n), stores(n);
  std::vector<std::uint64_t> counts(3), found{0, 0, 1};
  for (std::size_t i = 0; i < n; ++i) in[i] = record_at<Bytes>(i);
  for (int part = 0; part < 3; ++part)
    for (std::size_t i = 0; i < n; ++i) {
      int const of = counting_parts<T>::part_of(which, i, n);
      if ((Three ? of : of == 0 ? 0 : 2) != part) continue;
      expected.push_back(in[i]);
      if (part < 2) ++found[std::size_t(part)];
    }
  int wrong = 0;
  chooses part_of;
  if constexpr (Three) part_of = {{which, n, calls.data(), &wrong}};
  else part_of = {which, n, calls.data(), &wrong};
  auto const fallbacks = machine.control().fallbacks;
  joined_outputs<T> const out{{to.data(), stores.data(), {}, counts.data()}, n};
  machine.join(
      selection_problem<contiguous_sequence<T const>, chooses, joined_outputs<T>>{{in.data()}, part_of, out, n, {}},
      order);
  ASSERT_EQ(counts, found);
  ASSERT_EQ(wrong, 0);
  ASSERT_TRUE(to == expected);
  ASSERT_EQ(stores, std::vector<int>(n, 1));
  // The first team falls back for all the others; then all is known.
  ASSERT_EQ(machine.control().fallbacks, fallbacks + tiles - 1);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(calls[i], i / tile == order[0] ? 1 : 2) << i;
}

TYPED_TEST(lockstep_selection, joined_parts_do_not_wait_for_teams_that_do_not_run) {
  constexpr std::size_t tile = TypeParam::tile, lanes = TypeParam::lanes::size;
  engine<typename TypeParam::lanes, typename TypeParam::shape> machine(2, 5);  // the stamps begin again on the way
  for (std::size_t n : {std::size_t(1), lanes + 1, tile - 1, tile, tile + 1, 5 * tile + lanes + 3, lanes * tile,
                        (2 * lanes + 3) * tile - 1})
    for (pattern which : patterns)
      for (std::uint64_t seed : {0, 1}) {
        SCOPED_TRACE(testing::Message() << "n = " << n << ", pattern " << static_cast<int>(which) << ", seed " << seed);
        ASSERT_NO_FATAL_FAILURE((check_joined<TypeParam::bytes, false>(machine, which, n, seed)));
        ASSERT_NO_FATAL_FAILURE((check_joined<TypeParam::bytes, true>(machine, which, n, seed)));
      }
}

/// Answers otherwise when it is asked again.
template <class T>
struct fickle {
  int* calls;
  KOKKOS_FUNCTION bool operator()(T const&, std::size_t i) const { return calls[i]++ % 2 == 0; }
};

// What is wrong then is the order, and what is twice or not there.
TYPED_TEST(lockstep_selection, joined_parts_stay_in_the_output_whatever_the_functor_says) {
  using T = record<TypeParam::bytes>;
  constexpr std::size_t tile = TypeParam::tile, n = 4 * tile + 3;
  engine<typename TypeParam::lanes, typename TypeParam::shape> machine;
  std::vector<T> in(n);
  std::vector<int> calls(n), stores(n + 2 * tile);
  std::vector<std::uint64_t> counts(3);
  std::vector<T> room(n + 2 * tile);
  joined_outputs<T> const out{{room.data(), stores.data(), {}, counts.data()}, n};
  machine.join(
      selection_problem<contiguous_sequence<T const>, fickle<T>, joined_outputs<T>>{
          {in.data()}, {calls.data()}, out, n, {}},
      {2, 4, 1, 0, 3});
  for (std::size_t k = n; k < stores.size(); ++k) ASSERT_EQ(stores[k], 0) << k - n;
}

TYPED_TEST(lockstep_selection, room_for_fewer_than_are_chosen) {
  constexpr std::size_t n = 3 * TypeParam::tile + 5;
  engine<typename TypeParam::lanes, typename TypeParam::shape> machine;
  for (pattern which : patterns) {
    for (std::size_t room : {std::size_t(0), std::size_t(1), n / 7, n / 2, n - 1}) {
      SCOPED_TRACE(testing::Message() << "room " << room << ", pattern " << static_cast<int>(which));
      ASSERT_NO_FATAL_FAILURE((check<TypeParam::bytes, true>(machine, which, n, room)));
      ASSERT_NO_FATAL_FAILURE((check<TypeParam::bytes, false>(machine, which, n, room)));
    }
  }
}

/// Selects from n elements to their front. Whether elements are asked for that have been overwritten is counted
/// by the functor.
template <class T, class Machine, class Chosen>
void check_in_place(Machine& machine, std::size_t n, Chosen const& chosen, counting<T> const& counts,
                    bool takes_first) {
  std::vector<T> data(n + 1), expected;
  for (std::size_t i = 0; i < n; ++i) {
    data[i] = record_at<sizeof(T)>(i);
    if (is_chosen(counts.which, i, n) || (takes_first && i == 0)) expected.push_back(data[i]);
  }
  T const guard = data[n] = record_at<sizeof(T)>(n + 12345);
  std::vector<int> stores(2 * n);
  std::vector<std::uint64_t> found(2);
  *counts.wrong = 0;
  machine.select(selection_problem<contiguous_sequence<T const>, Chosen, outputs<T, false>>{
      {data.data()}, chosen, {data.data(), nullptr, stores.data(), n, n, found.data()}, n, {}, true});
  ASSERT_EQ(found, (std::vector<std::uint64_t>{expected.size(), 1}));
  ASSERT_EQ(*counts.wrong, 0);
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), data.begin()));
  ASSERT_TRUE(data[n] == guard);
}

TYPED_TEST(lockstep_selection, to_the_front_of_the_input) {
  using T = record<TypeParam::bytes>;
  constexpr std::size_t tile = TypeParam::tile;
  for (std::uint64_t seed : {1, 2}) {
    engine<typename TypeParam::lanes, typename TypeParam::shape> machine(largest_epoch, seed);
    for (std::size_t n : {std::size_t(1), tile - 1, tile, tile + 1, 5 * tile + 7})
      for (pattern which : patterns) {
        SCOPED_TRACE(testing::Message() << "n = " << n << ", pattern " << static_cast<int>(which));
        std::vector<int> calls(n);
        int wrong = 0;
        counting<T> const counts{which, n, calls.data(), &wrong};
        ASSERT_NO_FATAL_FAILURE(check_in_place(machine, n, counts, counts, false));
        ASSERT_NO_FATAL_FAILURE(check_in_place(machine, n, counting_starts<T>{counts}, counts, true));
      }
  }
}

// Groups of tiles, and words of calls before, also when the stamps' epochs begin again.
TYPED_TEST(lockstep_selection, many_groups_of_tiles_in_one_region) {
  engine<typename TypeParam::lanes, typename TypeParam::shape> machine(2, 7);
  for (std::size_t groups : {1, 3, 2, 4}) {
    std::size_t const n = groups * TypeParam::lanes::size * TypeParam::tile + 9;
    ASSERT_NO_FATAL_FAILURE((check<TypeParam::bytes, true>(machine, pattern::scattered, n, n)));
  }
}

}  // namespace

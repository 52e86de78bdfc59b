// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The selection of GPUs, whole, on a CPU: its kernel with lockstep lanes, for warps of 32 and for wavefronts of 64.

#include <upsweep/base/index.hpp>
#include <upsweep/base/sequence.hpp>
#include <upsweep/scan/detail/ask_work.hpp>
#include <upsweep/scan/detail/run_work.hpp>
#include <upsweep/scan/detail/striped_selection.hpp>
#include <upsweep/scan/part_counts.hpp>
#include <upsweep/team/testing/lockstep_lanes.hpp>
#include <upsweep/team/testing/lockstep_league.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using namespace upsweep::detail;
using upsweep::contiguous_sequence;
using upsweep::team::testing::lockstep_lanes;
using upsweep::team::testing::lockstep_league;
using upsweep::team::testing::lockstep_league_member;

/// `Bytes` bytes that tell which element they are, as far as they can.
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

/// From the last element on; of every third tile it is known what is chosen.
struct last_to_first {
  pattern which;
  std::size_t n, tile;
  KOKKOS_FUNCTION static constexpr bool backwards() { return true; }
  KOKKOS_FUNCTION static constexpr bool knows(std::size_t number) { return number % 3 == 1; }
  KOKKOS_FUNCTION bool chosen(std::size_t number, int at) const {
    return is_chosen(which, number * tile + static_cast<std::size_t>(at), n);
  }
};

using some_rows = striped_shape<3, 20, 1>;
using one_row = striped_shape<2, 4, 1>;

/// The region of the protocol, and its teams.
template <class Lanes, class Shape>
class engine {
 public:
  explicit engine(std::uint32_t epoch_limit = largest_epoch, std::uint64_t seed = 1) : epoch_limit_(epoch_limit), league_(1 << 15, seed) {}
  look_back_control& control() { return *reinterpret_cast<look_back_control*>(words_.data()); }

  template <class Problem>
  void select(Problem const& problem) {
    using work = selection_work<Problem, Shape, Lanes>;
    std::size_t const tiles = upsweep::divide_up<std::size_t>(problem.n, work::rows::size);
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
    run(work{problem}, upsweep::divide_up<std::size_t>(problem.n, work::rows::size));
  }
  template <class Work>
  void ask(Work const& work) {
    run(work, upsweep::divide_up<std::size_t>(work.problem.n, Work::rows::size));
  }

 private:
  template <bool Tickets = true, class Work>
  void run(Work const& work, std::size_t tiles, bool in_place = false, std::vector<std::size_t> const& order = {}) {
    using kernel = one_pass_kernel<Work, Tickets>;
    words_.resize(std::max(words_.size(), control_words + kernel::prefixes_type::words(tiles)));
    typename kernel::prefixes_type const prefixes{&control(),    words_.data() + control_words, tiles, words_.size() - control_words,
                                                  epoch_limit_, 1,                             in_place};
    kernel const k{work, prefixes};
    for (std::size_t i = 0; i < tiles; ++i)
      league_.run_team(static_cast<int>(order.empty() ? i : order[i]), static_cast<int>(tiles), kernel::team_size,
                       [&](lockstep_league_member const& m) { k(typename kernel::scan{}, m); });
  }

  std::uint32_t epoch_limit_;
  lockstep_league league_;
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(control_words);
};

/// One selection of n elements against loops.
template <int Bytes, bool Rest, class Lanes, class Shape, class Order = first_to_last>
void check(engine<Lanes, Shape>& machine, pattern which, std::size_t n, std::size_t room, Order const& order = {}) {
  using T = record<Bytes>;
  constexpr std::size_t tile = selection_tile_size<T, Shape::warps, Shape::bytes_per_thread, Lanes>;
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
      {in.data()}, {which, n, calls.data(), &wrong}, {to_chosen.data(), to_rest.data(), stores.data(), n, room, counts.data()}, n, order});

  ASSERT_EQ(counts, (std::vector<std::uint64_t>{found, 1}));
  ASSERT_EQ(wrong, 0);
  ASSERT_TRUE(std::equal(chosen.begin(), chosen.end(), to_chosen.begin()));
  ASSERT_TRUE(std::equal(rest.begin(), rest.end(), to_rest.begin()));
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(calls[i], order.knows(i / tile) ? 0 : 1) << i;
    ASSERT_EQ(stores[i], i < chosen.size() ? 1 : 0) << i;
    ASSERT_EQ(stores[n + i], i < rest.size() ? 1 : 0) << i;
  }
  // Ready for the next call.
  ASSERT_EQ(machine.control().ticket, 0u);
  ASSERT_EQ(machine.control().finished, 0u);
}

/// Tells three parts apart: of what the pattern does not choose, stretches of 5 elements.
template <class T>
struct counting_parts {
  static constexpr int parts = 3;
  counting<T> chosen;
  KOKKOS_FUNCTION static int part_of(pattern which, std::size_t i, std::size_t n) {
    return is_chosen(which, i, n) ? 0 : i / 5 % 2 == 0 ? 1 : 2;
  }
  KOKKOS_FUNCTION int operator()(T const& x, std::size_t i) const { return chosen(x, i) ? 0 : part_of(chosen.which, i, chosen.n); }
};
/// Takes three parts into one array, in which they start at places of their own.
template <class T>
struct outputs_of_three {
  T* to;
  int* stores;
  upsweep::part_counts<3> begins;
  std::uint64_t* counts;  ///< what finish was called with, and how often
  KOKKOS_FUNCTION upsweep::part_counts<3> starts() const { return begins; }
  KOKKOS_FUNCTION void chosen(std::uint64_t place, T const& x) const {
    to[place] = x;
    ++stores[place];
  }
  KOKKOS_FUNCTION void second(std::uint64_t place, T const& x) const { chosen(place, x); }
  KOKKOS_FUNCTION void rest(std::uint64_t place, T const& x) const { chosen(place, x); }
  KOKKOS_FUNCTION void finish(upsweep::part_counts<2> const& found) const {
    counts[0] = found.of[0];
    counts[1] = found.of[1];
    ++counts[2];
  }
};

/// Three parts of n elements, asked for in the same pass and before.
template <int Bytes, class Lanes, class Shape>
void check_three(engine<Lanes, Shape>& machine, pattern which, std::size_t n) {
  using T = record<Bytes>;
  using asking = ask_work<contiguous_sequence<T const>, counting_parts<T>, Shape, Lanes>;
  using known = typename asking::known_type;
  using in_type = contiguous_sequence<T const>;
  std::vector<T> in(n), expected;
  std::vector<int> calls(n), once(n, 1);
  upsweep::part_counts<3> begins{};
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
      upsweep::part_counts<2> sum{};
      machine.ask(asking{{{in.data()}, part_of, {&sum}, n, {}}, parts});
      ASSERT_EQ(sum.of[0], found[0]);
      ASSERT_EQ(sum.of[1], found[1]);
      machine.select(selection_problem<in_type, known, outputs_of_three<T>>{{in.data()}, parts, out, n, {}});
    } else {
      machine.select(selection_problem<in_type, counting_parts<T>, outputs_of_three<T>>{{in.data()}, part_of, out, n, {}});
    }
    ASSERT_EQ(counts, found);
    ASSERT_EQ(wrong, 0);
    ASSERT_TRUE(to == expected);
    ASSERT_EQ(stores, once);
    ASSERT_EQ(calls, once);
  }
}

template <class Lanes, int Bytes, class Shape>
struct configuration {
  using lanes = Lanes;
  using shape = Shape;
  static constexpr int bytes = Bytes;
  static constexpr std::size_t tile = selection_tile_size<record<Bytes>, Shape::warps, Shape::bytes_per_thread, Lanes>;
};
template <class Configuration>
struct lockstep_selection : testing::Test {};
using warps = lockstep_lanes<32>;
using wavefronts = lockstep_lanes<64>;
using configurations = testing::Types<configuration<warps, 1, some_rows>, configuration<wavefronts, 1, some_rows>,
                                      configuration<warps, 4, some_rows>, configuration<wavefronts, 4, some_rows>,
                                      configuration<warps, 12, one_row>, configuration<wavefronts, 12, one_row>,
                                      configuration<warps, 64, one_row>>;
TYPED_TEST_SUITE(lockstep_selection, configurations);

TYPED_TEST(lockstep_selection, from_both_ends_around_tiles) {
  constexpr std::size_t tile = TypeParam::tile, lanes = TypeParam::lanes::size;
  engine<typename TypeParam::lanes, typename TypeParam::shape> machine;
  for (std::size_t n : {std::size_t(1), lanes - 1, lanes + 1, tile - 1, tile, tile + 1, 4 * tile + lanes + 3}) {
    for (pattern which : patterns) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", pattern " << static_cast<int>(which));
      ASSERT_NO_FATAL_FAILURE((check<TypeParam::bytes, true>(machine, which, n, n)));
      ASSERT_NO_FATAL_FAILURE((check<TypeParam::bytes, false>(machine, which, n, n)));
      ASSERT_NO_FATAL_FAILURE((check<TypeParam::bytes, true>(machine, which, n, n, last_to_first{which, n, tile})));
    }
  }
}

TYPED_TEST(lockstep_selection, three_parts_around_tiles) {
  constexpr std::size_t tile = TypeParam::tile, lanes = TypeParam::lanes::size;
  engine<typename TypeParam::lanes, typename TypeParam::shape> machine;
  for (std::size_t n : {std::size_t(1), lanes - 1, lanes + 1, tile - 1, tile, tile + 1, 4 * tile + lanes + 3}) {
    for (pattern which : patterns) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", pattern " << static_cast<int>(which));
      ASSERT_NO_FATAL_FAILURE((check_three<TypeParam::bytes>(machine, which, n)));
    }
  }
}

/// What takes joined parts: the rest begins where the selection says so.
template <class T>
struct joined_outputs : outputs_of_three<T> {
  static constexpr bool wants_rest = true, wants_total = true;
  std::uint64_t room;
  using outputs_of_three<T>::finish;
  KOKKOS_FUNCTION void finish(std::uint64_t found) const { finish(upsweep::part_counts<2>{{found, 0}}); }
};

/// Joined parts of n elements by teams that run one after the other, so that all but the last one stand in for others. With an
/// order the teams behind one another are those of its tiles.
template <int Bytes, bool Three, class Lanes, class Shape>
void check_joined(engine<Lanes, Shape>& machine, pattern which, std::size_t n, std::uint64_t seed) {
  using T = record<Bytes>;
  using chooses = std::conditional_t<Three, counting_parts<T>, counting<T>>;
  constexpr std::size_t tile = selection_tile_size<T, Shape::warps, Shape::bytes_per_thread, Lanes>;
  std::size_t const tiles = upsweep::divide_up(n, tile);
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
  machine.join(selection_problem<contiguous_sequence<T const>, chooses, joined_outputs<T>>{{in.data()}, part_of, out, n, {}}, order);
  ASSERT_EQ(counts, found);
  ASSERT_EQ(wrong, 0);
  ASSERT_TRUE(to == expected);
  ASSERT_EQ(stores, std::vector<int>(n, 1));
  // The first team stands in for all the others; then all is known.
  ASSERT_EQ(machine.control().fallbacks, fallbacks + tiles - 1);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(calls[i], i / tile == order[0] ? 1 : 2) << i;
}

TYPED_TEST(lockstep_selection, joined_parts_do_not_wait_for_teams_that_do_not_run) {
  constexpr std::size_t tile = TypeParam::tile, lanes = TypeParam::lanes::size;
  engine<typename TypeParam::lanes, typename TypeParam::shape> machine(2, 5);  // the stamps begin again on the way
  for (std::size_t n : {std::size_t(1), lanes + 1, tile - 1, tile, tile + 1, 5 * tile + lanes + 3, lanes * tile, (2 * lanes + 3) * tile - 1})
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
  machine.join(selection_problem<contiguous_sequence<T const>, fickle<T>, joined_outputs<T>>{{in.data()}, {calls.data()}, out, n, {}},
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

/// Selects from n elements to their front. Whether elements are asked for that have been overwritten is counted by the functor.
template <class T, class Machine, class Chosen>
void check_in_place(Machine& machine, std::size_t n, Chosen const& chosen, counting<T> const& counts, bool takes_first) {
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

/// A run starts where the pattern says so; counts the calls for each element, and those for the first or with other elements than its own
/// and the one before.
template <class T>
struct counting_starts {
  static constexpr bool wants_previous = true;
  counting<T> counts;
  KOKKOS_FUNCTION bool operator()(T const& before, T const& x, std::size_t i) const {
    if (i == 0 || !(before == record_at<sizeof(T)>(i - 1))) ++*counts.wrong;
    return counts(x, i);
  }
};
/// Takes runs; counts what comes to each.
template <class T>
struct run_outputs {
  static constexpr bool wants_rest = false;
  T* values;
  std::size_t* lengths;
  int* stores;
  std::uint64_t* counts;
  KOKKOS_FUNCTION void begins(std::uint64_t run, T const& x) const {
    values[run] = x;
    ++stores[run];
  }
  KOKKOS_FUNCTION void ends(std::uint64_t run, std::size_t length) const {
    lengths[run] = length;
    ++stores[run];
  }
  KOKKOS_FUNCTION void finish(std::uint64_t runs) const {
    counts[0] = runs;
    ++counts[1];
  }
};

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

TYPED_TEST(lockstep_selection, runs_around_tiles) {
  using T = record<TypeParam::bytes>;
  constexpr std::size_t tile = TypeParam::tile, lanes = TypeParam::lanes::size;
  engine<typename TypeParam::lanes, typename TypeParam::shape> machine(2, 3);
  for (std::size_t n : {std::size_t(1), lanes - 1, lanes + 1, tile - 1, tile, tile + 1, 4 * tile + lanes + 3, lanes * tile + 9})
    for (pattern which : patterns) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", pattern " << static_cast<int>(which));
      std::vector<T> in(n), values(n), first;
      std::vector<std::size_t> lengths(n), expected;
      for (std::size_t i = 0; i < n; ++i) {
        in[i] = record_at<TypeParam::bytes>(i);
        if (i == 0 || is_chosen(which, i, n)) {
          first.push_back(in[i]);
          expected.push_back(0);
        }
        ++expected.back();
      }
      std::vector<int> calls(n), stores(n);
      std::vector<std::uint64_t> counts(2);
      int wrong = 0;
      machine.find_runs(selection_problem<contiguous_sequence<T const>, counting_starts<T>, run_outputs<T>>{
          {in.data()}, {{which, n, calls.data(), &wrong}}, {values.data(), lengths.data(), stores.data(), counts.data()}, n, {}});
      std::size_t const runs = expected.size();
      ASSERT_EQ(counts, (std::vector<std::uint64_t>{runs, 1}));
      ASSERT_EQ(wrong, 0);
      std::vector<int> once(n, 1);
      once[0] = 0;
      ASSERT_EQ(calls, once);
      values.resize(runs);
      lengths.resize(runs);
      ASSERT_EQ(values, first);
      ASSERT_EQ(lengths, expected);
      for (std::size_t r = 0; r < n; ++r) ASSERT_EQ(stores[r], r < runs ? 2 : 0) << r;
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

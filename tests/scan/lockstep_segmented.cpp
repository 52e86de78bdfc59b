// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Segmented scans on GPUs, whole, on a CPU: the kernel with lockstep lanes, for warps of 32 and for wavefronts of 64.

#include "../oracle/segmented_scan.hpp"
#include "lockstep_engine.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/one_pass/one_wave_scan.hpp>
#include <upsweep/scan/scan_by_key.hpp>
#include <upsweep/scan/tuning.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

using namespace lockstep;

template <class Heads, class Monoid, bool Inclusive>
using problem =
    scan_problem<segmented_input<Heads, contiguous_sequence<typename Monoid::value_type const>>,
                 segmented_output<Inclusive, Heads, contiguous_sequence<typename Monoid::value_type>, Monoid>,
                 segmented_states<Monoid>, Inclusive>;

template <bool Inclusive, class Heads, class Monoid>
problem<Heads, Monoid, Inclusive> make(Heads const& heads, typename Monoid::value_type const* in,
                                       typename Monoid::value_type* out, Monoid const& op, std::size_t n) {
  segmented_states<Monoid> const states{{op}};
  return {{heads, {in}}, {heads, {out}, op}, states, {states.identity()}, n, {}};
}

using flags_of_int = flag_heads<contiguous_sequence<int const>>;
static_assert(takes_segmented_tile<problem<flags_of_int, upsweep::plus<std::int32_t>, true>>::value);
static_assert(takes_segmented_tile<problem<flags_of_int, upsweep::plus<double>, false>>::value);
static_assert(!takes_segmented_tile<problem<flags_of_int, upsweep::plus<std::int16_t>, true>>::value,
              "these go as pairs");

// A device's shapes for plain scans may be too large for segmented tiles, which is an error where they are asked for.
template <class T>
using few_tiles = one_wave_scan<Kokkos::DefaultHostExecutionSpace, problem<flags_of_int, upsweep::plus<T>, true>,
                                upsweep::engine::default_tuning<Kokkos::DefaultHostExecutionSpace, true>>;
static_assert(few_tiles<float>::most == few_tiles<float>::most_small);
static_assert(few_tiles<double>::most == few_tiles<double>::most_large);

using several_rounds = upsweep::engine::striped_shape<3, 48, 2>;  // a tile
template <class Lanes, class Monoid>
constexpr std::size_t tile_size = tile_in_one_pass<problem<flags_of_int, Monoid, true>, several_rounds, Lanes>::size;

template <class Configuration>
struct lockstep_segmented : testing::Test {
  using monoid = typename Configuration::monoid;
  using T = typename monoid::value_type;
  static constexpr std::size_t tile = tile_size<typename Configuration::lanes, monoid>;

  std::vector<T> values;
  std::vector<int> flags;
  engine<typename Configuration::lanes, several_rounds> machine;

  /// Values whose sums are exact, and a head in `distance` elements on average.
  void fill(std::size_t n, unsigned distance) {
    std::mt19937 random(static_cast<unsigned>(n) + distance);
    values.resize(n);
    flags.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = oracle::exact_value<T>(random);
      flags[i] = random() % distance == 0;
    }
  }

  /// One scan with heads of some kind. shift: elements that the values lie behind an address that is a multiple of 16.
  template <bool Inclusive, class Heads>
  void check(Heads const& heads, bool in_place, std::size_t shift = 0, std::vector<std::size_t> const& order = {}) {
    std::size_t const n = values.size();
    std::vector<T> in(n + 1), out(n + 1);
    std::copy(values.begin(), values.end(), in.begin() + static_cast<std::ptrdiff_t>(shift));
    T* const to = (in_place ? in.data() : out.data()) + shift;
    machine.scan(make<Inclusive>(heads, in.data() + shift, to, monoid{}, n), order);
    auto const expected = oracle::segmented_scan<T>(values, flags, monoid{}, Inclusive);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_TRUE(to[i] == expected[i]) << "n = " << n << ", i = " << i << (Inclusive ? ", inclusive" : ", exclusive");
    ASSERT_EQ(machine.control().ticket, 0u);
  }

  flags_of_int heads() const { return {{flags.data()}}; }
};

#ifdef UPSWEEP_TEST_EVERY_TYPE
using configurations =
    testing::Types<configuration<warps, upsweep::plus<std::int32_t>>,
                   configuration<wavefronts, upsweep::plus<std::int32_t>>, configuration<warps, upsweep::plus<double>>,
                   configuration<wavefronts, upsweep::plus<double>>, configuration<warps, oracle::affine_maps>>;
#else
// Sums of int on warps have tests of their own below.
using configurations =
    testing::Types<configuration<wavefronts, upsweep::plus<double>>, configuration<warps, oracle::affine_maps>>;
#endif
TYPED_TEST_SUITE(lockstep_segmented, configurations);

TYPED_TEST(lockstep_segmented, heads_at_any_distance) {
  std::size_t const tile = this->tile;
  for (std::size_t n :
       {std::size_t(1), std::size_t(TypeParam::lanes::size + 1), tile - 1, tile, tile + 1, 5 * tile + 17})
    for (unsigned distance : {1u, 3u, 40u, 1000u, 1000000u})
      for (bool in_place : {false, true}) {
        SCOPED_TRACE(testing::Message() << "a head in " << distance);
        this->fill(n, distance);
        ASSERT_NO_FATAL_FAILURE(this->template check<true>(this->heads(), in_place));
        ASSERT_NO_FATAL_FAILURE(this->template check<false>(this->heads(), in_place));
      }
  EXPECT_EQ(this->machine.control().fallbacks, 0u);
}

TYPED_TEST(lockstep_segmented, one_head_anywhere_in_a_tile_and_behind_it) {
  this->fill(2 * this->tile + 5, 1000000);
  std::fill(this->flags.begin(), this->flags.end(), 0);
  for (std::size_t head = 0; head < this->values.size(); head += 1 + head / 40) {
    this->flags[head] = 1;
    ASSERT_NO_FATAL_FAILURE(this->template check<true>(this->heads(), false)) << "head " << head;
    ASSERT_NO_FATAL_FAILURE(this->template check<false>(this->heads(), false)) << "head " << head;
    this->flags[head] = 0;
  }
}

// Each kind of head has its own way from memory; what is not aligned for 16 bytes goes one by one.
TYPED_TEST(lockstep_segmented, every_kind_of_head) {
  std::size_t const tile = this->tile;
  for (std::size_t n : {std::size_t(77), 3 * tile, 3 * tile + 17})
    for (unsigned distance : {2u, 30u, 5000u})
      for (std::size_t shift : {std::size_t(0), std::size_t(1)}) {
        SCOPED_TRACE(testing::Message() << "n = " << n << ", a head in " << distance << ", shift " << shift);
        this->fill(n, distance);
        std::vector<std::uint8_t> const bytes(this->flags.begin(), this->flags.end());
        std::vector<std::uint32_t> words(n / 32 + 1);
        std::vector<std::int64_t> long_keys(n + 1);
        std::int64_t key = 0;
        for (std::size_t i = 0; i < n; ++i) {
          key += this->flags[i] != 0 ? 1 : 0;
          long_keys[i + shift] = key;
          words[i / 32] |= static_cast<std::uint32_t>(this->flags[i]) << (i % 32);
        }
        std::vector<std::uint16_t> const short_keys(long_keys.begin(), long_keys.end());
        using flags_of_bytes = flag_heads<contiguous_sequence<std::uint8_t const>>;
        using keys = key_heads<contiguous_sequence<std::int64_t const>, upsweep::equal_keys>;
        using keys_of_two_bytes = key_heads<contiguous_sequence<std::uint16_t const>, upsweep::equal_keys>;
        using keys_of_functor = key_heads<functor_sequence<value_at<std::int64_t>>, upsweep::equal_keys>;
        ASSERT_NO_FATAL_FAILURE(this->template check<true>(flags_of_bytes{{bytes.data()}}, false, shift));
        ASSERT_NO_FATAL_FAILURE(this->template check<false>(keys{{long_keys.data() + shift}, {}}, true, shift));
        ASSERT_NO_FATAL_FAILURE(this->template check<true>(keys{{long_keys.data() + shift}, {}}, false));
        ASSERT_NO_FATAL_FAILURE(this->template check<true>(keys_of_two_bytes{{short_keys.data() + shift}, {}}, false));
        ASSERT_NO_FATAL_FAILURE(
            this->template check<false>(keys_of_functor{{{long_keys.data() + shift}}, {}}, false, shift));
        ASSERT_NO_FATAL_FAILURE(this->template check<true>(bit_heads{{words.data()}}, true, shift));
        ASSERT_NO_FATAL_FAILURE(this->template check<false>(bit_heads{{words.data()}}, false));
      }
}

/// Offsets of segments, and the word for what is wrong with them.
template <class Offset>
struct some_offsets {
  std::vector<Offset> starts;
  std::uint64_t error = 0;
  using heads_type = offset_heads<contiguous_sequence<Offset const>>;
  heads_type heads(std::size_t n) { return {{starts.data()}, starts.size() - 1, n, {&error}}; }
};

// Warps find heads in offsets: few of them, more than elements in a run, and very many at one place.
TYPED_TEST(lockstep_segmented, heads_from_offsets) {
  std::size_t const tile = this->tile;
  std::mt19937 random(7);
  for (std::size_t n : {std::size_t(1), std::size_t(77), tile, 3 * tile + 17})
    for (unsigned distance : {1u, 4u, 300u, 100000u})
      for (unsigned empty : {0u, 1u, 30u, 3000u}) {
        SCOPED_TRACE(testing::Message() << "n = " << n << ", a head in " << distance << ", " << empty
                                        << " empty segments");
        this->fill(n, distance);
        this->flags[0] = 1;
        some_offsets<std::int32_t> some;
        std::size_t const place = random() % n;
        for (std::size_t i = 0; i < n; ++i) {
          // 3000 at one place, or some at each head.
          if (empty == 3000 ? i == place : this->flags[i] != 0 && empty > 0) {
            this->flags[i] = 1;
            some.starts.insert(some.starts.end(), empty == 3000 ? empty : random() % (empty + 1),
                               static_cast<std::int32_t>(i));
          }
          if (this->flags[i] != 0) some.starts.push_back(static_cast<std::int32_t>(i));
        }
        some.starts.insert(some.starts.end(), 1 + random() % 3, static_cast<std::int32_t>(n));
        ASSERT_NO_FATAL_FAILURE(this->template check<true>(some.heads(n), false, n % 2));
        ASSERT_NO_FATAL_FAILURE(this->template check<false>(some.heads(n), true));
        ASSERT_EQ(some.error, 0u);
      }
}

// Each offset is looked at, also by runs whose search does not come by; and searches end.
TYPED_TEST(lockstep_segmented, each_wrong_offset_is_reported) {
  std::size_t const n = 2 * this->tile + 5;
  this->fill(n, 10);
  for (std::size_t segments : {std::size_t(1), std::size_t(2), std::size_t(40), n})
    for (std::int64_t wrong : {std::int64_t(-1), std::int64_t(n) + 1, std::int64_t(1) << 40, std::int64_t(n / 2)})
      for (std::size_t at : {std::size_t(0), segments / 2, segments}) {
        some_offsets<std::int64_t> some;
        for (std::size_t s = 0; s <= segments; ++s) some.starts.push_back(static_cast<std::int64_t>(n * s / segments));
        if (some.starts[at] == wrong) continue;
        some.starts[at] = wrong;
        std::size_t first = 0;
        while (!is_wrong_offset(some.heads(n).offsets, first, segments, n)) ++first;
        std::vector<typename TestFixture::T> out(n);
        this->machine.scan(
            make<true>(some.heads(n), this->values.data(), out.data(), typename TestFixture::monoid{}, n));
        ASSERT_EQ(upsweep::internal::error_word::index(some.error), first)
            << segments << " segments, " << wrong << " at " << at;
        ASSERT_EQ(upsweep::internal::error_word::code(some.error),
                  static_cast<std::uint16_t>(upsweep::internal::data_error::bad_segment_offset));
      }
}

// The teams of tiles in front have taken their numbers, but have published nothing: those behind fall back for them.
TYPED_TEST(lockstep_segmented, stalled_tiles_are_reduced_by_others) {
  std::size_t const tiles = TypeParam::lanes::size + 9;
  std::vector<std::size_t> order(tiles);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::reverse(order.begin(), order.end());
  for (unsigned distance : {10u, 3000u, 100000000u}) {
    this->fill(tiles * this->tile - 3, distance);
    auto const before = this->machine.control().fallbacks;
    ASSERT_NO_FATAL_FAILURE(this->template check<true>(this->heads(), false, 0, order));
    EXPECT_EQ(this->machine.control().fallbacks, before + tiles - 1);
    std::shuffle(order.begin(), order.end(), std::mt19937(3));
    ASSERT_NO_FATAL_FAILURE(this->template check<false>(this->heads(), true, 0, order));
    some_offsets<std::uint64_t> some{{0}};
    for (std::size_t i = 1; i < this->values.size(); ++i)
      if (this->flags[i] != 0) some.starts.push_back(i);
    some.starts.push_back(this->values.size());
    ASSERT_NO_FATAL_FAILURE(this->template check<true>(some.heads(this->values.size()), true, 0, order));
    std::sort(order.rbegin(), order.rend());
  }
}

// Short inputs are a tile a team, in any order.
TEST(lockstep_segmented_of_int, without_tickets_teams_run_in_any_order) {
  using sum = upsweep::plus<std::int32_t>;
  using shape = upsweep::engine::striped_shape<2, 16, 1, 0, 3>;
  std::size_t const tile = tile_in_one_pass<problem<flags_of_int, sum, true>, shape, warps>::size;
  std::size_t const tiles = 3 * 32 + 9, n = tiles * tile - 3;
  std::vector<std::int32_t> in(n), out(n), expected(n);
  std::vector<int> flags(n);
  std::mt19937 random(2);
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = static_cast<std::int32_t>(random() % 100);
    flags[i] = random() % 300 == 0;
    expected[i] = i == 0 || flags[i] != 0 ? in[i] : expected[i - 1] + in[i];
  }
  std::vector<std::size_t> order(tiles);
  std::iota(order.begin(), order.end(), std::size_t(0));
  lockstep::engine<warps, shape, false> machine(2);  // the stamps begin again on the way
  for (unsigned seed = 0; seed < 4; ++seed) {
    std::fill(out.begin(), out.end(), -1);
    machine.scan(make<true>(flags_of_int{{flags.data()}}, in.data(), out.data(), sum{}, n), order);
    ASSERT_EQ(out, expected) << seed;
    // Words of values with a flag and of values without one follow each other in the region.
    std::vector<std::int32_t> plain(n), sums(n);
    std::partial_sum(in.begin(), in.end(), plain.begin());
    machine.scan(
        make_problem<true>(contiguous_sequence<std::int32_t const>{in.data()},
                           contiguous_sequence<std::int32_t>{sums.data()}, sum{}, initial_value<std::int32_t>{0}, n),
        {});
    ASSERT_EQ(sums, plain) << seed;
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  }
}

/// Elements are numbers, and states marked ones: combining what is no state is an error.
struct marked_sums {
  struct value_type {
    std::uint16_t sum, mark;
    bool operator==(value_type const&) const = default;
  };
  static constexpr std::uint16_t mark = 0xa5a5;
  KOKKOS_FUNCTION value_type identity() const { return {0, mark}; }
  KOKKOS_FUNCTION value_type lift(std::uint32_t x) const { return {static_cast<std::uint16_t>(x), mark}; }
  KOKKOS_FUNCTION std::uint32_t lower(value_type const& s) const { return s.sum; }
  KOKKOS_FUNCTION value_type operator()(value_type const& a, value_type const& b) const {
    if (a.mark != mark || b.mark != mark) KOKKOS_IF_ON_HOST((throw std::logic_error("an operand is no state");))
    return {static_cast<std::uint16_t>(a.sum + b.sum), mark};
  }
};

TEST(lockstep_segmented_of_int, states_alone_are_combined) {
  using output = segmented_output<true, flags_of_int, contiguous_sequence<std::uint32_t>, marked_sums>;
  using problem_type = scan_problem<segmented_input<flags_of_int, contiguous_sequence<std::uint32_t const>>, output,
                                    segmented_states<marked_sums>, true>;
  static_assert(takes_segmented_tile<problem_type>::value);
  std::size_t const tile = tile_in_one_pass<problem_type, several_rounds, warps>::size;
  engine<warps, several_rounds> machine;
  for (std::size_t n : {std::size_t(1), std::size_t(50), tile - 1, tile + 1, 3 * tile - 200}) {
    std::vector<std::uint32_t> const in(n, 1);
    std::vector<std::uint32_t> out(n);
    std::vector<int> const flags(n, 0);
    segmented_states<marked_sums> const states{{}};
    machine.scan(problem_type{
        {{{flags.data()}}, {in.data()}}, {{{flags.data()}}, {out.data()}, {}}, states, {states.identity()}, n, {}});
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], (i + 1) % 65536) << n;
  }
}

// The fallback for a stalled tile has its owner's bits, also where sums are rounded.
TEST(lockstep_segmented_bits, fallbacks_have_the_owners) {
  using sum = upsweep::plus<double>;
  using machine_type = engine<warps, several_rounds>;
  std::size_t const tiles = 40, n = tiles * tile_size<warps, sum> - 5;
  std::vector<int> flags(n);
  std::mt19937 random(1);
  for (int& flag : flags) flag = random() % 700 == 0;
  auto const scan = [&](machine_type& machine, double const* in, double* out, std::vector<std::size_t> const& order) {
    machine.scan(make<true>(flags_of_int{{flags.data()}}, in, out, sum{}, n), order);
  };
  expect_owners_bits<machine_type>(n, tiles, scan, [&](std::vector<double> const& in) {
    return oracle::segmented_scan<double>(in, flags, sum{}, true);
  });
}

}  // namespace

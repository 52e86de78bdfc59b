// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The look-back engine of GPUs, whole, on a CPU: its kernel with lockstep lanes, for warps of 32 and for
// wavefronts of 64.

#include "lockstep_engine.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/calls/for_each_call.hpp>
#include <upsweep/scan/detail/one_pass/warp_look_back.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace upsweep::scan::detail;
using maps = oracle::affine_maps;
using lockstep::configuration;
using lockstep::warps;
using lockstep::wavefronts;
using oracle::exact_values;
using oracle::value_at;
using upsweep::internal::contiguous_sequence;
using upsweep::internal::functor_sequence;
template <class Lanes, class Shape = upsweep::engine::striped_shape<2, 16, 1>, bool Tickets = true>
using engine = lockstep::engine<Lanes, Shape, Tickets>;

using small_tiles = upsweep::engine::striped_shape<2, 16, 1>;
using large_tiles = upsweep::engine::striped_shape<3, 64, 1>;  // several rounds a tile
using few_tiles_in_view = upsweep::engine::striped_shape<2, 16, 1, 0, 3>;
using grouped_rounds = upsweep::engine::striped_shape<3, 96, 2>;  // rounds of long states in groups
static_assert(striped_tile<scan_problem<contiguous_sequence<double const>, contiguous_sequence<double>,
                                        upsweep::plus<double>, true>,
                           grouped_rounds, warps>::rounds == 6);

template <class Monoid>
typename Monoid::value_type some_init() {
  if constexpr (std::is_same_v<Monoid, maps>) return {3, 7};
  else return 5;
}

enum class way { aligned, unaligned, functor, in_place, called, called_in_place };

/// Takes the results instead of an output; where it is called with another element than that of the index, it
/// stores nothing.
template <class T>
struct take_result {
  T* to;
  T const* elements;
  KOKKOS_FUNCTION void operator()(std::size_t i, T const& result, T const& x) const {
    if (x == elements[i]) to[i] = result;
  }
};

#ifdef UPSWEEP_TEST_EVERY_TYPE
constexpr bool arrays_alone = false;
#else
constexpr bool arrays_alone = true;
#endif

/// One scan of n elements against a loop. Arrays: with arrays on both sides alone, which is one kernel and not three.
template <bool Inclusive, class Monoid, bool Arrays = false, class Engine>
void check(Engine& machine, std::size_t n, way w, std::vector<std::size_t> const& order = {}) {
  using T = typename Monoid::value_type;
  Monoid const op;
  auto const values = exact_values<T>(n);
  // Vectors begin at multiples of 16 bytes; one element further on they do not, unless elements are that long.
  std::vector<T> in(values), out(n + 1);
  T total{};
  initial_value<T> const init{some_init<Monoid>()};
  total_target<T> const target{&total};
  contiguous_sequence<T const> const from{in.data()};
  bool const is_in_place = w == way::in_place || w == way::called_in_place;
  contiguous_sequence<T> const to{is_in_place ? in.data() : w == way::unaligned ? out.data() + 1 : out.data()};
  auto const scan = [&](auto const& input, auto const& output) {
    machine.scan(make_problem<Inclusive>(input, output, op, init, n, target), order);
  };
  if constexpr (!Arrays) {
    if (w == way::called || w == way::called_in_place)
      scan(from, functor_output<contiguous_sequence<T const>, take_result<T>, T>{from, {to.data, values.data()}});
    else if (w == way::functor) scan(functor_sequence<value_at<T>>{{in.data()}}, to);
    else scan(from, to);
  } else {
    ASSERT_TRUE(w == way::aligned || w == way::unaligned || w == way::in_place);
    scan(from, to);
  }

  T running = init.value;
  for (std::size_t i = 0; i < n; ++i) {
    T const behind = op(running, values[i]);
    ASSERT_TRUE(to.data[i] == (Inclusive ? behind : running))
        << "n = " << n << ", i = " << i << ", way " << static_cast<int>(w);
    running = behind;
  }
  ASSERT_TRUE(total == running) << "n = " << n;
  // Ready for the next call.
  ASSERT_EQ(machine.control().ticket, 0u);
  ASSERT_EQ(machine.control().finished, 0u);
}

template <class Engine, class Monoid>
std::size_t tile_size() {
  using T = typename Monoid::value_type;
  return Engine::template tile_size<scan_problem<contiguous_sequence<T const>, contiguous_sequence<T>, Monoid, true>>();
}

template <class Configuration>
struct lockstep_scan : testing::Test {};
template <class Lanes>
using plus_32 = configuration<Lanes, upsweep::plus<std::int32_t>>;
template <class Lanes>
using plus_64 = configuration<Lanes, upsweep::plus<std::int64_t>>;
template <class Lanes>
using plus_double = configuration<Lanes, upsweep::plus<double>>;
// Some 20 kernels each, 30 with every type. The quick tests have each number of lanes, operands of one word and of two,
// and functors on either side with one shape of tiles.
#ifdef UPSWEEP_TEST_EVERY_TYPE
using configurations =
    testing::Types<plus_32<warps>, plus_32<wavefronts>, plus_64<warps>, plus_64<wavefronts>, plus_double<warps>,
                   plus_double<wavefronts>, configuration<warps, maps>, configuration<wavefronts, maps>>;
#else
using configurations = testing::Types<plus_32<warps>, plus_64<wavefronts>, configuration<wavefronts, maps>>;
#endif
TYPED_TEST_SUITE(lockstep_scan, configurations);

// -0.0 + 0.0 is 0.0: nothing may be added to an initial value that nothing comes after.
TEST(lockstep_scan_of_double, an_initial_value_of_minus_zero_is_the_first_result) {
  double const in[] = {1, 2, 3};
  double out[3] = {};
  engine<warps> machine;
  machine.scan(make_problem<false>(contiguous_sequence<double const>{in}, contiguous_sequence<double>{out},
                                   upsweep::plus<double>{}, initial_value<double>{-0.0}, 3));
  EXPECT_EQ(out[0], 0.0);
  EXPECT_TRUE(std::signbit(out[0]));
  EXPECT_EQ(out[2], 3.0);
}

TYPED_TEST(lockstep_scan, every_way_in_and_out) {
  using lanes = typename TypeParam::lanes;
  using monoid = typename TypeParam::monoid;
  auto const with = []<bool Arrays, class Engine>(std::bool_constant<Arrays>, Engine&& machine,
                                                  std::vector<way> const& ways) {
    std::size_t const tile = tile_size<std::remove_cvref_t<Engine>, monoid>();
    for (std::size_t n : {std::size_t(1), std::size_t(lanes::size + 1), tile - 1, tile, tile + 1, 5 * tile + 17}) {
      for (way w : ways) {
        check<true, monoid, Arrays>(machine, n, w);
        check<false, monoid, Arrays>(machine, n, w);
      }
    }
    EXPECT_EQ(machine.control().fallbacks, 0u);
  };
  std::vector const every{way::aligned, way::unaligned, way::functor, way::in_place, way::called, way::called_in_place};
  std::vector const of_arrays{way::aligned, way::unaligned, way::in_place};
  std::bool_constant<arrays_alone> const alone;
  with(std::false_type(), engine<lanes, small_tiles>(), every);
  with(alone, engine<lanes, large_tiles>(), arrays_alone ? of_arrays : every);
  with(alone, engine<lanes, grouped_rounds>(), arrays_alone ? of_arrays : every);
  with(alone, engine<lanes, few_tiles_in_view, false>(), arrays_alone ? of_arrays : every);
}

// Without tickets a team may run before those whose tiles come before its own have started.
TYPED_TEST(lockstep_scan, without_tickets_teams_run_in_any_order) {
  using lanes = typename TypeParam::lanes;
  using monoid = typename TypeParam::monoid;
  using machine_type = engine<lanes, few_tiles_in_view, false>;
  constexpr std::size_t tiles = 3 * lanes::size + 9;
  std::size_t const n = tiles * tile_size<machine_type, monoid>() - 3;
  std::vector<std::size_t> order(tiles);
  std::iota(order.begin(), order.end(), std::size_t(0));
  machine_type machine(1);
  check<true, monoid, true>(machine, n, way::in_place, order);
  EXPECT_EQ(machine.control().fallbacks, 0u);
  std::reverse(order.begin(), order.end());
  check<true, monoid, true>(machine, n, way::aligned, order);
  EXPECT_EQ(machine.control().fallbacks, tiles - 1);
  for (unsigned seed = 0; seed < 3; ++seed) {
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    check<false, monoid, true>(machine, n, way::in_place, order);
    check<false, monoid>(machine, n, way::called_in_place, order);
  }
}

// A walk begins at the nearest group with a prefix, and looks at a few groups of tiles.
TYPED_TEST(lockstep_scan, many_groups_of_tiles) {
  using lanes = typename TypeParam::lanes;
  using monoid = typename TypeParam::monoid;
  std::size_t const tile = tile_size<engine<lanes>, monoid>();
  engine<lanes> machine;
  check<true, monoid, true>(machine, 2 * lanes::size * tile, way::aligned);
  check<false, monoid, true>(machine, 2 * lanes::size * tile + 1, way::in_place);
  check<true, monoid, true>(machine, 4 * lanes::size * tile - 5, way::in_place);
  EXPECT_EQ(machine.control().fallbacks, 0u);
}

// Tiles behind the first groups ask near groups only, where they read those tile by tile; a prefix comes
// near in the end.
TEST(lockstep_scan_of_int, tiles_far_behind_the_first_groups) {
  using machine_type = engine<warps, few_tiles_in_view>;
  constexpr std::size_t tiles = 35 * 32 + 7;
  std::size_t const n = tiles * tile_size<machine_type, upsweep::plus<std::int32_t>>() - 3;
  machine_type machine;
  check<true, upsweep::plus<std::int32_t>, true>(machine, n, way::aligned);
  EXPECT_EQ(machine.control().fallbacks, 0u);
  // The last tile's team falls back for all others.
  std::vector<std::size_t> order(tiles);
  std::iota(order.rbegin(), order.rend(), std::size_t(0));
  check<false, upsweep::plus<std::int32_t>, true>(machine, n, way::aligned, order);
  EXPECT_EQ(machine.control().fallbacks, tiles - 1);
}

// The fallback for a stalled tile has its owner's bits, also where sums are rounded.
TYPED_TEST(lockstep_scan, fallbacks_have_the_owners_bits) {
  using lanes = typename TypeParam::lanes;
  using sum = upsweep::plus<double>;
  using machine_type = engine<lanes, grouped_rounds>;
  constexpr std::size_t tiles = lanes::size + 3;
  std::size_t const n = tiles * tile_size<machine_type, sum>() - 5;
  initial_value<double> const init{0.1};
  auto const scan = [&](machine_type& machine, double const* in, double* out, std::vector<std::size_t> const& order) {
    contiguous_sequence<double const> const from{in};
    machine.scan(make_problem<true>(from, contiguous_sequence<double>{out}, sum{}, init, n), order);
  };
  lockstep::expect_owners_bits<machine_type>(n, tiles, scan, [&](std::vector<double> const& in) {
    std::vector<double> out(n);
    std::inclusive_scan(in.begin(), in.end(), out.begin(), sum{}, init.value);
    return out;
  });
}

// The teams of tiles in front have taken their numbers, but have published nothing: those behind fall back for them.
TYPED_TEST(lockstep_scan, stalled_tiles_are_reduced_by_others) {
  using lanes = typename TypeParam::lanes;
  using monoid = typename TypeParam::monoid;
  constexpr std::size_t tiles = 2 * lanes::size + 9;
  std::size_t const n = tiles * tile_size<engine<lanes>, monoid>() - 3;
  std::vector<std::size_t> order(tiles);
  std::iota(order.begin(), order.end(), std::size_t(0));
  engine<lanes> machine;
  std::reverse(order.begin(), order.end());
  check<true, monoid, true>(machine, n, way::aligned, order);
  EXPECT_EQ(machine.control().fallbacks, tiles - 1);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  check<false, monoid, true>(machine, n, way::in_place, order);
  EXPECT_GT(machine.control().fallbacks, tiles - 1);
}

// What a device has for few tiles: a region that has served a scan serves shorter ones, too.
TEST(one_wave_scan, shorter_scans_need_no_longer_region) {
  using space = Kokkos::DefaultHostExecutionSpace;
  using problem = scan_problem<contiguous_sequence<int const>, contiguous_sequence<int>, upsweep::plus<int>, false>;
  using few = one_wave_scan<space, problem, upsweep::engine::default_tuning<space, true>>;
  ASSERT_TRUE(few::takes(few::most) && few::most > few::most_small && !few::takes(few::most + 1));
  std::size_t before = 0;
  for (std::size_t n = 1; few::takes(n); n += n / 16 + 1) {
    ASSERT_GE(few::region_bytes(n), before) << n;
    before = few::region_bytes(n);
  }
}

// Words of calls before are invalid, whatever was scanned, also when the stamps' epochs begin again.
TYPED_TEST(lockstep_scan, calls_follow_each_other_in_one_region) {
  using lanes = typename TypeParam::lanes;
  using monoid = typename TypeParam::monoid;
  std::size_t const tile = tile_size<engine<lanes>, monoid>();
  engine<lanes> machine(2, 7);
  for (std::uint64_t call = 0; call < 7; ++call) {
    EXPECT_EQ(machine.control().epoch, call % 3);
    check<true, monoid, true>(machine, (9 - call) * tile, way::aligned);
  }
}

}  // namespace

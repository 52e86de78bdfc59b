// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The kernel of GPUs that counts few candidates with rules of pairs, on a CPU with lockstep lanes: the bits that it
// leaves are the rows of the plain builder.

#include "boxes.hpp"
#include "host_list.hpp"
#include "lockstep_groups.hpp"
#include "random_exclusions.hpp"
#include "shifted_ghosts.hpp"

#include <upsweep/neighbors/detail/grid/cell_grid.hpp>
#include <upsweep/neighbors/detail/masks/gpu/emit_flat.hpp>
#include <upsweep/neighbors/detail/masks/gpu/numbers_candidates.hpp>
#include <upsweep/neighbors/detail/rules/check_options.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace detail = upsweep::neighbors::detail;
using namespace lockstep_groups;
using detail::hit_rules;
using upsweep::image;
using upsweep::neighbor_options;

template <class T>
auto view_of(std::vector<T> const& all) {
  return Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(all.data(), all.size());
}

/// The options of rules, which they point into.
struct options_of {
  std::vector<double> cutoffs;
  neighbor_options options;

  explicit options_of(oracle::pair_rules const& rules) {
    options = {.half = rules.half, .newton = rules.newton, .include_cutoff = rules.include_cutoff};
    if (rules.rows >= 0) options.rows = static_cast<std::size_t>(rules.rows);
    if (!rules.ids.empty()) options.ids = view_of(rules.ids);
    if (!rules.types.empty()) {
      std::size_t const n = rules.type_cutoffs.size();
      for (auto const& row : rules.type_cutoffs) cutoffs.insert(cutoffs.end(), row.begin(), row.end());
      options.types = view_of(rules.types);
      options.type_cutoffs =
          Kokkos::View<double const**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(cutoffs.data(),
                                                                                                        n, n);
    }
    if (!rules.radii.empty()) options.radii = view_of(rules.radii);
    if (!rules.excluded_offsets.empty())
      options.exclusions = {.offsets = view_of(rules.excluded_offsets), .ids = view_of(rules.excluded_ids)};
  }
};

/// By a kernel of some rules, among them all that the problem has; then without memory for the bits.
template <hit_rules Rules, class Real>
void expect_rows_of_plain(oracle::list_problem<Real> const& p, int warps_per_group = 1) {
  auto const expected = build_list(p.x, p.box, p.cutoff, p.rules, {.builder = upsweep::neighbor_builder::plain});
  options_of const given(p.rules);
  auto const n = static_cast<std::int64_t>(p.x.size());
  auto const rows = static_cast<std::int64_t>(given.options.rows.value_or(p.x.size()));
  detail::cell_grid<host, Real> grid{host{}};
  grid.set_groups(32, 24);
  grid.update(host_positions<Real>{p.x.data()}, n, rows, 0, oracle::to_box(p.box), p.cutoff, given.options);
  auto const& binned = grid.binned();
  ASSERT_FALSE(binned.has_classes());
  for (int const reach : binned.grid.reach) ASSERT_EQ(reach, 1);
  detail::list_rules<host, Real> made;
  detail::neighbor_search<Real> const search{binned, made.make(host{}, binned, p.cutoff, given.options, {})};
  std::vector<std::uint32_t> words(1 << 20, 0xdeadbeefu);
  std::vector<std::uint64_t> first_word(static_cast<std::size_t>(grid.most_groups()));
  std::uint64_t used = 0, largest = 0;
  std::vector<std::size_t> counts(static_cast<std::size_t>(rows));
  detail::mask_pass<Real> pass{search, grid.groups(),      grid.group_count(),
                               0,      grid.most_groups(), {words.data(), words.size(), &used, first_word.data()}};
  pass.warps_per_group = warps_per_group;
  using systems = detail::one_system<Real>;
  auto const count = [&] {
    used = largest = 0;
    std::fill(counts.begin(), counts.end(), 12345);
    run(
        detail::count_flat_gpu<Real, systems, lanes, 8, detail::no_visitor, Rules>{
            pass, {counts.data(), &largest}, true},
        grid.most_groups());
    for (std::size_t i = 0; i < counts.size(); ++i) ASSERT_EQ(counts[i], expected.rows[i].size()) << "row " << i;
    EXPECT_EQ(largest, expected.largest_row);
  };
  pass.masks.capacity = 0;
  ASSERT_NO_FATAL_FAILURE(count()) << "without memory";
  pass.masks.capacity = words.size();
  ASSERT_NO_FATAL_FAILURE(count());
  ASSERT_LE(used, words.size());

  std::vector<std::size_t> offsets(counts.size() + 1);
  std::partial_sum(counts.begin(), counts.end(), offsets.begin() + 1);
  std::vector<int> neighbors(offsets.back(), -7);
  std::vector<image> images(neighbors.size(), image(3, 3, 3));
  detail::row_slots const slots{offsets.data(), neighbors.data(), images.data(), false, {}};
  run(detail::emit_flat_gpu<Real, true, false, systems, lanes>{pass, slots}, grid.most_groups());
  for (std::size_t i = 0; i < counts.size(); ++i)
    for (std::size_t k = 0; k < counts[i]; ++k) {
      auto const s = images[offsets[i] + k];
      ASSERT_EQ(std::tuple(neighbors[offsets[i] + k], s.x(), s.y(), s.z()), expected.rows[i][k]) << "row " << i;
    }
}

template <class Real>
oracle::cell_box<Real> tilted() {
  return {{0, 0, 0}, {9, 8, 7}, {true, true, false}, {1, 0, Real(0.5)}};
}
/// Of one cell in one direction, which wraps to both sides.
template <class Real>
oracle::cell_box<Real> narrow() {
  return {{-1, 2, 0}, {Real(0.5), 6, 5}, {true, true, true}};
}
template <class Real>
oracle::points<Real> lattice() {
  oracle::points<Real> cubic;
  for (int k = 0; k < 216; ++k) cubic.push_back({Real(k % 6), Real(k / 6 % 6), Real(k / 36)});
  std::shuffle(cubic.begin(), cubic.end(), std::mt19937(2));
  return cubic;
}

/// Ids in random order: close to each other, or too far apart for 32 bits.
std::vector<std::int64_t> random_ids(std::size_t n, std::int64_t step, std::int64_t first) {
  std::vector<std::int64_t> ids(n);
  for (std::size_t i = 0; i < n; ++i) ids[i] = first + step * static_cast<std::int64_t>(i);
  std::shuffle(ids.begin(), ids.end(), std::mt19937(7));
  return ids;
}
void add_types(oracle::pair_rules& rules, std::size_t n, int types, double longest) {
  std::mt19937 random(8);
  for (std::size_t i = 0; i < n; ++i) rules.types.push_back(static_cast<int>(random() % static_cast<unsigned>(types)));
  for (int a = 0; a < types; ++a) {
    rules.type_cutoffs.emplace_back();
    for (int b = 0; b < types; ++b)
      rules.type_cutoffs.back().push_back(a == b && a == 1 ? 0 : longest * (1 - 0.7 * (a + b) / (2 * types)));
  }
}
void add_radii(oracle::pair_rules& rules, std::size_t n, double least, double most) {
  std::mt19937 random(9);
  for (std::size_t i = 0; i < n; ++i) rules.radii.push_back(least + (most - least) * (random() % 1000) / 1000.0);
}

template <class Real>
class lockstep_flat_rules_of : public testing::Test {};
#ifdef UPSWEEP_TEST_EVERY_TYPE
using reals = testing::Types<float, double>;
#else
using reals = testing::Types<double>;
#endif
TYPED_TEST_SUITE(lockstep_flat_rules_of, reals);

TYPED_TEST(lockstep_flat_rules_of, half_lists) {
  using real = TypeParam;
  for (auto const& box : {tilted<real>(), narrow<real>()}) {
    oracle::list_problem<real> p{box, oracle::uniform_points(400, box, 1), real(1.25), {}};
    p.rules.half = true;
    if (box.length(0) < 2) p.x.resize(90);
    std::size_t const n = p.x.size();
    ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<hit_rules::ids>(p));
    std::int64_t const far = std::int64_t(1) << 32;
    auto apart = random_ids(n, 1, 0);  // each group's are close to each other, but not to those of its candidates
    for (std::size_t i = 0; i < n; ++i) apart[i] += static_cast<std::int64_t>(p.x[i][1] / real(1.25)) * (far / 2 - 9);
    auto one_apart = random_ids(n, 1, 0);
    one_apart[5] += far / 2 + 9;
    auto extreme = random_ids(n, 1, 0);  // from both ends of 64 bits, whose differences overflow
    for (auto& id : extreme)
      id = id % 2 == 0 ? std::numeric_limits<std::int64_t>::min() + id : std::numeric_limits<std::int64_t>::max() - id;
    for (auto const& ids : {random_ids(n, 3, -500), random_ids(n, 1, 5 * far), random_ids(n, far + 1, -100 * far),
                            apart, one_apart, extreme}) {
      p.rules.ids = ids;
      ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<hit_rules::ids>(p, 2)) << "ids like " << ids[0];
    }
  }
}

TYPED_TEST(lockstep_flat_rules_of, half_lists_with_ghosts) {
  using real = TypeParam;
  auto const made = oracle::with_shifted_ghosts<real>({{0, 0, 0}, {4, 5, real(1.25)}, {}}, 70, real(1.5), 5);
  for (bool const newton : {true, false}) {
    auto p = made.problem;
    p.rules.half = true;
    p.rules.newton = newton;
    ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<hit_rules::ids>(p));
    ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<hit_rules::all>(p, 4));
  }
}

TYPED_TEST(lockstep_flat_rules_of, exclusions) {
  using real = TypeParam;
  std::mt19937 random(3);
  auto const pick = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % static_cast<unsigned>(hi - lo + 1));
  };
  for (auto const& box : {tilted<real>(), narrow<real>()}) {
    oracle::list_problem<real> p{box, oracle::uniform_points(box.length(0) < 2 ? 90 : 300, box, 1), real(1.25), {}};
    std::size_t const n = p.x.size();
    for (bool const has_ids : {false, true}) {
      if (has_ids) p.rules.ids = random_ids(n, 3, -500);
      p.rules.excluded_ids.clear();
      oracle::add_exclusions(p.rules, n, n, 25, pick);
      p.rules.excluded_ids.back() = 1000000;  // nobody's
      p.rules.excluded_ids.front() = -1000000;
      for (bool const half : {false, true}) {
        p.rules.half = half;
        ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<hit_rules::ids>(p, half ? 1 : 4));
      }
    }
  }
}

TYPED_TEST(lockstep_flat_rules_of, types) {
  using real = TypeParam;
  for (int const types : {2, 3, 40}) {
    oracle::list_problem<real> p{tilted<real>(), oracle::uniform_points(400, tilted<real>(), 1), real(1.4), {}};
    add_types(p.rules, p.x.size(), types, 1.4);
    p.rules.rows = 350;
    ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<hit_rules::distances>(p, types == 3 ? 2 : 1));
  }
  // Distances at cutoffs: single precision does not decide.
  for (bool const include : {true, false}) {
    oracle::list_problem<real> p{cube_of(real(6)), lattice<real>(), real(2), {}};
    p.rules.include_cutoff = include;
    add_types(p.rules, p.x.size(), 2, 2);
    p.rules.type_cutoffs = {{1, std::sqrt(2.0)}, {std::sqrt(2.0), 2}};
    ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<hit_rules::distances>(p));
  }
}

TYPED_TEST(lockstep_flat_rules_of, radii) {
  using real = TypeParam;
  // Sums below the cutoff, on both sides of it, above it; more than floats hold.
  for (auto const& [least, most] : {std::pair(0.4, 0.65), {0.5, 1.2}, {0.0, 0.5}, {1.5, 2.0}, {1e200, 1e201}}) {
    oracle::list_problem<real> p{tilted<real>(), oracle::uniform_points(400, tilted<real>(), 1), real(1.4), {}};
    if (std::is_same_v<real, float> && least > 1e30) continue;  // refused
    add_radii(p.rules, p.x.size(), least, most);
    p.x[7] = p.x[8];
    ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<hit_rules::distances>(p)) << least;
  }
  for (bool const include : {true, false})
    for (double const cutoff : {2.0, 1.0, 1.5}) {
      oracle::list_problem<real> p{cube_of(real(6)), lattice<real>(), real(cutoff), {}};
      p.rules.include_cutoff = include;
      p.rules.radii.assign(p.x.size(), 0.5);
      ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<hit_rules::distances>(p)) << cutoff;
    }
}

TYPED_TEST(lockstep_flat_rules_of, all_rules) {
  using real = TypeParam;
  std::mt19937 random(4);
  auto const pick = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % static_cast<unsigned>(hi - lo + 1));
  };
  for (auto const& box : {tilted<real>(), narrow<real>()}) {
    oracle::list_problem<real> p{box, oracle::uniform_points(box.length(0) < 2 ? 90 : 300, box, 1), real(1.25), {}};
    std::size_t const n = p.x.size();
    add_types(p.rules, n, 3, 1.25);
    add_radii(p.rules, n, 0.4, 0.7);
    ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<hit_rules::distances>(p));
    p.rules.half = true;
    ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<hit_rules::all>(p));
    oracle::add_exclusions(p.rules, n, n, 20, pick);
    ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<hit_rules::all>(p, 2));
    p.rules.ids = random_ids(n, 3, -500);
    p.rules.types.clear();
    p.rules.type_cutoffs.clear();
    ASSERT_NO_FATAL_FAILURE(expect_rows_of_plain<hit_rules::all>(p));
  }
}

/// Which rules that kernel is asked for: not excluded ids that are no indices, nor the nearest alone.
TEST(lockstep_flat_rules, kernel_of_rules) {
  auto const x = oracle::uniform_points(400, tilted<double>(), 1);
  auto const numbers = [&](oracle::pair_rules const& rules, std::optional<std::size_t> nearest = {}) {
    options_of given(rules);
    given.options.max_neighbors = nearest;
    detail::cell_grid<host, double> grid{host{}};
    grid.set_groups(32, 24);
    grid.update(host_positions<double>{x.data()}, 400, 400, 0, oracle::to_box(tilted<double>()), 1.25, given.options);
    detail::list_rules<host, double> made;
    detail::neighbor_search<double> const search{grid.binned(),
                                                 made.make(host{}, grid.binned(), 1.25, given.options, {})};
    return detail::numbers_candidates(
        detail::mask_pass<double>{search, grid.groups(), grid.group_count(), 0, grid.most_groups(), {}});
  };
  oracle::pair_rules rules;
  EXPECT_TRUE(numbers(rules));
  EXPECT_FALSE(numbers(rules, 4));
  rules.half = true;
  add_types(rules, x.size(), 3, 1.25);
  add_radii(rules, x.size(), 0.4, 0.7);
  rules.excluded_offsets.assign(x.size() + 1, 0);
  EXPECT_TRUE(numbers(rules));
  rules.ids = random_ids(x.size(), 1, 0);
  EXPECT_FALSE(numbers(rules));
  rules.excluded_offsets.clear();
  EXPECT_TRUE(numbers(rules));
}

}  // namespace

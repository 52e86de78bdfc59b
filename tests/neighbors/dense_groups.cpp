// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Lists with rules and in sorted order where groups have so many candidates that the fast builder works on them in
// several chunks, or cannot sort them together: equal to those of the plain builder.

#include "host_list.hpp"
#include "random_exclusions.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <random>
#include <string>

namespace {

using upsweep::neighbor_builder;
using upsweep::row_order;

enum rule { none, half, types, radii, wide_radii, exclusions, all_rules };

struct setting {
  std::string name;
  std::size_t particles;
  double cutoff;  ///< in a cube of edge 10
};

template <class Real>
oracle::pair_rules make_rules(rule which, bool with_ids, std::size_t n, Real cutoff, std::mt19937_64& random) {
  auto const pick = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random); };
  oracle::pair_rules rules;
  if (with_ids) {
    rules.ids.resize(n);
    std::iota(rules.ids.begin(), rules.ids.end(), 0);
    std::shuffle(rules.ids.begin(), rules.ids.end(), random);
    for (auto& id : rules.ids) id = (id << 22) - 12345;
  }
  rules.half = which == half || which == all_rules;
  if (which == types || which == all_rules) {
    constexpr int kinds = 70;  // more than tables in registers hold
    rules.type_cutoffs.assign(kinds, std::vector<double>(kinds));
    for (std::size_t a = 0; a < kinds; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        rules.type_cutoffs[a][b] = rules.type_cutoffs[b][a] = double(cutoff) * pick(0, 8) / 8;
    for (std::size_t i = 0; i < n; ++i) rules.types.push_back(pick(0, kinds - 1));
  }
  double const largest = which == wide_radii ? 3 : 0.5;
  if (which == radii || which == wide_radii || which == all_rules)
    for (std::size_t i = 0; i < n; ++i) rules.radii.push_back(double(cutoff) * largest * pick(0, 16) / 16);
  if (which == exclusions || which == all_rules) oracle::add_exclusions(rules, n, n, 9, pick);
  return rules;
}

template <class Real>
void compare(setting const& of) {
  oracle::cell_box<Real> box;
  for (int d = 0; d < 3; ++d) {
    box.lo[d] = 0;
    box.hi[d] = 10;
    box.periodic[d] = true;
  }
  auto const x = oracle::uniform_points(of.particles, box, 1);
  auto const cutoff = static_cast<Real>(of.cutoff);
  std::mt19937_64 random(2);
  for (rule which : {none, half, types, radii, wide_radii, exclusions, all_rules})
    for (bool with_ids : {false, true})
      for (row_order order : {row_order::cells, row_order::sorted}) {
        SCOPED_TRACE(testing::Message() << of.name << ", rule " << which << ", ids " << with_ids << ", sorted "
                                        << (order == row_order::sorted) << ", " << sizeof(Real) << " bytes");
        auto const rules = make_rules(which, with_ids, of.particles, cutoff, random);
        auto const plain = oracle::build_list(x, box, cutoff, rules, {neighbor_builder::plain, order});
        ASSERT_TRUE(plain.pairs > 0);
        ASSERT_TRUE(oracle::build_list(x, box, cutoff, rules, {neighbor_builder::automatic, order}) == plain);
      }
}

/// About 1900 candidates a group: two chunks.
TEST(dense_groups, of_two_chunks) { compare<double>({"two chunks", 2000, 3.3}); }
TEST(dense_groups, of_two_chunks_in_float) { compare<float>({"two chunks", 2000, 3.3}); }
/// Cells that reach over the box' images: a particle is a candidate several times, and of itself.
TEST(dense_groups, of_own_images) { compare<double>({"own images", 40, 14}); }
/// 10,800 candidates: more than are sorted together.
TEST(dense_groups, too_large_to_sort_together) { compare<double>({"too many to sort together", 400, 9.9}); }

}  // namespace

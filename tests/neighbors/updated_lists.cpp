// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// One list, built again and again with more and fewer pairs and with other options: on GPUs lists are written into the
// memory of the list before, and again where that is too small, by the builder for few particles and by masks
// (neighbors/detail/builders). Against new lists of the plain builder.

#include "../oracle/message_of.hpp"
#include "lists.hpp"
#include "random_edges.hpp"

#include <upsweep/neighbors/detail/builders/has_mask_builder.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace {

using upsweep::neighbor_options;
using list_type = upsweep::neighbor_list<oracle::space, double>;

upsweep::box<double> const cell({0, 0, 0}, {6, 6, 6}, {true, true, true});

oracle::positions_view<double> particles(oracle::edge_generator& random, int n) {
  std::vector<std::array<double, 3>> x(static_cast<std::size_t>(n));
  for (auto& p : x)
    for (auto& c : p) c = random.real(0, 5.999);
  return oracle::to_positions(x);
}

void expect_new(list_type const& list, oracle::positions_view<double> const& x, double cutoff,
                neighbor_options options) {
  options.builder = upsweep::neighbor_builder::plain;
  list_type const fresh(oracle::space(), x, cell, cutoff, options);
  ASSERT_EQ(list.rows(), fresh.rows());
  ASSERT_EQ(list.pairs(), fresh.pairs());
  ASSERT_EQ(list.largest_row(), fresh.largest_row());
  ASSERT_EQ(oracle::to_host(list.offsets()), oracle::to_host(fresh.offsets()));
  ASSERT_EQ(oracle::to_host(list.neighbors()), oracle::to_host(fresh.neighbors()));
  ASSERT_EQ(list.pair_images().given(), options.pair_images);
  if (options.pair_images) {
    ASSERT_EQ(oracle::to_host(list.pair_images().view()), oracle::to_host(fresh.pair_images().view()));
  }
  ASSERT_EQ(list.distances().given(), options.distances);
  if (options.distances) {
    ASSERT_EQ(oracle::to_host(list.distances().view()), oracle::to_host(fresh.distances().view()));
  }
}

/// Of each builder that writes at once.
class updated_lists : public testing::TestWithParam<upsweep::neighbor_builder> {
 protected:
  void SetUp() override {
    if (GetParam() == upsweep::neighbor_builder::masks && !upsweep::neighbors::detail::has_mask_builder<oracle::space>)
      GTEST_SKIP() << "no masks for this execution space";
  }
};
INSTANTIATE_TEST_SUITE_P(builders, updated_lists,
                         testing::Values(upsweep::neighbor_builder::automatic, upsweep::neighbor_builder::masks),
                         [](auto const& of) {
                           return std::string(of.param == upsweep::neighbor_builder::masks ? "masks" : "automatic");
                         });

TEST_P(updated_lists, more_and_fewer_pairs) {
  oracle::edge_generator random(1);
  list_type list(oracle::space(), cell, 1.0, {.builder = GetParam()});
  struct step {
    int particles;
    double cutoff;
    bool images, distances, sorted, planned;
  };
  for (step const& s : {step{300, 1.0, false, false, false, false}, step{300, 1.0, false, false, false, false},
                        step{200, 0.9, false, false, false, false}, step{500, 1.3, false, false, false, false},
                        step{0, 1.3, false, false, false, false}, step{499, 1.3, true, false, false, false},
                        step{490, 1.3, true, true, false, false}, step{480, 1.3, true, true, true, false},
                        step{495, 1.3, false, true, true, false}, step{600, 1.3, false, true, true, false},
                        step{300, 1.3, true, false, false, true}, step{900, 1.3, true, false, true, true},
                        step{5000, 0.7, false, false, false, false}, step{900, 1.2, false, false, false, false},
                        step{1, 7.0, true, true, false, false}}) {
    SCOPED_TRACE(testing::Message() << s.particles << " particles, cutoff " << s.cutoff);
    neighbor_options o;
    o.builder = GetParam();
    o.pair_images = s.images;
    o.distances = s.distances;
    o.order = s.sorted ? upsweep::row_order::sorted : upsweep::row_order::cells;
    for (int k = 0; k < 2; ++k) {  // the second time into the memory of the first
      auto const x = particles(random, s.particles);
      if (s.planned) {
        list.set(cell, s.cutoff, o);
        list.plan(oracle::space(), x);
        ASSERT_EQ(list.neighbors().extent(0), 0u);
        list.emit();
      } else {
        list.update(oracle::space(), x, cell, s.cutoff, o);
      }
      ASSERT_NO_FATAL_FAILURE(expect_new(list, x, s.cutoff, o));
    }
  }
}

// A list that could not be built leaves memory that the next one is written into.
TEST_P(updated_lists, after_errors) {
  oracle::edge_generator random(2);
  auto const x = particles(random, 400), y = particles(random, 390);
  list_type list(oracle::space(), x, cell, 1.2, {.builder = GetParam()});
  for (double const wrong : {1e300, std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()})
    for (bool const all : {false, true}) {
      SCOPED_TRACE(testing::Message() << wrong << (all ? " all" : ""));
      auto const bad = particles(random, 395);
      oracle::host_copy const host(bad);
      host(17, 1) = host(230, 0) = wrong;
      for (std::size_t k = 17; all && k < 395; ++k) host(k, 2) = wrong;
      host.write();
      auto const message = oracle::message_of([&] { list.update(oracle::space(), bad); });
      EXPECT_EQ(message.rfind("neighbor_list: particle 17 ", 0), 0u) << message;
      EXPECT_EQ(list.neighbors().extent(0), 0u);
      EXPECT_EQ(list.offsets().extent(0), 0u);
      EXPECT_THROW(list.emit(), upsweep::precondition_error);
      list.update(oracle::space(), all ? y : x);
      ASSERT_NO_FATAL_FAILURE(expect_new(list, all ? y : x, 1.2, {}));
    }
}

// Of two sets, a particle that cannot be used may be put where those of the other set are.
TEST_P(updated_lists, two_sets_after_errors) {
  oracle::edge_generator random(4);
  auto const queries = particles(random, 300), points = particles(random, 400);
  list_type const plain(oracle::space(), queries, points, cell, 1.1, {.builder = upsweep::neighbor_builder::plain});
  list_type list(oracle::space(), queries, points, cell, 1.1, {.builder = GetParam()});
  for (int const wrong : {0, 1, 151, 299, 300, 301, 640, 699}) {
    SCOPED_TRACE(testing::Message() << "particle " << wrong);
    auto const bad_queries = particles(random, 300), bad_points = particles(random, 400);
    oracle::host_copy const host(wrong < 300 ? bad_queries : bad_points);
    host(static_cast<std::size_t>(wrong < 300 ? wrong : wrong - 300), 2) = std::numeric_limits<double>::infinity();
    host.write();
    auto const message = oracle::message_of([&] { list.update(oracle::space(), bad_queries, bad_points); });
    EXPECT_EQ(message.rfind("neighbor_list: particle " + std::to_string(wrong) + " ", 0), 0u) << message;
    EXPECT_EQ(list.offsets().extent(0), 0u);
    list.update(oracle::space(), queries, points);
    ASSERT_EQ(oracle::to_host(list.offsets()), oracle::to_host(plain.offsets()));
    ASSERT_EQ(oracle::to_host(list.neighbors()), oracle::to_host(plain.neighbors()));
  }
}

// The same number of particles, and of them ever more in one place: pairs and masks take more memory than before.
TEST_P(updated_lists, denser_particles) {
  oracle::edge_generator random(3);
  list_type list(oracle::space(), particles(random, 2000), cell, 0.7, {.builder = GetParam()});
  for (int const dense : {0, 40, 300, 1500, 10}) {
    SCOPED_TRACE(testing::Message() << dense << " in one cell");
    auto const x = particles(random, 2000);
    oracle::host_copy const host(x);
    for (int k = 0; k < dense; ++k)
      for (int d = 0; d < 3; ++d) host(static_cast<std::size_t>(k), d) = random.real(2, 2.3);
    host.write();
    list.update(oracle::space(), x);
    ASSERT_NO_FATAL_FAILURE(expect_new(list, x, 0.7, {}));
  }
}

}  // namespace

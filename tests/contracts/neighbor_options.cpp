// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Options of neighbour lists and of what reads them.

#include "../neighbors/lists.hpp"
#include "../oracle/points.hpp"
#include "options.hpp"

#include <upsweep/neighbors/detail/builders/few_particles_builder.hpp>
#include <upsweep/neighbors/detail/builders/mask_builder.hpp>
#include <upsweep/neighbors/displacement.hpp>
#include <upsweep/neighbors/needs_rebuild.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>
#include <upsweep/neighbors/wrap_positions.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace {

using contracts::promise;
using contracts::recorder;
using options = upsweep::call_options const&;
using space = oracle::space const&;

oracle::cell_box<double> const cube{{0, 0, 0}, {15, 15, 15}, {true, true, true}};

auto some_positions() { return oracle::to_positions(oracle::uniform_points(3000, cube, 7)); }

std::vector<contracts::call> displacements() {
  auto const now = some_positions(), before = some_positions();
  auto const box = oracle::to_box(cube);
  return {
      {"largest_displacement_squared", promise::waits,
       [=](space s, options p) {
         upsweep::largest_displacement_squared(s, upsweep::now{now}, upsweep::at_build{before}, p);
       }},
      {"two_largest_displacements", promise::waits,
       [=](space s, options p) {
         upsweep::two_largest_displacements(s, upsweep::now{now}, upsweep::at_build{before}, p);
       }},
      {"wrap_positions", promise::waits, [=](space s, options p) { upsweep::wrap_positions(s, now, box, p); }},
      {"needs_rebuild", promise::waits,
       [=](space s, options p) {
         upsweep::needs_rebuild(s, upsweep::now{now, box}, upsweep::at_build{before, box}, 2.0, 0.3, p);
       }},
  };
}

struct count_neighbor {
  KOKKOS_FUNCTION void operator()(std::size_t, int, int& sum) const { ++sum; }
};
struct store_count {
  Kokkos::View<int*, oracle::memory> out;
  KOKKOS_FUNCTION void operator()(std::size_t i, int sum) const { out(i) = sum; }
};

/// Calls that take a label alone: they have their memory, or need none.
std::vector<contracts::call> labelled() {
  auto const list = std::make_shared<upsweep::neighbor_list<oracle::space, double>>(oracle::space{}, some_positions(),
                                                                                    oracle::to_box(cube), 2.0);
  Kokkos::View<int*, oracle::memory> const out("out", 3000);
  return {
      {"reduce_rows", promise::asynchronous,
       [=](space s, options p) {
         upsweep::reduce_rows<int>(s, list->view(), count_neighbor{}, store_count{out}, {.label = p.label});
       }},
  };
}

TEST(options_of_loops, label_in_every_kernel) { contracts::expect_label_in_every_kernel(labelled()); }

// Every option that says which pairs there are changes their number: each one of the table, of three in a row, 1 apart.
TEST(options_of_neighbor_lists, those_that_choose_pairs_have_an_effect) {
  oracle::space const instance;
  auto const x = oracle::to_positions(std::vector<std::array<double, 3>>{{1, 1, 1}, {2, 1, 1}, {3, 1, 1}});
  auto const box = oracle::to_box(cube);
  auto const types = oracle::to_device(std::vector<int>{0, 0, 0});
  auto const radii = oracle::to_device(std::vector<double>{0.5, 0.5, 0.25});
  auto const offsets = oracle::to_device(std::vector<std::size_t>{0, 1, 1, 1});
  auto const excluded = oracle::to_device(std::vector<std::int64_t>{1});
  auto const ids = oracle::to_device(std::vector<std::int32_t>{0, 1, 2});
  Kokkos::View<double**, Kokkos::LayoutRight, oracle::memory> const type_cutoffs("type_cutoffs", 1, 1);
  struct row {
    char const* option;
    upsweep::neighbor_options given;
    std::size_t pairs;
  };
  for (auto const& [option, given, pairs] : std::vector<row>{
           {"none", {}, 6},
           {"rows", {.rows = 1}, 2},
           {"half", {.half = true}, 3},
           {"half with ghosts", {.half = true, .rows = 1, .ids = ids}, 1},
           {"newton", {.half = true, .newton = false, .rows = 1}, 2},
           {"include_cutoff", {.include_cutoff = false}, 4},
           {"max_neighbors", {.max_neighbors = 1}, 3},
           {"types", {.types = types, .type_cutoffs = type_cutoffs}, 0},
           {"radii", {.radii = radii}, 2},
           {"exclusions", {.exclusions = {.offsets = offsets, .ids = excluded}}, 5},
       })
    EXPECT_EQ(upsweep::neighbor_list(instance, x, box, 2.0, given).pairs(), pairs) << option;
}

// Each builder has kernels that the others do not have.
TEST(options_of_neighbor_lists, the_builder_that_was_asked_for_runs) {
  using upsweep::neighbor_builder;
  oracle::space const instance;
  auto const x = some_positions();
  auto const box = oracle::to_box(cube);
  constexpr bool has_masks = upsweep::neighbors::detail::mask_builder<oracle::space, double>::exists;
  using few_particles_builder = upsweep::neighbors::detail::few_particles_builder<oracle::space, double>;
  for (auto const builder : {neighbor_builder::automatic, neighbor_builder::plain, neighbor_builder::masks}) {
    recorder const seen;
    if (builder == neighbor_builder::masks && !has_masks) {
      EXPECT_THROW(upsweep::neighbor_list(instance, x, box, 2.0, {.builder = builder}), upsweep::precondition_error);
      continue;
    }
    upsweep::neighbor_list const list(instance, x, box, 2.0, {.builder = builder});
    std::set<std::string> names;
    for (auto const& k : recorder::kernels()) names.insert(k.label);
    bool const plain = builder == neighbor_builder::plain || !has_masks;
    // On GPUs these particles are few, and what is chosen for them writes rows in one launch.
    bool const few = few_particles_builder::takes(x.extent(0), {.builder = builder});
    bool const masks = !plain && !few;
    EXPECT_EQ(names.count("upsweep::pack_lists::count[neighbor_list]"), plain ? 1u : 0u);
    EXPECT_EQ(names.count("upsweep::pack_lists::emit[neighbor_list]"), plain ? 1u : 0u);
    EXPECT_EQ(names.count("upsweep::neighbor_list::count"), masks ? 1u : 0u);
    EXPECT_EQ(names.count("upsweep::neighbor_list::emit"), masks ? 1u : 0u);
    EXPECT_EQ(names.count("upsweep::neighbor_list::rows"), few ? 1u : 0u);
  }
}

}  // namespace

namespace contracts {
INSTANTIATE_TYPED_TEST_SUITE_P(displacements, options_of, calls_of<displacements>);
}

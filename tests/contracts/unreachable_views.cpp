// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Views of options in memory that the kernels cannot read: host memory on a GPU, say. Their types do not say it, since
// options take Views of any memory.

#include "../neighbors/lists.hpp"
#include "../oracle/points.hpp"
#include "../oracle/views.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/pack/pack_lists.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

/// Memory that no kernel reaches, for Kokkos' types.
struct elsewhere {
  using memory_space = elsewhere;
  using execution_space = Kokkos::DefaultHostExecutionSpace;
  using device_type = Kokkos::Device<execution_space, memory_space>;
  using size_type = std::size_t;
  static constexpr char const* name() { return "elsewhere"; }
};

constexpr std::size_t n = 3;

/// A View of n elements elsewhere. What it points to is never read.
template <class Data>
struct unreachable {
  using view = Kokkos::View<Data, Kokkos::LayoutRight, elsewhere, Kokkos::MemoryUnmanaged>;
  alignas(64) std::array<std::byte, 1024> memory{};
  template <class... Extents>
  view of(Extents... extents) {
    return view(reinterpret_cast<typename view::pointer_type>(memory.data()), extents...);
  }
};

template <class Call>
void expect_refused(std::string const& function, std::string const& option, Call const& call) {
  try {
    call();
    ADD_FAILURE() << function << " takes " << option << " that it cannot read";
  } catch (upsweep::precondition_error const& e) {
    EXPECT_EQ(std::string(e.what()),
              function + ": " + option + " is in memory that kernels of " + oracle::space::name() + " cannot read");
  }
}

struct one_record {
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const { emit(int(i)); }
};

TEST(unreachable_views, orders_of_visits) {
  oracle::space const space;
  unreachable<int*> memory;
  auto const visit = memory.of(n);
  upsweep::plan_options const of_plans{.visit = visit};
  one_record const functor;
  auto plan = upsweep::count_lists<int>(space, n, functor);
  auto kept = plan;
  expect_refused("count_lists", "visit", [&] { upsweep::count_lists<int>(space, n, functor, of_plans); });
  expect_refused("count_lists_into", "visit", [&] { upsweep::count_lists_into(space, n, kept, functor, of_plans); });
  expect_refused("emit_lists", "visit", [&] { upsweep::emit_lists(space, plan, functor, of_plans); });
  Kokkos::View<int*, oracle::memory> const values("values", n);
  Kokkos::View<std::size_t*, oracle::memory> const offsets("offsets", n + 1);
  expect_refused("emit_lists_into", "visit", [&] { upsweep::emit_lists_into(space, plan, values, functor, of_plans); });
  upsweep::pack_options const options{.visit = visit, .strategy = upsweep::pack_strategy::two_pass};
  expect_refused("pack_lists", "visit", [&] { upsweep::pack_lists<int>(space, n, functor, options); });
  expect_refused("pack_lists_into", "visit",
                 [&] { upsweep::pack_lists_into(space, n, offsets, values, functor, options); });
}

TEST(unreachable_views, options_of_neighbor_lists) {
  oracle::space const space;
  oracle::cell_box<double> const cube{{0, 0, 0}, {15, 15, 15}, {true, true, true}};
  auto const positions = oracle::to_positions(oracle::uniform_points(n, cube, 7));
  auto const box = oracle::to_box(cube);
  auto const refused = [&](char const* option, upsweep::neighbor_options const& options) {
    expect_refused("neighbor_list", option, [&] { upsweep::neighbor_list(space, positions, box, 2.0, options); });
  };
  unreachable<int*> integers;
  unreachable<std::int64_t*> ids;
  unreachable<double*> reals;
  unreachable<double**> table;
  unreachable<std::size_t*> offsets;
  unreachable<upsweep::image*> images;
  Kokkos::View<int*, oracle::memory> const types("types", n);
  Kokkos::View<std::int64_t*, oracle::memory> const own_ids("ids", n);
  Kokkos::View<std::size_t*, oracle::memory> const own_offsets("offsets", n + 1);
  Kokkos::View<double**, Kokkos::LayoutRight, oracle::memory> const cutoffs("cutoffs", 1, 1);
  refused("ids", {.ids = ids.of(n)});
  refused("ids", {.ids = integers.of(n)});
  refused("images", {.ids = own_ids, .images = images.of(n)});
  refused("types", {.types = integers.of(n), .type_cutoffs = cutoffs});
  refused("type_cutoffs", {.types = types, .type_cutoffs = table.of(1, 1)});
  refused("radii", {.radii = reals.of(n)});
  refused("exclusions.offsets", {.exclusions = {.offsets = offsets.of(n + 1), .ids = own_ids}});
  refused("exclusions.ids", {.exclusions = {.offsets = own_offsets, .ids = ids.of(n)}});
}

TEST(unreachable_views, of_rows_that_are_read) {
  Kokkos::View<std::size_t*, oracle::memory> const offsets("offsets", n + 1);
  Kokkos::View<int*, oracle::memory> const neighbors("neighbors", n);
  unreachable<upsweep::image*> images;
  expect_refused("make_neighbor_rows", "images",
                 [&] { upsweep::make_neighbor_rows(offsets, neighbors, images.of(n)); });
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What a batch refuses: the error names the system, and the particle where there is one.

#include "../oracle/message_of.hpp"
#include "batches.hpp"

#include <upsweep/neighbors/boxes_of_edges.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace {

using oracle::batch_arrays;
using oracle::space;
using oracle::to_device;
using oracle::to_positions;

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Three systems of 4, 0 and 3 particles: periodic, tilted and open.
batch_arrays<double> three_systems() {
  upsweep::box<double> const periodic({0, 0, 0}, {4, 4, 4}), open({0, 0, 0}, {9, 9, 9}, {false, false, false});
  auto const tilted = upsweep::box<double>::triclinic({0, 0, 0}, {4, 4, 4}, {.xy = 1});
  return batch_arrays<double>({{periodic, {{1, 1, 1}, {2, 1, 1}, {9, 1, 1}, {3, 3, 3}}},
                               {tilted, {}},
                               {open, {{1, 1, 1}, {8, 8, 8}, {7.5, 8, 8}}}});
}

using list_type = upsweep::batched_neighbor_list<space, double>;

std::string refusal(std::function<void(batch_arrays<double>&)> const& change, double cutoff = 1.5,
                    upsweep::neighbor_options const& options = {}) {
  auto batch = three_systems();
  change(batch);
  return oracle::message_of([&] {
    list_type const list(space{}, to_positions(batch.x), to_device(batch.offsets), batch.boxes, cutoff, options);
  });
}

TEST(refused_batches, particles_are_named_with_their_systems) {
  EXPECT_SAYS(refusal([](auto& b) { b.x[6][1] = nan; }), "system 2: particle 6 at (7.5, nan, 8) is not finite");
  EXPECT_SAYS(refusal([](auto& b) { b.x[4] = {-1, 2, 3}; }),
              "system 2: particle 4 at (-1, 2, 3) is outside of the box in the open direction x");
  EXPECT_SAYS(refusal([](auto& b) { b.x[3][2] = 1e30; }), "system 0: particle 3 at (3, 3, 1e+30) is more");
  // The first of several.
  EXPECT_SAYS(refusal([](auto& b) { b.x[6][1] = b.x[2][0] = b.x[5][2] = nan; }), "system 0: particle 2 at");
}

TEST(refused_batches, offsets_that_are_wrong) {
  EXPECT_SAYS(refusal([](auto& b) { b.offsets = {0, 4, 3, 7}; }), "system 1: batch_offsets are 4 and 3");
  EXPECT_SAYS(refusal([](auto& b) { b.offsets = {0, 4, -5, 7}; }), "system 1: batch_offsets are 4 and -5");
  EXPECT_SAYS(refusal([](auto& b) { b.offsets = {1, 4, 4, 7}; }), "system 0: batch_offsets are 1 and 4");
  EXPECT_SAYS(refusal([](auto& b) { b.offsets = {0, 4, 4, 6}; }), "end with the 7 particles");
  EXPECT_SAYS(refusal([](auto& b) { b.offsets = {0, 4, 2000000000, 7}; }), "system 2: batch_offsets are 2000000000");
  EXPECT_SAYS(refusal([](auto& b) { b.offsets = {0, 4, 7}; }), "batch_offsets has 3 entries for 3 boxes");
  EXPECT_EQ(
      refusal([](auto& b) { b.boxes.clear(), b.offsets = {0}; }),
      "batched_neighbor_list: there are 7 particles and no systems: batch_offsets has one entry, and boxes has none");
  EXPECT_EQ(refusal([](auto& b) { b.boxes.clear(), b.offsets = {7}; }),
            "batched_neighbor_list: batch_offsets begins with 7; it must begin with 0");
  EXPECT_EQ(refusal([](auto& b) { b.boxes.clear(), b.x.clear(), b.offsets = {7}; }),
            "batched_neighbor_list: batch_offsets begins with 7; it must begin with 0");
  for (bool const boxes : {true, false})
    EXPECT_EQ(refusal([&](auto& b) {
                b.offsets.clear();
                if (!boxes) b.boxes.clear();
              }),
              "batched_neighbor_list: batch_offsets is empty; it begins with 0, and has an entry more for each system");
  // Of wrong offsets and a bad particle the offsets, without which particles have no box.
  EXPECT_SAYS(refusal([](auto& b) { b.offsets = {0, 4, 3, 7}, b.x[0][0] = nan; }), "batch_offsets are 4 and 3");
}

TEST(refused_batches, cutoffs_and_boxes) {
  EXPECT_SAYS(refusal([](auto&) {}, -1), "cutoff = -1");
  EXPECT_SAYS(refusal([](auto&) {}, nan), "cutoff = nan");
  EXPECT_SAYS(refusal([](auto& b) { b.boxes[1] = upsweep::box<double>({0, 0, 0}, {9, 1e-3, 9}); }),
              "system 1: the cutoff of 1.5 reaches over 1501 images of the box in direction y, which is 0.001 long");
}

TEST(refused_batches, cells_that_are_singular) {
  Kokkos::View<double* [3][3], Kokkos::HostSpace> const cells("cells", 4);
  Kokkos::View<int* [3], Kokkos::HostSpace> const periodic("periodic", 4);
  for (std::size_t b = 0; b < 4; ++b)
    for (std::size_t k = 0; k < 3; ++k) {
      cells(b, k, k) = 2 + static_cast<double>(b);
      periodic(b, k) = b == 1 ? 0 : 1;
    }
  // An open direction bounds nothing.
  cells(1, 0, 0) = cells(3, 2, 2) = 0;
  periodic(3, 2) = 0;
  auto const boxes = upsweep::boxes_of_edges(cells, periodic);
  ASSERT_EQ(boxes.size(), 4u);
  EXPECT_TRUE(boxes[2].is_orthogonal());
  EXPECT_EQ(boxes[2].length(1), 4);
  EXPECT_FALSE(boxes[1].periodic(0));
  EXPECT_FALSE(boxes[3].periodic(2));
  EXPECT_TRUE(boxes[3].periodic(1));
  auto const refused = [&] { return oracle::message_of([&] { upsweep::boxes_of_edges(cells, periodic); }); };
  cells(2, 1, 0) = 4, cells(2, 1, 1) = 0;
  EXPECT_SAYS(refused(), "boxes_of_edges: system 2: box: the periodic edges a and b are parallel");
  cells(0, 1, 2) = nan;
  EXPECT_SAYS(refused(), "system 0: box: edge b has the component nan");
}

TEST(refused_batches, options_for_ghosts) {
  EXPECT_SAYS(refusal([](auto&) {}, 1, {.rows = 3}), "batches have no rows");
  Kokkos::View<upsweep::image*, oracle::memory> const images("images", 7);
  EXPECT_SAYS(refusal([](auto&) {}, 1, {.images = images}), "no images of ghosts");
}

/// An option of each of the seven particles.
template <class T>
auto of_each(std::size_t at, T bad, T good) {
  std::vector<T> all(7, good);
  all[at] = bad;
  return to_device(all);
}

TEST(refused_batches, options_of_particles_are_named_with_their_systems) {
  Kokkos::View<double**, Kokkos::LayoutRight, oracle::memory> const cutoffs("type_cutoffs", 2, 2), none("none", 0, 0);
  auto const types = of_each(5, 2, 1);
  EXPECT_EQ(refusal([](auto&) {}, 1, {.types = types, .type_cutoffs = cutoffs}),
            "batched_neighbor_list: system 2: particle 5 has type 2; types start at 0, and type_cutoffs has 2 of them");
  EXPECT_SAYS(refusal([](auto&) {}, 1, {.types = types, .type_cutoffs = none}), "system 0: particle 0 has type ");
  for (double const bad : {-1.0, nan, std::numeric_limits<double>::infinity()}) {
    auto const radii = of_each(3, bad, 0.5);
    EXPECT_EQ(refusal([](auto&) {}, 1, {.radii = radii}),
              "batched_neighbor_list: system 0: the radius of particle 3 is negative or not finite");
  }
  auto const ids = to_device(std::vector<std::int64_t>{1, 2});
  auto const descending = to_device(std::vector<std::size_t>{0, 0, 0, 0, 1, 2, 1, 2});
  EXPECT_EQ(
      refusal([](auto&) {}, 1, {.exclusions = {.offsets = descending, .ids = ids}}),
      "batched_neighbor_list: system 2: exclusions.offsets(5) is more than the one behind it, or that is more than "
      "the 2 exclusions.ids");
  EXPECT_SAYS(refusal([](auto& b) { b.x[1][2] = 4294966400.0; }, 1, {.unwrapped_images = true}),
              "batched_neighbor_list: system 0: particle 1 is more than 1073741311 edges");
}

TEST(refused_batches, options_are_refused_in_the_name_of_the_batch) {
  auto const refused = [](upsweep::neighbor_options const& options) { return refusal([](auto&) {}, 1, options); };
  auto const types = to_device(std::vector<int>(7, 0));
  auto const six = to_device(std::vector<double>(6, 0.5));
  auto const six_ids = to_device(std::vector<std::int64_t>(6, 0));
  auto const offsets = to_device(std::vector<std::size_t>(9, 0));
  Kokkos::View<double**, Kokkos::LayoutRight, oracle::memory> const wide("wide", 1, 2);
  EXPECT_EQ(refused({.types = types}),
            "batched_neighbor_list: types and type_cutoffs are given together or not at all");
  EXPECT_EQ(refused({.types = types, .type_cutoffs = wide}),
            "batched_neighbor_list: type_cutoffs is 1 by 2; it must be square");
  EXPECT_EQ(refused({.radii = six}), "batched_neighbor_list: radii has 6 entries for 7 particles");
  EXPECT_EQ(refused({.ids = six_ids}), "batched_neighbor_list: ids has 6 entries for 7 particles");
  EXPECT_EQ(refused({.exclusions = {.ids = six_ids}}),
            "batched_neighbor_list: exclusions.ids are given without exclusions.offsets");
  EXPECT_EQ(refused({.exclusions = {.offsets = offsets}}),
            "batched_neighbor_list: exclusions.offsets has 9 entries for 7 rows; it needs one more than rows");
  EXPECT_EQ(refusal([](auto&) {}, -1).find("batched_neighbor_list: cutoff"), 0u);
}

TEST(refused_batches, calls_are_refused_in_the_name_of_the_batch) {
  auto const batch = three_systems();
  list_type list(space{}, 1.5);
  Kokkos::View<double**, oracle::memory> const flat("flat", 7, 2);
  auto const offsets = to_device(batch.offsets);
  EXPECT_EQ(oracle::message_of([&] { list.update(space{}, flat, offsets, batch.boxes); }),
            "batched_neighbor_list: positions has 2 columns; it needs 3");
  EXPECT_EQ(oracle::message_of([&] { list.emit(); }),
            "batched_neighbor_list: there is no plan; call plan() before emit()");
  list.plan(space{}, to_positions(batch.x), offsets, batch.boxes);
  EXPECT_EQ(oracle::message_of([&] { list.view(); }),
            "batched_neighbor_list: the list is planned and not built; call emit()");
}

TEST(refused_batches, a_list_without_systems) {
  list_type list(space{}, 1.0);
  auto const batch = three_systems();
  EXPECT_SAYS(oracle::message_of([&] { list.update(space{}, to_positions(batch.x)); }), "no systems are given yet");
}

TEST(refused_batches, leave_the_list_usable) {
  auto batch = three_systems();
  list_type list(space{}, to_positions(batch.x), to_device(batch.offsets), batch.boxes, 1.5);
  auto const rows = oracle::rows_of(list);
  auto bad = batch.x;
  bad[5][0] = nan;
  EXPECT_SAYS(oracle::message_of([&] { list.update(space{}, to_positions(bad)); }), "system 2: particle 5");
  EXPECT_SAYS(oracle::message_of([&] {
                list.update(space{}, to_positions(batch.x), to_device(std::vector<int>{0, 5, 4, 7}), batch.boxes);
              }),
              "system 1: batch_offsets");
  list.update(space{}, to_positions(batch.x), to_device(batch.offsets), batch.boxes);
  EXPECT_EQ(oracle::rows_of(list), rows);
  // Once more, with the memory and the grids of that build.
  EXPECT_SAYS(oracle::message_of([&] { list.update(space{}, to_positions(bad)); }), "system 2: particle 5");
  list.update(space{}, to_positions(batch.x));
  EXPECT_EQ(oracle::rows_of(list), rows);
}

}  // namespace

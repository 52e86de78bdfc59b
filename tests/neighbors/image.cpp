// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/views.hpp"

#include <upsweep/neighbors/image.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

using upsweep::image;

static_assert(sizeof(image) == 4 && std::is_trivially_copyable_v<image> &&
              std::is_trivially_default_constructible_v<image>);
static_assert(image{} == image(0, 0, 0), "constant expressions, too");

std::array<int, 3> components(image s) { return {s.x(), s.y(), s.z()}; }

TEST(image, of_zeroed_memory_is_the_particle_itself) {
  EXPECT_EQ(components(image{}), (std::array{0, 0, 0}));
  Kokkos::View<image*, oracle::memory> const zeroed("zeroed", 3);
  for (image const s : oracle::to_host(zeroed)) {
    EXPECT_TRUE(s == image(0, 0, 0));
    EXPECT_EQ(components(s), (std::array{0, 0, 0}));
  }
}

// All corners of the range, and images around none.
std::vector<image> some_images() {
  std::vector<image> all;
  constexpr int numbers[] = {-512, -511, -2, -1, 0, 1, 2, 510, 511};
  for (int const z : numbers)
    for (int const y : numbers)
      for (int const x : numbers) all.push_back({x, y, z});
  return all;
}

TEST(image, has_the_components_that_it_was_made_of) {
  for (int c = -image::limit; c < image::limit; ++c) {
    EXPECT_EQ(components({c, 0, 0}), (std::array{c, 0, 0}));
    EXPECT_EQ(components({-1, c, 3}), (std::array{-1, c, 3}));
    EXPECT_EQ(components({7, -9, c}), (std::array{7, -9, c}));
    EXPECT_EQ(image(7, -9, c)[2], c);
  }
  EXPECT_EQ(components(-image(1, -2, 511)), (std::array{-1, 2, -511}));
  EXPECT_EQ(components(image(1, -2, 300) + image(-3, 2, -511)), (std::array{-2, 0, -211}));
}

TEST(image, is_ordered_by_z_then_y_then_x) {
  auto const all = some_images();
  for (auto const& a : all) {
    EXPECT_TRUE(image::of_order(a.order()) == a);
    for (auto const& b : all) {
      ASSERT_EQ(a < b, std::tuple(a.z(), a.y(), a.x()) < std::tuple(b.z(), b.y(), b.x()));
      ASSERT_EQ(a == b, components(a) == components(b));
    }
  }
}

// Sorts use it as a part of wider keys.
TEST(image, order_has_30_bits) {
  EXPECT_EQ(image(-512, -512, -512).order(), 0u);
  EXPECT_EQ(image(511, 511, 511).order(), (std::uint32_t(1) << 30) - 1);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../oracle/views.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/wrap_positions.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using upsweep::box;
template <class Real>
using positions_view = Kokkos::View<Real* [3], oracle::memory>;
using crossings_view = Kokkos::View<int* [3], Kokkos::LayoutLeft, oracle::memory>;

template <class Real>
std::vector<std::pair<char const*, box<Real>>> boxes() {
  return {{"orthogonal", box<Real>({-1, 2, 0}, {3, 5, 7})},
          {"slab", box<Real>({0, 0, -500}, {3, 4, 500}, {true, true, false})},
          {"tilted", box<Real>::triclinic({0, 0, 0}, {4, 5, 6}, {.xy = 1.5, .xz = -2, .yz = 0.5})},
          {"of edges", box<Real>::of_edges({0, 5, 5}, {5, 0, 5}, {5, 5, 0})}};
}

/// Positions some edges off, on the borders, and inside.
template <class Real>
positions_view<Real> some_positions(std::size_t n) {
  positions_view<Real> const x("x", n);
  auto const host = Kokkos::create_mirror_view(x);
  std::mt19937_64 engine(4);
  std::uniform_real_distribution<Real> place(-40, 40);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t d = 0; d < 3; ++d) host(i, d) = i % 7 == 0 ? std::round(place(engine)) : place(engine);
  Kokkos::deep_copy(x, host);
  return x;
}

template <class View>
auto host_copy(View const& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

template <class Real>
void wraps_as_the_box_does() {
  oracle::space const space;
  constexpr std::size_t n = 1000;
  for (auto const& [name, box] : boxes<Real>()) {
    SCOPED_TRACE(name);
    auto const x = some_positions<Real>(n), counted = some_positions<Real>(n);
    auto const before = Kokkos::create_mirror(Kokkos::HostSpace(), x);
    Kokkos::deep_copy(before, x);
    crossings_view const crossings("crossings", n);
    Kokkos::deep_copy(crossings, 100);
    upsweep::wrap_positions(space, x, box);
    upsweep::wrap_positions(space, counted, crossings, box, {.label = "test"});
    space.fence();
    auto const after = host_copy(x), again = host_copy(counted);
    auto const counts = host_copy(crossings);
    for (std::size_t i = 0; i < n; ++i) {
      auto const expected = box.wrap({before(i, 0), before(i, 1), before(i, 2)});
      auto const edges = box.edges_off({before(i, 0), before(i, 1), before(i, 2)});
      for (std::size_t d = 0; d < 3; ++d) {
        ASSERT_EQ(after(i, d), expected[d]) << "particle " << i;
        ASSERT_EQ(again(i, d), expected[d]) << "particle " << i;
        ASSERT_EQ(counts(i, d), 100 + edges[d]) << "particle " << i;
      }
    }
    // A second time changes nothing, and counts nothing.
    upsweep::wrap_positions(space, counted, crossings, box);
    space.fence();
    auto const third = host_copy(counted);
    auto const same_counts = host_copy(crossings);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t d = 0; d < 3; ++d) {
        ASSERT_EQ(third(i, d), again(i, d));
        ASSERT_EQ(same_counts(i, d), counts(i, d));
      }
  }
}

TEST(wrap_positions, as_the_box_does_in_double) { wraps_as_the_box_does<double>(); }
TEST(wrap_positions, as_the_box_does_in_float) { wraps_as_the_box_does<float>(); }

/// What wrapping throws with particle 5 at (x, 1, 1) and 2^31 - 2 crossings.
template <class Crossings>
std::string refusal(double x, Crossings const& crossings) {
  oracle::space const space;
  positions_view<double> const all("x", 9);
  auto const host = Kokkos::create_mirror_view(all);
  Kokkos::deep_copy(host, 1);
  host(2, 1) = 11;
  host(5, 0) = x;
  Kokkos::deep_copy(all, host);
  box<double> const slab({0, 0, 0}, {10, 10, 10}, {true, true, false});
  std::string message = "nothing thrown";
  try {
    if constexpr (std::is_same_v<Crossings, std::nullptr_t>) upsweep::wrap_positions(space, all, slab);
    else upsweep::wrap_positions(space, all, crossings, slab);
  } catch (upsweep::error const& e) {
    message = e.what();
  }
  space.fence();
  EXPECT_EQ(host_copy(all)(2, 1), message == "nothing thrown" ? 1.0 : 11.0) << "nothing is changed before an error";
  return message;
}

TEST(wrap_positions, refuses_what_cannot_be_wrapped_or_counted) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(nan, nullptr), "wrap_positions: particle 5 at (nan, 1, 1) is not finite");
  EXPECT_NE(refusal(1e30, nullptr).find("particle 5 at (1e+30, 1, 1) is more than"), std::string::npos);
  EXPECT_EQ(refusal(25, nullptr), "nothing thrown");
  crossings_view const crossings("crossings", 9);
  Kokkos::deep_copy(crossings, std::numeric_limits<int>::max() - 1);
  EXPECT_EQ(refusal(25, crossings),
            "wrap_positions: particle 5 at (25, 1, 1) would have 2147483648 crossings in direction x; they are counted "
            "in 32 bits");
  crossings_view const too_few("crossings", 8);
  EXPECT_EQ(refusal(25, too_few), "wrap_positions: crossings is 8 x 3 for 9 particles; it is n x 3");
}

TEST(wrap_positions, no_particles) {
  positions_view<double> const none("none", 0);
  EXPECT_NO_THROW(upsweep::wrap_positions(oracle::space{}, none, box<double>({0, 0, 0}, {1, 1, 1})));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/nbody/neighbor_positions.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

constexpr std::size_t particles = 5;

double number(std::size_t i, int d) {
  return d == 3 ? static_cast<double>(i % 3) : static_cast<double>(10 * i) + d + 0.25;
}

template <class Positions>
struct set_all {
  Positions positions;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const row = static_cast<std::size_t>(i);
    for (int d = 0; d < 4; ++d)
      positions.set(row, d, d == 3 ? static_cast<double>(row % 3) : static_cast<double>(10 * row) + d + 0.25);
  }
};

/// What loops read: the row, x, y and z that are gathered, and the type.
template <class Positions>
struct read_all {
  Positions positions;
  Kokkos::View<double* [8], nbody::memory_space> found;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const row = static_cast<std::size_t>(i);
    auto const x = positions.of(static_cast<int>(i));
    for (int d = 0; d < 4; ++d) found(row, d) = positions(row, d);
    for (int d = 0; d < 3; ++d) found(row, 4 + d) = x[static_cast<std::size_t>(d)];
    found(row, 7) = positions.type(static_cast<int>(i));
  }
};

/// Rows, and arrays of x and y, of z and of types say the same. GPUs read the arrays, and CPUs can.
template <bool Split>
void expect_what_was_set() {
  using positions_type = nbody::positions_in_arrays<Split>;
  nbody::space_type const space;
  auto const positions = nbody::make_positions<positions_type>(space, particles);
  EXPECT_EQ(positions.xy.extent(0), Split ? particles : 0);
  EXPECT_EQ(positions.types.extent(0), Split ? particles : 0);
  Kokkos::View<double* [8], nbody::memory_space> const found("found", particles);
  Kokkos::parallel_for("set", nbody::particles(space, particles), set_all<positions_type>{positions});
  Kokkos::parallel_for("read", nbody::particles(space, particles), read_all<positions_type>{positions, found});
  space.fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, found);
  for (std::size_t i = 0; i < particles; ++i)
    for (int d = 0; d < 8; ++d) EXPECT_EQ(host(i, d), number(i, d % 4)) << "particle " << i << ", number " << d;
}

TEST(neighbor_positions, rows_have_what_was_set) { expect_what_was_set<false>(); }
TEST(neighbor_positions, arrays_have_what_was_set) { expect_what_was_set<true>(); }

}  // namespace

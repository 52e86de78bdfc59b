// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/nbody/neighbor_positions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

/// Bytes that Views hold, and the most since the last reset.
struct held_bytes {
  static inline std::int64_t now = 0, most = 0;
  held_bytes() {
    now = most = 0;
    Kokkos::Tools::Experimental::set_allocate_data_callback(
        [](Kokkos_Profiling_SpaceHandle, char const*, void const*, std::uint64_t size) {
          now += static_cast<std::int64_t>(size);
          most = std::max(most, now);
        });
    Kokkos::Tools::Experimental::set_deallocate_data_callback(
        [](Kokkos_Profiling_SpaceHandle, char const*, void const*, std::uint64_t size) {
          now -= static_cast<std::int64_t>(size);
        });
  }
  ~held_bytes() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
  }
};

/// What is outgrown is not held beside what takes its place.
template <bool Split>
void expect_old_memory_to_go_first() {
  nbody::space_type const space;
  held_bytes const held;
  nbody::kept_positions<nbody::positions_in_arrays<Split>> positions;
  positions.resize(space, 10000);
  positions.resize(space, 12000);
  EXPECT_GT(held_bytes::now, 0);
  EXPECT_EQ(held_bytes::most, held_bytes::now);
}

TEST(neighbor_positions, grow_without_the_old_ones) {
  expect_old_memory_to_go_first<false>();
  expect_old_memory_to_go_first<true>();
}
TEST(neighbor_positions, rows_have_what_was_set) { expect_what_was_set<false>(); }
TEST(neighbor_positions, arrays_have_what_was_set) { expect_what_was_set<true>(); }

}  // namespace

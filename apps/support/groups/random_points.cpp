// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "random_points.hpp"

#include "../splitmix.hpp"

namespace clusters {
namespace {

struct random_points {
  vectors positions;
  std::int64_t first;
  double length;
  bool clustered;
  std::uint64_t stream;

  static constexpr std::int64_t in_clump = 1000;
  static constexpr double clump_reach = 4;

  /// In [0, 1), 53 bits.
  KOKKOS_FUNCTION double uniform(std::uint64_t counter) const {
    return static_cast<double>(apps::splitmix(stream + counter) >> 11) * 0x1p-53;
  }
  /// Without products that a compiler may fuse as it likes: the same bits on every backend.
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t const number = first + i;
    auto const own = 8 * static_cast<std::uint64_t>(number);
    if (!clustered || number % 4 == 3) {
      for (int d = 0; d < 3; ++d) positions(i, d) = length * uniform(own + static_cast<std::uint64_t>(d));
      return;
    }
    std::int64_t const clump = (number - number / 4) / in_clump;
    auto const of_clump = (std::uint64_t(1) << 60) + 8 * static_cast<std::uint64_t>(clump);
    double const reach = clump_reach * uniform(own + 3);
    for (int d = 0; d < 3; ++d) {
      double const centre = length * uniform(of_clump + static_cast<std::uint64_t>(d));
      double const way = Kokkos::fma(2.0, uniform(own + static_cast<std::uint64_t>(d)), -1.0);
      positions(i, d) = Kokkos::fma(reach, way, centre);
    }
  }
};

}  // namespace

void fill_random_points(space_type const& space, vectors const& positions, std::int64_t first, double length,
                        bool clustered, std::uint64_t seed) {
  Kokkos::parallel_for("upsweep-clusters::random_points", points_range(space, positions.extent(0)),
                       random_points{positions, first, length, clustered, apps::splitmix(seed)});
}

}  // namespace clusters

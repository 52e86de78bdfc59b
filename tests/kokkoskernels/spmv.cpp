// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../neighbors/lists.hpp"

#include <upsweep/neighbors/kokkos_kernels.hpp>

#include <KokkosSparse_spmv.hpp>
#include <gtest/gtest.h>

namespace {

// With all entries 1, A times the vector of indices is the sum of every particle's neighbours' indices.
TEST(kokkos_kernels, spmv_on_a_list_without_copying) {
  oracle::cell_box<double> const box{{0, 0, 0}, {8, 8, 8}, {true, true, true}};
  auto const points = oracle::uniform_points(1000, box, 1);
  int const n = static_cast<int>(points.size());
  upsweep::neighbor_list const list(oracle::space{}, oracle::to_positions(points), oracle::to_box(box), 1.5);
  Kokkos::View<double*, oracle::memory> const ones("ones", list.pairs()), x("x", n), y("y", n);
  Kokkos::deep_copy(ones, 1.0);
  std::vector<double> indices(n);
  for (int i = 0; i < n; ++i) indices[i] = i;
  oracle::assign(x, indices);

  auto const A = upsweep::to_crs_matrix(list, n, ones);
  EXPECT_EQ(A.graph.entries.data(), list.neighbors().data());
  EXPECT_EQ(A.graph.row_map.data(), list.offsets().data());
  KokkosSparse::spmv("N", 1.0, A, x, 0.0, y);

  auto const got = oracle::to_host(y);
  auto const rows = oracle::brute_force(points, box, 1.5);
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (auto const& [j, sx, sy, sz] : rows[i]) sum += j;
    EXPECT_EQ(got[i], sum) << i;
  }
  EXPECT_THROW(upsweep::to_crs_matrix(list, n, x), upsweep::precondition_error);
}

}  // namespace

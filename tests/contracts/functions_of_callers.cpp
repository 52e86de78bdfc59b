// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Functions of a caller's that have names of this library's. Calls find both, since types of this library's are among
// the arguments, and take the caller's, also where it needs a conversion and a template of the library's would not.

#include <gtest/gtest.h>
#include <upsweep/upsweep.hpp>

#include <Kokkos_Core.hpp>

#include <string>

namespace caller {
namespace {

using ints = Kokkos::View<int*>;
using positions = Kokkos::View<double* [3]>;

struct shape {};
struct cell : shape {};

double reduce(double a, upsweep::plus<double> const& sum) { return sum(a, 1); }
template <class T>
T reduce(T a, T b, upsweep::plus<T> const& sum) {
  return sum(a, b);
}
std::string exclusive_scan(shape, ints const&, ints const&, upsweep::plus<> const&) { return "exclusive_scan"; }
std::string segmented_reduce(shape, ints const&, upsweep::plus<> const&) { return "segmented_reduce"; }
std::string counts_to_offsets(shape, ints const&, ints const&, upsweep::scan_options const&) {
  return "counts_to_offsets";
}
std::string compact(shape, ints const&, upsweep::call_options const&) { return "compact"; }
std::string wrap_positions(shape, positions const&, upsweep::box<double> const&) { return "wrap_positions"; }
std::string needs_rebuild(shape, upsweep::box<double> const&) { return "needs_rebuild"; }
std::string count_neighbors(shape, positions const&, upsweep::box<double> const&, double, ints const&) {
  return "count_neighbors";
}
std::string reduce_rows(shape, upsweep::neighbor_rows<> const&, int, int, upsweep::row_loop_options const&) {
  return "reduce_rows";
}

TEST(functions_of_callers, are_called_where_they_fit) {
  EXPECT_EQ(reduce(1.5f, upsweep::plus<double>{}), 2.5);
  EXPECT_EQ(reduce(1, upsweep::plus<double>{}), 2);
  EXPECT_EQ(reduce(1, 2, upsweep::plus<int>{}), 3);
  ints const v;
  positions const x;
  upsweep::box<double> const box({0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(exclusive_scan(cell{}, v, v, upsweep::plus<>{}), "exclusive_scan");
  EXPECT_EQ(segmented_reduce(cell{}, v, upsweep::plus<>{}), "segmented_reduce");
  EXPECT_EQ(counts_to_offsets(cell{}, v, v, upsweep::scan_options{}), "counts_to_offsets");
  EXPECT_EQ(compact(cell{}, v, upsweep::call_options{}), "compact");
  EXPECT_EQ(wrap_positions(cell{}, x, box), "wrap_positions");
  EXPECT_EQ(needs_rebuild(cell{}, box), "needs_rebuild");
  EXPECT_EQ(count_neighbors(cell{}, x, box, 1.0, v), "count_neighbors");
  EXPECT_EQ(reduce_rows(cell{}, upsweep::neighbor_rows<>{}, 1, 2, upsweep::row_loop_options{}), "reduce_rows");
}

}  // namespace
}  // namespace caller

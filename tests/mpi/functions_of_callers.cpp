// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Functions of a caller's that have names of this layer's. Calls with a communicator find both. They take the caller's,
// also where it needs conversions, and the layer refuses what begins as that call does.
#include "testing.hpp"

#include <upsweep/mpi.hpp>
#include <upsweep/upsweep.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace caller_on_ranks {
namespace {

using testing_mpi::space_type;
using upsweep::mpi::communicator;
using ints = testing_mpi::view<int>;
using readable = testing_mpi::view<int const>;

std::string histogram(communicator const&, readable const&, double) { return "histogram"; }
std::string sort(readable const&, communicator const&) { return "sort"; }
std::string exclusive_scan(communicator const&, ints const&, ints const&) { return "exclusive_scan"; }
std::string compact(double, communicator const&, readable const&) { return "compact"; }
std::string reduce(communicator const&, space_type const&, readable const&) { return "reduce"; }
template <class T>
std::string bisect(communicator const&, T, T) {
  return "bisect";
}

TEST(functions_of_callers_on_ranks, are_called_where_they_fit) {
  auto const& comm = testing_mpi::world();
  ints const v;
  EXPECT_EQ(histogram(comm, v, 10), "histogram");
  EXPECT_EQ(sort(v, comm), "sort");
  EXPECT_EQ(exclusive_scan(comm, v, v), "exclusive_scan");
  EXPECT_EQ(compact(1, comm, v), "compact");
  EXPECT_EQ(reduce(comm, space_type(), v), "reduce");
  EXPECT_EQ(bisect(comm, 1, 2), "bisect");
}

}  // namespace
}  // namespace caller_on_ranks

namespace caller_of_both {
namespace {

struct twice {
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return 2 * static_cast<int>(i); }
};

// Calls without ranks, where the names of both are visible. The number of elements is converted.
TEST(functions_of_callers_on_ranks, calls_without_ranks_are_found_beside_those_of_ranks) {
  using namespace upsweep;
  using namespace upsweep::mpi;
  testing_mpi::space_type const space;
  EXPECT_EQ(reduce<int>(space, 4, twice{}), 12);
  testing_mpi::view<int> const out("out", 3);
  exclusive_scan(space, twice{}, out);
  EXPECT_EQ(testing_mpi::to_vector(out), (std::vector<int>{0, 0, 2}));
  EXPECT_EQ(reduce(communicator(MPI_COMM_SELF), 3), 3);
}

}  // namespace
}  // namespace caller_of_both

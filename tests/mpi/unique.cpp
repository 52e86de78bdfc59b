// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "runs.hpp"
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/unique.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

/// Not transitive: 1 2 3 is one run, whose first and last differ.
struct at_most_one_apart {
  KOKKOS_FUNCTION bool operator()(int before, int x) const { return x - before <= 1 && before - x <= 1; }
};

/// What std::unique keeps of the elements of ranks 0 to `ranks` - 1, one behind the other.
template <class Equal>
std::vector<int> kept(int ranks, int size, run_shape shape, Equal const& equal) {
  std::vector<int> all, result;
  for (int r = 0; r < ranks; ++r) {
    auto const keys = keys_in_runs(r, size, shape);
    all.insert(all.end(), keys.begin(), keys.end());
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i == 0 || !equal(all[i - 1], all[i])) result.push_back(all[i]);
  return result;
}

template <class Equal>
void expect_oracle(run_shape shape, Equal const& equal, upsweep::call_options const& options) {
  auto const& comm = world();
  auto const below = kept(comm.rank(), comm.size(), shape, equal);
  auto const mine = kept(comm.rank() + 1, comm.size(), shape, equal);
  std::vector<int> const expected(mine.begin() + static_cast<std::ptrdiff_t>(below.size()), mine.end());
  auto const in = to_view(keys_in_runs(comm.rank(), comm.size(), shape));
  view<int> out("out", expected.size() + 3);
  Kokkos::deep_copy(out, -9);
  auto const found = mpi::unique(comm, space_type(), in, out, equal, options);
  expect_counts(found, expected.size(), below.size(), kept(comm.size(), comm.size(), shape, equal).size());
  auto got = to_vector(out);
  EXPECT_EQ(std::count(got.begin() + static_cast<std::ptrdiff_t>(expected.size()), got.end(), -9), 3);
  got.resize(expected.size());
  EXPECT_EQ(got, expected) << "shape " << static_cast<int>(shape);
}

}  // namespace

TEST(mpi_unique, runs_that_cross_ranks_are_kept_once) {
  upsweep::workspace ws{space_type()};
  for (int shape = 0; shape < static_cast<int>(run_shape::count); ++shape) {
    expect_oracle(run_shape(shape), upsweep::equal_keys{}, {});
    expect_oracle(run_shape(shape), at_most_one_apart{}, {.workspace = &ws});
  }
}

TEST(mpi_unique, equality_is_the_default) {
  auto const& comm = world();
  view<double> const in("in", 10), out("out", 1);
  auto const found = mpi::unique(comm, space_type(), in, out);
  expect_counts(found, comm.rank() == 0 ? 1 : 0, comm.rank() == 0 ? 0 : 1, 1);
}

TEST(mpi_unique, errors_of_one_rank_are_thrown_on_all) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  auto const in = to_view(std::vector<int>{1, 2, 3, 4});
  auto const text =
      message_of<upsweep::overflow_error>([&] { mpi::unique(comm, space_type(), in, view<int>("out", last ? 3 : 4)); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": unique: ", 0), 0u) << text;
  EXPECT_THROW(mpi::unique(comm, space_type(), in, last ? in : view<int>("out", 4)), upsweep::precondition_error);
  if (comm.size() == 1) return;
  EXPECT_THROW(
      {
        if (last) mpi::unique(comm, space_type(), view<double>("in", 4), view<double>("out", 4));
        else mpi::unique(comm, space_type(), in, view<int>("out", 4));
      },
      upsweep::precondition_error);
}

TEST(mpi_unique, an_output_on_the_run_that_goes_on_from_ranks_below_is_refused) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  std::vector<int> const keys{7, 7, 7, comm.rank() == comm.size() - 1 ? 8 : 7};
  auto const in = to_view(keys);
  view<int> const apart("apart", 2), front = Kokkos::subview(in, std::pair(1, 3));
  auto const text =
      message_of<upsweep::precondition_error>([&] { mpi::unique(comm, space_type(), in, last ? front : apart); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": mpi::unique: input and output overlap", 0), 0u)
      << text;
  EXPECT_EQ(to_vector(in), keys);
}

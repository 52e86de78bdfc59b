// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/counts_to_offsets.hpp>
#include <upsweep/mpi/detail/rows/count_on_ranks.hpp>

#include <limits>
#include <string>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

/// Nothing; one count on the last rank; none on every second rank; different numbers of them.
std::vector<int> counts_of(int rank, int size, int shape) {
  std::size_t n = 0;
  if (shape == 1 && rank == size - 1) n = 1;
  if (shape == 2 && rank % 2 == 1) n = 300;
  if (shape == 3) n = 20011u + 31u * static_cast<std::size_t>(rank);
  random_numbers random{static_cast<std::uint64_t>(rank * 10 + shape)};
  std::vector<int> result(n);
  for (auto& x : result) x = static_cast<int>(random.below(7));
  return result;
}

/// The same counts from a functor.
struct count_at {
  view<int> counts;
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return counts(i); }
};

}  // namespace

TEST(mpi_counts_to_offsets, offsets_into_the_whole) {
  auto const& comm = world();
  for (int shape = 0; shape < 4; ++shape) {
    auto const mine = counts_of(comm.rank(), comm.size(), shape);
    std::uint64_t first = 0, total = 0;
    for (int r = 0; r < comm.size(); ++r) {
      if (r == comm.rank()) first = total;
      for (auto const x : counts_of(r, comm.size(), shape)) total += static_cast<std::uint64_t>(x);
    }
    std::vector<std::size_t> expected{first};
    for (auto const x : mine) expected.push_back(expected.back() + static_cast<std::size_t>(x));

    auto const counts = to_view(mine);
    view<std::size_t> offsets("offsets", mine.size() + 1);
    auto const rows = mpi::counts_to_offsets(comm, space_type(), counts, offsets);
    EXPECT_EQ(to_vector(offsets), expected) << "shape " << shape;
    EXPECT_EQ(rows.count, expected.back() - first);
    EXPECT_EQ(rows.offset, first);
    EXPECT_EQ(rows.total, total);

    Kokkos::deep_copy(offsets, 7);
    upsweep::workspace ws{space_type()};
    EXPECT_EQ(mpi::counts_to_offsets(comm, space_type(), count_at{counts}, offsets, {.workspace = &ws}).total, total);
    EXPECT_EQ(to_vector(offsets), expected) << "from a functor, shape " << shape;

    // In place: counts are the first entries of offsets.
    view<int> both("both", mine.size() + 1);
    auto const front = Kokkos::subview(both, std::make_pair(std::size_t(0), mine.size()));
    Kokkos::deep_copy(front, counts);
    mpi::counts_to_offsets(comm, space_type(), front, both);
    EXPECT_EQ(to_vector(both), std::vector<int>(expected.begin(), expected.end())) << "in place, shape " << shape;
  }
}

TEST(mpi_counts_to_offsets, bad_data_of_one_rank_is_thrown_on_all) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  view<std::int64_t> const offsets("offsets", 4);
  auto const counts = to_view(std::vector<int>{1, last ? -2 : 2, 3});
  auto const text =
      message_of<upsweep::precondition_error>([&] { mpi::counts_to_offsets(comm, space_type(), counts, offsets); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": mpi::counts_to_offsets: ", 0), 0u) << text;

  // Three times 50 fit in 8 bits on no rank, twice do on the first.
  view<std::int8_t> const bytes("bytes", 3);
  auto const fifties = to_view(std::vector<int>{50, 50});
  auto const narrow = [&] { mpi::counts_to_offsets(comm, space_type(), fifties, bytes); };
  if (comm.size() == 1) narrow();
  else EXPECT_EQ(message_of<upsweep::overflow_error>(narrow).rfind("rank 1: mpi::counts_to_offsets: ", 0), 0u);
  EXPECT_EQ(to_vector(bytes)[0], comm.rank() == 0 ? 0 : comm.rank() == 1 ? 100 : 127) << "saturated";

  // A sum that 64 bits do not hold, on one rank and over ranks.
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  view<std::uint64_t> const wide("wide", 3);
  EXPECT_THROW(mpi::counts_to_offsets(comm, space_type(), to_view(std::vector<std::uint64_t>{most, 1}), wide),
               upsweep::overflow_error);
  auto const halves = to_view(std::vector<std::uint64_t>{most / 2, 0});
  if (comm.size() > 2) {
    EXPECT_THROW(mpi::counts_to_offsets(comm, space_type(), halves, wide), upsweep::overflow_error);
  }
}

TEST(mpi_counts_to_offsets, wrong_arguments_of_one_rank_are_refused_on_all) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  view<int> const counts("counts", 4), few("few", last ? 4 : 5), none("none", last ? 0 : 5);
  EXPECT_THROW(mpi::counts_to_offsets(comm, space_type(), counts, few), upsweep::precondition_error);
  EXPECT_THROW(mpi::counts_to_offsets(comm, space_type(), count_at{counts}, none), upsweep::precondition_error);
  if (comm.size() == 1) return;
  EXPECT_THROW(
      {
        if (last) mpi::counts_to_offsets(comm, space_type(), counts, view<int>("offsets", 5));
        else mpi::counts_to_offsets(comm, space_type(), counts, view<std::int64_t>("offsets", 5));
      },
      upsweep::precondition_error);
}

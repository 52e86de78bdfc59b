// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/histogram.hpp>

#include <string>
#include <type_traits>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

constexpr int bins = 37;

/// Nothing; one element on the last rank; many, none on rank 1. Some are no bins.
std::vector<int> elements(int rank, int size, int shape) {
  std::size_t n = 0;
  if (shape == 1 && rank == size - 1) n = 1;
  if (shape == 2 && rank != 1) n = 20011u + 31u * static_cast<std::size_t>(rank);
  random_numbers random{static_cast<std::uint64_t>(rank * 10 + shape)};
  std::vector<int> result(n);
  for (auto& x : result) x = static_cast<int>(random.below(bins + 4)) - 2;
  return result;
}

struct bin_at {
  view<int> in;
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return in(i); }
  template <class Other>
    requires(!std::is_same_v<Other, std::size_t>)
  int operator()(Other) const = delete;  // indices are std::size_t
};

}  // namespace

TEST(mpi_histogram, every_rank_has_the_bins_of_all) {
  auto const& comm = world();
  for (int shape = 0; shape < 3; ++shape) {
    std::vector<std::int64_t> expected(bins, 0), expected_offsets{0};
    for (auto const x : gathered(comm, elements(comm.rank(), comm.size(), shape)))
      if (x >= 0 && x < bins) ++expected[static_cast<std::size_t>(x)];
    for (auto const c : expected) expected_offsets.push_back(expected_offsets.back() + c);

    auto const in = to_view(elements(comm.rank(), comm.size(), shape));
    auto const n = static_cast<std::int64_t>(in.extent(0));
    view<std::int64_t> counts("counts", bins), offsets("offsets", bins + 1);
    auto const expect = [&](char const* form) {
      EXPECT_EQ(to_vector(counts), expected) << form << ", shape " << shape;
      Kokkos::deep_copy(counts, -1);
    };
    mpi::histogram(comm, space_type(), in, counts);
    expect("a View");
    upsweep::workspace ws{space_type()};
    mpi::histogram(comm, space_type(), n, bin_at{in}, counts, {.workspace = &ws});
    expect("a functor");
    mpi::histogram(comm, space_type(), in, counts, offsets, {.workspace = &ws});
    EXPECT_EQ(to_vector(offsets), expected_offsets);
    expect("a View, with offsets");
    mpi::histogram(comm, space_type(), n, bin_at{in}, counts, offsets);
    EXPECT_EQ(to_vector(offsets), expected_offsets);
    expect("a functor, with offsets");

    // Counts with gaps, which must stay as they are.
    Kokkos::View<int**, Kokkos::LayoutRight, memory_space> table("table", bins, 2);
    Kokkos::deep_copy(table, -7);
    mpi::histogram(comm, space_type(), in, Kokkos::subview(table, Kokkos::ALL, 1));
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, table);
    for (int b = 0; b < bins; ++b) {
      EXPECT_EQ(host(b, 1), expected[static_cast<std::size_t>(b)]);
      EXPECT_EQ(host(b, 0), -7);
    }
  }
}

TEST(mpi_histogram, no_bins) {
  view<int> const in("in", 3), none("none", 0), offsets("offsets", 1);
  Kokkos::deep_copy(offsets, 5);
  mpi::histogram(world(), space_type(), in, none, offsets);
  EXPECT_EQ(to_vector(offsets), std::vector<int>{0});
}

TEST(mpi_histogram, wrong_arguments_of_one_rank_are_refused_on_all) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  view<int> const in("in", 9), counts("counts", 5), bad("bad", last ? 5 : 6), other("other", last ? 5 : 4);
  auto const text =
      message_of<upsweep::precondition_error>([&] { mpi::histogram(comm, space_type(), in, counts, bad); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": mpi::histogram: counts has 5 bins", 0), 0u)
      << text;
  EXPECT_THROW(mpi::histogram(comm, space_type(), std::int64_t(last ? -1 : 9), bin_at{in}, counts),
               upsweep::precondition_error);
  EXPECT_THROW(mpi::histogram(comm, space_type(), last ? counts : in, counts), upsweep::precondition_error);
  // Offsets that do not fit are found on all ranks alike.
  view<std::int8_t> const bytes("bytes", 6);
  EXPECT_THROW(mpi::histogram(comm, space_type(), view<int>("many", 200), counts, bytes), upsweep::overflow_error);
  if (comm.size() == 1) return;
  EXPECT_THROW(mpi::histogram(comm, space_type(), in, other), upsweep::precondition_error);
}

namespace {
struct first_bin {
  KOKKOS_FUNCTION int operator()(std::size_t) const { return 0; }
};
}  // namespace

// 2^31 elements fit in a count of 32 bits on each of two ranks, and not together.
TEST(long_mpi_histogram, a_sum_that_does_not_fit) {
  auto const& comm = world();
  if (comm.size() == 1) return;
  view<std::uint32_t> const counts("counts", 1);
  std::int64_t const n = comm.rank() < 2 ? (std::int64_t(1) << 31) : 0;
  EXPECT_THROW(mpi::histogram(comm, space_type(), n, first_bin{}, counts), upsweep::overflow_error);
}

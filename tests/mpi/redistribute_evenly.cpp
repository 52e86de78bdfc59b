// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "testing.hpp"

#include <upsweep/base/available_memory.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>
#include <upsweep/mpi/detail/rows/row_route.hpp>
#include <upsweep/mpi/detail/rows/row_shares.hpp>
#include <upsweep/mpi/redistribute_evenly.hpp>

#include <cmath>
#include <numeric>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

using table_view = Kokkos::View<double**, Kokkos::LayoutLeft, memory_space>;

/// Rows of each rank: all on the last, some on each, none on every second, none at all, fewer than ranks.
std::size_t rows_of(int rank, int size, int shape) {
  switch (shape) {
    case 0: return rank == size - 1 ? 1009 : 0;
    case 1: return 100 + 37 * static_cast<std::size_t>(rank);
    case 2: return rank % 2 == 1 ? 0 : 311;
    case 3: return 0;
    default: return rank == 0 ? 2 : 0;
  }
}

/// Rows of `first` ... as two Views of other layouts.
struct test_rows {
  view<std::int64_t> ids;
  table_view table;
  test_rows(std::int64_t first, std::size_t n) : table("table", n, 3) {
    std::vector<std::int64_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), first);
    ids = to_view(numbers);
    oracle::host_copy const host(table);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < 3; ++k) host(i, k) = static_cast<double>(numbers[i]) + 0.25 * static_cast<double>(k);
    host.write();
  }
  void expect(std::int64_t first, std::size_t n) const {
    test_rows const want(first, n);
    EXPECT_EQ(to_vector(ids), to_vector(want.ids));
    ASSERT_EQ(table.extent(0), n);
    ASSERT_EQ(table.extent(1), 3u);
    oracle::host_copy const got(table);
    oracle::host_copy const all(want.table);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(got(i, k), all(i, k));
  }
};
test_rows rows_in_order(mpi::communicator const& comm, int shape, std::uint64_t& total) {
  std::size_t first = 0;
  total = 0;
  for (int r = 0; r < comm.size(); ++r) {
    if (r < comm.rank()) first += rows_of(r, comm.size(), shape);
    total += rows_of(r, comm.size(), shape);
  }
  return test_rows(static_cast<std::int64_t>(first), rows_of(comm.rank(), comm.size(), shape));
}

}  // namespace

TEST(redistribute_evenly, every_rank_gets_its_share_in_order) {
  auto const& comm = world();
  for (int shape = 0; shape < 5; ++shape) {
    std::uint64_t total = 0;
    auto rows = rows_in_order(comm, shape, total);
    auto const share = mpi::redistribute_evenly(comm, space_type(), rows.ids, rows.table);
    auto const rank = static_cast<std::uint64_t>(comm.rank()), size = static_cast<std::uint64_t>(comm.size());
    EXPECT_EQ(share.total, total);
    EXPECT_EQ(share.offset, total * rank / size);
    rows.expect(static_cast<std::int64_t>(share.offset), total * (rank + 1) / size - share.offset);
    // Even rows stay where they are.
    auto const* const before = rows.ids.data();
    mpi::redistribute_evenly(comm, space_type(), rows.ids, rows.table);
    EXPECT_EQ(rows.ids.data(), before);
  }
}

TEST(redistribute_evenly, goes_by_staging) {
  mpi::communicator comm(MPI_COMM_WORLD);
  mpi::detail::access::transfers(comm).known[memory_space::name()] = {mpi::detail::way::staged, "staged for a test"};
  std::uint64_t total = 0;
  auto rows = rows_in_order(comm, 1, total);
  auto const share = mpi::redistribute_evenly(comm, space_type(), rows.table, rows.ids);
  rows.expect(static_cast<std::int64_t>(share.offset), rows.ids.extent(0));
}

TEST(redistribute_evenly, shares_by_weight) {
  auto const& comm = world();
  for (int shape = 0; shape < 5; ++shape) {
    std::uint64_t total = 0;
    auto rows = rows_in_order(comm, shape, total);
    // Rank 1 gets nothing; powers of two are exact.
    auto const weight = [](int r) { return r == 1 ? 0.0 : std::ldexp(1.0, r % 3); };
    double before = 0, all = 0;
    for (int r = 0; r < comm.size(); ++r) {
      if (r < comm.rank()) before += weight(r);
      all += weight(r);
    }
    auto const border = [&](double w) { return static_cast<std::uint64_t>(static_cast<double>(total) * w / all); };
    auto const share = mpi::redistribute_by_weight(comm, space_type(), weight(comm.rank()), rows.ids, rows.table);
    EXPECT_EQ(share.offset, border(before));
    EXPECT_EQ(share.total, total);
    rows.expect(static_cast<std::int64_t>(share.offset), border(before + weight(comm.rank())) - share.offset);
  }
}

// More rows than 32 bits count, and more bytes than one message may have.
TEST(redistribute_evenly, borders_of_64_bits) {
  std::uint64_t const total = (std::uint64_t(1) << 63) + 12345;
  std::vector<std::size_t> begins(4);
  mpi::detail::divide_rows(total, {0.5, 0.25, 0.25}, begins);
  EXPECT_EQ(begins, (std::vector<std::size_t>{0, total / 2, total / 4 * 3, total}));
  mpi::detail::divide_rows(total, {0, 0, 3e300}, begins);
  EXPECT_EQ(begins, (std::vector<std::size_t>{0, 0, 0, total}));
  mpi::detail::divide_rows(total, {1e-300, 1e-300, 1e-300}, begins);
  EXPECT_EQ(begins, (std::vector<std::size_t>{0, total / 3, total / 3 * 2 + total % 3 * 2 / 3, total}));

  std::size_t const large = std::size_t(1) << 40;
  mpi::detail::row_ranges ranges{std::vector<std::size_t>(4), std::vector<std::size_t>(4)};
  mpi::detail::cut_ranges({0, 0, large * 3, large * 3 + 3}, {0, large, large * 2, large * 3 + 3}, 1, ranges);
  EXPECT_TRUE(ranges.moves);
  EXPECT_EQ(ranges.leaving, (std::vector<std::size_t>{0, large, large * 2, large * 3}));
  EXPECT_EQ(ranges.arriving, (std::vector<std::size_t>{0, 0, large, large}));

  // The same rows as messages, of 24 bytes each, in pieces of 1 GiB.
  mpi::detail::exchange exchange;
  exchange.prepare(1, mpi::detail::messages_of(ranges.leaving), mpi::detail::messages_of(ranges.arriving), 24);
  ASSERT_EQ(exchange.sends().size(), 3u);
  EXPECT_EQ(exchange.sends()[2].first, large * 48);
  EXPECT_EQ(exchange.sends()[2].bytes, large * 24);
  ASSERT_EQ(exchange.receives().size(), 1u);
  EXPECT_EQ(exchange.receives()[0].bytes, large * 24);
}

namespace {
struct pattern {
  view<std::uint8_t> bytes;
  KOKKOS_FUNCTION static std::uint8_t at(std::int64_t i) { return static_cast<std::uint8_t>(i * 37 + (i >> 20)); }
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { bytes(i) = at(i); }
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& wrong) const { wrong += bytes(i) == at(i) ? 0 : 1; }
};
}  // namespace

// More bytes than an int counts go from the first rank to the last.
TEST(long_redistribution, messages_of_more_than_2_gib) {
  auto const& comm = world();
  std::uint64_t const n = (std::uint64_t(1) << 31) + 4099;
  bool const first = comm.rank() == 0, last = comm.rank() + 1 == comm.size();
  std::uint64_t const free = upsweep::available_memory(space_type());
  int const mine = free > 3 * n ? 1 : 0;
  int enough = 0;
  MPI_Allreduce(&mine, &enough, 1, MPI_INT, MPI_MIN, comm.get());
  if (enough == 0 || comm.size() == 1) GTEST_SKIP() << "two ranks and 6 GiB of memory are needed";
  Kokkos::RangePolicy<space_type, Kokkos::IndexType<std::int64_t>> const all(0, static_cast<std::int64_t>(n));
  view<std::uint8_t> bytes(Kokkos::view_alloc("bytes", Kokkos::WithoutInitializing), first ? n : 0);
  if (first) Kokkos::parallel_for("write", all, pattern{bytes});
  auto const share = mpi::redistribute_by_weight(comm, space_type(), last ? 1 : 0, bytes);
  EXPECT_EQ(share.total, n);
  ASSERT_EQ(bytes.extent(0), last ? n : 0);
  std::int64_t wrong = 0;
  if (last) Kokkos::parallel_reduce("read", all, pattern{bytes}, wrong);
  EXPECT_EQ(wrong, 0);
}

TEST(redistribute_evenly, errors_on_all_ranks) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  view<std::int64_t> ids("ids", 10), others("others", last ? 9 : 10);
  view<int> narrow("narrow", 10);
  auto const* const before = ids.data();
  auto const text =
      message_of<upsweep::precondition_error>([&] { mpi::redistribute_evenly(comm, space_type(), ids, others); });
  EXPECT_EQ(text, "rank " + std::to_string(comm.size() - 1) +
                      ": mpi::redistribute_evenly: view 1 (others) has 9 rows, the first has 10");
  for (double const bad : {-1.0, std::nan(""), HUGE_VAL})
    EXPECT_THROW(mpi::redistribute_by_weight(comm, space_type(), last ? bad : 1.0, ids), upsweep::precondition_error);
  EXPECT_THROW(mpi::redistribute_by_weight(comm, space_type(), 0, ids), upsweep::precondition_error);
  if (comm.size() > 1) {
    EXPECT_THROW(
        {
          if (last) mpi::redistribute_evenly(comm, space_type(), narrow);
          else mpi::redistribute_evenly(comm, space_type(), ids);
        },
        upsweep::precondition_error);
  }
  EXPECT_EQ(ids.data(), before);
}

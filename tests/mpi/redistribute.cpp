// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "testing.hpp"

#include <upsweep/mpi/redistribute.hpp>
#include <upsweep/mpi/redistribute_rows.hpp>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

struct row {
  int source, index, destination;
};

/// Rows of this rank: many on some ranks, none on one.
std::vector<row> rows_of(int rank, int size) {
  std::vector<row> rows;
  int const n = rank == 1 ? 0 : 400 + 13 * rank;
  random_numbers random{static_cast<std::uint64_t>(rank) + 77};
  for (int i = 0; i < n; ++i) {
    int const to = random.below(3) == 0 ? static_cast<int>(random.below(static_cast<std::uint64_t>(size))) : rank;
    rows.push_back({rank, i, to});
  }
  return rows;
}

/// By source rank, then in the source's order.
std::vector<row> expected(int rank, int size) {
  std::vector<row> result;
  for (int r = 0; r < size; ++r)
    for (auto const& x : rows_of(r, size))
      if (x.destination == rank) result.push_back(x);
  return result;
}

template <class F>
auto per_row(std::vector<row> const& rows, F const& f) {
  std::vector<decltype(f(rows[0]))> result;
  for (auto const& r : rows) result.push_back(f(r));
  return result;
}
std::int64_t id_of(row const& r) { return 1000000 * r.source + r.index; }
view<int> destinations_of(std::vector<row> const& rows) {
  return to_view(per_row(rows, [](row const& r) { return r.destination; }));
}

}  // namespace

TEST(redistribute, rows_arrive_in_order) {
  auto const& comm = world();
  auto const mine = rows_of(comm.rank(), comm.size());
  auto const want = expected(comm.rank(), comm.size());
  auto const place = [](row const& r) { return point{{double(r.source), double(r.index), 0.5}}; };
  auto positions = to_positions(per_row(mine, place));
  auto ids = to_view(per_row(mine, id_of));
  // A column-major View takes the other way through the buffers.
  Kokkos::View<int**, Kokkos::LayoutLeft, memory_space> table("table", mine.size(), 2);
  oracle::host_copy const host(table);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    host(i, 0) = mine[i].index;
    host(i, 1) = -mine[i].source;
  }
  host.write();
  mpi::redistribute(comm, space_type(), destinations_of(mine), positions, ids, table);

  EXPECT_EQ(to_vector(ids), per_row(want, id_of));
  auto const got = to_points(positions);
  oracle::host_copy const got_table(table);
  ASSERT_EQ(got.size(), want.size());
  ASSERT_EQ(table.extent(0), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    for (int d = 0; d < 3; ++d) EXPECT_EQ(got[i].x[d], place(want[i]).x[d]);
    EXPECT_EQ(got_table(i, 0), want[i].index);
    EXPECT_EQ(got_table(i, 1), -want[i].source);
  }
}

TEST(redistribute, bad_destination_on_all_ranks) {
  auto const& comm = world();
  int const culprit = comm.size() / 2;
  std::vector<int> to(100, 0);
  if (comm.rank() == culprit) to[57] = comm.size();
  auto ids = to_view(std::vector<std::int64_t>(100, 4));
  auto const* const before = ids.data();
  auto const text =
      message_of<upsweep::precondition_error>([&] { mpi::redistribute(comm, space_type(), to_view(to), ids); });
  EXPECT_EQ(text, "rank " + std::to_string(culprit) + ": mpi::redistribute: destinations(57) = " +
                      std::to_string(comm.size()) + " is not a rank; there are " + std::to_string(comm.size()));
  EXPECT_EQ(ids.data(), before);
}

TEST(redistribute, wrong_extent_on_all_ranks) {
  auto const& comm = world();
  view<std::int64_t> ids("ids", comm.rank() == 0 ? 9 : 10);
  auto const text = message_of<upsweep::precondition_error>(
      [&] { mpi::redistribute(comm, space_type(), to_view(std::vector<int>(10, 0)), ids); });
  EXPECT_EQ(text, "rank 0: mpi::redistribute: view 0 (ids) has 9 rows, destinations has 10");
}

TEST(redistribute, other_types_and_columns_are_refused_on_all_ranks) {
  auto const& comm = world();
  if (comm.size() == 1) return;
  bool const last = comm.rank() == comm.size() - 1;
  auto const to = to_view(std::vector<int>(10, 0));
  view<std::int64_t> long_ids("ids", 10);
  view<int> short_ids("ids", 10);
  Kokkos::View<double**, memory_space> table("table", 10, last ? 4 : 3);
  EXPECT_THROW(
      {
        if (last) mpi::redistribute(comm, space_type(), to, short_ids);
        else mpi::redistribute(comm, space_type(), to, long_ids);
      },
      upsweep::precondition_error);
  EXPECT_THROW(
      {
        if (last) mpi::redistribute(comm, space_type(), to, long_ids, short_ids);
        else mpi::redistribute(comm, space_type(), to, long_ids);
      },
      upsweep::precondition_error);
  EXPECT_THROW(mpi::redistribute(comm, space_type(), to, table), upsweep::precondition_error);
  auto offsets = to_view(std::vector<std::size_t>(11, 0));
  EXPECT_THROW(
      {
        if (last) mpi::redistribute_rows(comm, space_type(), to, offsets, short_ids);
        else mpi::redistribute_rows(comm, space_type(), to, offsets, long_ids);
      },
      upsweep::precondition_error);
  EXPECT_EQ(long_ids.extent(0), 10u);
  EXPECT_EQ(short_ids.extent(0), 10u);
  EXPECT_EQ(table.extent(0), 10u);
}

namespace {
std::size_t length_of(row const& r) { return static_cast<std::size_t>((r.source * 7 + r.index * 3) % 5); }
std::vector<int> values_of(std::vector<row> const& rows) {
  std::vector<int> values;
  for (auto const& r : rows)
    for (std::size_t k = 0; k < length_of(r); ++k)
      values.push_back(static_cast<int>(id_of(r)) + static_cast<int>(k) * 7);
  return values;
}
template <class T>
std::vector<T> offsets_of(std::vector<row> const& rows) {
  std::vector<T> offsets{0};
  for (auto const& r : rows) offsets.push_back(offsets.back() + static_cast<T>(length_of(r)));
  return offsets;
}
}  // namespace

TEST(redistribute_rows, lists_arrive_whole) {
  auto const& comm = world();
  auto const mine = rows_of(comm.rank(), comm.size());
  auto const want = expected(comm.rank(), comm.size());
  auto offsets = to_view(offsets_of<std::size_t>(mine));
  auto values = to_view(values_of(mine));
  Kokkos::View<double* [2], Kokkos::LayoutLeft, memory_space> pairs("pairs", values.extent(0));
  oracle::host_copy const host(pairs);
  auto const numbers = values_of(mine);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    host(i, 0) = numbers[i] + 0.5;
    host(i, 1) = -numbers[i];
  }
  host.write();
  mpi::redistribute_rows(comm, space_type(), destinations_of(mine), offsets, values, pairs);
  EXPECT_EQ(to_vector(offsets), offsets_of<std::size_t>(want));
  auto const expected_values = values_of(want);
  ASSERT_EQ(to_vector(values), expected_values);
  oracle::host_copy const got(pairs);
  ASSERT_EQ(got.extent(0), expected_values.size());
  for (std::size_t i = 0; i < expected_values.size(); ++i) {
    EXPECT_EQ(got(i, 0), expected_values[i] + 0.5);
    EXPECT_EQ(got(i, 1), -expected_values[i]);
  }
}

TEST(redistribute_rows, backward_offsets_on_all_ranks) {
  auto const& comm = world();
  std::vector<std::size_t> offsets{0, 3, 5, 6};
  if (comm.rank() == comm.size() - 1) offsets = {0, 5, 3, 6};
  auto device_offsets = to_view(offsets);
  auto values = to_view(std::vector<int>(6, 1));
  EXPECT_THROW(mpi::redistribute_rows(comm, space_type(), to_view(std::vector<int>(3, 0)), device_offsets, values),
               upsweep::precondition_error);
}

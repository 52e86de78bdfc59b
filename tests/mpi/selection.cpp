// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/compact.hpp>
#include <upsweep/mpi/partition.hpp>
#include <upsweep/mpi/redistribute_evenly.hpp>

#include <algorithm>
#include <numeric>
#include <type_traits>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

/// Nothing; some on every second rank; different numbers; all on one rank.
std::vector<int> elements(int rank, int size, int shape) {
  static constexpr std::size_t most[] = {0, 700, 300, 2000};
  std::size_t n = most[shape];
  if (shape == 1 && rank % 2 == 0) n = 0;
  if (shape == 2) n += 31 * static_cast<std::size_t>(rank);
  if (shape == 3 && rank != size / 2) n = 0;
  random_numbers random{static_cast<std::uint64_t>(rank * 10 + shape)};
  std::vector<int> result(n);
  for (auto& x : result) x = static_cast<int>(random.below(1000));
  return result;
}

/// Remainder of a division by 3.
struct remainder_is {
  int r;
  KOKKOS_FUNCTION bool operator()(int x) const { return x % 3 == r; }
};
struct index_is_chosen {
  view<int> values;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return values(i) % 3 == 0; }
  template <class Other>
    requires(!std::is_same_v<Other, std::size_t>)
  bool operator()(Other) const = delete;  // indices are std::size_t
};

/// The parts of all ranks, one behind the other.
template <class T>
std::vector<T> whole(std::vector<T> const& local, std::size_t first, mpi::rank_count const& part) {
  auto const begin = local.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<T> const mine(begin, begin + static_cast<std::ptrdiff_t>(part.count));
  auto const all = gathered(world(), mine);
  EXPECT_EQ(all.size(), part.total);
  // Which of them are this rank's.
  EXPECT_LE(part.offset + part.count, all.size());
  EXPECT_TRUE(std::equal(mine.begin(), mine.end(), all.begin() + static_cast<std::ptrdiff_t>(part.offset)));
  return all;
}

}  // namespace

TEST(mpi_compact, elements_in_order_with_their_places) {
  auto const& comm = world();
  for (int shape = 0; shape < 4; ++shape) {
    auto const mine = elements(comm.rank(), comm.size(), shape);
    auto const all = gathered(comm, mine);
    std::vector<int> expected;
    std::copy_if(all.begin(), all.end(), std::back_inserter(expected), remainder_is{0});
    auto const in = to_view(mine);
    view<int> out("out", mine.size()), flags("flags", mine.size());
    auto const found = mpi::compact(comm, space_type(), in, out, remainder_is{0});
    EXPECT_EQ(whole(to_vector(out), 0, found), expected);

    std::vector<int> marks(mine.size());
    std::transform(mine.begin(), mine.end(), marks.begin(), [](int x) { return x % 3 == 0 ? 7 : 0; });
    oracle::fill(out, -1);
    auto const again = mpi::compact(comm, space_type(), in, upsweep::flagged{to_view(marks)}, out);
    EXPECT_EQ(again.offset, found.offset);
    EXPECT_EQ(whole(to_vector(out), 0, again), expected);

    // Divided among the ranks.
    view<int> chosen("chosen", found.count);
    oracle::copy(chosen, Kokkos::subview(out, std::make_pair(std::size_t(0), std::size_t(found.count))));
    auto const share = mpi::redistribute_evenly(comm, space_type(), chosen);
    EXPECT_EQ(share.total, expected.size());
    EXPECT_EQ(gathered(comm, to_vector(chosen)), expected);
  }
}

TEST(mpi_compact_indices, numbers_count_over_all_ranks) {
  auto const& comm = world();
  for (int shape = 0; shape < 4; ++shape) {
    auto const mine = elements(comm.rank(), comm.size(), shape);
    auto const all = gathered(comm, mine);
    std::vector<std::int64_t> expected;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] % 3 == 0) expected.push_back(static_cast<std::int64_t>(i));
    view<std::int64_t> out("out", mine.size());
    static_assert(std::is_same_v<decltype(mpi::rank_count::count), std::size_t> &&
                  std::is_same_v<decltype(mpi::rank_count::offset), std::size_t> &&
                  std::is_same_v<decltype(mpi::rank_count::total), std::size_t>);
    auto const found = mpi::compact_indices(comm, space_type(), mine.size(), out, index_is_chosen{to_view(mine)});
    EXPECT_EQ(whole(to_vector(out), 0, found), expected);
  }
}

TEST(mpi_partition, parts_in_order_with_their_places) {
  auto const& comm = world();
  for (int shape = 0; shape < 4; ++shape) {
    auto const mine = elements(comm.rank(), comm.size(), shape);
    auto expected = gathered(comm, mine);
    auto const middle = std::stable_partition(expected.begin(), expected.end(), remainder_is{0});
    auto const in = to_view(mine);
    view<int> out("out", mine.size());
    auto const expect = [&](auto const& parts, auto const& wanted) {
      auto const local = to_vector(out);
      std::vector<int> all;
      std::size_t first = 0;
      for (std::size_t k = 0; k < parts.size(); ++k) {
        auto const part = whole(local, first, parts[k]);
        all.insert(all.end(), part.begin(), part.end());
        first += parts[k].count;
      }
      EXPECT_EQ(first, local.size());
      EXPECT_EQ(all, wanted);
    };
    expect(mpi::partition(comm, space_type(), in, out, remainder_is{0}), expected);
    std::vector<int> marks(mine.size());
    std::transform(mine.begin(), mine.end(), marks.begin(), [](int x) { return x % 3 == 0 ? 1 : 0; });
    oracle::fill(out, -1);
    expect(mpi::partition(comm, space_type(), in, upsweep::flagged{to_view(marks)}, out), expected);
    std::stable_partition(middle, expected.end(), remainder_is{1});
    expect(mpi::partition_three_way(comm, space_type(), in, out, remainder_is{0}, remainder_is{1}), expected);
  }
}

TEST(mpi_compact, errors_on_all_ranks) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  view<int> const in("in", 9), out("out", last ? 8 : 9);
  EXPECT_THROW(mpi::compact(comm, space_type(), in, out, remainder_is{0}), upsweep::overflow_error);
  EXPECT_THROW(mpi::partition(comm, space_type(), in, out, remainder_is{0}), upsweep::precondition_error);
  auto const text = message_of<upsweep::precondition_error>(
      [&] { mpi::compact_indices(comm, space_type(), last ? -1 : 4, view<int>("out", 4), index_is_chosen{in}); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": compact_indices: n = -1", 0), 0u) << text;
  // 100 indices fit on each rank, not on several.
  view<std::int8_t> const bytes("bytes", 100);
  auto const few = [&] {
    mpi::compact_indices(comm, space_type(), 100, bytes, index_is_chosen{view<int>("values", 100)});
  };
  if (comm.size() == 1) return few();
  EXPECT_THROW(few(), upsweep::overflow_error);
  view<std::int64_t> const wide("wide", 9);
  EXPECT_THROW(
      {
        if (last) mpi::compact(comm, space_type(), wide, view<std::int64_t>("out", 9), remainder_is{0});
        else mpi::compact(comm, space_type(), in, view<int>("out", 9), remainder_is{0});
      },
      upsweep::precondition_error);
}

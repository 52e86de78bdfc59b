// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../oracle/monoids.hpp"
#include "../oracle/segmented_scan.hpp"
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/scan_by_key.hpp>
#include <upsweep/mpi/segmented_scan.hpp>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

using oracle::matrix;
using oracle::matrix_product;

/// Nothing; few on every second rank; one each; many; all on one rank.
constexpr int shapes = 5;
std::size_t elements_of(int rank, int size, int shape) {
  switch (shape) {
    case 0: return 0;
    case 1: return rank % 2 == 0 ? 0 : 9;
    case 2: return 1;
    case 3: return rank == 1 ? 0 : 3000u + 17u * static_cast<std::size_t>(rank);
    default: return rank == size / 2 ? 4001 : 0;
  }
}

/// A state that differs from input and output, that does not commute and does not fit in a record: the first and the
/// last element, and how many there are.
struct ends_state {
  std::int64_t words[7];
};
struct ends_of_run {
  using value_type = ends_state;
  KOKKOS_FUNCTION ends_state identity() const { return {}; }
  KOKKOS_FUNCTION ends_state operator()(ends_state const& l, ends_state const& r) const {
    bool const both = l.words[2] != 0 && r.words[2] != 0;
    return both ? ends_state{{l.words[0], r.words[1], l.words[2] + r.words[2]}} : (l.words[2] != 0 ? l : r);
  }
  KOKKOS_FUNCTION ends_state lift(int x) const { return {{x, x, 1}}; }
  KOKKOS_FUNCTION std::int64_t lower(ends_state const& s) const {
    return s.words[0] * 1000000 + s.words[1] * 10000 + s.words[2];
  }
};

struct case_data {
  std::vector<int> values, keys;
  std::vector<std::uint8_t> flags;
};
/// Heads on one in `rarity` elements; none where it is 0.
case_data make_case(int shape, std::uint64_t rarity) {
  random_numbers random{static_cast<std::uint64_t>(world().rank()) * 1000 + static_cast<std::uint64_t>(shape) + rarity};
  case_data result;
  int key = 0;
  for (std::size_t i = elements_of(world().rank(), world().size(), shape); i > 0; --i) {
    bool const head = rarity != 0 && random.below(rarity) == 0;
    if (head) key = static_cast<int>(random.below(3));
    result.values.push_back(static_cast<int>(random.below(90)));
    result.flags.push_back(head ? static_cast<std::uint8_t>(1 + random.below(255)) : std::uint8_t(0));
    result.keys.push_back(key);
  }
  return result;
}

template <class Out, class Monoid>
void expect_scans(int shape, std::uint64_t rarity, Monoid const& monoid) {
  auto const& comm = world();
  auto const mine = make_case(shape, rarity);
  auto const values = gathered(comm, mine.values);
  auto const flags = gathered(comm, mine.flags);
  auto const keys = gathered(comm, mine.keys);
  std::vector<int> borders(keys.size(), 0);
  for (std::size_t i = 1; i < keys.size(); ++i) borders[i] = keys[i] != keys[i - 1] ? 1 : 0;
  std::size_t first = 0;
  for (int r = 0; r < comm.rank(); ++r) first += elements_of(r, comm.size(), shape);

  space_type const space;
  auto const in = to_view(mine.values);
  auto const head_flags = to_view(mine.flags);
  auto const own_keys = to_view(mine.keys);
  view<Out> out("out", mine.values.size());
  auto const expect = [&](auto const& heads, bool inclusive, char const* what) {
    auto const whole = oracle::segmented_scan<Out>(values, heads, monoid, inclusive);
    auto const got = to_vector(out);
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_TRUE(got[i] == whole[first + i]) << what << ", shape " << shape << ", heads " << rarity << ", at " << i;
    oracle::fill(out, Out{});
  };
  mpi::segmented_inclusive_scan(comm, space, in, upsweep::head_flags{head_flags}, out, monoid);
  expect(flags, true, "inclusive");
  mpi::segmented_exclusive_scan(comm, space, in, upsweep::head_flags{head_flags}, out, monoid);
  expect(flags, false, "exclusive");
  mpi::inclusive_scan_by_key(comm, space, own_keys, in, out, monoid);
  expect(borders, true, "inclusive by key");
  mpi::exclusive_scan_by_key(comm, space, own_keys, in, out, monoid);
  expect(borders, false, "exclusive by key");
}

struct same_parity {
  KOKKOS_FUNCTION bool operator()(int a, int b) const { return a % 2 == b % 2; }
};
struct index_squares {
  std::size_t first;
  KOKKOS_FUNCTION std::int64_t operator()(std::size_t i) const {
    return static_cast<std::int64_t>((first + i) * (first + i));
  }
};
struct every_fifth {
  std::size_t first;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return (first + i) % 5 == 3; }
};

}  // namespace

TEST(mpi_segmented_scan, sums) {
  for (int shape = 0; shape < shapes; ++shape)
    for (std::uint64_t const rarity : {0, 1, 4, 2500}) expect_scans<int>(shape, rarity, upsweep::plus<int>{});
}

TEST(mpi_segmented_scan, matrices_keep_their_order) {
  for (int shape = 0; shape < shapes; ++shape)
    for (std::uint64_t const rarity : {0, 5, 900}) expect_scans<matrix>(shape, rarity, matrix_product{});
}

TEST(mpi_segmented_scan, large_states_other_than_elements) {
  for (int shape = 0; shape < shapes; ++shape)
    for (std::uint64_t const rarity : {0, 5, 900}) expect_scans<std::int64_t>(shape, rarity, ends_of_run{});
}

TEST(mpi_segmented_scan, in_place_of_functors_and_by_equality_of_ones_own) {
  auto const& comm = world();
  space_type const space;
  constexpr std::size_t n = 1003;
  std::size_t const first = n * static_cast<std::size_t>(comm.rank());
  view<std::int64_t> out("out", n);
  mpi::segmented_exclusive_scan(comm, space, index_squares{first}, upsweep::head_flags{every_fifth{first}}, out);
  std::int64_t sum = 0;
  std::vector<std::int64_t> expected;
  for (std::size_t i = 0; i < first + n; ++i) {
    if (i % 5 == 3) sum = 0;
    if (i >= first) expected.push_back(sum);
    sum += static_cast<std::int64_t>(i * i);
  }
  EXPECT_EQ(to_vector(out), expected);

  // Keys of one parity on all ranks: one segment. In place, with a workspace.
  upsweep::workspace ws{space};
  std::vector<int> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<int>(2 * (i % 7)) + 1;
  auto const ones = to_view(std::vector<std::int64_t>(n, 1));
  mpi::inclusive_scan_by_key(comm, space, to_view(keys), ones, ones, upsweep::plus<>{}, same_parity{},
                             {.workspace = &ws, .label = "mine"});
  auto const got = to_vector(ones);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(got[i], static_cast<std::int64_t>(first + i + 1));
}

TEST(mpi_segmented_scan, errors_on_all_ranks) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  view<int> const in("in", 9), out("out", 9), flags("flags", last ? 8 : 9), keys("keys", 9);
  auto const text = message_of<upsweep::precondition_error>(
      [&] { mpi::segmented_inclusive_scan(comm, space_type(), in, upsweep::head_flags{flags}, out); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": mpi::segmented_inclusive_scan: ", 0), 0u) << text;
  EXPECT_THROW(mpi::exclusive_scan_by_key(comm, space_type(), last ? out : keys, in, out), upsweep::precondition_error);
  if (comm.size() == 1) return;
  view<std::int64_t> const wide("wide", 9);
  EXPECT_THROW(
      {
        if (last) mpi::inclusive_scan_by_key(comm, space_type(), wide, in, out);
        else mpi::inclusive_scan_by_key(comm, space_type(), keys, in, out);
      },
      upsweep::precondition_error);
}

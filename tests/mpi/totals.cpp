// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Totals and initial values of scans over ranks.

#include "../contracts/options.hpp"
#include "../oracle/monoids.hpp"
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/exclusive_scan.hpp>
#include <upsweep/mpi/inclusive_scan.hpp>

#include <numeric>
#include <string>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;
using upsweep::from;
using upsweep::into;

namespace {

using oracle::matrix;
using oracle::matrix_product;
template <class T>
using scalar = Kokkos::View<T, memory_space>;

/// Nothing; one element on the last rank; none on rank 0; many.
std::size_t share(int rank, int size, int shape) {
  switch (shape) {
    case 0: return 0;
    case 1: return rank == size - 1 ? 1 : 0;
    case 2: return rank == 0 ? 0 : 5;
    default: return 20011u + 17u * static_cast<std::size_t>(rank);
  }
}

template <class T>
scalar<T> on_device(T const& value) {
  scalar<T> const result("value");
  Kokkos::deep_copy(result, value);
  return result;
}
template <class T>
T on_host(scalar<T> const& view) {
  T result{};
  Kokkos::deep_copy(result, view);
  return result;
}

template <class T>
struct oracle_of_scans {
  std::vector<T> exclusive, inclusive;
  T total;
};
/// The results of this rank.
template <class T, class Monoid>
oracle_of_scans<T> expected(std::vector<T> const& mine, Monoid const& monoid, T const& init) {
  auto const all = gathered(world(), mine);
  auto const n = static_cast<std::int64_t>(mine.size());
  std::int64_t first = 0;
  MPI_Exscan(&n, &first, 1, MPI_INT64_T, MPI_SUM, world().get());
  if (world().rank() == 0) first = 0;
  std::vector<T> exclusive(all.size()), inclusive(all.size());
  std::exclusive_scan(all.begin(), all.end(), exclusive.begin(), init, monoid);
  std::inclusive_scan(all.begin(), all.end(), inclusive.begin(), monoid, init);
  return {{exclusive.begin() + first, exclusive.begin() + first + n},
          {inclusive.begin() + first, inclusive.begin() + first + n},
          inclusive.empty() ? init : inclusive.back()};
}

template <class T, class Monoid, class Make>
void expect_oracle(int shape, Monoid const& monoid, T const& init, T const& unwanted, Make const& make) {
  auto const& comm = world();
  random_numbers random{static_cast<std::uint64_t>(comm.rank() * 10 + shape)};
  std::vector<T> mine(share(comm.rank(), comm.size(), shape));
  for (auto& x : mine) x = make(random);
  auto const with_init = expected(mine, monoid, init), without = expected(mine, monoid, T(monoid.identity()));
  space_type const space;
  auto const in = to_view(mine);
  view<T> const out("out", mine.size());
  auto const expect = [&](std::vector<T> const& wanted, T const& total, T const& wanted_total, char const* form) {
    EXPECT_TRUE(to_vector(out) == wanted) << form << ", shape " << shape;
    EXPECT_TRUE(total == wanted_total) << form << ", shape " << shape;
  };
  T total = unwanted;
  mpi::exclusive_scan(comm, space, in, out, into{total}, init, monoid);
  expect(with_init.exclusive, total, with_init.total, "a total and a value");
  total = unwanted;
  mpi::inclusive_scan(comm, space, in, out, into{total}, monoid);
  expect(without.inclusive, total, without.total, "a total");
  mpi::inclusive_scan(comm, space, in, out, init, monoid);
  expect(with_init.inclusive, init, init, "a value");

  // Only the View of rank 0 is read.
  auto const device_init = on_device(comm.rank() == 0 ? init : unwanted), device_total = on_device(unwanted);
  upsweep::workspace ws(space);
  mpi::exclusive_scan(comm, space, in, out, into{device_total}, from{device_init}, monoid, {.workspace = &ws});
  space.fence();
  expect(with_init.exclusive, on_host(device_total), with_init.total, "Views");
  mpi::exclusive_scan(comm, space, in, out, from{device_init}, monoid);
  expect(with_init.exclusive, init, init, "a View");
}

}  // namespace

TEST(mpi_totals, sums) {
  for (int shape = 0; shape < 4; ++shape)
    expect_oracle<std::int64_t>(shape, upsweep::plus<std::int64_t>{}, 1000, -77,
                                [](random_numbers& r) { return static_cast<std::int64_t>(r.below(1000)) - 500; });
}

TEST(mpi_totals, matrices_keep_their_order) {
  for (int shape = 0; shape < 4; ++shape)
    expect_oracle<matrix>(shape, matrix_product{}, matrix{2, 3, 1, 2}, matrix{7, 7, 7, 7}, [](random_numbers& r) {
      auto const e = [&] { return static_cast<std::uint32_t>(r.below(matrix_product::p)); };
      return matrix{e(), e(), e(), e()};
    });
}

TEST(mpi_totals, what_is_left_out) {
  auto const& comm = world();
  view<int> const ones("ones", 3), out("out", 3);
  Kokkos::deep_copy(ones, 1);
  int total = 0;
  mpi::exclusive_scan(comm, space_type(), ones, out, into{total});
  EXPECT_EQ(total, 3 * comm.size());
  mpi::inclusive_scan(comm, space_type(), ones, out, into{total}, 10);
  EXPECT_EQ(total, 10 + 3 * comm.size());
  mpi::exclusive_scan(comm, space_type(), ones, out, 10);
  EXPECT_EQ(to_vector(out)[0], 10 + 3 * comm.rank());
  upsweep::workspace ws{space_type()};
  mpi::exclusive_scan(comm, space_type(), ones, out, {.workspace = &ws});
  space_type().fence();
  EXPECT_EQ(to_vector(out)[0], 3 * comm.rank());
}

/// x -> x + by, which is its own monoid.
struct shift {
  using value_type = shift;
  std::int64_t by = 0;
  KOKKOS_FUNCTION shift identity() const { return {}; }
  KOKKOS_FUNCTION shift operator()(shift const& l, shift const& r) const { return {l.by + r.by}; }
};

TEST(mpi_totals, states_may_be_monoids) {
  auto const& comm = world();
  auto const in = to_view(std::vector<shift>(3, shift{1}));
  view<shift> const out("out", 3);
  mpi::exclusive_scan(comm, space_type(), in, out, shift{});
  EXPECT_EQ(to_vector(out)[2].by, 3 * comm.rank() + 2);
  shift total;
  mpi::inclusive_scan(comm, space_type(), in, out, into{total}, shift{10}, shift{});
  EXPECT_EQ(to_vector(out)[2].by, 10 + 3 * comm.rank() + 3);
  EXPECT_EQ(total.by, 10 + 3 * comm.size());
}

TEST(mpi_totals, errors_of_one_rank_are_thrown_on_all) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  view<std::int8_t> const in("in", 4), out("out", 4), few("few", last ? 3 : 4);
  std::int8_t total = 5;
  auto const text = message_of<upsweep::precondition_error>(
      [&] { mpi::exclusive_scan(comm, space_type(), in, out, into{total}, last ? 300 : 3, upsweep::plus<>{}); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": mpi::exclusive_scan: the initial value 300", 0),
            0u)
      << text;
  EXPECT_THROW(mpi::exclusive_scan(comm, space_type(), in, few, into{total}), upsweep::precondition_error);
  EXPECT_EQ(total, 5) << "a total is set after all have succeeded";
  if (comm.size() == 1) return;
  EXPECT_THROW(mpi::inclusive_scan(comm, space_type(), in, out, last ? 1 : 2), upsweep::precondition_error);
  EXPECT_THROW(
      {
        if (last) mpi::inclusive_scan(comm, space_type(), in, out, into{total});
        else mpi::inclusive_scan(comm, space_type(), in, out);
      },
      upsweep::precondition_error);
}

namespace {

std::vector<contracts::call> scans_with_totals() {
  using contracts::promise;
  view<int> const in("in", 200003), out("out", 200003);
  scalar<int> const total("total"), init("init");
  auto const o = [](upsweep::call_options const& p) {
    return upsweep::scan_options{.workspace = p.workspace, .label = p.label};
  };
  return {
      {"mpi::exclusive_scan with Views", promise::waits,
       [=](auto const& s, auto const& p) { mpi::exclusive_scan(world(), s, in, out, into{total}, from{init}, o(p)); }},
      {"mpi::inclusive_scan with a variable", promise::waits, [=](auto const& s, auto const& p) {
         int on_host = 0;
         mpi::inclusive_scan(world(), s, in, out, into{on_host}, 3, o(p));
       }}};
}

}  // namespace

namespace contracts {
INSTANTIATE_TYPED_TEST_SUITE_P(MpiTotals, options_of, calls_of<scans_with_totals>);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../oracle/monoids.hpp"
#include "runs.hpp"
#include "testing.hpp"
#include "wide_states.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/reduce_by_key.hpp>

#include <array>
#include <string>
#include <utility>
#include <vector>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

using oracle::matrix;
using oracle::matrix_product;

/// Values of a rank, as many as it has keys.
template <class T, class Make>
std::vector<T> values_of(int rank, std::size_t n, Make const& make) {
  random_numbers random{static_cast<std::uint64_t>(rank)};
  std::vector<T> values(n);
  for (auto& v : values) v = make(random);
  return values;
}

/// The runs of keys_in_runs() with values of make.
template <class T, class Monoid, class Make>
auto runs_of_all(int size, run_shape shape, Monoid const& monoid, Make const& make) {
  return find_runs<T>(
      size, [&](int r) { return keys_in_runs(r, size, shape); },
      [&](int r, std::size_t n) { return values_of<T>(r, n, make); }, monoid);
}

template <class T, class Monoid, class Make>
void expect_oracle(run_shape shape, Monoid const& monoid, Make const& make, upsweep::call_options const& options) {
  auto const& comm = world();
  auto const all = runs_of_all<T>(comm.size(), shape, monoid, make);
  auto const rank = static_cast<std::size_t>(comm.rank());
  auto const keys = keys_in_runs(comm.rank(), comm.size(), shape);
  auto const values = values_of<T>(comm.rank(), keys.size(), make);
  view<int> out_keys("out_keys", all.keys[rank].size());
  view<T> out_values("out_values", all.keys[rank].size());
  auto const found = mpi::reduce_by_key(comm, space_type(), to_view(keys), to_view(values), out_keys, out_values,
                                        monoid, upsweep::equal_keys{}, options);
  expect_counts(found, all.keys[rank].size(), all.below(rank), all.below(all.keys.size()));
  EXPECT_EQ(to_vector(out_keys), all.keys[rank]) << "shape " << static_cast<int>(shape);
  EXPECT_TRUE(to_vector(out_values) == all.results[rank]) << "shape " << static_cast<int>(shape);
}

struct one {
  KOKKOS_FUNCTION std::int64_t operator()(std::size_t) const { return 1; }
};
struct sum_modulo {
  using value_type = std::uint64_t;
  std::uint64_t p;
  KOKKOS_FUNCTION std::uint64_t identity() const { return 0; }
  KOKKOS_FUNCTION std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return (a + b) % p; }
};

}  // namespace

TEST(mpi_reduce_by_key, runs_that_cross_ranks_are_on_the_rank_where_they_begin) {
  upsweep::workspace ws{space_type()};
  for (int shape = 0; shape < static_cast<int>(run_shape::count); ++shape)
    for (auto* memory : {static_cast<upsweep::workspace*>(nullptr), &ws}) {
      expect_oracle<std::int64_t>(run_shape(shape), upsweep::plus<std::int64_t>{},
                                  [](random_numbers& r) { return static_cast<std::int64_t>(r.below(1000)) - 500; },
                                  {.workspace = memory});
    }
}

TEST(mpi_reduce_by_key, matrices_keep_their_order) {
  for (int shape = 0; shape < static_cast<int>(run_shape::far_heads); ++shape)
    expect_oracle<matrix>(run_shape(shape), matrix_product{},
                          [](random_numbers& r) {
                            auto const e = [&] { return static_cast<std::uint32_t>(r.below(matrix_product::p)); };
                            return matrix{e(), e(), e(), e()};
                          },
                          {});
}

TEST(mpi_reduce_by_key, states_other_than_input_and_output) {
  auto const& comm = world();
  auto const keys = keys_in_runs(comm.rank(), comm.size(), run_shape::random);
  auto const all = runs_of_all<std::int64_t>(comm.size(), run_shape::random, upsweep::plus<std::int64_t>{},
                                             [](random_numbers&) { return std::int64_t(1); });
  auto const rank = static_cast<std::size_t>(comm.rank());
  view<int> const out_keys("out_keys", all.keys[rank].size());
  view<std::int64_t> const lengths("lengths", all.keys[rank].size());
  mpi::reduce_by_key(comm, space_type(), to_view(keys), one{}, out_keys, lengths, wide_plus{});
  EXPECT_EQ(to_vector(lengths), all.results[rank]);
  Kokkos::deep_copy(lengths, 0);
  mpi::reduce_by_key(comm, space_type(), to_view(keys), one{}, out_keys, lengths);
  EXPECT_EQ(to_vector(lengths), all.results[rank]) << "plus<>";
}

TEST(mpi_reduce_by_key, errors_of_one_rank_are_thrown_on_all) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  auto const keys = to_view(std::vector<int>{1, 2, 3});
  view<std::int64_t> const values("values", 3), few("few", last ? 2 : 3), out("out", 3);
  view<int> const out_keys("out_keys", 3), few_keys("few_keys", last ? 2 : 3);
  auto const text =
      message_of<upsweep::overflow_error>([&] { mpi::reduce_by_key(comm, space_type(), keys, values, few_keys, few); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": reduce_by_key: ", 0), 0u) << text;
  EXPECT_THROW(mpi::reduce_by_key(comm, space_type(), keys, few, out_keys, out), upsweep::precondition_error);
  EXPECT_THROW(mpi::reduce_by_key(comm, space_type(), keys, values, out_keys, few), upsweep::precondition_error);
  if (comm.size() == 1) return;
  view<std::uint64_t> const numbers("numbers", 3), sums("sums", 3);
  EXPECT_THROW(mpi::reduce_by_key(comm, space_type(), keys, numbers, out_keys, sums, sum_modulo{last ? 7u : 11u}),
               upsweep::precondition_error);
}

TEST(mpi_reduce_by_key, an_output_on_the_run_that_goes_on_from_ranks_below_is_refused) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  std::vector<int> const host_keys{7, 7, 7, last ? 8 : 7}, host_values{1, 2, 3, 4};
  auto const keys = to_view(host_keys), values = to_view(host_values);
  auto const front = [](view<int> const& v) -> view<int> { return Kokkos::subview(v, std::pair(1, 3)); };
  view<int> const out_keys("out_keys", 2), out_values("out_values", 2);
  auto const refused = [&](view<int> const& of_keys, view<int> const& of_values, std::string const& what) {
    auto const text = message_of<upsweep::precondition_error>([&] {
      mpi::reduce_by_key(comm, space_type(), keys, values, last ? of_keys : out_keys, last ? of_values : out_values);
    });
    EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": mpi::reduce_by_key: " + what, 0), 0u) << text;
  };
  refused(front(keys), out_values, "keys and out_keys overlap");
  refused(out_keys, front(keys), "keys and out_values overlap");
  refused(front(values), out_values, "values and out_keys overlap");
  refused(out_keys, front(values), "values and out_values overlap");
  EXPECT_EQ(to_vector(keys), host_keys);
  EXPECT_EQ(to_vector(values), host_values);
}

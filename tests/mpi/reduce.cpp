// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "testing.hpp"

#include "../oracle/monoids.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/mpi/reduce.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

TEST(reduce, every_rank_gets_the_fold_in_the_order_of_ranks) {
  auto const& comm = world();
  EXPECT_EQ(mpi::reduce(comm, 10 + comm.rank(), upsweep::max<int>{}), 10 + comm.size() - 1);
  oracle::matrix_product const product;
  auto const of_rank = [](int rank) { return oracle::matrix{1u + unsigned(rank), 2, 3, 5u + unsigned(rank)}; };
  oracle::matrix expected = product.identity();
  for (int r = 0; r < comm.size(); ++r) expected = product(expected, of_rank(r));
  EXPECT_EQ(mpi::reduce(comm, [&] { return of_rank(comm.rank()); }, product), expected);
}

// plus<> and its kind take the type of the value, or of what local() returns.
TEST(reduce, a_monoid_without_a_type_takes_that_of_the_value) {
  auto const& comm = world();
  auto const sum = mpi::reduce(comm, 0.5, upsweep::plus<>{});
  static_assert(std::is_same_v<decltype(sum), double const>);
  EXPECT_EQ(sum, 0.5 * comm.size());
  auto const largest = mpi::reduce(comm, [&] { return std::int64_t(comm.rank()) << 40; }, upsweep::max<>{});
  static_assert(std::is_same_v<decltype(largest), std::int64_t const>);
  EXPECT_EQ(largest, std::int64_t(comm.size() - 1) << 40);
  EXPECT_FALSE(mpi::reduce(comm, comm.rank() > 0, upsweep::logical_and<>{}));
  EXPECT_EQ(mpi::reduce(comm, 2u), 2u * static_cast<unsigned>(comm.size())) << "a sum, where no monoid is given";
  if (comm.size() == 1) return;
  EXPECT_THROW(
      {
        if (comm.rank() == 0) mpi::reduce(comm, 1, upsweep::plus<>{});
        else mpi::reduce(comm, std::int64_t(1), upsweep::plus<>{});
      },
      upsweep::precondition_error);
}

namespace {

/// More than a record holds.
struct long_sum {
  using value_type = std::array<double, 9>;
  value_type identity() const { return {}; }
  value_type operator()(value_type a, value_type const& b) const {
    for (std::size_t d = 0; d < a.size(); ++d) a[d] += b[d];
    return a;
  }
};

/// A sum modulo a parameter.
struct sum_modulo {
  using value_type = std::uint64_t;
  std::uint64_t p;
  std::uint64_t identity() const { return 0; }
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return (a + b) % p; }
};
/// A parameter of floating point, of which the monoid says what has to be the same.
struct capped_sum {
  using value_type = double;
  double cap;
  double identity() const { return 0; }
  double operator()(double a, double b) const { return a + b < cap ? a + b : cap; }
  std::uint64_t fingerprint() const { return static_cast<std::uint64_t>(cap * 1024); }
};

}  // namespace

TEST(reduce, parameters_that_differ_are_refused_on_all_ranks) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  EXPECT_EQ(mpi::reduce(comm, std::uint64_t(2), sum_modulo{3}), std::uint64_t(2 * comm.size() % 3));
  EXPECT_EQ(mpi::reduce(comm, 2.0, capped_sum{3.5}), comm.size() == 1 ? 2.0 : 3.5);
  if (comm.size() == 1) return;
  std::string const text =
      "mpi::reduce: the ranks call with different types, operations or parameters of the monoid: "
      "rank " +
      std::to_string(comm.size() - 1) + " differs from rank 0";
  EXPECT_EQ(message_of<upsweep::precondition_error>(
                [&] { mpi::reduce(comm, std::uint64_t(1), sum_modulo{last ? 7u : 11u}); }),
            text);
  EXPECT_EQ(message_of<upsweep::precondition_error>([&] { mpi::reduce(comm, 1.0, capped_sum{last ? 7.5 : 7.0}); }),
            text);
}

TEST(reduce, states_of_any_size) {
  auto const& comm = world();
  long_sum::value_type mine{};
  mine[0] = 1;
  mine[8] = comm.rank();
  auto const all = mpi::reduce(comm, mine, long_sum{});
  EXPECT_EQ(all[0], comm.size());
  EXPECT_EQ(all[8], 0.5 * comm.size() * (comm.size() - 1));
}

TEST(reduce, all_ranks_throw_what_one_rank_threw) {
  auto const& comm = world();
  auto const fails_on_the_last = [&]() -> int {
    if (comm.rank() + 1 == comm.size()) throw upsweep::overflow_error("too many");
    return 1;
  };
  EXPECT_THROW(mpi::reduce(comm, fails_on_the_last, upsweep::plus<int>{}), upsweep::overflow_error);
  EXPECT_EQ(mpi::reduce(comm, 1, upsweep::plus<int>{}), comm.size());
}

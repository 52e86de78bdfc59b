// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "testing.hpp"

#include "../oracle/monoids.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/mpi/reduce.hpp>

#include <array>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

TEST(Reduce, EveryRankGetsTheFoldInTheOrderOfRanks) {
  auto const& comm = world();
  EXPECT_EQ(mpi::reduce(comm, 10 + comm.rank(), upsweep::max<int>{}), 10 + comm.size() - 1);
  oracle::matrix_product const product;
  auto const of_rank = [](int rank) { return oracle::matrix{1u + unsigned(rank), 2, 3, 5u + unsigned(rank)}; };
  oracle::matrix expected = product.identity();
  for (int r = 0; r < comm.size(); ++r) expected = product(expected, of_rank(r));
  EXPECT_EQ(mpi::reduce(
                comm, [&] { return of_rank(comm.rank()); }, product),
            expected);
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

}  // namespace

TEST(Reduce, StatesOfAnySize) {
  auto const& comm = world();
  long_sum::value_type mine{};
  mine[0] = 1;
  mine[8] = comm.rank();
  auto const all = mpi::reduce(comm, mine, long_sum{});
  EXPECT_EQ(all[0], comm.size());
  EXPECT_EQ(all[8], 0.5 * comm.size() * (comm.size() - 1));
}

TEST(Reduce, AllRanksThrowWhatOneRankThrew) {
  auto const& comm = world();
  auto const fails_on_the_last = [&]() -> int {
    if (comm.rank() + 1 == comm.size()) throw upsweep::overflow_error("too many");
    return 1;
  };
  EXPECT_THROW(mpi::reduce(comm, fails_on_the_last, upsweep::plus<int>{}), upsweep::overflow_error);
  EXPECT_EQ(mpi::reduce(comm, 1, upsweep::plus<int>{}), comm.size());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// How very many ranks combine their states. The tests ask a few ranks to do the same.

#include "../oracle/monoids.hpp"
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/reproducible_plus.hpp>
#include <upsweep/mpi/detail/agree_and_scan/fold_ranks.hpp>

#include <cstdint>
#include <limits>
#include <string>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;
namespace detail = upsweep::mpi::detail;

namespace {

constexpr int always = 1, never = std::numeric_limits<int>::max();

struct exact_product : oracle::matrix_product {
  static constexpr bool exactly_associative = true;
};

/// A state that no record holds: the first rank, the last one, how many there are. Order matters.
struct range_of_ranks {
  std::int64_t words[9];
  friend bool operator==(range_of_ranks const&, range_of_ranks const&) = default;
};
struct join_ranges {
  using value_type = range_of_ranks;
  static constexpr bool exactly_associative = true;
  range_of_ranks identity() const { return {}; }
  range_of_ranks operator()(range_of_ranks const& l, range_of_ranks const& r) const {
    if (l.words[2] == 0) return r;
    if (r.words[2] == 0) return l;
    return {{l.words[0], r.words[1], l.words[2] + r.words[2], 0, 0, 0, 0, 0, l.words[8] + r.words[8]}};
  }
};

upsweep::internal::fingerprint arguments_of_rank(int difference = 0) {
  upsweep::internal::fingerprint arguments;
  arguments.text("many_ranks").value(static_cast<std::uint64_t>(difference));
  return arguments;
}

/// What all ranks get is the fold of of_rank(r), from left to right, by both ways.
template <class Monoid, class OfRank>
void expect_folds(Monoid const& monoid, OfRank const& of_rank) {
  auto const& comm = world();
  typename Monoid::value_type prefix = monoid.identity(), total = monoid.identity();
  for (int r = 0; r < comm.size(); ++r) {
    if (r == comm.rank()) prefix = total;
    total = monoid(total, of_rank(r));
  }
  for (int const many : {always, never}) {
    auto const mine = of_rank(comm.rank());
    auto const combined = [&](detail::which_ranks which, typename Monoid::value_type const& state) {
      return detail::combine_ranks(comm, which, {}, arguments_of_rank(), monoid, state, "f", detail::monoid_arguments,
                                   many);
    };
    EXPECT_TRUE(combined(detail::which_ranks::below, mine).below == prefix) << many;
    EXPECT_TRUE(combined(detail::which_ranks::all, mine).all == total) << many;
    EXPECT_TRUE(combined(detail::which_ranks::both, mine).below == prefix) << many;
    EXPECT_TRUE(combined(detail::which_ranks::both, mine).all == total) << many;
  }
}

}  // namespace

TEST(many_ranks, same_folds_as_few_ranks) {
  static_assert(detail::exactly_associative<upsweep::plus<int>> &&
                detail::exactly_associative<upsweep::max<std::int64_t>>);
  static_assert(detail::exactly_associative<upsweep::reproducible_plus<double>>);
  expect_folds(upsweep::plus<int>{}, [](int r) { return 3 * r + 1; });
  expect_folds(upsweep::max<std::int64_t>{}, [](int r) { return std::int64_t(r) * (r % 3 - 1); });
  expect_folds(exact_product{}, [](int r) { return oracle::matrix{1u + unsigned(r), 2, 3, 5u + unsigned(r)}; });
  upsweep::reproducible_plus<double> const sum;
  expect_folds(sum, [&](int r) { return sum.lift(r % 2 == 0 ? 1e16 / (r + 1) : 1.0 / r); });
}

TEST(many_ranks, states_that_no_record_holds) {
  EXPECT_GT(sizeof(range_of_ranks), detail::record_bytes);
  // Every third rank has nothing.
  expect_folds(join_ranges{},
               [](int r) { return r % 3 == 1 ? range_of_ranks{} : range_of_ranks{{r, r, 1, 0, 0, 0, 0, 0, r + 1}}; });
}

TEST(many_ranks, sums_whose_grouping_is_seen_are_folded_in_order) {
  static_assert(!detail::exactly_associative<upsweep::plus<double>>);
  expect_folds(upsweep::plus<double>{}, [](int r) { return r % 2 == 0 ? 1e16 : 1.0 + r; });
}

TEST(many_ranks, errors_on_all_ranks) {
  auto const& comm = world();
  bool const last = comm.rank() + 1 == comm.size();
  detail::failure const failed = last ? detail::failure{upsweep::error_kind::overflow, "too many"} : detail::failure{};
  auto const call = [&](detail::failure const& local, int difference) {
    return detail::combine_ranks(comm, detail::which_ranks::all, local, arguments_of_rank(difference),
                                 upsweep::plus<int>{}, 1, "f", detail::monoid_arguments, always)
        .all;
  };
  EXPECT_EQ(message_of<upsweep::overflow_error>([&] { call(failed, 0); }),
            "rank " + std::to_string(comm.size() - 1) + ": too many");
  if (comm.size() > 1) {
    EXPECT_EQ(message_of<upsweep::precondition_error>([&] { call({}, last ? 1 : 0); }),
              "f: types, operations or parameters of the monoid must be the same on all ranks, and differs");
  }
  EXPECT_EQ(call({}, 0), comm.size());
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "moving_rows.hpp"

#include "../contracts/tools.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/redistribute.hpp>
#include <upsweep/mpi/redistribution.hpp>

#include <utility>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

using redistribution = mpi::redistribution<space_type>;

/// All rows of all ranks, moved together on every rank, as what the library does is compared with.
class model {
 public:
  /// One rank begins with `of_one` rows.
  explicit model(std::size_t rows, std::size_t of_one = 0) : held_(static_cast<std::size_t>(world().size())) {
    for (std::size_t r = 0; r < held_.size(); ++r)
      for (std::size_t i = 0; i < (r == 1 ? of_one : rows + 7 * r); ++i)
        held_[r].push_back(static_cast<std::int64_t>(1000000 * r + i));
  }
  std::vector<std::int64_t> const& mine() const { return held_[static_cast<std::size_t>(world().rank())]; }

  /// The destinations of this rank's rows; then rows are where these send them.
  template <class Destination>
  view<int> move(Destination const& destination) {
    std::vector<int> to;
    for (auto const id : mine()) to.push_back(destination(world().rank(), id));
    auto before = held_;
    for (std::size_t r = 0; r < held_.size(); ++r) held_[r] = arrivals(before, static_cast<int>(r), destination);
    return to_view(to);
  }

 private:
  std::vector<std::vector<std::int64_t>> held_;
};

std::uint64_t hash(std::int64_t id, std::uint64_t salt) {
  return random_numbers{static_cast<std::uint64_t>(id) * 977 + salt}.next();
}
/// One row in `every` goes to some rank.
auto some_leave(std::uint64_t every, std::uint64_t salt) {
  return [=](int rank, std::int64_t id) {
    auto const h = hash(id, salt);
    return h % every == 0 ? static_cast<int>(h / every % static_cast<std::uint64_t>(world().size())) : rank;
  };
}
int stays(int rank, std::int64_t) { return rank; }

template <class Destination>
void step(redistribution& r, mpi::communicator const& comm, model& all, mixed_rows& rows,
          Destination const& destination) {
  auto const to = all.move(destination);
  r.run(comm, space_type(), to, rows.positions, rows.columns, rows.marks, rows.shorts, rows.ids, rows.pairs);
  EXPECT_EQ(rows.wrong(all.mine()), 0u);
}

void steps(mpi::communicator const& comm) {
  redistribution r;
  model all(700);
  mixed_rows rows(all.mine());
  for (std::uint64_t salt = 0; salt < 3; ++salt) step(r, comm, all, rows, some_leave(100, salt));
  step(r, comm, all, rows, stays);
  step(r, comm, all, rows, some_leave(1, 5));
  // All to one rank, from there to another, and back to all.
  step(r, comm, all, rows, [](int, std::int64_t) { return 0; });
  step(r, comm, all, rows, [](int, std::int64_t) { return world().size() - 1; });
  step(r, comm, all, rows, some_leave(1, 6));
  // Around the ring: everything leaves and arrives.
  for (int k = 0; k < 3; ++k)
    step(r, comm, all, rows, [](int rank, std::int64_t) { return (rank + 1) % world().size(); });
}

}  // namespace

TEST(redistribution, steps_move_rows_in_order) { steps(world()); }
TEST(redistribution, steps_move_rows_in_order_by_staging) { steps(staged_communicator()); }

TEST(redistribution, same_as_the_free_function) {
  model all(500);
  mixed_rows once(all.mine());
  mixed_rows kept(all.mine());
  redistribution r;
  for (std::uint64_t salt = 0; salt < 4; ++salt) {
    auto const to = all.move(some_leave(7, salt));
    r.run(world(), space_type(), to, kept.ids, kept.positions);
    mpi::redistribute(world(), space_type(), to, once.ids, once.positions);
    EXPECT_EQ(to_vector(kept.ids), all.mine());
    EXPECT_EQ(to_vector(once.ids), all.mine());
  }
}

// The Views of a call may be others than those of the last one, and none at all.
TEST(redistribution, other_views_next_time) {
  redistribution r;
  model all(300);
  auto ids = to_view(all.mine());
  r.run(world(), space_type(), all.move(some_leave(3, 1)), ids);
  EXPECT_EQ(to_vector(ids), all.mine());
  mixed_rows rows(all.mine());
  r.run(world(), space_type(), all.move(some_leave(3, 2)), rows.pairs, rows.ids);
  EXPECT_EQ(to_vector(rows.ids), all.mine());
  r.run(world(), space_type(), all.move(stays), rows.ids, rows.pairs);
  EXPECT_EQ(to_vector(rows.ids), all.mine());
  r.run(world(), space_type(), to_view(std::vector<int>(3, 0)));
  // Rows of another length, as the same argument.
  mixed_rows::by_rows wide("wide", all.mine().size(), 9);
  auto const to = all.move(some_leave(3, 3));
  r.run(world(), space_type(), to, rows.ids, wide);
  EXPECT_EQ(to_vector(rows.ids), all.mine());
  EXPECT_EQ(wide.extent(0), all.mine().size());
  EXPECT_EQ(wide.extent(1), 9u);
}

// What a caller still holds is its own, whatever comes later.
TEST(redistribution, copies_of_views_keep_their_rows) {
  redistribution r;
  model all(200);
  auto ids = to_view(all.mine());
  std::vector<std::pair<view<std::int64_t>, std::vector<std::int64_t>>> seen;
  for (std::uint64_t salt = 0; salt < 6; ++salt) {
    seen.emplace_back(ids, all.mine());
    r.run(world(), space_type(), all.move(some_leave(5, salt)), ids);
  }
  for (auto const& [copy, expected] : seen) EXPECT_EQ(to_vector(copy), expected);
  view<std::int64_t> last;
  {
    redistribution gone;
    gone.run(world(), space_type(), all.move(some_leave(5, 9)), ids);
    last = ids;
  }
  EXPECT_EQ(to_vector(last), all.mine());
}

TEST(redistribution, nothing_moves_on_one_rank_or_where_nobody_leaves) {
  redistribution r;
  auto ids = to_view(std::vector<std::int64_t>{4, 5, 6});
  auto const* const before = ids.data();
  auto const to = to_view(std::vector<int>(3, world().rank()));
  r.run(world(), space_type(), to, ids);
  mpi::redistribute(world(), space_type(), to, ids);
  EXPECT_EQ(ids.data(), before);
  EXPECT_EQ(to_vector(ids), (std::vector<std::int64_t>{4, 5, 6}));
}

TEST(redistribution, errors_leave_all_as_it_was) {
  redistribution r;
  model all(100);
  auto ids = to_view(all.mine());
  r.run(world(), space_type(), all.move(some_leave(3, 1)), ids);
  auto const* const before = ids.data();
  for (int culprit = 0; culprit < world().size(); ++culprit)
    for (int const wrong : {-1, world().size(), 1 << 30}) {
      std::vector<int> to(ids.extent(0), 0);
      bool const bad = world().rank() == culprit && to.size() > 20;
      if (bad) to[17] = to[19] = wrong;
      int const mine = bad ? 1 : 0;
      int any = 0;
      MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      if (any == 0) continue;
      auto const text =
          message_of<upsweep::precondition_error>([&] { r.run(world(), space_type(), to_view(to), ids); });
      EXPECT_EQ(text, "rank " + std::to_string(culprit) + ": mpi::redistribute: destinations(17) = " +
                          std::to_string(wrong) + " is not a rank; there are " + std::to_string(world().size()));
      EXPECT_EQ(ids.data(), before);
    }
  EXPECT_EQ(to_vector(ids), all.mine());
  r.run(world(), space_type(), all.move(some_leave(3, 2)), ids);
  EXPECT_EQ(to_vector(ids), all.mine());
}

namespace {

/// Steps in which one row in a hundred leaves take no memory for Views once both buffers are there.
void expect_no_memory(mpi::communicator const& comm) {
  redistribution r;
  model all(4000, 4100);
  mixed_rows rows(all.mine());
  std::vector<view<int>> to;
  std::vector<std::vector<std::int64_t>> expected;
  for (std::uint64_t salt = 0; salt < 9; ++salt) {
    to.push_back(all.move(some_leave(100, salt)));
    expected.push_back(all.mine());
  }
  for (std::size_t k = 0; k < to.size(); ++k) {
    auto const run = [&] {
      r.run(comm, space_type(), to[k], rows.positions, rows.columns, rows.marks, rows.shorts, rows.ids, rows.pairs);
    };
    {
      contracts::recorder const seen;
      run();
    }
    EXPECT_TRUE(k < 3 || contracts::recorder::allocations().empty())
        << "step " << k << ": " << contracts::recorder::allocations().front();
    EXPECT_EQ(rows.wrong(expected[k]), 0u);
  }
}

}  // namespace

TEST(redistribution, steady_step_takes_no_memory) { expect_no_memory(world()); }
TEST(redistribution, steady_step_takes_no_memory_by_staging) { expect_no_memory(staged_communicator()); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi/detail/sort/move_in_steps.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using upsweep::mpi::detail::message;
using upsweep::mpi::detail::step_ranges;

/// All ranks of a call in one process: rows are numbers, and messages are copies.
class simulated_ranks {
 public:
  simulated_ranks(std::size_t ranks, std::size_t steps, bool aligned, unsigned seed) : all_(ranks), rows_(ranks) {
    std::mt19937 random(seed);
    for (std::size_t r = 0; r < ranks; ++r) {
      all_[r].aligned = aligned;
      all_[r].resize(ranks, steps);
      std::size_t at = 0;
      for (auto& offset : all_[r].leaving) {
        offset = at;
        at += random() % 3 == 0 ? 0 : random() % 70;
      }
      for (std::size_t k = 0; k < all_[r].leaving.back(); ++k) rows_[r].push_back(static_cast<int>(1000 * r + k));
    }
    for (std::size_t to = 0; to < ranks; ++to) {
      std::vector<std::uint64_t> numbers;
      for (auto const& from : all_)
        for (std::size_t k = 0; k < steps; ++k) numbers.push_back(from.announced(to, k));
      all_[to].set_arriving(numbers);
    }
  }

  /// Moves everything to `to`; returns its rows in their final order.
  std::vector<int> move(std::size_t to) const {
    auto const& mine = all_[to];
    std::vector<int> landed(mine.room(mine.arriving.back()), -1), result;
    for (std::size_t k = 0; k < mine.steps; ++k)
      for (std::size_t r = 0; r < mine.ranks; ++r) copy(r, to, k, landed);
    for (std::size_t k = 0; k < mine.steps; ++k)
      for (std::size_t r = 0; r < mine.ranks; ++r) {
        auto const begin = landed.begin() + static_cast<std::ptrdiff_t>(mine.landed(k, r));
        result.insert(result.end(), begin, begin + static_cast<std::ptrdiff_t>(size(mine, k, r)));
      }
    return result;
  }
  std::vector<int> expected(std::size_t to) const {
    std::vector<int> result;
    for (std::size_t k = 0; k < all_[to].steps; ++k)
      for (std::size_t r = 0; r < all_.size(); ++r)
        for (std::size_t i = all_[r].leaving[to * all_[r].steps + k]; i < all_[r].leaving[to * all_[r].steps + k + 1];
             ++i)
          result.push_back(rows_[r][i]);
    return result;
  }
  step_ranges const& of(std::size_t rank) const { return all_[rank]; }

 private:
  static std::size_t size(step_ranges const& s, std::size_t k, std::size_t r) {
    return s.arriving[k * s.ranks + r + 1] - s.arriving[k * s.ranks + r];
  }
  static message const* find(std::vector<message> const& list, std::size_t peer) {
    auto const found =
        std::find_if(list.begin(), list.end(), [&](message const& m) { return m.peer == static_cast<int>(peer); });
    return found == list.end() ? nullptr : &*found;
  }
  void copy(std::size_t from, std::size_t to, std::size_t k, std::vector<int>& landed) const {
    auto const sends = all_[from].sends(k), receives = all_[to].receives(k);
    auto const *const send = find(sends, to), *const receive = find(receives, from);
    ASSERT_EQ(send == nullptr, receive == nullptr);
    if (send == nullptr) return;
    ASSERT_EQ(send->bytes, receive->bytes);
    ASSERT_LE(send->first + send->bytes, rows_[from].size());
    ASSERT_LE(receive->first + receive->bytes, landed.size());
    for (std::size_t i = 0; i < send->bytes; ++i) {
      EXPECT_EQ(landed[receive->first + i], -1) << "two messages land at one place";
      landed[receive->first + i] = rows_[from][send->first + i];
    }
  }

  std::vector<step_ranges> all_;
  std::vector<std::vector<int>> rows_;
};

TEST(step_ranges, rows_arrive_in_order_wherever_they_land) {
  for (bool const aligned : {false, true})
    for (std::size_t const ranks : {1u, 2u, 3u, 7u})
      for (std::size_t const steps : {1u, 2u, 5u}) {
        simulated_ranks const call(ranks, steps, aligned, static_cast<unsigned>(10 * ranks + steps));
        for (std::size_t to = 0; to < ranks; ++to) EXPECT_EQ(call.move(to), call.expected(to));
      }
}

TEST(step_ranges, aligned_messages_begin_at_multiples_of_16_rows) {
  simulated_ranks const call(4, 3, true, 1);
  std::size_t messages = 0;
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t k = 0; k < 3; ++k)
      for (auto const& list : {call.of(r).sends(k), call.of(r).receives(k)})
        for (auto const& m : list) {
          ++messages;
          EXPECT_EQ(m.first % 16, 0u);
        }
  EXPECT_GT(messages, 20u);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/messages/staged_messages.hpp>

#include <cstring>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "all_to_all.hpp"
#include "mpi_errors.hpp"
#include "testing.hpp"

using namespace testing_mpi;
namespace mpi = upsweep::mpi;
namespace detail = upsweep::mpi::detail;

namespace {

/// Copies that are done late: when they have been asked for a few times.
class late_copies final : public detail::copy_queue {
 public:
  void reserve(std::size_t markers) override { markers_ = markers; }
  bool copy(std::byte* to, std::byte const* from, std::size_t bytes, std::size_t marker) noexcept override {
    EXPECT_LT(marker, markers_);
    for (auto const& c : copies_) EXPECT_NE(c.marker, marker) << "in use";
    copies_.push_back({to, from, bytes, marker, 3});
    most_ = std::max(most_, copies_.size());
    return !fails;
  }
  progress at(std::size_t marker) noexcept override {
    while (!copies_.empty()) {
      auto& c = copies_.front();
      bool const asked = c.marker == marker;
      if (c.questions-- > 0) return progress::pending;
      std::memcpy(c.to, c.from, c.bytes);
      copies_.pop_front();
      if (asked) return progress::passed;
    }
    return progress::passed;
  }
  std::size_t most() const { return most_; }
  bool fails = false;

 private:
  struct late_copy {
    std::byte* to;
    std::byte const* from;
    std::size_t bytes, marker;
    int questions;
  };
  std::size_t markers_ = 0, most_ = 0;
  std::deque<late_copy> copies_;
};

struct staged_with_late_copies {
  late_copies* to_host = new late_copies;
  late_copies* to_device = new late_copies;
  detail::staged_messages messages;
  staged_with_late_copies(std::size_t chunk, std::size_t window)
      : messages(std::unique_ptr<detail::copy_queue>(to_host), std::unique_ptr<detail::copy_queue>(to_device), chunk,
                 window) {}
};

}  // namespace

// Chunks of a few bytes and memory for one, for a few, and for all of them.
TEST(staged_messages, chunks_arrive_in_place) {
  all_to_all all;
  for (std::size_t const window : {4096, 8192, 12288, 16384}) {
    staged_with_late_copies staged(4096, window);
    for (int times = 0; times < 2; ++times) {
      std::fill(all.in.begin(), all.in.end(), std::byte{0});
      staged.messages.prepare(all.comm, all.sends, all.receives);
      staged.messages.start(all.comm, all.out.data(), all.in.data());
      staged.messages.finish(all.comm);
      EXPECT_EQ(all.in, all.expected) << window;
    }
    // As many copies at a time as there is memory for.
    if (all.comm.size() > 1) {
      EXPECT_GT(staged.to_host->most(), window > 4096 ? 1u : 0u) << window;
    }
  }
}

// More chunks than markers of a queue.
TEST(staged_messages, many_chunks) {
  all_to_all all;
  staged_with_late_copies staged(64, 1 << 20);
  staged.messages.prepare(all.comm, all.sends, all.receives);
  staged.messages.start(all.comm, all.out.data(), all.in.data());
  staged.messages.finish(all.comm);
  EXPECT_EQ(all.in, all.expected);
}

TEST(staged_messages, abandoned_messages_meet_no_later_ones) {
  all_to_all all;
  staged_with_late_copies staged(4096, 8192);
  staged.messages.prepare(all.comm, all.sends, all.receives);
  staged.messages.start(all.comm, all.out.data(), all.in.data());
  staged.messages.abandon();
  {
    staged_with_late_copies dropped(4096, 8192);
    dropped.messages.prepare(all.comm, all.sends, all.receives);
    dropped.messages.start(all.comm, all.out.data(), all.in.data());
  }
  std::fill(all.in.begin(), all.in.end(), std::byte{0});
  staged.messages.start(all.comm, all.out.data(), all.in.data());
  staged.messages.finish(all.comm);
  EXPECT_EQ(all.in, all.expected);
}

// Ranks have rings of other sizes, so they post the chunks of the two in another order.
TEST(staged_messages, two_exchanges_in_flight) {
  all_to_all first, second;
  second.comm = first.comm;
  std::size_t const window = first.comm.rank() % 2 == 0 ? 4096 : 16384;
  staged_with_late_copies one(4096, window), other(4096, window);
  one.messages.prepare(first.comm, first.sends, first.receives);
  other.messages.prepare(second.comm, second.sends, second.receives);
  for (auto& byte : second.out) byte ^= std::byte{255};
  for (auto const& m : second.receives)
    for (std::size_t i = m.first; m.peer != second.comm.rank() && i < m.first + m.bytes; ++i)
      second.expected[i] ^= std::byte{255};
  one.messages.start(first.comm, first.out.data(), first.in.data());
  other.messages.start(second.comm, second.out.data(), second.in.data());
  one.messages.finish(first.comm);
  other.messages.finish(second.comm);
  EXPECT_EQ(first.in, first.expected);
  EXPECT_EQ(second.in, second.expected);
}

TEST(staged_messages, refused_calls_leave_no_peer_waiting) {
  if (world().size() == 1) GTEST_SKIP() << "needs two ranks";
  for (auto* const errors : {&irecv_errors, &isend_errors}) {
    all_to_all all;
    staged_with_late_copies staged(4096, 8192);
    staged.messages.prepare(all.comm, all.sends, all.receives);
    std::string text;
    {
      failing_call const fault(*errors, all.comm.rank() == 0 ? 1 : mpi_errors::none);
      try {
        staged.messages.start(all.comm, all.out.data(), all.in.data());
        staged.messages.finish(all.comm);
      } catch (upsweep::communication_error const& e) {
        text = e.what();
      }
    }
    if (all.comm.rank() == 0) {
      EXPECT_EQ(text.rfind(errors == &irecv_errors ? "MPI_Irecv: " : "MPI_Isend: ", 0), 0u) << text;
      EXPECT_FALSE(all.comm.is_usable());
    } else if (!text.empty()) {
      // The one whose message did not go.
      EXPECT_EQ(text.rfind("mpi::exchange: rank 0 sent 0 bytes where ", 0), 0u) << text;
    }
    int const failed = text.empty() ? 0 : 1;
    int all_failed = 0;
    MPI_Allreduce(&failed, &all_failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(all_failed, errors == &irecv_errors ? 1 : 2);
    if (text.empty()) mpi::mark_failed(all.comm, "the test");
  }
}

TEST(staged_messages, failed_copy_ends_the_communicator_on_its_rank) {
  if (world().size() == 1) GTEST_SKIP() << "needs two ranks";
  all_to_all all;
  staged_with_late_copies staged(4096, 8192);
  staged.messages.prepare(all.comm, all.sends, all.receives);
  staged.to_host->fails = all.comm.rank() == 0;
  std::string text;
  try {
    staged.messages.start(all.comm, all.out.data(), all.in.data());
    staged.messages.finish(all.comm);
  } catch (upsweep::communication_error const& e) {
    text = e.what();
  }
  // What the others get from there is empty, and they say so, since no copy to the host was good.
  char const* const says =
      all.comm.rank() == 0 ? "a copy between host and device: " : "mpi::exchange: rank 0 sent 0 bytes where ";
  EXPECT_EQ(text.rfind(says, 0), 0u) << text;
  if (text.empty()) mpi::mark_failed(all.comm, "the test");
}

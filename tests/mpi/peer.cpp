// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/messages/peer_messages.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/gpu_aware.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "all_to_all.hpp"
#include "nodes.hpp"
#include "rows_of_calls.hpp"
#include "shared_memory_peers.hpp"

using namespace testing_mpi;
namespace mpi = upsweep::mpi;
namespace detail = upsweep::mpi::detail;

namespace {

using fault = shared_memory_peers::fault;

/// The double moves memory of the CPU, between ranks.
bool has_double() {
  return Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory_space>::accessible && world().size() > 1;
}
constexpr char const* needs_double = "needs the double of peer memory, which stands in where there are no GPUs";

std::string choice(shared_memory_peers& peers, char const* transport, char const* seconds = "60") {
  return mpi::describe_transfers(by_peers(peers, transport, seconds), space_type());
}
std::string refusal(shared_memory_peers& peers, char const* transport, char const* seconds = "60") {
  return message_of<upsweep::precondition_error>([&] { by_peers(peers, transport, seconds); });
}
void expect_text(std::string const& text, std::string const& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// An exchange around a ring.
struct ring_by_peers {
  mpi::communicator comm;
  int left = (comm.rank() + comm.size() - 1) % comm.size();
  int right = (comm.rank() + 1) % comm.size();
  std::vector<std::byte> out = std::vector<std::byte>(1000, static_cast<std::byte>(comm.rank() + 1));
  std::vector<std::byte> in = std::vector<std::byte>(1000);
  detail::peer_messages messages;

  explicit ring_by_peers(shared_memory_peers& peers) : comm(by_peers(peers)) {
    messages.prepare(comm, {{right, 0, 1000}}, {{left, 0, 1000}});
  }
  void run() {
    messages.start(comm, out.data(), in.data());
    messages.finish(comm);
  }
  void expect_arrived() const { EXPECT_EQ(in, std::vector<std::byte>(1000, static_cast<std::byte>(left + 1))); }
};

}  // namespace

TEST(peer, counts_that_wrap_around_are_compared) {
  EXPECT_TRUE(detail::has_reached(5, 5));
  EXPECT_TRUE(detail::has_reached(6, 5));
  EXPECT_FALSE(detail::has_reached(4, 5));
  EXPECT_TRUE(detail::has_reached(2, 0xfffffffeu));
  EXPECT_FALSE(detail::has_reached(0xfffffffeu, 2));
  // Nothing has been taken, and the first chunks need not wait for that.
  EXPECT_TRUE(detail::has_reached(0, 1u - 128u));
}

TEST(peer, small_messages_have_small_chunks) {
  detail::peer_ring_shape const shape;
  EXPECT_EQ(detail::peer_piece(1, shape), 4096u);
  EXPECT_EQ(detail::peer_piece(64 * 5000, shape), 5u * 1024);
  EXPECT_EQ(detail::peer_piece(std::size_t{1} << 40, shape), shape.slot_bytes);
  EXPECT_EQ(detail::peer_piece(1, {.slots = 4, .slot_bytes = 64}), 64u);
}

TEST(peer, parts_of_a_window_do_not_overlap) {
  alignas(256) static std::byte memory[1 << 16];
  detail::peer_window const window{memory, 4, {.slots = 8, .slot_bytes = 64}};
  std::vector<std::pair<std::byte*, std::size_t>> parts{
      {reinterpret_cast<std::byte*>(window.left()), 4 * sizeof(detail::peer_word)}};
  for (int from = 0; from < 4; ++from)
    for (int to = 0; to < 4; ++to)
      if (from != to) {
        EXPECT_LT(window.ring(from, to), 3);
      }
  for (int ring = 0; ring < 3; ++ring) {
    parts.emplace_back(reinterpret_cast<std::byte*>(window.arrived(ring)), 8 * sizeof(detail::peer_word));
    parts.emplace_back(reinterpret_cast<std::byte*>(window.taken(ring)), 8 * sizeof(detail::peer_word));
    parts.emplace_back(window.slots(ring), 8 * 64);
  }
  std::sort(parts.begin(), parts.end());
  EXPECT_EQ(parts.front().first, memory);
  for (std::size_t i = 1; i < parts.size(); ++i) EXPECT_LE(parts[i - 1].first + parts[i - 1].second, parts[i].first);
  EXPECT_LE(parts.back().first + parts.back().second, memory + window.bytes());
}

TEST(peer, same_rows_as_by_mpi) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  shared_memory_peers peers;
  {
    auto const comm = by_peers(peers);
    EXPECT_FALSE(mpi::gpu_aware(comm, space_type()));
    EXPECT_EQ(mpi::describe_transfers(comm, space_type()),
              std::string(memory_space::name()) +
                  ": kernels store into memory of the other GPUs of this node (UPSWEEP_TRANSPORT=peer, self-test "
                  "passed)");
    EXPECT_EQ(rows_of_halo(comm), rows_of_halo(world()));
    EXPECT_EQ(rows_that_move(comm), rows_that_move(world()));
    EXPECT_GT(peers.exchanges, 4);
    EXPECT_EQ(peers.links, 1);
  }
  // It ends with the communicator.
  EXPECT_EQ(peers.links, 0);
}

TEST(peer, is_chosen_where_it_can_be) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  shared_memory_peers peers;
  expect_text(choice(peers, "auto"), ": kernels store into memory of the other GPUs of this node (MPI ");
  expect_text(choice(peers, "staged"), ": staged through pinned host memory (UPSWEEP_TRANSPORT=staged)");
}

TEST(peer, needs_a_gpu_for_each_rank) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  shared_memory_peers peers;
  int const last = world().size() - 1;
  peers.gpu = world().rank() == last ? 0 : world().rank();
  std::string const why = "ranks 0 and " + std::to_string(last) + " share a GPU, and each rank needs one of its own";
  expect_text(refusal(peers, "peer"),
              "UPSWEEP_TRANSPORT=peer, but " + why + "; UPSWEEP_TRANSPORT=staged, or auto, does without");
  expect_text(choice(peers, "auto"), "no peer memory: " + why);
  EXPECT_EQ(peers.links, 0);
}

TEST(peer, needs_one_node) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  shared_memory_peers peers;
  nodes const two(2);
  expect_text(refusal(peers, "peer"),
              "UPSWEEP_TRANSPORT=peer, but ranks are on several nodes; UPSWEEP_TRANSPORT=staged");
  expect_text(choice(peers, "auto"), "no peer memory: ranks are on several nodes");
}

TEST(peer, needs_cuda_or_hip_on_each_rank) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  shared_memory_peers peers;
  if (world().rank() == 1) peers.memory = detail::device_kind::hip;
  expect_text(refusal(peers, "peer"), "CUDA or HIP cannot open this memory on rank 1");
  environment_variable const by("UPSWEEP_TRANSPORT", "peer");
  nodes const one(1);
  mpi::communicator const comm(MPI_COMM_WORLD);
  detail::access::transfers(comm).peer_memory = world().rank() == 1 ? nullptr : &peers;
  peers.memory = detail::device_kind::cuda;
  auto const text = message_of<upsweep::precondition_error>(
      [&] { detail::find_transfer(comm, space_type(), detail::device_kind::cuda); });
  expect_text(text, "Upsweep was built without CUDA and HIP on rank 1");
}

TEST(peer, memory_of_the_cpu_is_refused) {
  if (!Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory_space>::accessible)
    GTEST_SKIP() << "the default execution space has memory of a GPU";
  environment_variable const by("UPSWEEP_TRANSPORT", "peer");
  mpi::communicator const comm(MPI_COMM_WORLD);
  auto const text = message_of<upsweep::precondition_error>([&] { mpi::gpu_aware(comm, space_type()); });
  expect_text(text, "UPSWEEP_TRANSPORT=peer is for memory of GPUs");
}

TEST(peer, failure_in_its_set_up_or_self_test_is_agreed_on) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  int const culprit = world().size() - 1;
  struct fault_case {
    fault what;
    char const* says;
  };
  for (auto const& [what, says] :
       {fault_case{fault::make, "no memory for a window"},
        fault_case{fault::share, "a handle for memory of the GPU: injected error 7"},
        fault_case{fault::open, "memory of another rank's GPU cannot be opened: injected error 7"},
        fault_case{fault::launch, "a launch: injected error 7"},
        fault_case{fault::kernel, "a kernel: injected error 7"},
        fault_case{fault::wrong_bytes, "did not arrive in the self-test"}}) {
    shared_memory_peers peers;
    if (world().rank() == culprit) peers.what = what;
    auto const text = refusal(peers, "peer", "20");
    expect_text(text, "UPSWEEP_TRANSPORT=peer, but rank ");
    // Others may be named first, who say that this one has given up.
    if (text.find("rank " + std::to_string(culprit) + ": ") != std::string::npos) expect_text(text, says);
    EXPECT_EQ(peers.links, 0);
    expect_text(choice(peers, "auto", "20"), ": staged through pinned host memory (");
    EXPECT_EQ(peers.links, 0);
  }
}

// Messages of many lengths, several between two ranks, through rings of a few slots and of many.
TEST(peer, all_messages_arrive_in_place) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  for (detail::peer_ring_shape const shape :
       {detail::peer_ring_shape{1, 1024}, detail::peer_ring_shape{4, 256}, detail::peer_ring_shape{256, 4096}}) {
    shared_memory_peers peers(shape);
    all_to_all all;
    all.comm = by_peers(peers);
    detail::peer_messages messages;
    for (int times = 0; times < 2; ++times) {
      std::fill(all.in.begin(), all.in.end(), std::byte{0});
      messages.prepare(all.comm, all.sends, all.receives);
      messages.start(all.comm, all.out.data(), all.in.data());
      messages.finish(all.comm);
      EXPECT_EQ(all.in, all.expected) << shape.slots;
    }
  }
}

// A GPU may have no room for all teams of an exchange: those that run move all chunks.
TEST(peer, teams_that_have_not_begun_are_not_waited_for) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  shared_memory_peers peers({.slots = 4, .slot_bytes = 64});
  peers.teams = 8;
  all_to_all all;
  all.comm = by_peers(peers, "peer", "10");
  detail::peer_messages messages;
  messages.prepare(all.comm, all.sends, all.receives);
  messages.start(all.comm, all.out.data(), all.in.data());
  messages.finish(all.comm);
  EXPECT_EQ(all.in, all.expected);
}

TEST(peer, chunks_are_counted_beyond_32_bits) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  shared_memory_peers peers({.slots = 4, .slot_bytes = 64, .first = 0u - 100});
  ring_by_peers ring(peers);
  // 16 chunks each.
  for (int k = 0; k < 20; ++k) {
    std::fill(ring.in.begin(), ring.in.end(), std::byte{0});
    ring.run();
    ring.expect_arrived();
  }
}

// The first rank sends to the second one, which takes nothing for a while.
TEST(peer, nothing_is_overwritten_before_a_late_reader_has_it) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  shared_memory_peers peers;
  auto const comm = by_peers(peers);
  constexpr int count = 10;
  constexpr std::size_t bytes = 150;
  std::vector<detail::peer_messages> messages(count);
  std::vector<std::vector<std::byte>> memory(count);
  bool const sends = comm.rank() == 0, receives = comm.rank() == 1;
  peers.holds_receives = receives;
  for (std::size_t k = 0; k < count; ++k) {
    memory[k].assign(bytes, static_cast<std::byte>(sends ? k + 1 : 255));
    std::vector<detail::message> to, from;
    if (sends) to.push_back({1, 0, bytes});
    if (receives) from.push_back({0, 0, bytes});
    messages[k].prepare(comm, to, from);
    messages[k].start(comm, memory[k].data(), memory[k].data());
  }
  // Rings have room for one of them.
  if (sends) messages[0].finish(comm);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  peers.holds_receives = false;
  for (std::size_t k = 0; k < count; ++k) {
    messages[k].finish(comm);
    if (receives) {
      EXPECT_EQ(memory[k], std::vector<std::byte>(bytes, static_cast<std::byte>(k + 1))) << k;
    }
  }
}

TEST(peer, failure_ends_the_communicator_on_its_rank_and_on_those_that_wait_for_it) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  for (auto const what : {fault::launch, fault::kernel}) {
    shared_memory_peers peers;
    ring_by_peers ring(peers);
    EXPECT_NO_THROW(ring.run());
    ring.expect_arrived();
    peers.exchanges_before = peers.exchanges;
    if (ring.comm.rank() == 0) peers.what = what;
    std::string text;
    auto const begin = std::chrono::steady_clock::now();
    try {
      ring.run();
    } catch (upsweep::communication_error const& e) {
      text = e.what();
    }
    // Those that wait learn of it, and need not wait for the deadline.
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    EXPECT_EQ(ring.comm.is_usable(), text.empty());
    if (ring.comm.rank() == 0)
      expect_text(text, std::string("mpi::exchange: a ") + (what == fault::launch ? "launch" : "kernel") +
                            ": injected error 7");
    // Perhaps by way of one that has learned of it first.
    if (ring.left == 0) expect_text(text, " has given up");
    if (!text.empty()) {
      expect_text(message_of<upsweep::communication_error>([&] { ring.run(); }),
                  "unusable on this rank since the transport by peer memory failed on it");
      EXPECT_THROW(mpi::exclusive_offset(ring.comm, 1), upsweep::communication_error);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (text.empty()) mpi::mark_failed(ring.comm, "the test");
  }
}

TEST(peer, rank_that_does_not_come_is_waited_for_until_the_deadline) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  shared_memory_peers peers;
  ring_by_peers ring(peers);
  detail::access::transfers(ring.comm).peers->set_deadline(0.3);
  std::string text;
  try {
    if (ring.comm.rank() != 0) ring.run();
  } catch (upsweep::communication_error const& e) {
    text = e.what();
  }
  if (ring.left == 0) {
    EXPECT_FALSE(text.empty());
  }
  if (ring.left == 0 && ring.comm.size() == 2) expect_text(text, "mpi::exchange: rank 0 did not answer in 0.3");
  MPI_Barrier(MPI_COMM_WORLD);
  if (text.empty()) mpi::mark_failed(ring.comm, "the test");
}

TEST(peer, messages_that_are_abandoned_are_waited_for) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  shared_memory_peers peers;
  ring_by_peers ring(peers);
  ring.messages.start(ring.comm, ring.out.data(), ring.in.data());
  ring.messages.abandon();
  ring.expect_arrived();
  EXPECT_NO_THROW(ring.run());
}

TEST(peer, messages_that_are_alone_go_into_the_stream_of_the_caller) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  shared_memory_peers peers;
  ring_by_peers ring(peers), second(peers);
  second.comm = ring.comm;
  peers.follows = true;
  int streams[4];
  auto const begin = peers.into.size();
  auto const start = [&](ring_by_peers& r, int* stream, bool alone) {
    if (stream != nullptr) {
      EXPECT_TRUE(r.messages.follow(r.comm, stream, alone));
    }
    r.messages.start(r.comm, r.out.data(), r.in.data());
  };
  start(ring, &streams[0], true);
  ring.messages.finish(ring.comm);
  // A start that follows no stream goes into none.
  start(ring, nullptr, true);
  ring.messages.finish(ring.comm);
  EXPECT_EQ(peers.followed, 0);
  start(ring, &streams[1], false);
  EXPECT_EQ(peers.followed, 1);
  // Whether the first one is in flight still is not known; one that is held is.
  peers.holds_receives = true;
  start(second, &streams[2], false);
  EXPECT_TRUE(ring.messages.follow(ring.comm, &streams[3], true));
  EXPECT_EQ(peers.followed, 3);
  peers.holds_receives = false;
  ring.messages.finish(ring.comm);
  second.messages.finish(ring.comm);
  // Nothing goes into a stream that messages followed which were none.
  detail::peer_messages none;
  none.prepare(ring.comm, {}, {});
  EXPECT_TRUE(none.follow(ring.comm, &streams[3], true));
  none.start(ring.comm, nullptr, nullptr);
  none.finish(ring.comm);
  start(ring, nullptr, true);
  ring.messages.finish(ring.comm);
  std::vector<std::optional<void*>> const streams_used(peers.into.begin() + static_cast<std::ptrdiff_t>(begin),
                                                       peers.into.end());
  EXPECT_EQ(streams_used, (std::vector<std::optional<void*>>{&streams[0], {}, {}, {}, {}}));
}

TEST(peer, a_window_is_left_alone_where_a_rank_does_not_close_its_own) {
  if (!has_double()) GTEST_SKIP() << needs_double;
  shared_memory_peers peers;
  auto comm = std::make_unique<mpi::communicator>(by_peers(peers));
  detail::access::transfers(*comm).peers->set_deadline(0.2);
  if (comm->rank() != 0) comm.reset();
  MPI_Barrier(MPI_COMM_WORLD);
  comm.reset();
  EXPECT_EQ(peers.links, 0);
}

// The real one, on GPUs that ranks may share here.
TEST(peer, same_rows_on_gpus) {
  if (detail::built_in_peers() == nullptr || world().size() == 1) GTEST_SKIP() << "needs GPUs and two ranks";
  environment_variable const by("UPSWEEP_TRANSPORT", "peer");
  mpi::communicator const comm(MPI_COMM_WORLD);
  detail::access::transfers(comm).ranks_may_share_gpus = true;
  auto const why_not =
      detail::why_not_peer(comm, detail::device_kind_of<memory_space>(), detail::gpu_number(space_type()));
  if (!why_not.empty()) GTEST_SKIP() << why_not;
  expect_text(mpi::describe_transfers(comm, space_type()), "kernels store into memory of the other GPUs");
  auto const staged = staged_communicator();
  for (int times = 0; times < 2; ++times) {
    EXPECT_EQ(rows_of_halo(comm), rows_of_halo(staged));
    EXPECT_EQ(rows_that_move(comm), rows_that_move(staged));
  }
}

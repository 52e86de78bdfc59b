// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/gpu_aware.hpp>

#include <string>
#include <vector>

#include "mpi_nccl.hpp"
#include "rows_of_calls.hpp"

using namespace testing_mpi;
namespace mpi = upsweep::mpi;
namespace detail = upsweep::mpi::detail;

namespace {

using fault = mpi_nccl::fault;

/// The double moves memory of the host, between ranks.
bool has_double() {
  return Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory_space>::accessible && world().size() > 1;
}

std::string choice(mpi_nccl& nccl, char const* transport, char const* seconds = "60") {
  return mpi::describe_transfers(by_nccl(nccl, transport, seconds), space_type());
}
std::string refusal(mpi_nccl& nccl, char const* transport, char const* seconds = "60") {
  return message_of<upsweep::precondition_error>([&] { by_nccl(nccl, transport, seconds); });
}
void expect_text(std::string const& text, std::string const& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// An exchange around a ring.
struct ring_by_nccl {
  mpi::communicator comm;
  int left = (comm.rank() + comm.size() - 1) % comm.size();
  int right = (comm.rank() + 1) % comm.size();
  std::vector<std::byte> out = std::vector<std::byte>(1000, static_cast<std::byte>(comm.rank() + 1));
  std::vector<std::byte> in = std::vector<std::byte>(1000);
  detail::nccl_messages messages;

  explicit ring_by_nccl(mpi_nccl& nccl) : comm(by_nccl(nccl)) {
    messages.prepare(comm, {{right, 0, 1000}}, {{left, 0, 1000}});
  }
  void run() {
    messages.start(comm, out.data(), in.data());
    messages.finish(comm);
  }
};

}  // namespace

TEST(nccl, same_rows_as_by_mpi) {
  if (!has_double()) GTEST_SKIP() << "needs the double of NCCL, which stands in where there are no GPUs";
  mpi_nccl nccl;
  {
    auto const comm = by_nccl(nccl);
    EXPECT_FALSE(mpi::gpu_aware(comm, space_type()));
    EXPECT_EQ(mpi::describe_transfers(comm, space_type()),
              std::string(memory_space::name()) +
                  ": NCCL by MPI, a GPU for each rank (UPSWEEP_TRANSPORT=nccl, self-test passed)");
    EXPECT_EQ(rows_of_halo(comm), rows_of_halo(world()));
    EXPECT_EQ(rows_that_move(comm), rows_that_move(world()));
    EXPECT_GT(nccl.groups, 4);
    EXPECT_EQ(nccl.links, 1);
  }
  // It ends with the communicator.
  EXPECT_EQ(nccl.closed, 1);
  EXPECT_EQ(nccl.links, 0);
  EXPECT_EQ(nccl.aborted, 0);
}

TEST(nccl, is_chosen_where_mpi_does_not_know_devices) {
  if (!has_double()) GTEST_SKIP() << "needs the double of NCCL, which stands in where there are no GPUs";
  mpi_nccl nccl;
  environment_variable const by("UPSWEEP_TRANSPORT", "auto");
  if (detail::want_transfer(detail::device_kind::cuda, detail::read_transport_variables()).mpi_knows_devices)
    GTEST_SKIP() << "this MPI says that it knows devices";
  expect_text(choice(nccl, "auto"), ": NCCL by MPI, a GPU for each rank (MPI ");
  expect_text(choice(nccl, "staged"), ": staged through pinned host memory (UPSWEEP_TRANSPORT=staged)");
}

TEST(nccl, needs_a_gpu_for_each_rank) {
  if (!has_double()) GTEST_SKIP() << "needs the double of NCCL, which stands in where there are no GPUs";
  mpi_nccl nccl;
  int const last = world().size() - 1;
  nccl.gpu = world().rank() == last ? 0 : world().rank();
  std::string const why = "ranks 0 and " + std::to_string(last) + " share a GPU, and NCCL needs one for each rank";
  expect_text(refusal(nccl, "nccl"),
              "UPSWEEP_TRANSPORT=nccl, but " + why + "; UPSWEEP_TRANSPORT=staged, or auto, does without");
  expect_text(choice(nccl, "auto"), "; no NCCL: " + why);
  EXPECT_EQ(nccl.links, 0);
}

TEST(nccl, needs_a_library_on_each_rank) {
  if (world().size() == 1) GTEST_SKIP() << "needs two ranks";
  if (has_double()) {
    mpi_nccl nccl;
    bool const has = world().rank() == 0;
    environment_variable const by("UPSWEEP_TRANSPORT", "nccl");
    mpi::communicator const comm(MPI_COMM_WORLD);
    mpi::detail::access::transfers(comm).library = has ? &nccl : nullptr;
    auto const text = message_of<upsweep::precondition_error>(
        [&] { detail::find_transfer(comm, space_type(), detail::device_kind::cuda); });
    expect_text(text, "Upsweep was built without NCCL and RCCL on rank 1 (CMake: Upsweep_ENABLE_NCCL, NCCL_ROOT)");
    mpi::detail::access::transfers(comm).library = &nccl;
    auto const other = message_of<upsweep::precondition_error>(
        [&] { detail::find_transfer(comm, space_type(), detail::device_kind::hip); });
    expect_text(other, "NCCL or RCCL cannot have this memory on rank 0");
  }
}

TEST(nccl, memory_of_the_host_is_refused) {
  if (!Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory_space>::accessible)
    GTEST_SKIP() << "the default execution space has memory of a GPU";
  environment_variable const by("UPSWEEP_TRANSPORT", "nccl");
  mpi::communicator const comm(MPI_COMM_WORLD);
  auto const text = message_of<upsweep::precondition_error>([&] { mpi::gpu_aware(comm, space_type()); });
  expect_text(text, "UPSWEEP_TRANSPORT=nccl is for memory of GPUs");
  environment_variable const none("UPSWEEP_TRANSPORT", "");
  EXPECT_TRUE(mpi::gpu_aware(comm, space_type()));
}

TEST(nccl, variables_must_agree) {
  if (world().size() == 1) GTEST_SKIP() << "needs two ranks";
  bool const first = world().rank() == 0;
  for (auto const* const name : {"UPSWEEP_TRANSPORT", "UPSWEEP_NCCL_TIMEOUT", "UPSWEEP_PEER_TIMEOUT"}) {
    bool const transport = std::string(name) == "UPSWEEP_TRANSPORT";
    environment_variable const differs(name, transport ? (first ? "staged" : "auto") : (first ? "5" : "6"));
    mpi::communicator const comm(MPI_COMM_WORLD);
    auto const text = message_of<upsweep::precondition_error>([&] { mpi::gpu_aware(comm, space_type()); });
    expect_text(text, "must be the same on all ranks");
  }
}

TEST(nccl, failure_in_its_set_up_or_self_test_is_agreed_on) {
  if (!has_double()) GTEST_SKIP() << "needs the double of NCCL, which stands in where there are no GPUs";
  int const culprit = world().size() - 1;
  struct fault_case {
    fault what;
    char const* says;
  };
  for (auto const& [what, says] : {fault_case{fault::join, "ncclCommInitRankConfig: injected error 5"},
                                   fault_case{fault::lost, "ncclCommInitRankConfig: another rank did not answer in"},
                                   fault_case{fault::begin, "ncclGroupStart: injected error 5"},
                                   fault_case{fault::end, "ncclGroupEnd: injected error 5"},
                                   fault_case{fault::mute, "another rank did not answer in"},
                                   fault_case{fault::stuck, "ncclGroupEnd: another rank did not answer in"}}) {
    char const* const seconds = "0.1";  // whether ranks without a fault meet it does not matter
    mpi_nccl nccl;
    if (world().rank() == culprit) nccl.what = what;
    auto const text = refusal(nccl, "nccl", seconds);
    nccl.let_go();
    expect_text(text, "UPSWEEP_TRANSPORT=nccl, but rank ");
    // Under load others may be late, and be named first.
    if (text.find("rank " + std::to_string(culprit) + ": NCCL") != std::string::npos) expect_text(text, says);
    EXPECT_EQ(nccl.links, 0);
    expect_text(choice(nccl, "auto", seconds), ": staged through pinned host memory (");
  }
  mpi_nccl nccl;
  if (world().rank() == 0) nccl.what = fault::make_id;
  expect_text(refusal(nccl, "nccl"), "ncclGetUniqueId: injected error 5");
}

TEST(nccl, failure_ends_the_communicator_on_its_rank) {
  if (!has_double()) GTEST_SKIP() << "needs the double of NCCL, which stands in where there are no GPUs";
  for (auto const what :
       {fault::begin, fault::send, fault::receive, fault::end, fault::launch, fault::arrival, fault::mute}) {
    mpi_nccl nccl;
    {
      ring_by_nccl ring(nccl);
      EXPECT_NO_THROW(ring.run());
      EXPECT_EQ(ring.in, std::vector<std::byte>(1000, static_cast<std::byte>(ring.left + 1)));
      nccl.groups_before = nccl.groups;
      if (ring.comm.rank() == 0) nccl.what = what;
      mpi::detail::access::transfers(ring.comm).nccl->set_deadline(0.3);
      std::string text;
      try {
        ring.run();
      } catch (upsweep::communication_error const& e) {
        text = e.what();
      }
      bool const failed = !text.empty();
      EXPECT_EQ(ring.comm.is_usable(), !failed);
      if (ring.comm.rank() == 0) {
        expect_text(text, "mpi::exchange: NCCL by MPI, nccl");
        expect_text(text, what == fault::mute ? "did not answer in" : "injected error 5");
      }
      // Its peer waits where nothing was sent, but not for ever.
      if (ring.left == 0 && (what == fault::mute || what == fault::begin || what == fault::send))
        expect_text(text, "did not answer in");
      if (failed) {
        EXPECT_EQ(nccl.aborted, 1);
        auto const later = message_of<upsweep::communication_error>([&] { ring.run(); });
        expect_text(later, "unusable on this rank since NCCL failed on it");
        EXPECT_THROW(mpi::exclusive_offset(ring.comm, 1), upsweep::communication_error);
        EXPECT_THROW(rows_of_halo(ring.comm), upsweep::communication_error);
      }
      // Closing waits for all ranks, of which some have failed.
      MPI_Barrier(MPI_COMM_WORLD);
      int const mine = failed ? 1 : 0;
      int any = 0;
      MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      EXPECT_EQ(any, 1);
      if (!failed) mpi::mark_failed(ring.comm, "the test");
    }
    EXPECT_EQ(nccl.links, 0);
  }
}

TEST(nccl, first_message_that_hangs_ends_at_the_deadline) {
  if (!has_double() || world().size() < 4) GTEST_SKIP() << "needs the double of NCCL, and ranks that have not met";
  mpi_nccl nccl;
  auto const comm = by_nccl(nccl);
  int const rank = comm.rank(), size = comm.size();
  nccl.groups_before = nccl.groups;
  if (rank == 0) nccl.what = fault::stuck;
  mpi::detail::access::transfers(comm).nccl->set_deadline(0.3);
  std::string text;
  {
    // The self-test went around a ring, so nobody knows the rank after the next.
    std::vector<std::byte> const out(100, static_cast<std::byte>(rank + 1));
    std::vector<std::byte> in(100);
    detail::nccl_messages messages;
    messages.prepare(comm, {{(rank + 2) % size, 0, 100}}, {{(rank + size - 2) % size, 0, 100}});
    try {
      messages.start(comm, out.data(), in.data());
      messages.finish(comm);
      EXPECT_EQ(in, std::vector<std::byte>(100, static_cast<std::byte>((rank + size - 2) % size + 1)));
    } catch (upsweep::communication_error const& e) {
      text = e.what();
    }
  }
  EXPECT_EQ(comm.is_usable(), text.empty());
  if (rank == 0) expect_text(text, "ncclGroupEnd: another rank did not answer in");
  if (rank == 2) expect_text(text, "did not answer in");
  // The call comes back when memory of the caller is gone.
  nccl.let_go();
  EXPECT_EQ(nccl.links, rank == 0 || !text.empty() ? 0 : 1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (text.empty()) mpi::mark_failed(comm, "the test");  // closing would wait for all
}

TEST(nccl, sets_of_messages_in_flight_are_waited_for_one_by_one) {
  if (!has_double()) GTEST_SKIP() << "needs the double of NCCL, which stands in where there are no GPUs";
  mpi_nccl nccl;
  ring_by_nccl ring(nccl);
  // More sets than there are markers, each with a value of its own.
  constexpr std::size_t sets = detail::nccl_markers + 3;
  std::vector<detail::nccl_messages> messages(sets);
  std::vector<std::vector<std::byte>> out(sets), in(sets);
  auto const value = [](int rank, std::size_t set) { return static_cast<std::byte>(16 * set + rank % 16); };
  for (std::size_t k = 0; k < sets; ++k) {
    out[k].assign(100, value(ring.comm.rank(), k));
    in[k].assign(100, std::byte{255});
    messages[k].prepare(ring.comm, {{ring.right, 0, 100}}, {{ring.left, 0, 100}});
    messages[k].start(ring.comm, out[k].data(), in[k].data());
  }
  for (std::size_t k = 0; k < sets; ++k) {
    messages[k].finish(ring.comm);
    EXPECT_EQ(in[k], std::vector<std::byte>(100, value(ring.left, k))) << k;
  }
}

TEST(nccl, messages_that_are_abandoned_are_waited_for) {
  if (!has_double()) GTEST_SKIP() << "needs the double of NCCL, which stands in where there are no GPUs";
  mpi_nccl nccl;
  ring_by_nccl ring(nccl);
  ring.messages.start(ring.comm, ring.out.data(), ring.in.data());
  ring.messages.abandon();
  EXPECT_EQ(ring.in, std::vector<std::byte>(1000, static_cast<std::byte>(ring.left + 1)));
  EXPECT_NO_THROW(ring.run());
}

// The real one, where there is a GPU for each rank.
TEST(nccl, same_rows_on_gpus) {
  if (detail::built_in_nccl() == nullptr || world().size() == 1) GTEST_SKIP() << "needs NCCL and two ranks";
  environment_variable const by("UPSWEEP_TRANSPORT", "nccl");
  mpi::communicator const comm(MPI_COMM_WORLD);
  auto const why_not =
      detail::why_not_nccl(comm, detail::device_kind_of<memory_space>(), detail::gpu_number(space_type()));
  if (!why_not.empty()) {
    expect_text(message_of<upsweep::precondition_error>([&] { mpi::gpu_aware(comm, space_type()); }), why_not);
    GTEST_SKIP() << why_not;
  }
  expect_text(mpi::describe_transfers(comm, space_type()), "CCL 2.");
  auto const staged = staged_communicator();
  for (int times = 0; times < 2; ++times) {
    EXPECT_EQ(rows_of_halo(comm), rows_of_halo(staged));
    EXPECT_EQ(rows_that_move(comm), rows_that_move(staged));
  }
}

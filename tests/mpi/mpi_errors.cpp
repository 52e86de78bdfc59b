// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "mpi_errors.hpp"

#include "device_memory.hpp"
#include "nodes.hpp"
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/detail/messages/exchange_bytes.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/gpu_aware.hpp>

#include <mpi.h>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;
namespace detail = upsweep::mpi::detail;

// MPI's own profiling interface: the program's functions are called in place of MPI's, which are PMPI_ as well.
extern "C" {
int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  if (irecv_errors.due()) return MPI_ERR_BUFFER;
  return receive_on_device(buffer, count, type, source, tag, comm, request);
}
int MPI_Isend(void const* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (isend_errors.due()) return MPI_ERR_BUFFER;
  return send_from_device(buffer, count, type, target, tag, comm, request);
}
int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  if (waitall_errors.due()) return MPI_ERR_OTHER;
  return wait_for_all(count, requests, statuses);
}
int MPI_Allreduce(void const* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (allreduce_errors.due()) return MPI_ERR_OTHER;
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
  if (nodes::said() == 0) return PMPI_Comm_split_type(comm, type, key, info, made);
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return PMPI_Comm_split(comm, rank % nodes::said(), key, made);
}
}

namespace {

// Long enough that MPI sends it only once the receiver is ready: a message without a receive makes its sender wait.
constexpr std::size_t long_message = 1 << 20;

/// A ring on a communicator of its own: to the right, from the left.
struct ring {
  mpi::communicator comm{MPI_COMM_WORLD};
  int left = (comm.rank() + comm.size() - 1) % comm.size();
  int right = (comm.rank() + 1) % comm.size();
  std::vector<std::byte> out = std::vector<std::byte>(long_message, static_cast<std::byte>(comm.rank() + 1));
  std::vector<std::byte> in = std::vector<std::byte>(long_message);
  detail::exchange exchange;

  ring() { exchange.prepare(comm.rank(), {{right, 0, long_message}}, {{left, 0, long_message}}); }
  void run() { exchange.run(comm, out.data(), in.data()); }
  bool arrived() const { return in == std::vector<std::byte>(long_message, static_cast<std::byte>(left + 1)); }
};

/// A call of MPI fails on rank 0 of a ring. What this rank has to see is first(ring), what the others
/// have others(ring).
template <class First, class Others>
void on_ring(mpi_errors& failing, First const& first, Others const& others) {
  ring r;
  if (r.comm.size() == 1) return;
  if (r.comm.rank() == 0) {
    failing_call const fault(failing, 0);
    first(r);
  } else {
    others(r);
  }
}

void expect_success(ring& r) {
  EXPECT_NO_THROW(r.run());
  EXPECT_TRUE(r.arrived());
}

void expect_message(ring& r, char const* start) {
  auto const text = message_of<upsweep::communication_error>([&] { r.run(); });
  EXPECT_EQ(text.rfind(start, 0), 0u) << text;
}

void expect_unusable(mpi::communicator const& comm, char const* function) {
  auto const text = message_of<upsweep::communication_error>([&] { mpi::exclusive_offset(comm, 1); });
  EXPECT_EQ(text, std::string("mpi::communicator: unusable on this rank since ") + function + " failed on it");
}

}  // namespace

TEST(mpi_errors, refused_receive_leaves_no_peer_waiting) {
  auto const expect_failure = [](ring& r) {
    expect_message(r, "MPI_Irecv: ");
    expect_unusable(r.comm, "MPI_Irecv");
  };
  on_ring(irecv_errors, expect_failure, expect_success);
}

TEST(mpi_errors, refused_send_is_an_error_for_its_receiver) {
  auto const expect_failure = [](ring& r) {
    expect_message(r, "MPI_Isend: ");
    EXPECT_TRUE(r.arrived());
  };
  on_ring(isend_errors, expect_failure, [](ring& r) {
    if (r.left == 0) expect_message(r, "mpi::exchange: rank 0 sent 0 bytes where ");
    else EXPECT_NO_THROW(r.run());
  });
}

// A receive that outlives its buffer writes into memory that is somebody else's by then.
TEST(mpi_errors, failed_wait_leaves_nothing_pending) {
  auto const expect_failure = [](ring& r) {
    EXPECT_THROW(r.run(), upsweep::communication_error);
    EXPECT_TRUE(r.arrived());
    expect_unusable(r.comm, "MPI_Waitall");
  };
  on_ring(waitall_errors, expect_failure, expect_success);
}

TEST(mpi_errors, failed_call_makes_the_communicator_unusable) {
  mpi::communicator const comm(MPI_COMM_SELF);
  mpi::communicator const copy = comm;
  failing_call const fault(allreduce_errors, 0);
  auto const text = message_of<upsweep::communication_error>([&] { mpi::agree(comm, upsweep::error_kind::none, ""); });
  EXPECT_EQ(text.rfind("MPI_Allreduce: ", 0), 0u) << text;
  expect_unusable(comm, "MPI_Allreduce");
  expect_unusable(copy, "MPI_Allreduce");
  EXPECT_EQ(mpi::exclusive_offset(mpi::communicator(MPI_COMM_SELF), 3).total, 3u);
}

TEST(mpi_errors, error_in_the_gpu_aware_self_test_is_agreed_on) {
  mpi::communicator const comm(MPI_COMM_WORLD);
  EXPECT_TRUE(detail::device_pointers_arrive(comm, Kokkos::DefaultHostExecutionSpace()));
  int const culprit = comm.size() - 1;
  // The first call of each kind sends from a rank to itself, the second around the ring.
  for (auto* const errors : {&irecv_errors, &isend_errors, &waitall_errors})
    for (int const before : {0, 1}) {
      failing_call const fault(*errors, comm.rank() == culprit ? before : mpi_errors::none);
      EXPECT_FALSE(detail::device_pointers_arrive(comm, Kokkos::DefaultHostExecutionSpace()));
      EXPECT_TRUE(fault.happened());
    }
  EXPECT_TRUE(detail::device_pointers_arrive(comm, Kokkos::DefaultHostExecutionSpace()));
}

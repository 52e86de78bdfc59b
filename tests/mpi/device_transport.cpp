// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "device_memory.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/agree_and_scan/access.hpp>
#include <upsweep/mpi/detail/messages/choose_transport.hpp>
#include <upsweep/mpi/gpu_aware.hpp>

#include <string>

#include "environment_variable.hpp"
#include "rows_of_calls.hpp"

using namespace testing_mpi;
namespace mpi = upsweep::mpi;
namespace detail = upsweep::mpi::detail;

namespace {

using mpi_is = device_memory::mpi_is;

detail::transfer find_by(char const* transport) {
  environment_variable const by("UPSWEEP_TRANSPORT", transport);
  return detail::find_transfer(mpi::communicator(MPI_COMM_WORLD), space_type(), detail::device_kind::cuda);
}

}  // namespace

TEST(device_memory, goes_to_a_gpu_aware_mpi_as_it_is) {
  if (world().size() == 1) GTEST_SKIP() << "needs two ranks";
  auto const staged = staged_communicator();
  auto const halo = rows_of_halo(staged), moved = rows_that_move(staged);
  device_memory const memory(mpi_is::gpu_aware);
  mpi::communicator const comm(MPI_COMM_WORLD);
  auto& how = mpi::detail::access::transfers(comm).known[memory_space::name()] = find_by("mpi");
  EXPECT_EQ(how.by, detail::way::mpi);
  EXPECT_EQ(how.description, std::string(memory_space::name()) +
                                 ": device pointers go to MPI (UPSWEEP_TRANSPORT=mpi, self-test passed)");
  int const before = memory.seen();
  EXPECT_EQ(rows_of_halo(comm), halo);
  EXPECT_EQ(rows_that_move(comm), moved);
  EXPECT_GT(memory.seen(), before);
}

TEST(device_memory, never_goes_to_mpi_where_it_is_staged) {
  auto const staged = staged_communicator();
  auto const halo = rows_of_halo(staged), moved = rows_that_move(staged);
  // It refuses what it cannot read.
  device_memory const memory(mpi_is::not_gpu_aware);
  EXPECT_EQ(rows_of_halo(staged), halo);
  EXPECT_EQ(rows_that_move(staged), moved);
  EXPECT_EQ(memory.seen(), 0);
}

TEST(device_memory, forced_way_that_fails_is_an_error_on_all_ranks) {
  if (world().size() == 1) GTEST_SKIP() << "needs two ranks";
  bool const last = world().rank() == world().size() - 1;
  for (auto const kind : {mpi_is::not_gpu_aware, mpi_is::wrong}) {
    device_memory const memory(last ? kind : mpi_is::gpu_aware);
    auto const text = message_of<upsweep::precondition_error>([] { find_by("mpi"); });
    EXPECT_NE(text.find("mpi::gpu_aware: UPSWEEP_TRANSPORT=mpi, but bytes of " + std::string(memory_space::name()) +
                        " did not arrive in the self-test"),
              std::string::npos)
        << text;
  }
  device_memory const memory(mpi_is::gpu_aware);
  EXPECT_EQ(find_by("mpi").by, detail::way::mpi);
}

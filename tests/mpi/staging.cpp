// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi/gpu_aware.hpp>

#include <string>

#include "environment_variable.hpp"
#include "rows_of_calls.hpp"

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

TEST(staging, same_rows_as_direct) {
  auto const comm = staged_communicator();
  EXPECT_FALSE(mpi::gpu_aware(comm, space_type()));
  EXPECT_EQ(rows_of_halo(comm), rows_of_halo(world()));
  EXPECT_EQ(rows_that_move(comm), rows_that_move(world()));
}

TEST(staging, the_environment_chooses_for_devices) {
  namespace detail = mpi::detail;
  auto const want = [](char const* transport, char const* timeout, detail::device_kind kind) {
    environment_variable const by("UPSWEEP_TRANSPORT", transport), seconds("UPSWEEP_NCCL_TIMEOUT", timeout);
    return detail::want_transfer(kind, detail::read_transport_variables());
  };
  auto const on_device = [&](char const* transport) { return want(transport, "", detail::device_kind::cuda); };
  EXPECT_EQ(on_device("mpi").forced, detail::way::mpi);
  EXPECT_EQ(on_device("nccl").forced, detail::way::nccl);
  EXPECT_EQ(on_device("staged").forced, detail::way::staged);
  EXPECT_EQ(on_device("staged").reason, "UPSWEEP_TRANSPORT=staged");
  EXPECT_FALSE(on_device("auto").forced);
  EXPECT_FALSE(on_device("").forced);
  EXPECT_EQ(on_device("").nccl_seconds, 300);
  EXPECT_EQ(want("", "2.5", detail::device_kind::cuda).nccl_seconds, 2.5);
  auto const refused = [&](char const* transport, char const* timeout, detail::device_kind kind, char const* says) {
    auto const text = message_of<upsweep::precondition_error>([&] { want(transport, timeout, kind); });
    EXPECT_NE(text.find(says), std::string::npos) << text;
  };
  refused("nvlink", "", detail::device_kind::cuda,
          "UPSWEEP_TRANSPORT is \"nvlink\"; it can be auto, peer, mpi, nccl or staged");
  for (auto const* const seconds : {"0", "-1", "1s", "nan", "inf", "1e9"})
    refused("", seconds, detail::device_kind::cuda, "UPSWEEP_NCCL_TIMEOUT is \"");
  // MPI reads memory of the host in place, whichever way that of devices goes.
  EXPECT_FALSE(want("staged", "", detail::device_kind::host).forced);
  // Programs that use GPUs have memory of the host, too.
  if (upsweep::compat::is_gpu<Kokkos::DefaultExecutionSpace>) {
    EXPECT_FALSE(want("nccl", "", detail::device_kind::host).forced);
  } else {
    refused("nccl", "", detail::device_kind::host, "UPSWEEP_TRANSPORT=nccl is for memory of GPUs");
  }
}

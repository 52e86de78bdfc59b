// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi/halo.hpp>
#include <upsweep/mpi/redistribute.hpp>

#include <cstdlib>
#include <string>

#include "moving_rows.hpp"
#include "particles.hpp"

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

std::vector<std::int64_t> ghost_ids(mpi::communicator const& comm) {
  auto const set = lattice_set({true, true, false});
  mpi::domain<double> const parts(comm, set.box);
  auto const ids = owned_ids(set, parts, comm.rank());
  mpi::halo<space_type, double> halo;
  halo.build(comm, space_type(), parts, to_positions(points_of(set, ids)), 2.0);
  auto all = to_view(ids);
  Kokkos::resize(all, halo.owned() + halo.ghosts());
  // Twice, since buffers are used again.
  halo.exchange(space_type(), all);
  halo.exchange(space_type(), all);
  space_type().fence();
  return to_vector(all);
}

std::vector<std::int64_t> moved_ids(mpi::communicator const& comm) {
  std::vector<std::int64_t> ids;
  std::vector<int> to;
  for (int i = 0; i < 300; ++i) {
    ids.push_back(1000 * comm.rank() + i);
    to.push_back((comm.rank() + i * i) % comm.size());
  }
  auto view = to_view(ids);
  mpi::redistribute(comm, space_type(), to_view(to), view);
  return to_vector(view);
}

}  // namespace

TEST(Staging, SameRowsAsDirect) {
  auto const comm = staged_communicator();
  EXPECT_FALSE(mpi::gpu_aware(comm, space_type()));
  EXPECT_EQ(ghost_ids(comm), ghost_ids(world()));
  EXPECT_EQ(moved_ids(comm), moved_ids(world()));
}

TEST(Staging, TheEnvironmentChoosesForDevices) {
  namespace detail = mpi::detail;
  std::string const before = detail::transport_setting();
  auto const want = [](char const* value) {
    setenv("UPSWEEP_TRANSPORT", value, 1);
    return detail::want_transfer(detail::device_kind::cuda, detail::transport_setting());
  };
  EXPECT_TRUE(want("mpi").direct);
  EXPECT_TRUE(want("mpi").is_forced);
  EXPECT_FALSE(want("staged").direct);
  EXPECT_EQ(want("staged").reason, "UPSWEEP_TRANSPORT=staged");
  EXPECT_FALSE(want("auto").is_forced);
  EXPECT_FALSE(want("").is_forced);
  try {
    want("nvlink");
    ADD_FAILURE() << "no error";
  } catch (upsweep::precondition_error const& error) {
    EXPECT_NE(std::string(error.what()).find("UPSWEEP_TRANSPORT is \"nvlink\"; it can be auto, mpi or staged"),
              std::string::npos)
        << error.what();
  }
  // Memory that MPI reads in place needs no choice.
  EXPECT_TRUE(detail::want_transfer(detail::device_kind::host, "auto").direct);
  setenv("UPSWEEP_TRANSPORT", before.c_str(), 1);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "campaign.hpp"

#include "../mpi/moving_rows.hpp"
#include "../mpi/particles.hpp"

#include <upsweep/mpi/domain.hpp>
#include <upsweep/mpi/halo.hpp>

#include <Kokkos_Core.hpp>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

/// Allocations of Views while one of these is alive.
class view_allocations {
 public:
  view_allocations() {
    count() = 0;
    Kokkos::Tools::Experimental::set_allocate_data_callback(
        [](Kokkos_Profiling_SpaceHandle, char const*, void const*, std::uint64_t size) { count() += size > 0; });
  }
  ~view_allocations() { Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr); }
  view_allocations(view_allocations const&) = delete;
  view_allocations& operator=(view_allocations const&) = delete;
  static int& count() {
    static int n = 0;
    return n;
  }
};

/// Names of kernels and Views, which Kokkos copies, and sentences that might have to be said, are shorter.
constexpr std::size_t longer_than_texts = 256;

// The bricks in reach are found and memory is taken once; later builds with the same domain and radius find both there,
// wherever particles have moved.
void expect_steady_halo(mpi::communicator const& comm) {
  space_type const space;
  auto const set = lattice_set({true, true, true});
  mpi::domain<double> const parts(comm, set.box, {1, 1, comm.size()});
  auto const ids = owned_ids(set, parts, comm.rank());
  auto const points = points_of(set, ids);
  mpi::halo<space_type, double> halo;
  double const radius = 13;  // images two boxes away, so that lists of links are longer than texts
  auto const positions = to_positions(points);
  halo.build(comm, space, parts, positions, radius);
  std::size_t const all = halo.owned() + halo.ghosts();
  auto const images = to_vector(halo.images());
  Kokkos::View<std::int64_t**, Kokkos::LayoutLeft, memory_space> const table("table", all, 3);
  auto const step = [&] {
    halo.build(comm, space, parts, positions, radius);
    halo.exchange(space, table);
    halo.reverse_add(space, table);
    space.fence();
  };
  step();
  failing_memory::arm(failing_memory::never, longer_than_texts);
  int views = 0;
  {
    view_allocations const counted;
    step();
    step();
    views = view_allocations::count();
  }
  auto const taken = failing_memory::disarm();
  EXPECT_EQ(views, 0);
  EXPECT_EQ(taken, 0);
  EXPECT_EQ(to_vector(halo.images()), images);
  ASSERT_EQ(halo.owned() + halo.ghosts(), all);

  // The same counters see what another radius takes.
  failing_memory::arm(failing_memory::never, longer_than_texts);
  {
    view_allocations const counted;
    halo.build(comm, space, parts, positions, radius + 1);
    EXPECT_GT(view_allocations::count(), 0);
  }
  EXPECT_GT(failing_memory::disarm(), 0);
}

}  // namespace

TEST(steady, halo_takes_no_memory) { expect_steady_halo(world()); }
TEST(steady, staged_halo_takes_no_memory) { expect_steady_halo(staged_communicator()); }

// Who holds the images of a build keeps them.
TEST(steady, images_that_are_held_stay) {
  auto const set = lattice_set({true, true, true});
  mpi::domain<double> const parts(world(), set.box);
  auto const positions = to_positions(points_of(set, owned_ids(set, parts, world().rank())));
  mpi::halo<space_type, double> halo;
  halo.build(world(), space_type(), parts, positions, 2.0);
  auto const held = halo.images();
  auto const before = to_vector(held);
  halo.build(world(), space_type(), parts, positions, 1.0);
  EXPECT_NE(held.data(), halo.images().data());
  EXPECT_EQ(to_vector(held), before);
}

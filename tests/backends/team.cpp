// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Every team algorithm in a kernel of a user's own.

#include "gate.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/team/blelloch.hpp>
#include <upsweep/team/brent_kung.hpp>
#include <upsweep/team/brent_kung_k_ary.hpp>
#include <upsweep/team/brent_kung_out_of_place.hpp>
#include <upsweep/team/coarsened.hpp>
#include <upsweep/team/internal/warp_sums.hpp>
#include <upsweep/team/kogge_stone.hpp>
#include <upsweep/team/kogge_stone_double_buffered.hpp>
#include <upsweep/team/member.hpp>
#include <upsweep/team/reduce.hpp>
#include <upsweep/team/sequential.hpp>
#include <upsweep/team/shuffle.hpp>

namespace gate {

using member = Kokkos::TeamPolicy<space>::member_type;

template <class T, class Algorithm>
KOKKOS_FUNCTION T* scratch_for(member const& m) {
  return static_cast<T*>(
      m.team_scratch(0).get_shmem_aligned(Algorithm::template scratch_bytes<T>(m.team_size()), alignof(T)));
}

template <class Algorithm, class Monoid>
struct scan_kernel {
  using state = typename Monoid::value_type;
  state* data;
  Monoid op;
  KOKKOS_FUNCTION void operator()(member const& m) const {
    auto* const scratch = scratch_for<state, Algorithm>(m);
    state total = op.identity();
    state& mine = data[m.team_rank()];
    mine = Algorithm::inclusive_scan(m, mine, op, scratch, total);
    mine = op(Algorithm::exclusive_scan(m, mine, op, scratch, total), total);
  }
};

template <class Algorithm>
struct items_kernel {
  using state = affine_maps::value_type;
  state* data;
  KOKKOS_FUNCTION void operator()(member const& m) const {
    using several = upsweep::team::coarsened<4, Algorithm>;
    affine_maps const op;
    auto* const scratch = scratch_for<state, several>(m);
    state items[4] = {data[0], data[1], data[2], data[3]};
    state prefix = op.identity();
    several::inclusive_scan(m, items, op, scratch, prefix);
    several::exclusive_scan(m, items, op, scratch, prefix);
    data[m.team_rank()] = op(items[m.team_rank() % 4], prefix);
  }
};

template <class Monoid>
struct reduce_kernel {
  using state = typename Monoid::value_type;
  state* data;
  Monoid op;
  KOKKOS_FUNCTION void operator()(member const& m) const {
    using algorithm = upsweep::team::tree_reduction;
    data[m.team_rank()] = algorithm::reduce(m, data[m.team_rank()], op, scratch_for<state, algorithm>(m));
  }
};

/// The algorithms whose arrays in scratch a user may scan directly.
struct array_kernel {
  int* data;
  KOKKOS_FUNCTION void operator()(member const& m) const {
    upsweep::plus<int> const op;
    upsweep::team::blelloch::exclusive_scan_array(m, 64, op, data);
    upsweep::team::brent_kung::inclusive_scan_array(m, 64, op, data);
    upsweep::team::brent_kung_k_ary<3>::inclusive_scan_array(m, 64, op, data);
    upsweep::team::brent_kung_out_of_place::exclusive_scan_array(m, 64, op, data);
  }
};

template <class Kernel>
void launch(Kernel const& kernel) {
  Kokkos::parallel_for(Kokkos::TeamPolicy<space>(1, 128).set_scratch_size(0, Kokkos::PerTeam(10000)), kernel);
}

template <class... Algorithms>
void all_of(int* integers, affine_maps::value_type* maps) {
  (launch(scan_kernel<Algorithms, upsweep::plus<int>>{integers, {}}), ...);
  (launch(scan_kernel<Algorithms, affine_maps>{maps, {}}), ...);
  (launch(items_kernel<Algorithms>{maps}), ...);
}

void team(int* integers, affine_maps::value_type* maps) {
  using namespace upsweep::team;
  all_of<sequential, kogge_stone, kogge_stone_double_buffered, brent_kung, brent_kung_k_ary<4>, brent_kung_out_of_place,
         blelloch, shuffle>(integers, maps);
  launch(reduce_kernel<upsweep::plus<int>>{integers, {}});
  launch(reduce_kernel<affine_maps>{maps, {}});
  launch(array_kernel{integers});
}

}  // namespace gate

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/mpi/detail/bricks/halo_lists.hpp>
#include <upsweep/mpi/detail/bricks/upright_frame.hpp>

#include <cstddef>

namespace upsweep::mpi::detail {

template <class Positions, class Places, class Real>
struct store_place {
  Positions positions;
  Places places;
  upright_frame<Real> frame;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    auto const at = frame.triclinic_place({positions(i, 0), positions(i, 1), positions(i, 2)});
    for (int d = 0; d < 3; ++d) places(i, d) = at[d];
  }
};

/// The places of wrapped positions in a triclinic box, in memory that is kept from call to call. For one instance.
template <class ExecutionSpace, class Real>
class upright_places {
 public:
  using view = Kokkos::View<Real* [3], Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

  template <class Positions>
  void store(ExecutionSpace const& space, upright_frame<Real> const& frame, Positions const& positions) {
    std::size_t const n = positions.extent(0);
    grow_with_room(space, memory_, n, "places");
    places_ = Kokkos::subview(memory_, Kokkos::make_pair(std::size_t(0), n), Kokkos::ALL);
    upsweep::internal::for_each_index(space, "upsweep::halo::places", n,
                                      store_place<Positions, view, Real>{positions, places_, frame});
  }
  view const& places() const { return places_; }

 private:
  view memory_, places_;
};

}  // namespace upsweep::mpi::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Cabana's Verlet list in compressed rows, by its linked cells. In a periodic box it gets ghosts, which are not timed.
// It does not compile for float: its kernels keep positions as double.

#include "ghosts.hpp"

#include <Cabana_Core.hpp>

#include <memory>
#include <type_traits>
#include <vector>

namespace perf::neighbors {

template <class Real>
std::vector<implementation<Real>> lists<Real>::by_cabana() {
  if constexpr (!std::is_same_v<Real, double>) return {};
  else
    return {
        {"cabana", false, [](space const& instance, particles<Real> const& p) -> prepared {
           using list =
               Cabana::VerletList<memory, Cabana::FullNeighborTag, Cabana::VerletLayoutCSR, Cabana::TeamVectorOpTag>;
           auto const kept = std::make_shared<list>();
           auto const all = add_ghosts(instance, p);
           // Its lists read positions in the device's own layout.
           Kokkos::View<Real* [3], memory> const x(
               Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::positions"), all.x.extent(0));
           Kokkos::deep_copy(instance, x, all.x);
           auto const build = [=] {
             Real const lo[3] = {all.lo[0], all.lo[1], all.lo[2]}, hi[3] = {all.hi[0], all.hi[1], all.hi[2]};
             kept->build(instance, x, 0, all.n, static_cast<Real>(cutoff), Real(1), lo, hi);
           };
           return {build, [=] { return kept->_data.neighbors.extent(0); },
                   [=] {
                     auto const& data = kept->_data;
                     return sizeof(int) * (data.counts.extent(0) + data.offsets.extent(0) + data.neighbors.extent(0));
                   },
                   [=] {
                     return to_owners(instance, all.n, kept->_data.offsets, kept->_data.counts, kept->_data.neighbors,
                                      all.owners);
                   }};
         }}};
}

}  // namespace perf::neighbors

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/neighbors/detail/grid/binned_particles.hpp>
#include <upsweep/neighbors/detail/rules/pair_rules.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// One thread per place: copies what rules ask of the particle there. What is not given is null.
template <class Real>
struct place_rules_kernel {
  int const* order = nullptr;
  std::int64_t const* ids = nullptr;
  int const* types = nullptr;
  double const* radii = nullptr;
  std::int64_t* placed_ids = nullptr;
  int* placed_types = nullptr;
  Real* placed_radii = nullptr;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    int const i = order[place];
    if (ids != nullptr) placed_ids[place] = ids[i];
    if (types != nullptr) placed_types[place] = types[i];
    if (radii != nullptr) placed_radii[place] = static_cast<Real>(radii[i]);
  }
};

/// What rules ask of particles, in the order of places: candidates stand side by side there. Each particle is a
/// candidate of all in 27 cells, so one pass that gathers is cheaper than a look-up for each pair. Keeps its memory.
template <class ExecutionSpace, class Real>
class placed_rules {
 public:
  using memory_space = typename ExecutionSpace::memory_space;

  /// Sets the arrays of `rules`. Pre: the options have an entry for each particle, and ids of 64 bits (wide_ids).
  template <class Systems>
  void place(ExecutionSpace const& space, binned_particles<Real, Systems> const& particles,
             neighbor_options const& options, pair_rules<Real>& rules) {
    bool const by_id = options.half || options.exclusions.offsets.given() || options.order == row_order::sorted ||
                       options.max_neighbors;
    auto const n = static_cast<std::size_t>(particles.places);
    place_rules_kernel<Real> kernel{.order = particles.order};
    auto const take = [&]<class In, class T>(bool wanted, In const& in, Kokkos::View<T*, memory_space>& placed,
                                             auto& from, T*& to, T const*& rule, char const* name) {
      rule = nullptr;
      if (!wanted || !in.given()) return;
      internal::grow(space, placed, n, Systems::function, name);
      from = in.data();
      rule = to = placed.data();
    };
    take(by_id, options.ids.wide(), ids_, kernel.ids, kernel.placed_ids, rules.ids, "placed_ids");
    take(true, options.types, types_, kernel.types, kernel.placed_types, rules.types, "placed_types");
    take(true, options.radii, radii_, kernel.radii, kernel.placed_radii, rules.radii, "placed_radii");
    rules.order = particles.order;
    if (kernel.ids == nullptr && kernel.types == nullptr && kernel.radii == nullptr) return;
    internal::for_each_index(space, "upsweep::neighbor_list::place_rules", n, kernel);
  }

  /// Device memory held.
  std::size_t bytes() const {
    return ids_.extent(0) * sizeof(std::int64_t) + types_.extent(0) * sizeof(int) + radii_.extent(0) * sizeof(Real);
  }

 private:
  Kokkos::View<std::int64_t*, memory_space> ids_;
  Kokkos::View<int*, memory_space> types_;
  Kokkos::View<Real*, memory_space> radii_;
};

}  // namespace upsweep::neighbors::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/neighbors/detail/builders/has_mask_builder.hpp>
#include <upsweep/neighbors/detail/masks/gpu/count_flat.hpp>
#include <upsweep/neighbors/detail/masks/gpu/count_hits.hpp>
#include <upsweep/neighbors/detail/masks/gpu/launch_groups.hpp>
#include <upsweep/neighbors/detail/masks/gpu/numbers_candidates.hpp>
#include <upsweep/neighbors/detail/masks/hit_masks.hpp>
#include <upsweep/neighbors/detail/rules/neighbor_search.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// The pairs of the particle at each place, by the plain search: one thread per particle, in cell order.
template <class Real, class Visitor>
struct visit_neighbors {
  neighbor_search<Real> search;
  Visitor visitor;

  struct to_visitor {
    binned_particles<Real> const& particles;
    Visitor const& visitor;
    int i;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(row_hit<Real> const& hit) const {
      visitor(i, particles.order[hit.place] - particles.first_candidate, hit.shift);
    }
  };

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    auto const& p = search.particles;
    int const i = p.order[place];
    if (i < p.rows) search(i, to_visitor{p, visitor, i});
  }
};

/// The same by warps. Rules about pairs have one kernel here, not four: each user's functor is compiled with each
/// kernel.
template <class ExecutionSpace, class Real, class Visitor>
void visit_by_masks(ExecutionSpace const& space, mask_pass<Real> const& pass, Visitor const& visitor) {
  using systems = one_system<Real>;
  constexpr char const* label = "upsweep::for_each_pair::visit";
  auto const& rules = pass.search.rules;
  auto const& p = pass.search.particles;
  bool const limits = rules.limits_distances() || rules.limits_ids();
  if (!limits && numbers_candidates(pass))
    launch_groups(space, label, pass, count_flat_gpu<Real, systems, warp_lanes, 8, Visitor>{pass, {}, false, visitor});
  else if (p.has_classes())
    launch_groups(space, label, pass,
                  count_hits_gpu<Real, hit_rules::classes, systems, warp_lanes, Visitor>{pass, {}, false, visitor});
  else if (limits || p.images != nullptr)
    launch_groups(space, label, pass,
                  count_hits_gpu<Real, hit_rules::all, systems, warp_lanes, Visitor>{pass, {}, false, visitor});
  else
    launch_groups(space, label, pass,
                  count_hits_gpu<Real, hit_rules::none, systems, warp_lanes, Visitor>{pass, {}, false, visitor});
}

/// visitor(i, j, image) for all pairs, those of a row in its order by one thread. Does not wait.
template <class ExecutionSpace, class Real, class Visitor>
void visit_on_gpu(ExecutionSpace const& space, mask_pass<Real> const& pass, bool masks, Visitor const& visitor) {
  if constexpr (has_mask_builder<ExecutionSpace>)
    if (masks) return visit_by_masks(space, pass, visitor);
  Kokkos::parallel_for("upsweep::for_each_pair::visit",
                       internal::index_policy(space, static_cast<std::size_t>(pass.search.particles.places)),
                       visit_neighbors<Real, Visitor>{pass.search, visitor});
}

}  // namespace upsweep::neighbors::detail

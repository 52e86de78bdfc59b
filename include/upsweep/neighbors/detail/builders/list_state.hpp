// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/box/copied_positions.hpp>
#include <upsweep/neighbors/detail/builders/few_particles_builder.hpp>
#include <upsweep/neighbors/detail/builders/list_parts.hpp>
#include <upsweep/neighbors/detail/builders/mask_builder.hpp>
#include <upsweep/neighbors/detail/builders/part_of_batch.hpp>
#include <upsweep/neighbors/detail/builders/plain_builder.hpp>
#include <upsweep/neighbors/detail/builders/small_systems_builder.hpp>
#include <upsweep/neighbors/detail/grid/systems.hpp>
#include <upsweep/neighbors/detail/pairs/pair_arrays.hpp>
#include <upsweep/neighbors/neighbor_plan.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// One system has no part.
struct no_part {};

/// What a compiled_list keeps: what the builders work on, the builders, and what is known of the list.
template <class ExecutionSpace, class Real, class Systems>
struct list_state {
  using parts_type = list_parts<ExecutionSpace, Real, Systems>;
  using masks_type = mask_builder<ExecutionSpace, Real, Systems>;
  using few_particles_type = few_particles_builder<ExecutionSpace, Real>;
  using small_systems_type = small_systems_builder<ExecutionSpace, Real>;

  static constexpr bool may_have_few_particles =
      few_particles_type::exists && std::is_same_v<Systems, one_system<Real>>;
  static constexpr bool may_have_small_systems =
      small_systems_type::exists && std::is_same_v<Systems, many_systems<Real>>;
  static constexpr bool may_have_part = std::is_same_v<Systems, many_systems<Real>>;
  enum class builder { plain, masks, few_particles, small_systems };

  parts_type parts;
  plain_builder<ExecutionSpace, Real, Systems> plain = {};
  masks_type masks = {};
  few_particles_type few_particles{parts.space};
  small_systems_type small_systems{parts.space};
  builder chosen = builder::plain;  ///< of the particles that are binned
  copied_positions<ExecutionSpace, Real> copied = {};
  std::conditional_t<may_have_part, part_of_batch<ExecutionSpace, Real>, no_part> part = {};

  neighbor_plan plan = {};
  bool planned = false;            ///< and not emitted
  neighbor_options built_by = {};  ///< what the neighbours were built with
  bool built = false;              ///< whether there are neighbours; not while the grid has other particles
  std::size_t emitted = 0;         ///< pairs
  pair_contents kept = {};         ///< of the pairs that are there

  /// step(the chosen builder). Those that do not exist for the execution space are not compiled.
  template <class Step>
  void with_builder(Step const& step) {
    if constexpr (may_have_few_particles)
      if (chosen == builder::few_particles) return step(few_particles);
    if constexpr (may_have_small_systems)
      if (chosen == builder::small_systems) return step(small_systems);
    if constexpr (masks_type::exists)
      if (chosen == builder::masks) return step(masks);
    step(plain);
  }

  /// Bytes of offsets and of what is kept of pairs: those of the longest list that was built.
  std::size_t held_list_bytes() const {
    return parts.offsets.extent(0) * sizeof(std::size_t) + parts.arrays.held_bytes(parts.contents(), ~std::uint64_t(0));
  }
  /// Bytes in addition to the list; of_pair: of each pair.
  std::size_t other_bytes(std::size_t of_pair) const {
    return parts.ids.bytes() + parts.grid.bytes() + parts.rules.bytes() + masks.bytes() + few_particles.bytes() +
           small_systems.bytes() + copied.bytes() + part_bytes() + plan.pairs * of_pair;
  }
  std::size_t part_bytes() const {
    if constexpr (!may_have_part) return 0;
    else if (!part.list) return 0;
    else return part.bytes(kept) + part.list->held_bytes();
  }
};

}  // namespace upsweep::neighbors::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The members of compiled_list that build some systems of a batch, for list_steps.hpp.

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/undo_on_error.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/builders/compiled_list.hpp>
#include <upsweep/neighbors/detail/builders/list_state.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep::neighbors::detail {

template <class ExecutionSpace, class Real, class Systems>
int* compiled_list<ExecutionSpace, Real, Systems>::start_part(ExecutionSpace const& space, std::int64_t n,
                                                              std::size_t flags)
  requires(!has_one_box)
{
  constexpr char const* function = Systems::function;
  auto& s = *state_;
  require_instance(space);
  internal::require(s.built, function,
                    "update with rebuild keeps rows of the list before, and there is none; update all systems first");
  internal::require(flags == static_cast<std::size_t>(systems()), function, [&] {
    return "rebuild has " + std::to_string(flags) + " entries for " + std::to_string(systems()) + " systems";
  });
  internal::require(n == s.parts.particles, function, [&] {
    return "positions has " + std::to_string(n) + " rows, and the list " + std::to_string(s.parts.particles);
  });
  return s.part.take_flags(space, flags);
}

template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::build_part(one_set const& positions)
  requires(!has_one_box)
{
  internal::undo_on_error const undo([this] { forget(); });
  auto& s = *state_;
  auto& batch = s.parts;
  part_size const chosen = s.part.choose(batch);
  if (chosen.particles() == 0) return;
  if (chosen.particles() == batch.particles) {
    start(batch.space);
    expect(batch.particles);
    return build(positions);
  }
  if (!s.part.list) s.part.list.reset(new compiled_list(batch.space, batch.cutoff, {}));
  compiled_list& list = *s.part.list;
  list.start(batch.space);
  auto const systems = static_cast<std::size_t>(chosen.systems());
  s.part.gather(batch, positions, list.renew_systems(batch.space, systems + 1, systems));
  auto& part = list.state_->parts;
  part.options = s.part.options(batch.options);
  part.boxes.set_numbers(s.part.numbers(batch.particles));
  list.expect(chosen.particles());
  list.build(s.part.positions());
  auto const found = s.part.merge(batch, part);
  s.emitted = s.plan.pairs = found.pairs;
  s.plan.largest_row = found.largest_row;
  s.plan.list_bytes = (s.plan.rows + 1) * sizeof(std::size_t) + s.plan.pairs * batch.arrays.bytes_of_pair(s.kept);
  s.plan.other_bytes = s.other_bytes(s.kept.other_bytes());
  batch.space.fence("upsweep::batched_neighbor_list::merge");
}

}  // namespace upsweep::neighbors::detail

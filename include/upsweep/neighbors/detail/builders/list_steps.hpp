// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The members of compiled_list, for those who compile lists: the library, and neighbors/compile_lists.hpp.

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/undo_on_error.hpp>
#include <upsweep/neighbors/detail/builders/compiled_list.hpp>
#include <upsweep/neighbors/detail/builders/list_state.hpp>
#include <upsweep/neighbors/detail/builders/part_steps.hpp>
#include <upsweep/neighbors/detail/pairs/complete_rows.hpp>
#include <upsweep/neighbors/detail/pairs/sort_rows.hpp>
#include <upsweep/neighbors/detail/pairs/warp_sort_rows.hpp>
#include <upsweep/neighbors/detail/rules/check_options.hpp>
#include <upsweep/neighbors/list_hash.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace upsweep::neighbors::detail {

// ---- what a build goes by

template <class ExecutionSpace, class Real, class Systems>
compiled_list<ExecutionSpace, Real, Systems>::compiled_list(ExecutionSpace const& space, box<Real> const& box,
                                                            Real cutoff, neighbor_options const& options)
  requires(has_one_box)
    : state_(new list_state<ExecutionSpace, Real, Systems>{{space, cutoff, options, box}}) {}

template <class ExecutionSpace, class Real, class Systems>
compiled_list<ExecutionSpace, Real, Systems>::compiled_list(ExecutionSpace const& space, Real cutoff,
                                                            neighbor_options const& options)
  requires(!has_one_box)
    : state_(new list_state<ExecutionSpace, Real, Systems>{{space, cutoff, options, {}}}) {}

template <class ExecutionSpace, class Real, class Systems>
compiled_list<ExecutionSpace, Real, Systems>::compiled_list(compiled_list&& other) noexcept = default;
template <class ExecutionSpace, class Real, class Systems>
compiled_list<ExecutionSpace, Real, Systems>& compiled_list<ExecutionSpace, Real, Systems>::operator=(
    compiled_list&& other) noexcept = default;
template <class ExecutionSpace, class Real, class Systems>
compiled_list<ExecutionSpace, Real, Systems>::~compiled_list() = default;

template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::set(box<Real> const& box, Real cutoff,
                                                       neighbor_options const& options)
  requires(has_one_box)
{
  auto& parts = state_->parts;
  if (cutoff != parts.cutoff || options.max_neighbors != parts.options.max_neighbors)
    parts.particles_without_dense_cells = -1;
  parts.boxes = box;
  parts.cutoff = cutoff;
  parts.options = options;
  if (state_->planned) forget();
}

template <class ExecutionSpace, class Real, class Systems>
box<Real> const& compiled_list<ExecutionSpace, Real, Systems>::given_box() const
  requires(has_one_box)
{
  return state_->parts.boxes;
}

template <class ExecutionSpace, class Real, class Systems>
Real compiled_list<ExecutionSpace, Real, Systems>::cutoff() const {
  return state_->parts.cutoff;
}

template <class ExecutionSpace, class Real, class Systems>
neighbor_options const& compiled_list<ExecutionSpace, Real, Systems>::options() const {
  return state_->parts.options;
}

template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::forget() {
  state_->planned = state_->built = false;
  state_->emitted = 0;
  state_->kept = {};
  state_->plan = {};
  state_->built_by = {};
}

template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::clear()
  requires(has_one_box)
{
  set(given_box(), cutoff(), {});
  forget();
}

template <class ExecutionSpace, class Real, class Systems>
system_memory<Real> compiled_list<ExecutionSpace, Real, Systems>::renew_systems(ExecutionSpace const& space,
                                                                                std::size_t offsets, std::size_t boxes)
  requires(!has_one_box)
{
  state_->small_systems.expect_other_systems();
  return state_->parts.boxes.renew(space, offsets, boxes);
}

template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::take_back_systems()
  requires(!has_one_box)
{
  state_->parts.boxes.take_back();
}

template <class ExecutionSpace, class Real, class Systems>
int compiled_list<ExecutionSpace, Real, Systems>::systems() const
  requires(!has_one_box)
{
  return state_->parts.boxes.systems();
}

template <class ExecutionSpace, class Real, class Systems>
std::size_t compiled_list<ExecutionSpace, Real, Systems>::bytes_of_systems() const
  requires(!has_one_box)
{
  return state_->parts.boxes.bytes();
}

template <class ExecutionSpace, class Real, class Systems>
std::size_t compiled_list<ExecutionSpace, Real, Systems>::held_bytes() const
  requires(!has_one_box)
{
  return state_->held_list_bytes() + state_->other_bytes(0) + bytes_of_systems();
}

template <class ExecutionSpace, class Real, class Systems>
int const* compiled_list<ExecutionSpace, Real, Systems>::system_of() const
  requires(!has_one_box)
{
  return state_->parts.boxes.of_particle();
}

// ---- the steps of a build

template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::start(ExecutionSpace const& space) {
  forget();
  require_instance(space);
}

template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::require_instance(ExecutionSpace const& space) const {
  internal::require(compat::same_instance(space, state_->parts.space), Systems::function,
                    "build on another instance than it was made for");
}

template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::expect(std::int64_t n) {
  expect(n, rows_of(options(), n, Systems::function), 0);
}

template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::expect_two_sets(std::int64_t queries, std::int64_t points)
  requires(has_one_box)
{
  check_two_sets(options(), Systems::function);
  expect(queries + points, queries, queries);
}

template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::expect(std::int64_t n, std::int64_t rows,
                                                          std::int64_t first_candidate) {
  constexpr char const* function = Systems::function;
  auto& parts = state_->parts;
  check_combinations(parts.options, function);
  internal::require(parts.uses_masks() || parts.options.builder != neighbor_builder::masks, function,
                    "there is no builder with masks for this execution space");
  parts.expect(n, rows, first_candidate, function);
}

template <class ExecutionSpace, class Real, class Systems>
position_memory<Real> compiled_list<ExecutionSpace, Real, Systems>::memory_for_positions()
  requires(has_one_box)
{
  return state_->copied.take(state_->parts.space, state_->parts.particles, Systems::function);
}

template <class ExecutionSpace, class Real, class Systems>
template <class Positions>
void compiled_list<ExecutionSpace, Real, Systems>::bin(aim what, Positions const& positions) {
  using state_type = list_state<ExecutionSpace, Real, Systems>;
  using builder = typename state_type::builder;
  auto& s = *state_;
  if constexpr (state_type::may_have_few_particles && std::is_same_v<Positions, one_set>)
    if (s.few_particles.takes(s.parts.particles, s.parts.options)) {
      s.chosen = builder::few_particles;
      return s.few_particles.bin(s.parts, what, positions);
    }
  if constexpr (state_type::may_have_small_systems)
    if (s.small_systems.takes(s.parts, what) && s.small_systems.bin(s.parts, positions)) {
      s.chosen = builder::small_systems;
      return;
    }
  if constexpr (state_type::masks_type::exists)
    if (s.parts.uses_masks()) {
      s.chosen = builder::masks;
      return s.masks.bin(s.parts, what, positions);
    }
  s.chosen = builder::plain;
  s.plain.bin(s.parts, what, positions);
}

template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::count(aim what) {
  auto& s = *state_;
  pair_totals found;
  s.with_builder([&](auto& builder) { found = builder.count(s.parts, what); });
  s.plan.rows = static_cast<std::size_t>(s.parts.rows);
  s.plan.pairs = found.pairs;
  s.plan.largest_row = found.largest_row;
  auto const kept = s.parts.contents();
  s.plan.other_bytes = s.other_bytes(kept.building_bytes());
  s.plan.list_bytes = (s.plan.rows + 1) * sizeof(std::size_t) + s.plan.pairs * s.parts.arrays.bytes_of_pair(kept);
  s.planned = true;
}

template <class ExecutionSpace, class Real, class Systems>
template <class Positions>
void compiled_list<ExecutionSpace, Real, Systems>::build_of(Positions const& positions) {
  internal::undo_on_error const undo([this] { forget(); });
  bin(aim::list, positions);
  count(aim::list);
  emit();
}

template <class ExecutionSpace, class Real, class Systems>
template <class Positions>
neighbor_plan const& compiled_list<ExecutionSpace, Real, Systems>::plan_of(Positions const& positions) {
  internal::undo_on_error const undo([this] { forget(); });
  bin(aim::plan, positions);
  count(aim::plan);
  return state_->plan;
}

template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::build(one_set const& positions) {
  build_of(positions);
}
template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::build(both_sets const& positions)
  requires(has_one_box)
{
  build_of(positions);
}
template <class ExecutionSpace, class Real, class Systems>
neighbor_plan const& compiled_list<ExecutionSpace, Real, Systems>::plan(one_set const& positions) {
  return plan_of(positions);
}
template <class ExecutionSpace, class Real, class Systems>
neighbor_plan const& compiled_list<ExecutionSpace, Real, Systems>::plan(both_sets const& positions)
  requires(has_one_box)
{
  return plan_of(positions);
}

template <class ExecutionSpace, class Real, class Systems>
void compiled_list<ExecutionSpace, Real, Systems>::emit() {
  constexpr char const* function = Systems::function;
  auto& s = *state_;
  auto& parts = s.parts;
  internal::require(s.planned, function, "there is no plan; call plan() before emit()");
  internal::undo_on_error const undo([&] { s.planned ? void() : forget(); });
  auto const kept = parts.contents();
  std::size_t const pairs = s.plan.pairs;
  if (auto const budget = parts.options.memory_budget; budget && kept.packs_images) {
    std::uint64_t const needed = pairs * kept.building_bytes();
    if (needed > *budget)
      throw out_of_memory_error(std::string(function) + ": pairs with their images take " + std::to_string(needed) +
                                " bytes in addition to the list, but memory_budget is " + std::to_string(*budget));
  }
  parts.require_memory_for(pairs);
  parts.arrays.grow(parts.space, kept, pairs, function);
  s.planned = false;
  s.built_by = parts.ids.in(parts.options);
  s.with_builder([&](auto& builder) { finish(builder); });
  s.emitted = pairs;
  s.built = true;
  s.kept = kept;
  parts.note_dense_cells(s.plan.largest_row);
  s.plan.other_bytes = s.other_bytes(kept.other_bytes());
}

template <class ExecutionSpace, class Real, class Systems>
template <class Builder>
void compiled_list<ExecutionSpace, Real, Systems>::finish(Builder& builder) {
  auto& parts = state_->parts;
  builder.emit(parts);
  bool const sorted = parts.options.order == row_order::sorted;
  auto const rows = parts.row_sort();
  if (sorted && !builder.sorts_rows) sort_rows(parts.space, state_->plan.rows, rows);
  auto const values = parts.values();
  if (values.any() && !builder.stores_values(parts.options.order))
    complete_rows<Real, Systems>{parts.grid.binned(), values, rows.offsets, rows.neighbors, rows.pair_images}.launch(
        parts.space);
  if (sorted || !builder.has_waited()) parts.space.fence("upsweep::neighbor_list::emit");
}

// ---- the list

template <class ExecutionSpace, class Real, class Systems>
neighbor_plan const& compiled_list<ExecutionSpace, Real, Systems>::last_plan() const {
  return state_->plan;
}

template <class ExecutionSpace, class Real, class Systems>
auto compiled_list<ExecutionSpace, Real, Systems>::offsets() const -> Kokkos::View<std::size_t const*, memory_space> {
  auto const& s = *state_;
  return Kokkos::subview(s.parts.offsets, std::make_pair(std::size_t(0), s.planned || s.built ? s.plan.rows + 1 : 0));
}
template <class ExecutionSpace, class Real, class Systems>
auto compiled_list<ExecutionSpace, Real, Systems>::neighbors() const -> Kokkos::View<int const*, memory_space> {
  return Kokkos::subview(state_->parts.arrays.neighbors, std::make_pair(std::size_t(0), state_->emitted));
}
template <class ExecutionSpace, class Real, class Systems>
auto compiled_list<ExecutionSpace, Real, Systems>::pair_images() const
    -> optional_view<Kokkos::View<image const*, memory_space>> {
  return if_kept(state_->kept.images, state_->parts.arrays.images, state_->emitted);
}
template <class ExecutionSpace, class Real, class Systems>
auto compiled_list<ExecutionSpace, Real, Systems>::first_indices() const
    -> optional_view<Kokkos::View<int const*, memory_space>> {
  return if_kept(state_->kept.first_indices, state_->parts.arrays.first_indices, state_->emitted);
}
template <class ExecutionSpace, class Real, class Systems>
auto compiled_list<ExecutionSpace, Real, Systems>::unwrapped_images() const -> optional_view<triples<int>> {
  return if_kept(state_->kept.unwrapped_images, state_->parts.arrays.unwrapped_images, state_->emitted);
}
template <class ExecutionSpace, class Real, class Systems>
auto compiled_list<ExecutionSpace, Real, Systems>::displacements() const -> optional_view<triples<Real>> {
  return if_kept(state_->kept.displacements, state_->parts.arrays.displacements, state_->emitted);
}
template <class ExecutionSpace, class Real, class Systems>
auto compiled_list<ExecutionSpace, Real, Systems>::distances() const
    -> optional_view<Kokkos::View<Real const*, memory_space>> {
  return if_kept(state_->kept.distances, state_->parts.arrays.distances, state_->emitted);
}

template <class ExecutionSpace, class Real, class Systems>
neighbor_rows<> compiled_list<ExecutionSpace, Real, Systems>::view() const {
  auto const& s = *state_;
  internal::require(s.emitted == s.plan.pairs, Systems::function, "the list is planned and not built; call emit()");
  auto const& arrays = s.parts.arrays;
  // What was not built lacks nothing: it has no pairs.
  bool const has_images = s.kept.images || !s.built;
  return {s.parts.offsets.data(), arrays.neighbors.data(), has_images ? given_images(arrays.images.data()) : nullptr,
          s.plan.rows};
}

template <class ExecutionSpace, class Real, class Systems>
std::uint64_t compiled_list<ExecutionSpace, Real, Systems>::hash() const
  requires(has_one_box)
{
  auto const list = view();
  auto const& by = state_->built_by;
  // With the box of the build: set() has changed nothing of what is there.
  auto const& in = state_->parts.grid.binned();
  check_hash(by, in.sim_box, in.first_candidate > 0);
  return hash_list<ExecutionSpace>(state_->parts.space, rows_to_hash(list, by, in.places), list.rows);
}

}  // namespace upsweep::neighbors::detail

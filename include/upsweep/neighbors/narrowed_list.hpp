// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/optional_view.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/grid/binned_particles.hpp>
#include <upsweep/neighbors/detail/grid/check_particles.hpp>
#include <upsweep/neighbors/detail/narrow/move_particles.hpp>
#include <upsweep/neighbors/detail/narrow/narrow_cpu.hpp>
#include <upsweep/neighbors/detail/narrow/narrow_pass.hpp>
#include <upsweep/neighbors/detail/narrow/narrow_plain.hpp>
#include <upsweep/neighbors/detail/narrow/narrow_report.hpp>
#include <upsweep/neighbors/detail/narrow/narrow_warps.hpp>
#include <upsweep/neighbors/detail/options/largest_square.hpp>
#include <upsweep/neighbors/detail/options/require_columns.hpp>
#include <upsweep/neighbors/detail/options/require_one_each.hpp>
#include <upsweep/neighbors/detail/options/type_cutoff_table.hpp>
#include <upsweep/neighbors/detail/rules/pair_rules.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/needs_rebuild.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/reduce.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace upsweep {

/// Options of a narrowed list: `narrowed_list exact(space, 2.5, {.pair_images = true});` What neighbor_options say of
/// rows, ids, half lists, exclusions and the order of rows is in the list with skin already. Views given here must stay
/// alive until the last update.
struct narrow_options {
  std::string_view label = {};  ///< goes into the kernels' labels, in brackets; must stay alive until the last update
  /// Keep the image of every pair beside its index; the list with skin has to have them.
  bool pair_images = false;
  /// Whether pairs at exactly the cutoff are in the list, as in neighbor_options.
  bool include_cutoff = true;
  /// Types and radii as in neighbor_options, those of the exact list. `type_cutoffs` are read by the constructor, the
  /// others at each update.
  neighbor_options::optional_input<int> types = {};
  decltype(neighbor_options::type_cutoffs) type_cutoffs = {};
  neighbor_options::optional_input<double> radii = {};
  /// By how much the distances at which the list with skin has pairs exceed those at which the exact list has them, at
  /// least, for every pair. Not given: the list's cutoff without the exact one. That is wrong where the list with skin
  /// was built with types or radii, which therefore need it.
  std::optional<double> skin = {};
};

/// The exact list of the present positions out of a list with skin, without a search:
/// `neighbor_list skin(space, x, box, 2.8, {.pair_images = true}); narrowed_list exact(space, 2.5);`, and at each step
/// `exact.update(space, skin, x);`. It has the rows of `neighbor_list(space, x, box, 2.5)`: where both are
/// row_order::sorted, offsets, neighbours and images are the same bit by bit; else a row has the same pairs in the
/// order of the list with skin.
///
/// Positions may be wrapped or not, moved by whole edges or not: only where they are in the box matters. The list with
/// skin may have rows, ids, half, exclusions, and be of two sets. It has no images of ghosts, no max_neighbors (the
/// nearest ones of now may be missing from it), and no displacements or other values of pairs beside images.
/// Pre: the list with skin stays as it is during update(). Types, radii and exclusions are those that it was built
///   with, up to the skin. The box is that of the build.
/// Cost: per pair of the list with skin 16 bytes read (8 without images) and a bit written; per pair that is left 4
///   bytes written (8 with images); per particle one wrapping and 14 Real moved. Every distance is computed once. CPUs
///   read the images once more for each new list with skin. Memory: as many neighbours as the list with skin has, a bit
///   for each, 4 Real per particle; it is kept between updates.
/// Order: as the list with skin; a function of the input alone.
/// Sync: waits for the instance once, at the end of update(). An update that needs no more memory takes none.
/// Throws: precondition_error (cutoff, options, a list without images of pairs in a periodic box, a bad particle by
///   index, or particles so far from where they were that pairs could be missing: needs_rebuild() is true then, and the
///   one that has moved most is named); out_of_memory_error. After an error there is no list.
/// Source: *Prefix sums on GPUs*: stream compaction, in segments.
template <class ExecutionSpace, std::floating_point Real>
class narrowed_list {
 public:
  using execution_space = ExecutionSpace;
  using memory_space = typename ExecutionSpace::memory_space;
  using real = Real;
  using skin_list = neighbor_list<ExecutionSpace, Real>;

  /// An empty list. Waits for the instance where there are type_cutoffs.
  narrowed_list(ExecutionSpace const& space, Real cutoff, narrow_options const& options = {})
      : space_(space), cutoff_(cutoff), options_(options), workspace_(space) {
    internal::require(std::isfinite(cutoff) && cutoff > 0, function,
                      "cutoff = " + internal::text_of(cutoff) + "; it must be positive and finite");
    internal::require(std::isnormal(cutoff * cutoff), function,
                      "cutoff = " + internal::text_of(cutoff) +
                          "; the square of the cutoff must be a normal number of the positions' type");
    internal::require(options.types.given() == options.type_cutoffs.given(), function,
                      "types and type_cutoffs are given together or not at all");
    if (options.skin)
      internal::require(std::isfinite(*options.skin) && *options.skin >= 0, function,
                        "skin = " + internal::text_of(*options.skin) + "; it must be finite and not negative");
    if (options.types.given()) type_cutoffs_.set(space, options.type_cutoffs, cutoff, options.include_cutoff, function);
  }

  /// Makes the list of these positions: a View (n, 3) of any layout, of the particles that `list` was built of. Views
  /// and pointers taken before are invalid.
  template <view_argument Positions>
  void update(ExecutionSpace const& space, skin_list const& list, Positions const& positions) {
    forget();
    neighbors::detail::require_columns<ExecutionSpace>(positions, function);
    narrow(space, list, neighbors::detail::make_positions(positions), extent(positions), 0);
  }
  /// Of a list of two sets.
  template <view_argument Queries, view_argument Points>
  void update(ExecutionSpace const& space, skin_list const& list, Queries const& queries, Points const& points) {
    forget();
    neighbors::detail::require_columns<ExecutionSpace>(queries, function);
    neighbors::detail::require_columns<ExecutionSpace>(points, function);
    auto const first = neighbors::detail::make_positions(queries);
    auto const second = neighbors::detail::make_positions(points);
    std::int64_t const rows = extent(queries);
    narrow(space, list, neighbors::detail::two_sets<decltype(first), decltype(second)>{first, second, rows},
           rows + extent(points), rows);
  }
  /// Of positions as a functor of the index.
  template <index_functor Positions>
  void update(ExecutionSpace const& space, skin_list const& list, std::int64_t n, Positions const& positions) {
    narrow(space, list, positions, n, 0);
  }

  std::size_t rows() const { return rows_; }
  std::size_t pairs() const { return pairs_; }
  /// rows + 1 entries; the last is the number of pairs. None before the first update.
  Kokkos::View<std::size_t const*, memory_space> offsets() const { return first(offsets_, built_ ? rows_ + 1 : 0); }
  /// Indices into positions, or into points.
  Kokkos::View<int const*, memory_space> neighbors() const { return first(neighbors_, pairs_); }
  /// The image of each neighbour, as seen from the row's particle, relative to the present positions as box.wrap gives
  /// them. Given with options.pair_images.
  optional_view<Kokkos::View<image const*, memory_space>> pair_images() const {
    if (!built_ || !options_.pair_images) return {};
    return first(pair_images_, pairs_);
  }
  /// Pointers to all of it, for kernels to capture (for_each_neighbor.hpp, reduce_rows.hpp); valid until the next
  /// update.
  neighbor_rows<> view() const {
    return {offsets_.data(), neighbors_.data(), options_.pair_images ? pair_images_.data() : nullptr, rows_};
  }
  /// Device memory held.
  std::size_t bytes() const {
    return offsets_.extent(0) * sizeof(std::size_t) + (neighbors_.extent(0) + types_.extent(0)) * sizeof(int) +
           pair_images_.extent(0) * sizeof(image) + particles_.extent(0) * sizeof(particle) +
           words_.extent(0) * sizeof(std::uint32_t) + row_kinds_.extent(0) + radii_.extent(0) * sizeof(Real) +
           type_cutoffs_.bytes() + workspace_.size_bytes();
  }

 private:
  static constexpr char const* function = "narrowed_list";
  static constexpr bool on_cpu = compat::launches_wait<ExecutionSpace>;
  using particle = neighbors::detail::moved_particle<Real>;
  using pass_type = neighbors::detail::narrow_pass<Real>;
  using slots_type = neighbors::detail::narrow_slots;

  /// What the host needs to know of an update, in memory that both can reach.
  using report = neighbors::detail::narrow_report;

  template <class T>
  static Kokkos::View<T const*, memory_space> first(Kokkos::View<T*, memory_space> const& all, std::size_t n) {
    return Kokkos::subview(all, std::make_pair(std::size_t(0), n));
  }
  template <class Positions>
  static std::int64_t extent(Positions const& positions) {
    return static_cast<std::int64_t>(positions.extent(0));
  }
  std::string label(char const* part) const { return internal::label(function, part, options_.label); }

  /// There is no list.
  void forget() {
    built_ = false;
    rows_ = pairs_ = 0;
  }

  template <class Positions>
  void narrow(ExecutionSpace const& space, skin_list const& list, Positions const& positions, std::int64_t n,
              std::int64_t first_candidate);

  void check_list(skin_list const& list, std::int64_t n, std::int64_t first_candidate) const;
  Real skin_of(skin_list const& list) const;
  void take_memory(skin_list const& list);
  void make_rows(skin_list const& list);
  template <class Positions>
  [[noreturn]] void throw_bad_particle(std::uint64_t found, skin_list const& list, Positions const& positions) const;
  void require_near(skin_list const& list, neighbors::detail::moved_particles<Real> const& particles);

  ExecutionSpace space_;
  Real cutoff_;
  narrow_options options_;
  upsweep::workspace workspace_;
  neighbors::detail::type_cutoff_table<ExecutionSpace, Real> type_cutoffs_;
  bool built_ = false;
  std::size_t rows_ = 0, pairs_ = 0;
  std::uint64_t looked_at_ = 0;  ///< the build that row_kinds_ are of
  // As long as the largest list so far needed them.
  Kokkos::View<std::size_t*, memory_space> offsets_;
  Kokkos::View<int*, memory_space> neighbors_;
  Kokkos::View<image*, memory_space> pair_images_;
  Kokkos::View<particle*, memory_space> particles_;
  Kokkos::View<std::uint32_t*, memory_space> words_;
  Kokkos::View<unsigned char*, memory_space> row_kinds_;  ///< on CPUs: what is known of images of the row's pairs
  Kokkos::View<int*, memory_space> types_;
  Kokkos::View<Real*, memory_space> radii_;
  Kokkos::View<std::uint64_t*, memory_space> status_;  ///< an error word, and whether a particle has moved far
  Kokkos::View<report, compat::mailbox_space<ExecutionSpace>> report_;
};

template <class ExecutionSpace, std::floating_point Real>
void narrowed_list<ExecutionSpace, Real>::check_list(skin_list const& list, std::int64_t n,
                                                     std::int64_t first_candidate) const {
  auto const& binned = list.list_.binned();
  internal::require(list.list_.build_number() != 0, function, "the list with skin is not built");
  internal::require(binned.images == nullptr, function,
                    "the list with skin was built with images of ghosts, which are the caller's to move");
  auto const& by = list.list_.built_by();
  internal::require(!(by.first_indices || by.unwrapped_images || by.displacements || by.distances), function,
                    "the list with skin keeps first indices, unwrapped images, displacements or distances of its "
                    "pairs, which are not narrowed; build it without them");
  internal::require(!by.max_neighbors, function,
                    "the list with skin was built with max_neighbors: particles that are among the nearest now may not "
                    "be in it");
  internal::require(first_candidate == binned.first_candidate && n == binned.places, function,
                    first_candidate == 0 && binned.first_candidate == 0
                        ? std::to_string(n) + " positions for a list of " + std::to_string(binned.places) + " particles"
                        : std::to_string(first_candidate) + " queries and " + std::to_string(n - first_candidate) +
                              " points for a list of " + std::to_string(binned.first_candidate) + " and " +
                              std::to_string(binned.places - binned.first_candidate));
  bool const periodic = binned.sim_box.periodic(0) || binned.sim_box.periodic(1) || binned.sim_box.periodic(2);
  internal::require(by.pair_images || !(periodic || options_.pair_images), function,
                    "the list with skin has no images of pairs; build it with pair_images = true");
  internal::require(neighbors::detail::largest_square(cutoff_, options_.include_cutoff) <= binned.cutoff_squared,
                    function,
                    "the cutoff, " + internal::text_of(cutoff_) + ", is larger than that of the list with skin, " +
                        internal::text_of(std::sqrt(binned.cutoff_squared)));
  internal::require(!(by.types.given() || by.radii.given()) || options_.skin, function,
                    "the list with skin was built with types or radii: say in options.skin by how much its distances "
                    "exceed the exact ones");
  neighbors::detail::require_one_each<ExecutionSpace>(options_.types, n, function, "types");
  neighbors::detail::require_one_each<ExecutionSpace>(options_.radii, n, function, "radii");
}

template <class ExecutionSpace, std::floating_point Real>
Real narrowed_list<ExecutionSpace, Real>::skin_of(skin_list const& list) const {
  // Rounding of the root may make equal cutoffs differ.
  Real const most = std::max(std::sqrt(list.list_.binned().cutoff_squared) - cutoff_, Real(0));
  return options_.skin ? std::min(static_cast<Real>(*options_.skin), most) : most;
}

template <class ExecutionSpace, std::floating_point Real>
void narrowed_list<ExecutionSpace, Real>::take_memory(skin_list const& list) {
  std::size_t const n = static_cast<std::size_t>(list.list_.binned().places), rows = list.rows(), pairs = list.pairs();
  if (status_.data() == nullptr)
    status_ = internal::allocate<std::uint64_t, memory_space>(space_, 2, function, "status");
  if (report_.data() == nullptr) report_ = decltype(report_)("upsweep::narrowed_list::report");
  std::size_t const needed = (neighbors_.extent(0) < pairs ? pairs * sizeof(int) : 0) +
                             (options_.pair_images && pair_images_.extent(0) < pairs ? pairs * sizeof(image) : 0);
  require_memory(space_, needed, function, "a list of up to " + std::to_string(pairs) + " pairs", 0);
  internal::grow(space_, offsets_, rows + 1, function, "offsets");
  internal::grow(space_, neighbors_, pairs, function, "neighbors");
  if (options_.pair_images) internal::grow(space_, pair_images_, pairs, function, "pair_images");
  internal::grow(space_, particles_, n, function, "particles");
  internal::grow(space_, words_, pass_type::most_words(rows, pairs), function, "hit masks");
  if (on_cpu) internal::grow(space_, row_kinds_, rows, function, "row_kinds");
  if (options_.types.given()) internal::grow(space_, types_, n, function, "types");
  if (options_.radii.given()) internal::grow(space_, radii_, n, function, "radii");
}

template <class ExecutionSpace, std::floating_point Real>
template <class Positions>
void narrowed_list<ExecutionSpace, Real>::narrow(ExecutionSpace const& space, skin_list const& list,
                                                 Positions const& positions, std::int64_t n,
                                                 std::int64_t first_candidate) {
  forget();
  list.list_.require_instance(space, function);
  workspace_.require_same_instance(space);
  check_list(list, n, first_candidate);
  if (looked_at_ != list.list_.build_number()) looked_at_ = 0;  // what is known of rows may go with their memory
  take_memory(list);
  Kokkos::deep_copy(space, status_, 0);
  auto const& binned = list.list_.binned();
  Real const skin = skin_of(list);
  // Where no particle has moved so far, none can be missing. Else the two that have moved most decide.
  Real near = Real(0.49) * skin;
  Real const safe = Real(0.495) * skin;
  if (needs_rebuild<Real>({safe, safe}, binned.sim_box, binned.sim_box, cutoff_, skin)) near = 0;
  neighbors::detail::moved_particles<Real> const particles{binned,
                                                           neighbors::detail::whole_edges<Real>(binned.sim_box),
                                                           particles_.data(),
                                                           options_.types.data(),
                                                           options_.radii.data(),
                                                           type_cutoffs_.types(),
                                                           types_.data(),
                                                           radii_.data()};
  Kokkos::parallel_for(label("move"), internal::index_policy(space, static_cast<std::size_t>(n)),
                       neighbors::detail::move_particles<Positions, Real>{
                           positions, particles, near * near, {status_.data()}, status_.data() + 1});
  make_rows(list);
  space.fence(label("report"));
  report const found = *report_.data();
  if (found.error != 0) throw_bad_particle(found.error, list, positions);
  if (found.far != 0) require_near(list, particles);
  built_ = true;
  rows_ = list.rows();
  pairs_ = found.pairs;
}

template <class ExecutionSpace, std::floating_point Real>
void narrowed_list<ExecutionSpace, Real>::make_rows(skin_list const& list) {
  auto const& binned = list.list_.binned();
  std::size_t const rows = list.rows();
  neighbors::detail::pair_rules<Real> rules;
  // Without any type there is no table, and every particle is an error.
  rules.include_cutoff = options_.include_cutoff;
  if (options_.types.given() && type_cutoffs_.types() > 0) {
    rules.types = types_.data();
    rules.type_cutoffs_squared = type_cutoffs_.squared();
    rules.type_count = type_cutoffs_.types();
  }
  if (options_.radii.given()) rules.radii = radii_.data();
  pass_type const pass{binned.sim_box,
                       neighbors::detail::largest_square(cutoff_, options_.include_cutoff),
                       rules,
                       list.view(),
                       list.pairs(),
                       binned.order,
                       particles_.data(),
                       particles_.data() + binned.first_candidate,
                       binned.first_candidate,
                       words_.data()};
  slots_type const slots{offsets_.data(), neighbors_.data(), options_.pair_images ? pair_images_.data() : nullptr};
  using view = Kokkos::View<std::size_t*, memory_space, Kokkos::MemoryUnmanaged>;
  auto const add_up = [&] {
    counts_to_offsets(space_, view(offsets_.data(), rows), view(offsets_.data(), rows + 1),
                      {.workspace = &workspace_, .label = internal::inner_label(options_.label, function)});
  };
  if constexpr (on_cpu) {
    using rows_by_cpu = neighbors::detail::narrow_cpu<Real>;
    if (looked_at_ != list.list_.build_number()) rows_by_cpu::look(space_, label("look"), pass.from, row_kinds_.data());
    looked_at_ = list.list_.build_number();
    rows_by_cpu::count(space_, label("count"), pass, slots, row_kinds_.data(), binned.places);
    add_up();
    rows_by_cpu::emit(space_, label("emit"), pass, slots, row_kinds_.data());
  } else if constexpr (compat::has_warps_of_32<ExecutionSpace>) {
    using rows_by_warps = neighbors::detail::narrow_warps<Real>;
    rows_by_warps::count(space_, label("count"), pass, slots, binned.places);
    add_up();
    rows_by_warps::emit(space_, label("emit"), pass, slots, binned.places);
  } else {
    using plain_rows = neighbors::detail::narrow_plain<Real>;
    plain_rows::count(space_, label("count"), pass, slots);
    add_up();
    plain_rows::emit(space_, label("emit"), pass, slots);
  }
  Kokkos::parallel_for(
      label("report"), internal::one_thread(space_),
      neighbors::detail::publish_narrow_report{offsets_.data() + rows, status_.data(), report_.data()});
}

template <class ExecutionSpace, std::floating_point Real>
template <class Positions>
void narrowed_list<ExecutionSpace, Real>::throw_bad_particle(std::uint64_t found, skin_list const& list,
                                                             Positions const& positions) const {
  auto const i = static_cast<std::int64_t>(internal::error_word::index(found));
  switch (static_cast<neighbors::detail::moved_error>(internal::error_word::code(found))) {
    case neighbors::detail::moved_error::position:
      neighbors::detail::throw_bad_position(space_, positions, i, list.list_.binned().sim_box, function);
    case neighbors::detail::moved_error::type:
      throw precondition_error(std::string(function) + ": the type of particle " + std::to_string(i) +
                               " is not one of the " + std::to_string(type_cutoffs_.types()) + " in type_cutoffs");
    default:
      throw precondition_error(std::string(function) + ": the radius of particle " + std::to_string(i) +
                               " is negative or not finite");
  }
}

template <class ExecutionSpace, std::floating_point Real>
void narrowed_list<ExecutionSpace, Real>::require_near(skin_list const& list,
                                                       neighbors::detail::moved_particles<Real> const& particles) {
  auto const& binned = list.list_.binned();
  auto const far =
      reduce(space_, static_cast<std::size_t>(binned.places), neighbors::detail::find_farthest<Real>{particles},
             neighbors::detail::farthest_moved_monoid<Real>{},
             {.workspace = &workspace_, .label = internal::inner_label(options_.label, function)});
  two_largest<Real> const moved{std::sqrt(far.first), std::sqrt(far.second)};
  Real const skin = skin_of(list);
  if (!needs_rebuild<Real>(moved, binned.sim_box, binned.sim_box, cutoff_, skin)) return;
  auto const text = [](Real distance) { return internal::text_of_measured(distance); };
  throw precondition_error(std::string(function) + ": particle " + std::to_string(far.particle) + " is " +
                           text(moved.first) + " away from where it was when the list with skin was built, " +
                           "and another one up to " + text(moved.second) + "; with a skin of " + text(skin) +
                           " pairs may be missing: rebuild the list");
}

}  // namespace upsweep

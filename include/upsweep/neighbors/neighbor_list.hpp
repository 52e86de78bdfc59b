// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/never_refused_bytes.hpp>
#include <upsweep/base/internal/memory/undo_on_error.hpp>
#include <upsweep/base/optional_view.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/builders/aim.hpp>
#include <upsweep/neighbors/detail/builders/mask_builder.hpp>
#include <upsweep/neighbors/detail/few_particles/few_particles_builder.hpp>
#include <upsweep/neighbors/detail/grid/cell_grid.hpp>
#include <upsweep/neighbors/detail/options/require_columns.hpp>
#include <upsweep/neighbors/detail/options/wide_ids.hpp>
#include <upsweep/neighbors/detail/pairs/emit_nearest.hpp>
#include <upsweep/neighbors/detail/pairs/pair_arrays.hpp>
#include <upsweep/neighbors/detail/pairs/sort_rows.hpp>
#include <upsweep/neighbors/detail/rules/check_options.hpp>
#include <upsweep/neighbors/detail/rules/pair_lower_bound.hpp>
#include <upsweep/neighbors/neighbor_plan.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/pack/pack_lists.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace upsweep {

template <class ExecutionSpace, std::floating_point Real>
class narrowed_list;
template <class ExecutionSpace, std::floating_point Real>
class batched_neighbor_list;

/// Neighbour list in compressed rows: neighbors(offsets(i)) ... neighbors(offsets(i+1) - 1) are the particles within
/// `cutoff` of particle i, itself excepted but not its periodic images. On a periodic fcc crystal of density 0.8442
/// each has 54 within 2.5. Half lists, ghosts, types, radii and exclusions: neighbor_options.
///
/// positions: a View (n, 3) of any layout, or a functor i -> Kokkos::Array<Real, 3>; any lengths, one unit.
/// Pre: the space reaches positions and the Views in options. Boxes of any shape; where a periodic direction is shorter
/// than the cutoff, a particle is in a row once for each image.
/// Cost: each particle is compared with those of about 27 cells, once or twice (neighbor_builder), where radii differ
/// much with those of about as many cells of each size class; 4 bytes per pair and what else options keep of it, 8 per
/// row, memory for particles (with 8 bytes per id, 4 per type, a Real per radius), hit masks of one bit per comparison.
/// A CPU thread takes up to 400 KB of its stack. A later build reuses memory.
/// Order: pairs with distance <= cutoff, or < (options.include_cutoff; r2 in Real, against cutoff * cutoff rounded
/// once); rows as positions; inside a row as options.order says: a function of the input alone, the same on each run,
/// builder and backend. So are all values of pairs.
/// Sync: waits for the instance.
/// Throws: precondition_error (cutoff, options, bad particle by index), overflow_error, out_of_memory_error (before
/// distances are computed where dense cells alone have more pairs than memory holds). After an error of plan() or
/// update() there is no list, and box, cutoff and options are as before; emit() without memory for pairs keeps the
/// plan.
/// Source: B. Merry, *Prefix sums on GPUs*: lists of near objects, packed.
///
/// `Systems` is for the library: batched_neighbor_list has a box for each system.
template <class ExecutionSpace, std::floating_point Real, class Systems = neighbors::detail::one_system<Real>>
class neighbor_list {
 public:
  using execution_space = ExecutionSpace;
  using memory_space = typename ExecutionSpace::memory_space;
  using real = Real;
  /// Three numbers for each pair.
  template <class T>
  using triples = Kokkos::View<T const* [3], Kokkos::LayoutRight, memory_space>;

  /// Makes an empty list, to be built by update() or by plan() and emit().
  neighbor_list(ExecutionSpace const& space, box<Real> const& box, Real cutoff, neighbor_options const& options = {})
      : space_(space), box_(box), cutoff_(cutoff), options_(options), grid_(space), few_particles_(space) {}

  template <class Positions>
  neighbor_list(ExecutionSpace const& space, Positions const& positions, box<Real> const& box, Real cutoff,
                neighbor_options const& options = {})
      : neighbor_list(space, box, cutoff, options) {
    build(space, positions);
  }

  /// Of two sets: rows are queries, neighbours index into points, and no pair counts as a particle with itself.
  /// Per-particle options (ids, types, radii) cover the queries, then the points; errors number particles so, too.
  template <view_argument Queries, view_argument Points>
  neighbor_list(ExecutionSpace const& space, Queries const& queries, Points const& points, box<Real> const& box,
                Real cutoff, neighbor_options const& options = {})
      : neighbor_list(space, box, cutoff, options) {
    build(space, queries, points);
  }

  /// The same as the first from a functor, which has no extent.
  template <index_functor Positions>
  neighbor_list(ExecutionSpace const& space, std::int64_t n, Positions const& positions, box<Real> const& box,
                Real cutoff, neighbor_options const& options = {})
      : neighbor_list(space, box, cutoff, options) {
    build(space, n, positions);
  }

  /// Rebuilds the list, for moved or for entirely other particles. Views and pointers taken from it before are invalid.
  template <class Positions>
  void update(ExecutionSpace const& space, Positions const& positions) {
    build(space, positions);
  }
  template <view_argument Queries, view_argument Points>
  void update(ExecutionSpace const& space, Queries const& queries, Points const& points) {
    build(space, queries, points);
  }
  template <index_functor Positions>
  void update(ExecutionSpace const& space, std::int64_t n, Positions const& positions) {
    build(space, n, positions);
  }
  /// The same in another box, or in another box and with another cutoff and other options.
  template <class Positions>
  void update(ExecutionSpace const& space, Positions const& positions, box<Real> const& box) {
    internal::undo_on_error const undo([this, old_box = box_] { box_ = old_box; });
    box_ = box;
    build(space, positions);
  }
  template <class Positions>
  void update(ExecutionSpace const& space, Positions const& positions, box<Real> const& box, Real cutoff,
              neighbor_options const& options) {
    internal::undo_on_error const undo([this, b = box_, c = cutoff_, o = options_] { set(b, c, o); });
    set(box, cutoff, options);
    build(space, positions);
  }
  /// What the next build goes by. A plan made before is dropped.
  void set(box<Real> const& box, Real cutoff, neighbor_options const& options) {
    if (cutoff != cutoff_ || options.max_neighbors != options_.max_neighbors) particles_without_dense_cells_ = -1;
    box_ = box;
    cutoff_ = cutoff;
    options_ = options;
    if (planned_) forget();
  }
  /// Forgets the list and lets go of the Views in its options, which set() gives again. Keeps the memory.
  void clear() {
    set(box_, cutoff_, {});
    forget();
  }

  /// Bins the particles and counts the pairs: `if (nl.plan(space, positions).bytes() <= budget) nl.emit();`
  template <class Positions>
  neighbor_plan const& plan(ExecutionSpace const& space, Positions const& positions) {
    return make_plan(space, positions);
  }
  template <view_argument Queries, view_argument Points>
  neighbor_plan const& plan(ExecutionSpace const& space, Queries const& queries, Points const& points) {
    return make_plan(space, queries, points);
  }
  template <index_functor Positions>
  neighbor_plan const& plan(ExecutionSpace const& space, std::int64_t n, Positions const& positions) {
    return make_plan(space, n, positions);
  }

  /// Takes the memory that the plan announced and fills it. Pre: positions, ids and images are those of the plan.
  void emit();

  std::size_t rows() const { return plan_.rows; }
  std::size_t pairs() const { return plan_.pairs; }
  std::size_t largest_row() const { return plan_.largest_row; }
  /// Of the last build: what it counted and the memory it took.
  neighbor_plan const& last_plan() const { return plan_; }
  /// rows + 1 entries; the last is the number of pairs. Known from the plan on; none where there is no list.
  Kokkos::View<std::size_t const*, memory_space> offsets() const {
    return first(offsets_, planned_ || build_ != 0 ? plan_.rows + 1 : 0);
  }
  /// Indices into positions, or into points.
  Kokkos::View<int const*, memory_space> neighbors() const { return first(arrays_.neighbors, emitted_); }
  /// The image of each neighbour, as seen from the row's particle: `pair_images().view()`. Given with
  /// options.pair_images.
  optional_view<Kokkos::View<image const*, memory_space>> pair_images() const {
    return neighbors::detail::if_kept(kept_.images, arrays_.images, emitted_);
  }

  /// What else options ask for, an entry, or three, for each neighbour: `displacements().view()(k, 0)` is in x. Each is
  /// given with the option of its name. Of positions as they are given, wrapped or not.
  optional_view<Kokkos::View<int const*, memory_space>> first_indices() const {
    return neighbors::detail::if_kept(kept_.first_indices, arrays_.first_indices, emitted_);
  }
  optional_view<triples<int>> unwrapped_images() const {
    return neighbors::detail::if_kept(kept_.unwrapped_images, arrays_.unwrapped_images, emitted_);
  }
  optional_view<triples<Real>> displacements() const {
    return neighbors::detail::if_kept(kept_.displacements, arrays_.displacements, emitted_);
  }
  optional_view<Kokkos::View<Real const*, memory_space>> distances() const {
    return neighbors::detail::if_kept(kept_.distances, arrays_.distances, emitted_);
  }

  /// Pointers to all of it, for kernels to capture (for_each_neighbor.hpp, reduce_rows.hpp); valid until
  /// the next build.
  /// Throws: precondition_error between plan() and emit(), when offsets are new and neighbours are not.
  neighbor_rows<> view() const {
    internal::require(emitted_ == plan_.pairs, function, "the list is planned and not built; call emit()");
    return {offsets_.data(), arrays_.neighbors.data(), kept_.images ? arrays_.images.data() : nullptr, plan_.rows};
  }

  /// Sum mod 2^64 over all pairs, of half lists in both directions, of mix(mix(mix(id_i) ^ id_j) ^ s), s the image:
  /// equal for equal sets of pairs, whatever the order of particles, rows and ranks (add the ranks' sums). Of what was
  /// built, whatever set() says. Pre: one set; the box is open, or options.images or pair_images are given; with images
  /// also ids. Cost: reads the list once. Sync: waits. Throws: precondition_error without these, or as view() does.
  std::uint64_t hash() const;

 private:
  /// One reads what the build left in the grid, the other is a list with a table for the box.
  friend class narrowed_list<ExecutionSpace, Real>;
  friend class batched_neighbor_list<ExecutionSpace, Real>;
  static constexpr char const* function = Systems::function;
  using search_type = neighbors::detail::neighbor_search<Real, Systems>;
  using few_particles_builder = neighbors::detail::few_particles_builder<ExecutionSpace, Real>;
  static constexpr bool may_have_few_particles =
      few_particles_builder::exists && std::is_same_v<Systems, neighbors::detail::one_system<Real>>;
  template <class Record>
  using emit_neighbors = neighbors::detail::emit_neighbors<Real, Record, Systems>;
  template <class Record>
  using emit_nearest = neighbors::detail::emit_nearest<Real, Record, Systems>;

  neighbor_list(ExecutionSpace const& space, Real cutoff, neighbor_options const& options)
      : space_(space), cutoff_(cutoff), options_(options), grid_(space), few_particles_(space) {}

  template <class Positions>
  static std::int64_t extent(Positions const& positions) {
    return static_cast<std::int64_t>(positions.extent(0));
  }
  std::int64_t rows_of(std::int64_t n) const { return options_.rows < 0 ? n : options_.rows; }

  template <class T>
  static Kokkos::View<T const*, memory_space> first(Kokkos::View<T*, memory_space> const& all, std::size_t n) {
    return Kokkos::subview(all, std::make_pair(std::size_t(0), n));
  }

  void require_instance(ExecutionSpace const& space, char const* caller = function) const {
    internal::require(compat::same_instance(space, space_), caller, "build on another instance than it was made for");
  }

  bool uses_masks() const {
    return neighbors::detail::mask_builder<ExecutionSpace, Real>::exists && options_.builder != neighbor_builder::plain;
  }

  void forget() {  // both list and plan
    planned_ = false;
    build_ = emitted_ = 0;
    kept_ = {};
    plan_ = {};
    built_by_ = {};
  }

  using aim = neighbors::detail::aim;

  template <class... Particles>
  void build(ExecutionSpace const& space, Particles const&... particles) {
    internal::undo_on_error const undo([this] { forget(); });
    bin(aim::list, space, particles...);
    count(aim::list);
    emit();
  }
  template <class... Particles>
  neighbor_plan const& make_plan(ExecutionSpace const& space, Particles const&... particles) {
    internal::undo_on_error const undo([this] { forget(); });
    bin(aim::plan, space, particles...);
    count(aim::plan);
    return plan_;
  }

  /// Puts particles into the grid. For a list of few particles, rows that arrays have room for are written already.
  template <class Positions>
  void bin(aim what, ExecutionSpace const& space, Positions const& positions) {
    forget();
    require_instance(space);
    neighbors::detail::require_columns<ExecutionSpace>(positions, function);
    bin_positions(what, neighbors::detail::make_positions(positions), extent(positions), rows_of(extent(positions)));
  }

  template <index_functor Positions>
  void bin(aim what, ExecutionSpace const& space, std::int64_t n, Positions const& positions) {
    forget();
    require_instance(space);
    internal::require(n >= 0, function, "n = " + std::to_string(n) + " is negative");
    bin_positions(what, positions, n, rows_of(n));
  }

  template <class Queries, class Points>
    requires(Kokkos::is_view_v<Queries> && Kokkos::is_view_v<Points>)
  void bin(aim what, ExecutionSpace const& space, Queries const& queries, Points const& points) {
    forget();
    require_instance(space);
    neighbors::detail::require_columns<ExecutionSpace>(queries, function);
    neighbors::detail::require_columns<ExecutionSpace>(points, function);
    neighbors::detail::check_two_sets(options_, function);
    auto const first = neighbors::detail::make_positions(queries);
    auto const second = neighbors::detail::make_positions(points);
    std::int64_t const rows = extent(queries);
    bin_positions(what, neighbors::detail::two_sets<decltype(first), decltype(second)>{first, second, rows},
                  rows + extent(points), rows, rows);
  }

  template <class Positions>
  void bin_positions(aim what, Positions const& positions, std::int64_t n, std::int64_t rows,
                     std::int64_t first_candidate = 0) {
    neighbors::detail::check_combinations(options_, function);
    internal::require(uses_masks() || options_.builder != neighbor_builder::masks, function,
                      "there is no builder with masks for this execution space");
    neighbors::detail::check_half_of_rows(options_, n, rows, function);
    ids_.set(space_, options_.ids, n, function);
    auto const options = ids_.in(options_);
    first_candidate_ = first_candidate;
    few_pairs_ = {};
    if constexpr (may_have_few_particles)
      if (first_candidate == 0 && few_particles_builder::takes(n, options_)) {
        auto const binned = grid_.update_few_particles(few_particles_, positions, n, rows, box_, cutoff_, options);
        internal::grow(space_, offsets_, static_cast<std::size_t>(rows) + 1, function, "offsets");
        auto const slots = what == aim::list ? this->slots() : typename few_particles_builder::slots();
        few_pairs_ = few_particles_.build({binned, make_rules()}, offsets_.data(), slots, positions);
        grid_.set_geometry(few_particles_.grid());
        return;
      }
    grid_.set_groups(masks_.group_size(n), masks_.most_merged(n));
    grid_.update(positions, n, rows, first_candidate, box_, cutoff_, options);
  }

  auto contents() const { return neighbors::detail::pair_contents::of(options_, uses_masks()); }
  typename few_particles_builder::slots slots() const {
    return {arrays_, contents(), masks_.stores_values(options_.order)};
  }
  /// Of the particles in the grid. May wait.
  neighbors::detail::pair_rules<Real> make_rules() {
    return rules_.make(space_, grid_.binned(), cutoff_, ids_.in(options_),
                       {.workspace = &grid_.workspace(), .label = function});
  }

  /// Counts the pairs of the particles that bin() left in the grid, for emit(). For a list, it refuses one that memory
  /// cannot hold.
  void count(aim what);

  /// The plain builder is pack_lists: one thread per particle, every distance computed in both passes.
  plan_options packing() {
    return {.workspace = &grid_.workspace(),
            .label = function,
            .visit = grid_.order(),
            .memory_budget = options_.memory_budget};
  }

  /// Bytes in addition to the list; of_pair: of each pair.
  std::size_t other_bytes(std::size_t of_pair) const {
    return ids_.bytes() + grid_.bytes() + rules_.bytes() + masks_.bytes() + few_particles_.bytes() +
           plan_.pairs * of_pair;
  }

  /// Throws out_of_memory_error where arrays for so many pairs do not fit. What is held is freed before they grow.
  void require_memory_for(std::uint64_t pairs, char const* least) const {
    require_memory(space_, arrays_.missing_bytes(contents(), pairs), function,
                   "a list of " + std::string(least) + std::to_string(pairs) + " pairs",
                   arrays_.held_bytes(contents(), pairs));
  }

  /// Throws out_of_memory_error where dense cells alone have more pairs than memory holds. Left out of builds after
  /// one without dense cells, and of few particles: it is another pass over the cells, which waits.
  void refuse_dense_cells(search_type const& search) const {
    auto const n = static_cast<std::uint64_t>(grid_.particles());
    if (grid_.particles() <= particles_without_dense_cells_ ||
        arrays_.missing_bytes(contents(), n * n) < internal::never_refused_bytes)
      return;
    require_memory_for(neighbors::detail::count_pairs_of_dense_cells(space_, search, grid_.row_cells()), "at least ");
  }
  /// The rows as they are written, sorted and completed. Null images where none are kept.
  neighbors::detail::sort_rows_kernel row_sort(image* images) const {
    std::size_t const skipped = first_candidate_ > 0 ? plan_.rows : 0;  // neighbours index into points
    auto const* const ids = ids_.in(options_).ids.wide().data();
    return {offsets_.data(), arrays_.neighbors.data(), images, ids == nullptr ? nullptr : ids + skipped,
            options_.images.data()};
  }

  ExecutionSpace space_;
  typename Systems::template boxes_type<ExecutionSpace> box_;
  Real cutoff_;
  neighbor_options options_;
  neighbors::detail::wide_ids<ExecutionSpace> ids_;
  neighbors::detail::cell_grid<ExecutionSpace, Real, Systems> grid_;
  neighbors::detail::list_rules<ExecutionSpace, Real> rules_;
  neighbors::detail::mask_builder<ExecutionSpace, Real, Systems> masks_;
  few_particles_builder few_particles_;
  std::optional<neighbors::detail::few_pairs> few_pairs_;  ///< what the builder for few particles counted, if it did
  std::optional<search_type> search_;                      ///< of the plain builder, with
  list_plan<int, memory_space> packed_;                    ///< what it counted
  neighbor_plan plan_;
  bool planned_ = false;
  neighbor_options built_by_;  ///< what these were built with
  std::uint64_t build_ = 0;  ///< which of all lists' builds the neighbours are of; 0 while the grid has other particles
  std::int64_t first_candidate_ = 0;                 ///< of two sets the first point, else 0
  std::int64_t particles_without_dense_cells_ = -1;  ///< of the last list, where its rows were short
  std::size_t emitted_ = 0;
  Kokkos::View<std::size_t*, memory_space> offsets_;
  neighbors::detail::pair_contents kept_;  ///< of the pairs that are there
  neighbors::detail::pair_arrays<memory_space, Real> arrays_;
};

template <class ExecutionSpace, class Positions, class Real, class... Options>
neighbor_list(ExecutionSpace const&, Positions const&, box<Real> const&, Options const&...)
    -> neighbor_list<ExecutionSpace, Real>;
template <class ExecutionSpace, class Positions, class Real, class Cutoff>
neighbor_list(ExecutionSpace const&, Positions const&, box<Real> const&, Cutoff, neighbor_options)
    -> neighbor_list<ExecutionSpace, Real>;
template <class ExecutionSpace, class Queries, class Points, class Real, class Cutoff>
neighbor_list(ExecutionSpace const&, Queries const&, Points const&, box<Real> const&, Cutoff)
    -> neighbor_list<ExecutionSpace, Real>;
template <class ExecutionSpace, class Queries, class Points, class Real, class Cutoff>
neighbor_list(ExecutionSpace const&, Queries const&, Points const&, box<Real> const&, Cutoff, neighbor_options)
    -> neighbor_list<ExecutionSpace, Real>;

}  // namespace upsweep

#include <upsweep/neighbors/detail/builders/build_steps.hpp>
#include <upsweep/neighbors/detail/builders/compiled_lists.hpp>

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/undo_on_error.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/copied_positions.hpp>
#include <upsweep/neighbors/detail/box/positions_of.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/builders/compiled_list.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/kept_view.hpp>
#include <upsweep/neighbors/neighbor_plan.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/options.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep {

/// Neighbour list in compressed rows: neighbors(offsets(i)) ... neighbors(offsets(i+1) - 1) are the particles within
/// `cutoff` of particle i, itself excepted but not its periodic images. On a periodic fcc crystal of density 0.8442
/// each has 54 within 2.5. Half lists, ghosts, types, radii and exclusions: neighbor_options.
/// A list that was moved from may be assigned to or destroyed, and nothing else.
///
/// positions: a View (n, 3) of any layout, or a functor i -> Kokkos::Array<Real, 3>, which is called once for each
/// particle and copied to memory; any lengths, one unit.
/// Pre: the space reaches positions and the Views in options. Boxes of any shape; where a periodic direction is shorter
/// than the cutoff, a particle is in a row once for each image.
/// Cost: each particle is compared with those of about 27 cells, once or twice (neighbor_builder), where radii differ
/// much with those of about as many cells of each size class; 4 bytes per pair and what else options keep of it, 8 per
/// row, memory for particles (with 8 bytes per id, 4 per type, a Real per radius, three per position of a functor), hit
/// masks of one bit per comparison.
/// A CPU thread takes up to 450 KB of its stack. A later build reuses memory.
/// Order: pairs with distance <= cutoff, or < (options.include_cutoff; r2 in Real, against cutoff * cutoff rounded
/// once); rows as positions; inside a row as options.order says: a function of the input alone, the same on each run,
/// builder and backend. So are all values of pairs.
/// Sync: waits for the instance.
/// Throws: precondition_error (n < 0, cutoff, options, bad particle by index), overflow_error, out_of_memory_error
/// (before distances are computed where dense cells alone have more pairs than memory holds). After an error of plan()
/// or update() there is no list. Views of the one before have no meaning: GPUs may find a bad particle when offsets are
/// written already, but no rows. Box, cutoff and options are as before; emit() without memory for pairs keeps the plan.
/// Source: B. Merry, *Prefix sums on GPUs*: lists of near objects, packed.
///
/// The library has compiled lists of float and double on Kokkos' default execution space. For those of another one
/// include <upsweep/neighbors/compile_lists.hpp>, too.
template <class ExecutionSpace, std::floating_point Real>
class neighbor_list {
  using list_type = neighbors::detail::compiled_list<ExecutionSpace, Real, neighbors::detail::one_system<Real>>;
  static_assert(Kokkos::is_execution_space_v<ExecutionSpace>,
                "upsweep::neighbor_list: the first argument is an execution-space instance.");
  static_assert(!Kokkos::is_execution_space_v<ExecutionSpace> || neighbors::detail::list_is_compiled<list_type>,
                "upsweep::neighbor_list: the library has lists of float and double on Kokkos' default execution space; "
                "include <upsweep/neighbors/compile_lists.hpp> for others.");

 public:
  using execution_space = ExecutionSpace;
  using memory_space = typename ExecutionSpace::memory_space;
  using real = Real;
  /// Three numbers for each pair.
  template <class T>
  using triples = typename list_type::template triples<T>;

  /// Makes an empty list, to be built by update() or by plan() and emit().
  neighbor_list(ExecutionSpace const& space, box<Real> const& box, Real cutoff, neighbor_options const& options = {})
      : list_(space, box, cutoff, options) {}

  template <class Positions>
  neighbor_list(ExecutionSpace const& space, Positions const& positions, box<Real> const& box, Real cutoff,
                neighbor_options const& options = {})
      : neighbor_list(space, box, cutoff, options) {
    list_.build(prepare(space, positions));
  }

  /// Of two sets: rows are queries, neighbours index into points, and no pair counts as a particle with itself.
  /// Per-particle options (ids, types, radii) cover the queries, then the points; errors number particles so, too.
  template <view_argument Queries, view_argument Points>
  neighbor_list(ExecutionSpace const& space, Queries const& queries, Points const& points, box<Real> const& box,
                Real cutoff, neighbor_options const& options = {})
      : neighbor_list(space, box, cutoff, options) {
    list_.build(prepare(space, queries, points));
  }

  /// The same as the first from a functor, which has no extent.
  template <index_functor Positions>
  neighbor_list(ExecutionSpace const& space, std::size_t n, Positions const& positions, box<Real> const& box,
                Real cutoff, neighbor_options const& options = {})
      : neighbor_list(space, box, cutoff, options) {
    list_.build(prepare(space, n, positions));
  }

  /// Rebuilds the list, for moved or for entirely other particles. Views and pointers taken from it before are invalid.
  template <class Positions>
  void update(ExecutionSpace const& space, Positions const& positions) {
    list_.build(prepare(space, positions));
  }
  template <view_argument Queries, view_argument Points>
  void update(ExecutionSpace const& space, Queries const& queries, Points const& points) {
    list_.build(prepare(space, queries, points));
  }
  template <index_functor Positions>
  void update(ExecutionSpace const& space, std::size_t n, Positions const& positions) {
    list_.build(prepare(space, n, positions));
  }
  /// The same in another box, or in another box and with another cutoff and other options.
  template <class Positions>
  void update(ExecutionSpace const& space, Positions const& positions, box<Real> const& box) {
    update(space, positions, box, list_.cutoff(), neighbor_options(list_.options()));
  }
  template <class Positions>
  void update(ExecutionSpace const& space, Positions const& positions, box<Real> const& box, Real cutoff,
              neighbor_options const& options) {
    internal::undo_on_error const undo(
        [this, b = list_.given_box(), c = list_.cutoff(), o = list_.options()] { set(b, c, o); });
    set(box, cutoff, options);
    update(space, positions);
  }
  /// What the next build goes by. A plan made before is dropped.
  void set(box<Real> const& box, Real cutoff, neighbor_options const& options) { list_.set(box, cutoff, options); }
  /// Forgets the list and lets go of the Views in its options, which set() gives again. Keeps the memory.
  void clear() { list_.clear(); }

  /// Bins the particles and counts the pairs: `if (nl.plan(space, positions).bytes() <= budget) nl.emit();`
  template <class Positions>
  neighbor_plan const& plan(ExecutionSpace const& space, Positions const& positions) {
    return list_.plan(prepare(space, positions));
  }
  template <view_argument Queries, view_argument Points>
  neighbor_plan const& plan(ExecutionSpace const& space, Queries const& queries, Points const& points) {
    return list_.plan(prepare(space, queries, points));
  }
  template <index_functor Positions>
  neighbor_plan const& plan(ExecutionSpace const& space, std::size_t n, Positions const& positions) {
    return list_.plan(prepare(space, n, positions));
  }

  /// Takes the memory that the plan announced and fills it. Pre: positions, ids and images are those of the plan.
  void emit() { list_.emit(); }

  std::size_t rows() const { return last_plan().rows; }
  std::size_t pairs() const { return last_plan().pairs; }
  std::size_t largest_row() const { return last_plan().largest_row; }
  /// Of the last build: what it counted and the memory it took.
  neighbor_plan const& last_plan() const { return list_.last_plan(); }
  /// rows + 1 entries; the last is the number of pairs. Known from the plan on; none where there is no list.
  Kokkos::View<std::size_t const*, memory_space> offsets() const { return list_.offsets(); }
  /// Indices into positions, or into points.
  Kokkos::View<int const*, memory_space> neighbors() const { return list_.neighbors(); }
  /// The image of each neighbour, as seen from the row's particle: `pair_images().view()`. Given with
  /// options.pair_images; else given() says so, and view() throws precondition_error.
  kept_view<Kokkos::View<image const*, memory_space>> pair_images() const {
    return {list_.pair_images(), function, "pair_images"};
  }

  /// What else options ask for, an entry, or three, for each neighbour: `displacements().view()(k, 0)` is in x. Each is
  /// given with the option of its name. Of positions as they are given, wrapped or not.
  kept_view<Kokkos::View<int const*, memory_space>> first_indices() const {
    return {list_.first_indices(), function, "first_indices"};
  }
  kept_view<triples<int>> unwrapped_images() const { return {list_.unwrapped_images(), function, "unwrapped_images"}; }
  kept_view<triples<Real>> displacements() const { return {list_.displacements(), function, "displacements"}; }
  kept_view<Kokkos::View<Real const*, memory_space>> distances() const {
    return {list_.distances(), function, "distances"};
  }

  /// Pointers to all of it, for kernels to capture (for_each_neighbor.hpp, reduce_rows.hpp); valid until
  /// the next build.
  /// Throws: precondition_error between plan() and emit(), when offsets are new and neighbours are not.
  neighbor_rows<> view() const& { return list_.view(); }
  /// The pointers would outlive a temporary list.
  neighbor_rows<> view() const&& = delete;

  /// Sum mod 2^64 over all pairs, of half lists in both directions, of mix(mix(mix(id_i) ^ id_j) ^ s), s the image:
  /// equal for equal sets of pairs, whatever the order of particles, rows and ranks (add the ranks' sums). Of what was
  /// built, whatever set() says. Pre: one set; the box is open, or options.images or pair_images are given; with images
  /// also ids. Cost: reads the list once. Sync: waits. Throws: precondition_error without these, or as view() does.
  std::uint64_t hash() const { return list_.hash(); }

  // For callers who forgot the space: one sentence, and no list of all forms.
  template <class First, class... Others>
    requires(!std::is_convertible_v<First const&, ExecutionSpace const&>)
  void update(First const&, Others const&...) {
    static_assert(std::is_same_v<First, ExecutionSpace>,
                  "upsweep::neighbor_list::update: the first argument is an instance of the list's execution space.");
  }
  template <class First, class... Others>
    requires(!std::is_convertible_v<First const&, ExecutionSpace const&>)
  neighbor_plan const& plan(First const&, Others const&...) {
    static_assert(std::is_same_v<First, ExecutionSpace>,
                  "upsweep::neighbor_list::plan: the first argument is an instance of the list's execution space.");
    return list_.last_plan();
  }

 private:
  static constexpr char const* function = "neighbor_list";

  // The next build is of these particles: what is wrong beside their positions is thrown here. Builders are compiled
  // for Views alone, as pointers with strides.

  template <class Positions>
  auto prepare(ExecutionSpace const& space, Positions const& positions) {
    list_.start(space);
    auto const given = neighbors::detail::positions_of<ExecutionSpace, Real>(positions, function);
    list_.expect(given.n);
    return given.positions;
  }

  template <index_functor Positions>
  auto prepare(ExecutionSpace const& space, std::size_t n, Positions const& positions) {
    list_.start(space);
    list_.expect(static_cast<std::int64_t>(internal::checked_size(n, function)));
    return neighbors::detail::copy_positions(space, n, positions, list_.memory_for_positions(), function);
  }

  template <view_argument Queries, view_argument Points>
  auto prepare(ExecutionSpace const& space, Queries const& queries, Points const& points) {
    list_.start(space);
    auto const rows = neighbors::detail::positions_of<ExecutionSpace, Real>(queries, function);
    auto const candidates = neighbors::detail::positions_of<ExecutionSpace, Real>(points, function);
    list_.expect_two_sets(rows.n, candidates.n);
    return typename list_type::both_sets{rows.positions, candidates.positions, rows.n};
  }

  list_type list_;
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

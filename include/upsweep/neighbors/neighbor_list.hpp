// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/cell_grid.hpp>
#include <upsweep/neighbors/list_hash.hpp>
#include <upsweep/neighbors/detail/split_pairs.hpp>
#include <upsweep/pack/pack_lists.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace upsweep {

/// What is known of a neighbour list once its pairs are counted, before the memory for them is taken.
struct neighbor_plan {
  std::size_t rows = 0;
  std::size_t pairs = 0;        ///< neighbours of all rows
  std::size_t largest_row = 0;  ///< neighbours of the particle that has most
  std::size_t list_bytes = 0;   ///< offsets, neighbours and, where asked for, images of pairs
  std::size_t other_bytes = 0;  ///< the binned particles, and what building needs beside the list
  std::size_t bytes() const { return list_bytes + other_bytes; }
};

/// Full neighbour list in compressed rows: neighbors(offsets(i)) ... neighbors(offsets(i+1) - 1) are the particles within
/// `cutoff` of particle i, itself excepted. On a periodic fcc crystal of density 0.8442 each has 54 within 2.5.
///
/// positions: a View (n, 3) of any layout, or a functor i -> Kokkos::Array<Real, 3>; any lengths, one unit.
/// Pre: periodic directions at least two cutoffs long; the space reaches positions and the Views in options.
/// Cost: two passes over about 27 cells of candidates a particle; 4 bytes a pair, 8 a row, and the cell_grid's memory.
/// Order: pairs with distance <= cutoff (r2 in Real, against cutoff * cutoff rounded once); rows as positions; inside a row
/// by cell (z, y, x), then id: a function of the input alone, the same on each run and backend.
/// Sync: waits for the instance.
/// Throws: precondition_error (cutoff, small box, bad particle by index), overflow_error, out_of_memory_error.
/// Source: B. Merry, *Prefix sums on GPUs*: lists of near objects, packed.
template <class ExecutionSpace, std::floating_point Real>
class neighbor_list {
 public:
  using execution_space = ExecutionSpace;
  using memory_space = typename ExecutionSpace::memory_space;
  using real = Real;

  /// Makes an empty list, to be built by update() or by plan() and emit().
  neighbor_list(ExecutionSpace const& space, box<Real> const& box, Real cutoff, neighbor_options const& options = {})
      : space_(space), box_(box), cutoff_(cutoff), options_(options), grid_(space) {}

  template <class Positions>
  neighbor_list(ExecutionSpace const& space, Positions const& positions, box<Real> const& box, Real cutoff,
                neighbor_options const& options = {})
      : neighbor_list(space, box, cutoff, options) {
    update(space, positions);
  }

  /// The same from a functor, which has no extent.
  template <index_functor Positions>
  neighbor_list(ExecutionSpace const& space, Positions const& positions, std::int64_t n, box<Real> const& box, Real cutoff,
                neighbor_options const& options = {})
      : neighbor_list(space, box, cutoff, options) {
    plan(positions, n);
    emit();
  }

  /// Builds the list anew from other positions, or other ones of the same particles.
  template <class Positions>
  void update(ExecutionSpace const& space, Positions const& positions) {
    require(compat::same_instance(space, space_), "neighbor_list", "update on another instance than it was made for");
    plan(space, positions);
    emit();
  }

  /// Bins the particles and counts the pairs: `if (nl.plan(space, positions).bytes() <= budget) nl.emit();`
  template <class Positions>
  neighbor_plan const& plan(ExecutionSpace const& space, Positions const& positions) {
    static_assert(Kokkos::is_view_v<Positions>, "upsweep::neighbor_list: positions from a functor need their number, too.");
    static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename Positions::memory_space>::accessible,
                  "upsweep::neighbor_list: positions cannot be reached by kernels of this execution space.");
    require(compat::same_instance(space, space_), "neighbor_list", "plan on another instance than it was made for");
    require(positions.extent(1) == 3, "neighbor_list",
            "positions has " + std::to_string(positions.extent(1)) + " columns; it needs 3");
    return plan(detail::make_positions(positions), static_cast<std::int64_t>(positions.extent(0)));
  }
  template <index_functor Positions>
  neighbor_plan const& plan(Positions const& positions, std::int64_t n) {
    require(n >= 0, "neighbor_list", "n = " + std::to_string(n) + " is negative");
    std::int64_t const rows = options_.rows < 0 ? n : options_.rows;
    release();
    grid_.update(positions, n, rows, box_, cutoff_, options_);
    if (options_.pair_images) imaged_ = count_lists<detail::imaged_neighbor>(space_, rows, functor<detail::imaged_neighbor>(), packing());
    else plain_ = count_lists<int>(space_, rows, functor<int>(), packing());
    set_plan();
    return plan_;
  }

  /// Takes the memory that the plan announced and fills it. Pre: positions, ids and images are those of the plan.
  void emit() {
    if (imaged_) {
      auto const both = emit_lists(space_, *imaged_, functor<detail::imaged_neighbor>(), packing());
      offsets_ = both.offsets;
      neighbors_ = allocate<int, memory_space>(space_, both.total(), "neighbor_list", "neighbors");
      pair_images_ = allocate<image, memory_space>(space_, both.total(), "neighbor_list", "pair_images");
      detail::split_pairs(space_, both.values, neighbors_, pair_images_);
      imaged_.reset();
    } else {
      require(plain_.has_value(), "neighbor_list::emit", "there is no plan; call plan() first");
      auto const list = emit_lists(space_, *plain_, functor<int>(), packing());
      offsets_ = list.offsets;
      neighbors_ = list.values;
      plain_.reset();
    }
  }

  std::size_t rows() const { return plan_.rows; }
  std::size_t pairs() const { return plan_.pairs; }
  std::size_t largest_row() const { return plan_.largest_row; }
  /// Of the last build: what it counted and the memory it took.
  neighbor_plan const& last_plan() const { return plan_; }
  /// rows + 1 entries; the last is the number of pairs.
  Kokkos::View<std::size_t const*, memory_space> offsets() const { return offsets_; }
  /// Indices into positions.
  Kokkos::View<int const*, memory_space> neighbors() const { return neighbors_; }
  /// The image in which each neighbour stands, as seen from the row's particle. Empty unless options.pair_images.
  Kokkos::View<image const*, memory_space> pair_images() const { return pair_images_; }

  /// Sum mod 2^64 over all pairs of mix(mix(mix(id_i) ^ id_j) ^ s), s the image: equal for equal sets of pairs, whatever
  /// the order of particles, rows and ranks (add the ranks' sums).
  /// Pre: the box is open in all directions, or options.images or pair_images are given.
  /// Cost: reads the list once. Sync: waits for the instance. Throws: precondition_error without images.
  std::uint64_t hash() const {
    bool const open = !box_.periodic(0) && !box_.periodic(1) && !box_.periodic(2);
    require(open || options_.pair_images || options_.images.data() != nullptr, "neighbor_list::hash",
            "the images of pairs in a periodic box were not kept; build with pair_images = true");
    return detail::hash_list<ExecutionSpace>(space_, {offsets_.data(), neighbors_.data(), options_.ids.data(),
                                                      options_.pair_images ? pair_images_.data() : nullptr, options_.images.data()},
                                             plan_.rows);
  }

 private:
  template <class Record>
  detail::emit_neighbors<Real, Record> functor() const {
    return {grid_.search()};
  }
  pack_options packing() {
    return {.workspace = &grid_.workspace(), .label = options_.label.empty() ? "neighbor_list" : options_.label,
            .visit = grid_.order(), .visits = grid_.particles()};
  }
  void release() {
    offsets_ = {};
    neighbors_ = {};
    pair_images_ = {};
    plain_.reset();
    imaged_.reset();
  }
  void set_plan() {
    auto const take = [&](auto const& p) {
      plan_ = {p.rows, p.total, p.largest_row, (p.rows + 1) * sizeof(std::size_t) + p.total * sizeof(int), grid_.bytes()};
    };
    if (imaged_) {
      take(*imaged_);
      plan_.list_bytes += plan_.pairs * sizeof(image);
      plan_.other_bytes += plan_.pairs * sizeof(detail::imaged_neighbor);
    } else {
      take(*plain_);
    }
  }

  ExecutionSpace space_;
  box<Real> box_;
  Real cutoff_;
  neighbor_options options_;
  cell_grid<ExecutionSpace, Real> grid_;
  std::optional<list_plan<int, memory_space>> plain_;
  std::optional<list_plan<detail::imaged_neighbor, memory_space>> imaged_;
  neighbor_plan plan_;
  Kokkos::View<std::size_t*, memory_space> offsets_;
  Kokkos::View<int*, memory_space> neighbors_;
  Kokkos::View<image*, memory_space> pair_images_;
};

template <class ExecutionSpace, class Positions, class Real, class... Options>
neighbor_list(ExecutionSpace const&, Positions const&, box<Real> const&, Options const&...)
    -> neighbor_list<ExecutionSpace, Real>;
template <class ExecutionSpace, class Positions, class Real, class Cutoff>
neighbor_list(ExecutionSpace const&, Positions const&, box<Real> const&, Cutoff, neighbor_options)
    -> neighbor_list<ExecutionSpace, Real>;

}  // namespace upsweep

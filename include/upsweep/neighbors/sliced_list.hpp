// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/require_reachable.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/undo_on_error.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/optional_view.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/neighbors/detail/loops/sliced_kernels.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/neighbors/sliced_rows.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/internal/temporary_bytes.hpp>
#include <upsweep/scan/reduce.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace upsweep {

/// Options of a sliced list: `sliced_list sliced(space, list, {.sort_window = 256});`
struct sliced_options {
  std::string_view label = {};  ///< goes into the kernels' labels, in brackets; must stay alive until the last build
  /// Place p holds row order(p); each row is in it once. Not given: 0, 1, 2, ... Good orders keep rows whose neighbours
  /// are the same close together (particles by cell). Read at each plan.
  optional_view<neighbor_options::input<int>> order = {};
  /// Within every so many places rows are sorted by length, longest first, which saves padding; 0: not at all.
  std::size_t sort_window = 0;
  /// What the padding holds: this index, if it is not negative (a particle far from all, so that loops need no mask),
  /// else the row's last neighbour again, and 0 where it has none.
  std::int64_t padding = -1;
};

/// What is known of a sliced list before the memory for its entries is taken.
struct sliced_plan {
  std::size_t rows = 0;
  std::size_t pairs = 0;        ///< neighbours of all rows
  std::size_t largest_row = 0;  ///< of the longest one
  std::size_t slices = 0;
  std::size_t entries = 0;      ///< pairs and padding
  std::size_t list_bytes = 0;   ///< entries, images, and what kernels need beside them
  std::size_t other_bytes = 0;  ///< held for building only
  std::size_t bytes() const { return list_bytes + other_bytes; }
};

namespace neighbors::detail {
/// What has offsets, neighbours and images, as a neighbor_list. By name: GCC 12 finds an expression in a constructor's
/// own requires-clause invalid when it deduces the arguments of the class.
template <class List>
concept list_with_images = (!Kokkos::is_view_v<List> && requires(List const& list) { list.pair_images(); });
}  // namespace neighbors::detail

/// A neighbour list as force loops like it: rows in slices of SliceRows, transposed inside the slice and padded to its
/// longest row, so that neighbours k of a slice's rows are side by side.
/// Rows {1 2 3} {4} in slices of two become 1 4 2 4 3 4.
///
/// Offsets and neighbours: Views of rank 1 of any integer types and layouts, or anything with offsets(), neighbors()
/// and pair_images() (an optional_view, or a View), such as a neighbor_list. They are only read, and not needed
/// afterwards.
/// Pre: offsets has an entry more than rows; the space reaches all Views.
/// Cost: a row is read three times, its neighbours once; SliceRows * longest row entries per slice, 4 bytes per row, 8
///   per slice; with an order or a window 8 more bytes per row. With a window also a radix sort of 64-bit keys.
/// Order: places as options say (rows of equal length stay in order); in a row as in the compressed list.
/// Sync: waits for the instance. Memory is kept, and replaced only where a list does not fit.
/// Throws: precondition_error (extents, offsets, order, by index or row), overflow_error (a row of 2^32, a neighbour
///   that does not fit in Index), count_mismatch_error (offsets changed between plan and emit), out_of_memory_error.
/// Source: Kreutzer et al., *A unified sparse matrix data format for efficient general sparse matrix-vector
///   multiplication on modern processors with wide SIMD units*: SELL-C-sigma; counts, scan, copy by
///   *Prefix sums on GPUs*.
template <class ExecutionSpace, class Index = int, int SliceRows = default_slice_rows<ExecutionSpace>>
class sliced_list {
  static_assert(std::is_integral_v<Index> && !std::is_same_v<Index, bool>,
                "upsweep::sliced_list: indices are of an integer type.");
  static_assert(SliceRows >= 1, "upsweep::sliced_list: a slice has at least one row.");

 public:
  using execution_space = ExecutionSpace;
  using memory_space = typename ExecutionSpace::memory_space;
  using index_type = Index;
  using view_type = sliced_rows<Index, SliceRows>;
  using optional_images = neighbor_options::optional_input<image>;

  /// An empty list, to be built by update() or by plan() and emit().
  explicit sliced_list(ExecutionSpace const& space, sliced_options const& options = {})
      : space_(space), options_(options), workspace_(space) {}

  template <neighbors::detail::list_with_images List>
  sliced_list(ExecutionSpace const& space, List const& list, sliced_options const& options = {})
      : sliced_list(space, options) {
    update(space, list);
  }
  template <view_of_rank_1 Offsets, view_of_rank_1 Neighbors>
  sliced_list(ExecutionSpace const& space, Offsets const& offsets, Neighbors const& neighbors,
              sliced_options const& options = {})
      : sliced_list(space, options) {
    update(space, offsets, neighbors);
  }

  /// Rebuilds the list. images: one for each neighbour, or not given.
  template <view_of_rank_1 Offsets, view_of_rank_1 Neighbors>
  void update(ExecutionSpace const& space, Offsets const& offsets, Neighbors const& neighbors,
              optional_images const& images = {}) {
    plan(space, offsets, neighbors, images);
    emit(space, offsets, neighbors, images);
  }
  template <class List>
    requires(!Kokkos::is_view_v<List>)
  void update(ExecutionSpace const& space, List const& list) {
    update(space, list.offsets(), list.neighbors(), list.pair_images());
  }
  /// The same in another order; a window and a padding stay as they are.
  template <class List>
    requires(!Kokkos::is_view_v<List>)
  void update(ExecutionSpace const& space, List const& list, optional_view<neighbor_options::input<int>> const& order) {
    internal::undo_on_error const undo([this, before = options_.order] { options_.order = before; });
    options_.order = order;
    update(space, list);
  }

  /// Measures the slices: `if (sliced.plan(space, offsets, neighbors).bytes() <= budget) sliced.emit(space,
  /// offsets, neighbors);`
  template <view_of_rank_1 Offsets, view_of_rank_1 Neighbors>
  sliced_plan const& plan(ExecutionSpace const& space, Offsets const& offsets, Neighbors const& neighbors,
                          optional_images const& images = {}) {
    check_arguments(space, offsets, neighbors, images);
    built_ = planned_ = false;
    auto const from = internal::make_sequence(offsets);
    using source = std::remove_const_t<decltype(from)>;
    neighbors::detail::bounded_rows<source> const rows{from, neighbors.extent(0)};
    plan_ = {};
    plan_.rows = offsets.extent(0) - 1;
    measure(rows);
    bool const ordered = options_.order.given() || options_.sort_window > 1;
    if (ordered) place(rows);
    cut(rows, ordered);
    imaged_ = images.given();
    ordered_ = ordered;
    set_bytes();
    planned_ = true;
    return plan_;
  }

  /// Takes the memory that the plan announced and fills it. Pre: the Views are those of the plan, and so is
  /// what they hold.
  template <view_of_rank_1 Offsets, view_of_rank_1 Neighbors>
  void emit(ExecutionSpace const& space, Offsets const& offsets, Neighbors const& neighbors,
            optional_images const& images = {}) {
    internal::require(planned_, function, "there is no plan; call plan() first");
    check_arguments(space, offsets, neighbors, images);
    internal::require(offsets.extent(0) == plan_.rows + 1 && images.given() == imaged_, function,
                      "emit with other Views than planned");
    internal::grow(space_, neighbors_, plan_.entries, function, "neighbors");
    if (imaged_) internal::grow(space_, images_, plan_.entries, function, "images");
    planned_ = false;
    auto const from_offsets = internal::make_sequence(offsets);
    auto const from = internal::make_sequence(neighbors);
    using kernel = neighbors::detail::fill_place_kernel<std::remove_const_t<decltype(from_offsets)>,
                                                        std::remove_const_t<decltype(from)>, Index, SliceRows>;
    launch("fill", plan_.slices * SliceRows,
           kernel{{from_offsets, neighbors.extent(0)},
                  from,
                  images.data(),
                  order(),
                  lengths_.data(),
                  slice_starts_.data(),
                  neighbors_.data(),
                  imaged_ ? images_.data() : nullptr,
                  plan_.rows,
                  options_.padding,
                  workspace_.errors(space_)});
    neighbors::detail::throw_sliced_error(workspace_.take_error(space_));
    built_ = true;
  }

  /// For kernels; valid until the next plan. Pre: the list is built.
  view_type view() const {
    internal::require(built_, function, "the list is not built");
    return {slice_starts_.data(),
            neighbors_.data(),
            imaged_ ? images_.data() : nullptr,
            lengths_.data(),
            order(),
            ordered_ ? places_.data() : nullptr,
            plan_.rows};
  }

  std::size_t rows() const { return plan_.rows; }
  std::size_t pairs() const { return plan_.pairs; }
  std::size_t largest_row() const { return plan_.largest_row; }
  /// Of the last build: what it measured, and the memory it took.
  sliced_plan const& last_plan() const { return plan_; }

 private:
  static constexpr char const* function = "sliced_list";

  template <class Kernel>
  void launch(char const* part, std::size_t n, Kernel const& kernel) {
    Kokkos::parallel_for(internal::label(function, part, options_.label), internal::index_policy(space_, n), kernel);
  }
  scan_options scan() { return {.workspace = &workspace_, .label = internal::inner_label(options_.label, function)}; }
  int const* order() const { return ordered_ ? order_.data() : nullptr; }

  template <class Offsets, class Neighbors>
  void check_arguments(ExecutionSpace const& space, Offsets const& offsets, Neighbors const& neighbors,
                       optional_images const& images) const {
    static_assert(internal::reachable<ExecutionSpace, Offsets>() && internal::reachable<ExecutionSpace, Neighbors>(),
                  "upsweep: a View's memory cannot be reached by kernels of this execution space.");
    static_assert(
        std::is_integral_v<typename Offsets::value_type> && std::is_integral_v<typename Neighbors::value_type>,
        "upsweep::sliced_list: offsets and neighbours are of integer types.");
    workspace_.require_same_instance(space);
    internal::require(offsets.extent(0) >= 1, function, "offsets has no entries; it needs one more than rows");
    std::size_t const n = offsets.extent(0) - 1;
    auto const as_long = [](auto const& view, std::size_t wanted, char const* name, char const* what) {
      internal::require_reachable<ExecutionSpace>(view, function, name);
      internal::require(!view.given() || view.extent(0) == wanted, function,
                        std::string(name) + " has " + std::to_string(view.extent(0)) + " entries for " +
                            std::to_string(wanted) + what);
    };
    as_long(images, neighbors.extent(0), "images", " neighbours");
    as_long(options_.order, n, "order", " rows");
    if (options_.order.given() || options_.sort_window > 1)
      internal::narrow<int>(n, function, "the number of rows in an order");
    if (options_.padding >= 0) internal::narrow<Index>(options_.padding, function, "padding");
  }

  template <class Rows>
  void measure(Rows const& rows) {
    using row = neighbors::detail::measure_row<decltype(Rows::offsets)>;
    using monoid = neighbors::detail::row_sizes_monoid;
    // Reserved before the address of the error word is taken: growing would move it.
    workspace_.reserve(
        space_, internal::bytes_of_reduction<neighbors::detail::row_sizes, internal::functor_sequence<row>, monoid>(
                    space_, plan_.rows)
                    .reserved);
    auto const sizes = reduce(space_, plan_.rows, row{rows, workspace_.errors(space_)}, monoid{}, scan());
    neighbors::detail::throw_sliced_error(workspace_.take_error(space_));
    plan_.pairs = sizes.total;
    plan_.largest_row = sizes.longest;
  }

  /// Fills order_ and places_.
  template <class Rows>
  void place(Rows const& rows) {
    std::size_t const n = plan_.rows;
    internal::grow(space_, order_, n, function, "order");
    internal::grow(space_, places_, n, function, "places");
    if (n == 0) return;
    Kokkos::deep_copy(space_, places_, -1);
    launch("place", n,
           neighbors::detail::place_rows_kernel{options_.order.data(), order_.data(), places_.data(),
                                                static_cast<std::int64_t>(n), workspace_.errors(space_)});
    neighbors::detail::throw_sliced_error(workspace_.take_error(space_));
    if (options_.sort_window <= 1) return;
    internal::grow(space_, keys_, n, function, "keys");
    int const length_bits = std::bit_width(plan_.largest_row);
    int const window_bits = std::bit_width((n - 1) / options_.sort_window);
    launch("keys", n,
           neighbors::detail::window_keys_kernel<decltype(Rows::offsets)>{
               rows, order_.data(), keys_.data(), plan_.largest_row, options_.sort_window, length_bits});
    auto const first = std::make_pair(std::size_t(0), n);
    sort_by_key(space_, Kokkos::subview(keys_, first), Kokkos::subview(order_, first),
                {.workspace = &workspace_, .label = scan().label, .last_bit = length_bits + window_bits});
    launch("invert", n, neighbors::detail::invert_order_kernel{order_.data(), places_.data()});
  }

  /// Cuts places into slices: lengths, and where each slice starts.
  template <class Rows>
  void cut(Rows const& rows, bool ordered) {
    plan_.slices = internal::divide_up<std::size_t>(plan_.rows, SliceRows);
    std::size_t const places = plan_.slices * SliceRows;
    internal::grow(space_, lengths_, places, function, "lengths");
    internal::grow(space_, slice_starts_, plan_.slices + 1, function, "slice_starts");
    launch("lengths", places,
           neighbors::detail::place_lengths_kernel<decltype(Rows::offsets)>{
               rows, ordered ? order_.data() : nullptr, lengths_.data(), static_cast<std::int64_t>(plan_.rows)});
    std::uint64_t total = 0;
    counts_to_offsets(space_, neighbors::detail::slice_entries{lengths_.data(), SliceRows},
                      Kokkos::subview(slice_starts_, std::make_pair(std::size_t(0), plan_.slices + 1)), total, scan());
    plan_.entries = total;
  }

  void set_bytes() {
    std::size_t const places = plan_.slices * SliceRows;
    std::size_t const entry = sizeof(Index) + (imaged_ ? sizeof(image) : 0);
    plan_.list_bytes = internal::checked_multiply(plan_.entries, entry, function, "bytes") +
                       places * sizeof(std::uint32_t) + (plan_.slices + 1) * sizeof(std::size_t) +
                       (ordered_ ? 2 * plan_.rows * sizeof(int) : 0);
    plan_.other_bytes = keys_.extent(0) * sizeof(std::uint64_t) + workspace_.size_bytes();
  }

  ExecutionSpace space_;
  sliced_options options_;
  upsweep::workspace workspace_;
  sliced_plan plan_;
  bool planned_ = false, built_ = false, imaged_ = false, ordered_ = false;
  // As long as the largest list so far needed them.
  Kokkos::View<int*, memory_space> order_, places_;
  Kokkos::View<std::uint64_t*, memory_space> keys_;
  Kokkos::View<std::uint32_t*, memory_space> lengths_;
  Kokkos::View<std::size_t*, memory_space> slice_starts_;
  Kokkos::View<Index*, memory_space> neighbors_;
  Kokkos::View<image*, memory_space> images_;
};

}  // namespace upsweep

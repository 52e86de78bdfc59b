// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/optional_view.hpp>
#include <upsweep/neighbors/detail/pairs/pair_slots.hpp>
#include <upsweep/neighbors/detail/rules/neighbor_search.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace upsweep::neighbors::detail {

/// What a list keeps of pairs beside neighbours, as options ask for it, and what building needs for that.
struct pair_contents {
  bool images = false, first_indices = false, unwrapped_images = false, displacements = false, distances = false;
  bool extra_images = false;  ///< nobody asks for images, but values are computed of finished rows
  bool packs_images = false;  ///< pairs are packed with their images first

  static pair_contents of(neighbor_options const& o, bool by_masks) {
    bool const by_image = o.unwrapped_images || o.displacements || o.distances;
    bool const extra = by_image && !o.pair_images && (!by_masks || o.order == row_order::sorted);
    return {o.pair_images,
            o.first_indices,
            o.unwrapped_images,
            o.displacements,
            o.distances,
            extra,
            !by_masks && (o.pair_images || extra)};
  }

  bool has_values() const { return first_indices || unwrapped_images || displacements || distances; }
  bool has_images() const { return images || extra_images; }
  /// Bytes of a pair that the list keeps beside what it gives, and those that it needs while it is built.
  std::size_t other_bytes() const { return extra_images ? sizeof(image) : 0; }
  std::size_t building_bytes() const { return other_bytes() + (packs_images ? sizeof(imaged_neighbor) : 0); }
};

/// The arrays of a list that have an entry, or three, for each pair. They keep their memory.
template <class MemorySpace, class Real>
struct pair_arrays {
  template <class T>
  using three = Kokkos::View<T* [3], Kokkos::LayoutRight, MemorySpace>;

  Kokkos::View<int*, MemorySpace> neighbors;
  Kokkos::View<image*, MemorySpace> images;
  Kokkos::View<int*, MemorySpace> first_indices;
  three<int> unwrapped_images;
  three<Real> displacements;
  Kokkos::View<Real*, MemorySpace> distances;

  /// visit(view, bytes of an entry, name) for those that are kept.
  template <class Arrays, class Visitor>
  static void visit(Arrays& all, pair_contents const& kept, Visitor const& visitor) {
    auto const if_kept = [&]<class View>(bool wanted, View& view, char const* name) {
      if (wanted) visitor(view, internal::bytes_of_row<View>(), name);
    };
    if_kept(true, all.neighbors, "neighbors");
    if_kept(kept.has_images(), all.images, "pair_images");
    if_kept(kept.first_indices, all.first_indices, "first_indices");
    if_kept(kept.unwrapped_images, all.unwrapped_images, "unwrapped_images");
    if_kept(kept.displacements, all.displacements, "displacements");
    if_kept(kept.distances, all.distances, "distances");
  }

  /// Bytes of a pair in what the list gives.
  static std::size_t bytes_of_pair(pair_contents const& kept) {
    std::size_t bytes = 0;
    pair_arrays const none;
    visit(none, kept, [&](auto const&, std::size_t each, char const*) { bytes += each; });
    return bytes - kept.other_bytes();
  }
  /// Bytes of memory of the arrays that have to grow for so many pairs; at most the largest number.
  std::size_t missing_bytes(pair_contents const& kept, std::uint64_t pairs) const {
    std::size_t each = kept.packs_images && pairs > images.extent(0) ? sizeof(imaged_neighbor) : 0;
    visit(*this, kept,
          [&](auto const& view, std::size_t bytes, char const*) { each += pairs > view.extent(0) ? bytes : 0; });
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    return each != 0 && pairs > most / each ? most : each * pairs;
  }
  /// Pairs that all arrays have room for.
  std::size_t capacity(pair_contents const& kept) const {
    std::size_t pairs = neighbors.extent(0);
    visit(*this, kept, [&](auto const& view, std::size_t, char const*) {
      pairs = Kokkos::min(pairs, static_cast<std::size_t>(view.extent(0)));
    });
    return pairs;
  }
  /// The bytes that those have now, and that are freed before they grow.
  std::size_t held_bytes(pair_contents const& kept, std::uint64_t pairs) const {
    std::size_t bytes = 0;
    visit(*this, kept, [&](auto const& view, std::size_t each, char const*) {
      bytes += pairs > view.extent(0) ? view.extent(0) * each : 0;
    });
    return bytes;
  }
  template <class ExecutionSpace>
  void grow(ExecutionSpace const& space, pair_contents const& kept, std::size_t pairs, char const* function) {
    visit(*this, kept,
          [&](auto& view, std::size_t, char const* name) { internal::grow(space, view, pairs, function, name); });
  }

  /// Where the values that are kept go.
  pair_slots<Real> slots(pair_contents const& kept, int const* edges_off) const {
    return {
        kept.first_indices ? first_indices.data() : nullptr, kept.unwrapped_images ? unwrapped_images.data() : nullptr,
        kept.displacements ? displacements.data() : nullptr, kept.distances ? distances.data() : nullptr, edges_off};
  }
};

/// The first entries of an array of pairs; empty and not given where none were kept.
template <class T, class... Properties>
auto if_kept(bool kept, Kokkos::View<T, Properties...> const& all, std::size_t pairs) {
  using constant = typename Kokkos::View<T, Properties...>::const_type;
  if (!kept) return optional_view<constant>();
  std::pair const of_pairs(std::size_t(0), pairs);
  if constexpr (compat::rank<constant> == 1) return optional_view<constant>(Kokkos::subview(all, of_pairs));
  else return optional_view<constant>(Kokkos::subview(all, of_pairs, Kokkos::ALL));
}

}  // namespace upsweep::neighbors::detail

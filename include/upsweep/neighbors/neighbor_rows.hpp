// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/require_reachable.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/loops/neighbor_call.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/neighbors/pair_index.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep {

namespace neighbors::detail {

/// Stands for the images of no pairs, which may have no memory.
inline constexpr image no_pairs(0, 0, 0);

/// Images that are given, for a handle: never null.
inline image const* given_images(image const* images) { return images == nullptr ? &no_pairs : images; }

}  // namespace neighbors::detail

/// The neighbours of one row as kernels read them.
template <class Index>
struct neighbor_run {
  using index_type = Index;

  Index const* first;
  image const* images;  ///< null where the list keeps none
  std::size_t count;
  std::size_t first_pair;  ///< where the row begins in the arrays of the list

  KOKKOS_FORCEINLINE_FUNCTION neighbor_run(Index const* from, image const* their_images, std::size_t length,
                                           std::size_t begin)
      : first(from), images(their_images), count(length), first_pair(begin) {}
  KOKKOS_FORCEINLINE_FUNCTION Index operator[](std::size_t k) const { return first[k]; }
  /// image(0, 0, 0) where the list keeps no images.
  KOKKOS_FORCEINLINE_FUNCTION image image_of(std::size_t k) const {
    return images == nullptr ? image(0, 0, 0) : images[k];
  }
  KOKKOS_FORCEINLINE_FUNCTION pair_index pair_of(std::size_t k) const { return {first_pair + k}; }
};

/// Compressed rows as kernels capture them: pointers and no owner, so the list must outlive the kernel. Made of three
/// Views by make_neighbor_rows; loops over it are in for_each_neighbor.hpp and reduce_rows.hpp.
///
/// A row's *place* is the position at which loops over all rows visit it: here the row itself.
template <class Offset = std::size_t, class Index = int>
struct neighbor_rows {
  using index_type = Index;
  using run_type = neighbor_run<Index>;

  Offset const* offsets = nullptr;  ///< rows + 1 entries
  Index const* neighbors = nullptr;
  image const* images = nullptr;  ///< one a neighbour, or null where the list keeps none
  std::size_t rows = 0;

  KOKKOS_FORCEINLINE_FUNCTION bool has_images() const { return images != nullptr; }
  KOKKOS_FORCEINLINE_FUNCTION run_type run(std::size_t i) const {
    auto const begin = static_cast<std::size_t>(offsets[i]);
    return {neighbors + begin, images == nullptr ? nullptr : images + begin,
            static_cast<std::size_t>(offsets[i + 1]) - begin, begin};
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t row_at(std::size_t place) const { return place; }
  KOKKOS_FORCEINLINE_FUNCTION run_type run_at(std::size_t place) const { return run(place); }
};

/// Some rows of a list, for loops: those of mpi::halo::interior_rows(), say. Places are the entries of `chosen`.
template <class Offset = std::size_t, class Index = int>
struct chosen_rows {
  using index_type = Index;
  using run_type = neighbor_run<Index>;

  neighbor_rows<Offset, Index> all;
  std::size_t const* chosen = nullptr;  ///< numbers of rows, each once
  std::size_t rows = 0;                 ///< how many are chosen

  KOKKOS_FORCEINLINE_FUNCTION bool has_images() const { return all.has_images(); }
  KOKKOS_FORCEINLINE_FUNCTION run_type run(std::size_t i) const { return all.run(i); }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t row_at(std::size_t place) const { return chosen[place]; }
  KOKKOS_FORCEINLINE_FUNCTION run_type run_at(std::size_t place) const { return all.run(chosen[place]); }
};

/// `reduce_rows<double>(space, choose_rows(list, halo.border_rows()), f, finish);`
/// all: a list, or the neighbor_rows of one.
/// Pre: chosen has no row twice, and no number that is not one of a row. It must outlive the kernel.
template <class Offset, class Index, view_of_rank_1 Chosen>
chosen_rows<Offset, Index> choose_rows(neighbor_rows<Offset, Index> const& all, Chosen const& chosen) {
  static_assert(
      std::is_same_v<typename Chosen::non_const_value_type, std::size_t> && compat::is_contiguous_rank1<Chosen>,
      "upsweep::choose_rows: the rows are in a contiguous View of std::size_t.");
  return {all, chosen.data(), chosen.extent(0)};
}
template <neighbors::detail::list_of_rows List, view_of_rank_1 Chosen>
auto choose_rows(List const& list, Chosen const& chosen) {
  return choose_rows(list.view(), chosen);
}
/// The handle would outlive a temporary list.
template <neighbors::detail::list_of_rows List, view_of_rank_1 Chosen>
auto choose_rows(List const&& list, Chosen const& chosen) = delete;

/// The handle of compressed rows in contiguous Views of any integer types:
/// `auto const rows = make_neighbor_rows(list.offsets(), list.neighbors(), list.pair_images());`
///
/// Pre: offsets has one entry more than rows; images, if they are given, is as long as neighbors. Values
///   are not checked.
/// Throws: precondition_error (extents).
template <view_of_rank_1 Offsets, view_of_rank_1 Neighbors>
auto make_neighbor_rows(Offsets const& offsets, Neighbors const& neighbors,
                        neighbor_options::optional_input<image> const& images = {}) {
  using offset = typename Offsets::non_const_value_type;
  using index = typename Neighbors::non_const_value_type;
  static_assert(std::is_integral_v<offset> && std::is_integral_v<index>,
                "upsweep::make_neighbor_rows: offsets and neighbours are of integer types.");
  static_assert(compat::is_contiguous_rank1<Offsets> && compat::is_contiguous_rank1<Neighbors>,
                "upsweep::make_neighbor_rows: offsets and neighbours are contiguous.");
  static_assert(
      Kokkos::SpaceAccessibility<typename Offsets::execution_space, typename Neighbors::memory_space>::accessible,
      "upsweep::make_neighbor_rows: offsets and neighbours are in memory of the same kind.");
  internal::require(offsets.extent(0) >= 1, "make_neighbor_rows",
                    "offsets has no entries; it needs one more than rows");
  internal::require_reachable<typename Offsets::execution_space>(images, "make_neighbor_rows", "images");
  internal::require(!images.given() || images.extent(0) == neighbors.extent(0), "make_neighbor_rows", [&] {
    return "images has " + std::to_string(images.extent(0)) + " entries for " + std::to_string(neighbors.extent(0)) +
           " neighbours";
  });
  return neighbor_rows<offset, index>{offsets.data(), neighbors.data(),
                                      images.given() ? neighbors::detail::given_images(images.data()) : nullptr,
                                      offsets.extent(0) - 1};
}

}  // namespace upsweep

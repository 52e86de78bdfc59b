// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/neighbors/detail/pairs/sort_rows.hpp>
#include <upsweep/pack/internal/sort_network.hpp>
#include <upsweep/pack/internal/warp_sort.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// A neighbour as a number that orders it, where indices order neighbours.
struct index_key {
  using type = int;
  KOKKOS_FORCEINLINE_FUNCTION static type load(sort_rows_kernel::row const& r, int k) { return r.v[k]; }
  KOKKOS_FORCEINLINE_FUNCTION static void store(sort_rows_kernel::row const& r, int k, type key) { r.v[k] = key; }
};
/// The same with the image of the pair in the lower half.
struct imaged_key {
  using type = std::uint64_t;
  KOKKOS_FORCEINLINE_FUNCTION static type load(sort_rows_kernel::row const& r, int k) {
    return static_cast<type>(r.v[k]) << 32 | r.s[k].order();
  }
  KOKKOS_FORCEINLINE_FUNCTION static void store(sort_rows_kernel::row const& r, int k, type key) {
    r.v[k] = static_cast<int>(key >> 32);
    r.s[k] = image::of_order(static_cast<std::uint32_t>(key));
  }

  /// The same in 32 bits, where the index has 26 and no image is farther than the next: half as many are handed from
  /// lane to lane.
  using narrow = std::uint32_t;
  KOKKOS_FORCEINLINE_FUNCTION static bool fits(type key) {
    constexpr narrow image_bits = 3u | 3u << 10 | 3u << 20;  // -1 to 2
    return key >> 58 == 0 && ((static_cast<narrow>(key) - nearest()) & ~image_bits) == 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION static narrow narrowed(type key) {
    narrow const of = static_cast<narrow>(key) - nearest();
    return static_cast<narrow>(key >> 32) << 6 | (of >> 16 & 0x30u) | (of >> 8 & 0xcu) | (of & 3u);
  }
  KOKKOS_FORCEINLINE_FUNCTION static type widened(narrow key) {
    return static_cast<type>(key >> 6) << 32 | (((key & 0x30u) << 16 | (key & 0xcu) << 8 | (key & 3u)) + nearest());
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static constexpr narrow nearest() { return image(-1, -1, -1).order(); }
};

/// The same by id, where ids have 32 bits: the id in the upper half, the index in the lower one.
struct id_key {
  using type = std::uint64_t;
  KOKKOS_FORCEINLINE_FUNCTION static bool fits(sort_rows_kernel::row const& r, int k) {
    return r.id(r.v[k]) >> 32 == 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION static type load(sort_rows_kernel::row const& r, int k) {
    return static_cast<type>(r.id(r.v[k])) << 32 | static_cast<std::uint32_t>(r.v[k]);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void store(sort_rows_kernel::row const& r, int k, type key) {
    r.v[k] = static_cast<int>(key & 0x7fffffffu);
  }
};

/// One warp per row of a list: sorts it in registers where the row is not long and a number orders its neighbours, else
/// in memory. H200, 2026-11-23, 1 M particles with 78 neighbours, whole builds in double, x the build in the order of
/// cells: by index 1.55, in memory 15.4; a thread per row took 20.5. H100, 2026-11-28: by index and image 2.24.
///
/// This kernel alone, 1 M rows of 78, 2026-11-28, ms: H100: 0.64 without images, 1.89 with images by keys of 64 bits;
/// H200: 0.81 with images by keys of 32 bits. The two cards were not compared with the same keys.
///
/// Imaged: whether images of pairs are kept. One kernel for both took 1.25 times as long for rows without.
template <class Lanes, bool Imaged>
struct warp_sort_rows {
  static constexpr int team_size = 128, warps = team_size / Lanes::size;
  static constexpr int most_items = 8;  ///< that a lane sorts in registers

  sort_rows_kernel list;
  std::int64_t rows;

  /// Members are Kokkos', or those of a test.
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    int const lane = m.team_rank() % Lanes::size;
    for (std::int64_t i = static_cast<std::int64_t>(m.league_rank()) * warps + m.team_rank() / Lanes::size; i < rows;
         i += static_cast<std::int64_t>(m.league_size()) * warps)
      sort(i, lane);
  }

 private:
  KOKKOS_FUNCTION void sort(std::int64_t i, int lane) const {
    auto const row = list.at(i);
    int const n = list.size(i);
    bool const is_long = n > most_items * Lanes::size, by_id = list.ids != nullptr;
    // Without ids equal neighbours have the same ghost image.
    if (is_long || (by_id && !ids_fit(row, n, lane))) sort_in_memory(row, n, lane);
    else if constexpr (Imaged) sort_in_registers<imaged_key, 1>(row, n, lane);
    else if (by_id) sort_in_registers<id_key, 1>(row, n, lane);
    else sort_in_registers<index_key, 1>(row, n, lane);
  }

  template <class Key, int Items>
  KOKKOS_FORCEINLINE_FUNCTION static void sort_in_registers(sort_rows_kernel::row const& row, int n, int lane) {
    if constexpr (Items < most_items)
      if (n > Items * Lanes::size) return sort_in_registers<Key, 2 * Items>(row, n, lane);
    using key = typename Key::type;
    key v[Items];
    UPSWEEP_UNROLL
    for (int r = 0; r < Items; ++r) {
      int const k = lane + r * Lanes::size;
      v[r] = k < n ? Key::load(row, k) : internal::finite_max<key>;
    }
    if (!sort_narrowed<Key>(v, n, lane)) internal::warp_sort<key, Items, Lanes>::sort(v, n, lane);
    UPSWEEP_UNROLL
    for (int r = 0; r < Items; ++r)
      if (int const k = lane + r * Lanes::size; k < n) Key::store(row, k, v[r]);
  }
  /// Whether keys are sorted that fit into fewer bits.
  template <class Key, int Items>
  KOKKOS_FORCEINLINE_FUNCTION static bool sort_narrowed([[maybe_unused]] typename Key::type (&v)[Items],
                                                        [[maybe_unused]] int n, [[maybe_unused]] int lane) {
    if constexpr (std::is_same_v<Key, imaged_key>) {
      using narrow = typename Key::narrow;
      bool fit = true;
      UPSWEEP_UNROLL
      for (int r = 0; r < Items; ++r) fit = fit && (Key::fits(v[r]) || lane + r * Lanes::size >= n);
      if (!Lanes::all(fit)) return false;
      narrow w[Items];
      UPSWEEP_UNROLL
      for (int r = 0; r < Items; ++r)
        w[r] = lane + r * Lanes::size < n ? Key::narrowed(v[r]) : internal::finite_max<narrow>;
      internal::warp_sort<narrow, Items, Lanes>::sort(w, n, lane);
      UPSWEEP_UNROLL
      for (int r = 0; r < Items; ++r) v[r] = Key::widened(w[r]);
      return true;
    } else {
      return false;
    }
  }
  /// Whether ids and indices together are numbers that order the row. An image between the two is not.
  KOKKOS_FORCEINLINE_FUNCTION bool ids_fit(sort_rows_kernel::row const& row, int n, int lane) const {
    if (Imaged || list.ghost_images != nullptr) return false;
    bool fit = true;
    for (int k = lane; k < n; k += Lanes::size) fit = fit && id_key::fits(row, k);
    return Lanes::all(fit);
  }
  KOKKOS_FUNCTION static void sort_in_memory(sort_rows_kernel::row const& row, int n, int lane) {
    auto const compare = [&](std::int64_t a, std::int64_t b) {
      if (row.before(static_cast<int>(b), static_cast<int>(a))) row.swap(static_cast<int>(a), static_cast<int>(b));
    };
    Lanes::sync();  // lanes have read the row
    internal::sort_by_network(n, lane, Lanes::size, compare, [] { Lanes::sync(); });
  }
};

/// Sorts all rows of a list: a thread or, where there are warps, a warp each. Asynchronous.
template <class ExecutionSpace>
void sort_rows(ExecutionSpace const& space, std::size_t rows, sort_rows_kernel const& list) {
  constexpr char const* label = "upsweep::neighbor_list::sort_rows";
  if constexpr (compat::has_warps<ExecutionSpace>) {
    auto const launch = [&]<bool Imaged>(std::bool_constant<Imaged>) {
      using kernel = warp_sort_rows<internal::lanes_of<ExecutionSpace>, Imaged>;
      // HIP launches fewer than 2^32 threads.
      auto const teams = Kokkos::min(internal::divide_up<std::size_t>(rows, kernel::warps), std::size_t(1) << 22);
      if (teams == 0) return;
      using policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<kernel::team_size>>;
      Kokkos::parallel_for(label, policy(space, static_cast<int>(teams), kernel::team_size),
                           kernel{list, static_cast<std::int64_t>(rows)});
    };
    if (list.pair_images != nullptr) launch(std::true_type());
    else launch(std::false_type());
  } else {
    internal::for_each_index(space, label, rows, list);
  }
}

}  // namespace upsweep::neighbors::detail

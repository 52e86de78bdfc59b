// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/pack/detail/lists/compiled_packing.hpp>
#include <upsweep/pack/detail/lists/list_rows.hpp>
#include <upsweep/pack/detail/lists/pack_memory.hpp>
#include <upsweep/pack/detail/lists/row_errors.hpp>
#include <upsweep/pack/detail/lists/row_tiles.hpp>
#include <upsweep/pack/lists.hpp>
#include <upsweep/scan/internal/tile_prefixes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace upsweep::pack::detail {

/// pack_lists with one call of the functor per row, into memory for an upper bound of the total: by tiles of teams
/// (row_tiles.hpp), or by the threads of a CPU (kept_lists.hpp).
template <class T, class ExecutionSpace, class Functor>
struct fused_pack {
  using memory_space = typename ExecutionSpace::memory_space;
  using tile = row_tile<ExecutionSpace, T>;
  using kernel = row_tiles_kernel<T, Functor, tile>;
  using steps = compiled_packing<ExecutionSpace>;

  /// Bytes beside the result: those of the bound, which a copy of what was made may follow, and the
  /// tiles' status words.
  static std::size_t bytes(pack_options const& options, std::size_t rows, char const* function) {
    std::size_t const values = internal::checked_multiply(total_bound(options, rows, function), sizeof(T), function,
                                                          "bytes of the upper bound");
    return values + internal::access::header_bytes + memory_bytes(rows);
  }

  static lists<T, memory_space> pack(ExecutionSpace const& space, std::size_t rows, Functor const& functor,
                                     pack_options const& options, char const* function) {
    internal::require(has_bound(options), function, "the strategy fused needs upper_bound or row_bound");
    require_budget(options.memory_budget, bytes(options, rows, function), function, "fused");
    std::size_t const bound = total_bound(options, rows, function);
    internal::temporary_memory memory(space, options.workspace);
    Kokkos::View<std::size_t*, memory_space> offsets;
    steps::take_offsets(space, offsets, rows + 1, function);
    auto const values = internal::allocate<T, memory_space>(space, bound, function, "values");
    std::size_t const total = run(space, rows, functor, offsets.data(), values.data(), bound, upper_bound_is, options,
                                  memory.get(), function);
    return {offsets, trimmed(space, values, total, function)};
  }

  /// The same into memory that is there, of `room` records; returns the total.
  static std::size_t pack_into(ExecutionSpace const& space, std::size_t rows, Functor const& functor,
                               std::size_t* offsets, T* values, std::size_t room, pack_options const& options,
                               char const* function) {
    require_budget(options.memory_budget, internal::access::header_bytes + memory_bytes(rows), function, "fused");
    internal::temporary_memory memory(space, options.workspace);
    return run(space, rows, functor, offsets, values, room, "values has room for", options, memory.get(), function);
  }

  /// Runs one team per tile. Without rows there is one offset.
  static void launch(ExecutionSpace const& space, kernel const& k, std::size_t teams, std::string_view caller) {
    if (teams == 0) return steps::set_offsets_of_no_rows(space, k.offsets);
    using policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<tile::team_size>>;
    Kokkos::parallel_for(
        internal::label("pack_lists", "fused", caller),
        policy(space, internal::narrow<int>(teams, "pack_lists", "the number of tiles"), tile::team_size)
            .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(k.scratch_bytes()))),
        k);
  }

  /// What the call takes of a workspace.
  static std::size_t memory_bytes(std::size_t rows) {
    return compat::launches_wait<ExecutionSpace> ? 0 : region_bytes(rows);
  }
  /// Of the protocol's region, however many rows a thread has.
  static std::size_t region_bytes(std::size_t rows) {
    return internal::prefix_bytes<typename tile::prefixes>(tiles(rows, tile::fewest_rows_per_thread));
  }
  static std::size_t tiles(std::size_t rows, int rows_per_thread) {
    return internal::divide_up(rows, std::size_t(tile::team_size) * static_cast<std::size_t>(rows_per_thread));
  }

 private:
  /// Fewer leave parts of the GPU idle. H200, 2026-11-23, 2^18 rows of 0 to 7 int32: rows per thread 1, 2, 4, 8:
  /// 43, 35, 34, 35 us.
  static constexpr std::size_t tiles_per_multiprocessor = 3;

  static std::size_t run(ExecutionSpace const& space, std::size_t rows, Functor const& functor, std::size_t* offsets,
                         T* values, std::size_t room, char const* what_has_room, pack_options const& options,
                         workspace& memory, char const* function) {
    auto const bounds = packing_bounds::of(options);
    if constexpr (compat::launches_wait<ExecutionSpace>) {
      internal::access::reserve(memory, space, 0);  // refuses one of another instance
      if (rows == 0) {
        steps::set_offsets_of_no_rows(space, offsets);
        space.fence(internal::label("pack_lists", "fence"));
        return 0;
      }
      list_rows<T, Functor> const list{functor,   offsets, values, room, internal::access::errors(memory, space),
                                       bounds.row};
      std::size_t const total = steps::keep_lists(space, list.calls(), rows, options.label);
      std::uint64_t const error = internal::access::take_error(memory, space);
      if (error == 0 || internal::error_word::code(error) == count_mismatch_code)
        steps::require_countable(space, offsets, rows, total, function);
      throw_packing_error(error, total, room, what_has_room, bounds, function);
      return total;
    } else {
      return run_tiles(space, rows, functor, offsets, values, room, what_has_room, options, memory, function);
    }
  }

  static std::size_t run_tiles(ExecutionSpace const& space, std::size_t rows, Functor const& functor,
                               std::size_t* offsets, T* values, std::size_t room, char const* what_has_room,
                               pack_options const& options, workspace& memory, char const* function) {
    auto const shape =
        row_tile_shape::of<tile>(rows, records_in_scratch<T>(options), mean_bound(options, rows, room),
                                 static_cast<std::size_t>(compat::multiprocessors(space)) * tiles_per_multiprocessor);
    std::size_t const tiles = fused_pack::tiles(rows, shape.rows_per_thread);
    std::byte* const region = internal::access::begin_protocol(memory, space, region_bytes(rows));
    auto const prefixes = internal::make_prefixes<typename tile::prefixes, ExecutionSpace>(
        {region, internal::access::protocol_bytes(memory), internal::largest_epoch, tile::polls}, tiles, false);
    auto* const total = reinterpret_cast<std::uint64_t*>(internal::access::result_slot(memory, space));
    auto const bounds = packing_bounds::of(options);
    kernel const k{functor,  static_cast<std::int64_t>(rows),         offsets, values,    room, shape,
                   prefixes, internal::access::errors(memory, space), total,   bounds.row};
    launch(space, k, tiles, options.label);
    internal::access::end_protocol(memory);
    std::uint64_t found = 0;
    std::uint64_t const error = internal::access::take_error(memory, space, &found, 1);
    if (rows == 0) return 0;
    throw_packing_error(error, found, room, what_has_room, bounds, function);
    return found;
  }

  /// Records of a row on the average, at most.
  static std::size_t mean_bound(pack_options const& options, std::size_t rows, std::size_t room) {
    if (rows == 0) return 0;
    std::size_t most = room / rows;
    if (options.row_bound) most = std::min(most, *options.row_bound);
    if (options.upper_bound) most = std::min(most, *options.upper_bound / rows);
    return most;
  }

  /// The first `total` values: the memory itself where at most an eighth of it is left over, else a copy.
  static Kokkos::View<T*, memory_space> trimmed(ExecutionSpace const& space,
                                                Kokkos::View<T*, memory_space> const& values, std::size_t total,
                                                char const* function) {
    Kokkos::View<T*, memory_space> const used = Kokkos::subview(values, Kokkos::make_pair(std::size_t(0), total));
    if (values.extent(0) - total <= values.extent(0) / 8) return used;
    auto const exact = internal::allocate<T, memory_space>(space, total, function, "values");
    steps::copy_bytes(space, exact.data(), used.data(), total * sizeof(T));  // waits: the larger memory is freed
    return exact;
  }
};

}  // namespace upsweep::pack::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/allocate.hpp>
#include <upsweep/base/temporary_memory.hpp>
#include <upsweep/pack/detail/index_policy.hpp>
#include <upsweep/pack/detail/pack_memory.hpp>
#include <upsweep/pack/detail/row_tiles.hpp>
#include <upsweep/pack/lists.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace upsweep::detail {

/// pack_lists in one launch, into memory for an upper bound of the total.
template <class T, class ExecutionSpace, class Functor>
struct fused_pack {
  using memory_space = typename ExecutionSpace::memory_space;
  using kernel = row_tiles_kernel<T, Functor, ExecutionSpace>;
  using tile = typename kernel::tile;

  /// Bytes beside the result: those of the bound, which a copy of what was made may follow, and the tiles' words.
  static std::size_t bytes(pack_options const& options, std::size_t rows, char const* function) {
    std::size_t const values =
        checked_multiply(total_bound(options, rows, function), sizeof(T), function, "bytes of the upper bound");
    return values + workspace::header_bytes + words(rows) * sizeof(std::uint64_t);
  }

  static lists<T, memory_space> pack(ExecutionSpace const& space, std::size_t rows, Functor const& functor,
                                     pack_options const& options, char const* function) {
    require(has_bound(options), function, "the strategy fused needs upper_bound or row_bound");
    require_budget(options, bytes(options, rows, function), function, "fused");
    std::size_t const bound = total_bound(options, rows, function);
    temporary_memory memory(space, options.workspace);
    auto* const base = reinterpret_cast<std::uint64_t*>(memory.get().reserve(space, words(rows) * sizeof(std::uint64_t)));

    auto const offsets = allocate<std::size_t, memory_space>(space, rows + 1, function, "offsets");
    auto const values = allocate<T, memory_space>(space, bound, function, "values");
    auto* const control = reinterpret_cast<row_tiles_control*>(base);
    kernel const k{functor,
                   static_cast<std::int64_t>(rows),
                   offsets.data(),
                   values.data(),
                   bound,
                   tile::kept(buffer_records<T>(options)),
                   control,
                   rows_status{base + control_words},
                   memory.get().errors(space),
                   tile::polls};
    run(space, k, base, options.label);

    throw_row_error(memory.get().take_error(space), function);
    std::size_t const total = fetch_word(space, offsets.data() + rows);
    if (total > bound)
      throw overflow_error(std::string(function) + ": the rows make " + std::to_string(total) +
                           " records, but the upper bound is " + std::to_string(bound));
    throw_row_error(fetch_word(space, &control->mismatch), function);
    return {offsets, trimmed(space, values, total, function)};
  }

  /// Clears the words and runs the tiles. n = 0 leaves the one offset that there is.
  static void run(ExecutionSpace const& space, kernel const& k, std::uint64_t* base, std::string_view caller) {
    Kokkos::parallel_for(label("pack_lists", "clear", caller), index_policy(space, words(static_cast<std::size_t>(k.rows))),
                         clear_words_kernel{base});
    launch(space, k, k.tiles(), caller);
  }
  static void launch(ExecutionSpace const& space, kernel const& k, std::size_t teams, std::string_view caller) {
    if (teams == 0)
      return Kokkos::deep_copy(space, Kokkos::View<std::size_t, memory_space, Kokkos::MemoryUnmanaged>(k.offsets),
                               std::size_t(0));
    using policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<tile::team_size>>;
    Kokkos::parallel_for(label("pack_lists", "fused", caller),
                         policy(space, narrow<int>(teams, "pack_lists", "the number of tiles"), tile::team_size)
                             .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(k.scratch_bytes()))),
                         k);
  }

  static constexpr std::size_t control_words = sizeof(row_tiles_control) / sizeof(std::uint64_t);
  static std::size_t words(std::size_t rows) { return control_words + divide_up(rows, tile::rows) * rows_status::stride; }

 private:
  /// The first `total` values: the memory itself where at most an eighth of it is left over, else a copy.
  static Kokkos::View<T*, memory_space> trimmed(ExecutionSpace const& space, Kokkos::View<T*, memory_space> const& values,
                                                std::size_t total, char const* function) {
    Kokkos::View<T*, memory_space> const used = Kokkos::subview(values, Kokkos::make_pair(std::size_t(0), total));
    if (values.extent(0) - total <= values.extent(0) / 8) return used;
    auto const exact = allocate<T, memory_space>(space, total, function, "values");
    Kokkos::deep_copy(space, exact, used);
    space.fence(label("pack_lists", "trim"));  // the larger memory is freed behind it
    return exact;
  }
};

}  // namespace upsweep::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The members of compiled_packing, for those who compile them.

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/monoids/saturating_plus.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/pack/detail/lists/check_visits.hpp>
#include <upsweep/pack/detail/lists/compiled_packing.hpp>
#include <upsweep/pack/detail/lists/kept_lists.hpp>
#include <upsweep/pack/detail/lists/rows_within.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/internal/temporary_bytes.hpp>
#include <upsweep/scan/options.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace upsweep::pack::detail {

/// Length of row i, for the longest one.
struct row_length {
  std::size_t const* offsets;
  KOKKOS_FUNCTION std::size_t operator()(std::size_t i) const { return offsets[i + 1] - offsets[i]; }
};

template <class ExecutionSpace>
void compiled_packing<ExecutionSpace>::scan_offsets(ExecutionSpace const& space, std::size_t* offsets, std::size_t rows,
                                                    std::size_t* total, plan_options const& options,
                                                    workspace& memory) {
  using memory_space = typename ExecutionSpace::memory_space;
  Kokkos::View<std::size_t*, memory_space, Kokkos::MemoryUnmanaged> const all(offsets, rows + 1);
  Kokkos::View<std::size_t, memory_space, Kokkos::MemoryUnmanaged> const last(total);
  auto const label = internal::inner_label(options.label, "pack_lists");
  std::uint64_t const none = 0;
  if (options.memory_budget)
    exclusive_scan(space, all, all, into{last}, none, internal::saturating_plus{},
                   basic_scan_options<engine::two_level>{.workspace = &memory, .label = label});
  else
    exclusive_scan(space, all, all, into{last}, none, internal::saturating_plus{},
                   scan_options{.workspace = &memory, .label = label});
}

template <class ExecutionSpace>
std::size_t compiled_packing<ExecutionSpace>::scan_bytes(plan_options const& options, std::size_t rows) {
  using state = std::uint64_t;
  if (options.memory_budget) return internal::scan_temporary_bytes<state, ExecutionSpace, engine::two_level>(rows + 1);
  return internal::scan_temporary_bytes<state, ExecutionSpace>(rows + 1);
}

template <class ExecutionSpace>
void compiled_packing<ExecutionSpace>::find_longest_row(ExecutionSpace const& space, std::size_t const* offsets,
                                                        std::size_t rows, std::size_t* longest,
                                                        plan_options const& options, workspace& memory) {
  using memory_space = typename ExecutionSpace::memory_space;
  reduce(space, rows, row_length{offsets},
         into{Kokkos::View<std::size_t, memory_space, Kokkos::MemoryUnmanaged>(longest)}, max<>{},
         {.workspace = &memory, .label = internal::inner_label(options.label, "pack_lists")});
}

template <class ExecutionSpace>
workspace_bytes compiled_packing<ExecutionSpace>::longest_row_bytes(ExecutionSpace const& space, std::size_t rows) {
  auto const bytes = internal::bytes_of_reduction<std::size_t, internal::functor_sequence<row_length>,
                                                  internal::resolved_monoid<max<>, std::size_t>>(space, rows);
  return {bytes.reserved, bytes.region};
}

template <class ExecutionSpace>
void compiled_packing<ExecutionSpace>::check_visits(ExecutionSpace const& space, std::byte* marks,
                                                    visit_order const& order, plan_options const& options,
                                                    internal::error_word const& errors) {
  if (!options.visit.given() || order.first == order.last) return;
  auto* const words = reinterpret_cast<std::uint32_t*>(marks);
  std::int64_t const count = internal::divide_up<std::int64_t>(order.last - order.first, 32);
  using view = Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;
  Kokkos::deep_copy(space, view(words, static_cast<std::size_t>(count)), std::uint32_t(0));
  for_visits(space, mark_visits_kernel{order, words, errors}, order, "mark_visits", options);
  internal::for_each_index(
      space, [&] { return internal::label("pack_lists", "find_missed", options.label); },
      static_cast<std::size_t>(count), find_missed_kernel{order, words, errors});
}

template <class ExecutionSpace>
std::size_t compiled_packing<ExecutionSpace>::keep_lists(ExecutionSpace const& space, list_rows_calls const& calls,
                                                         std::size_t rows, std::string_view caller) {
  if constexpr (compat::launches_wait<ExecutionSpace>) return keep_lists_on_cpu(space, calls, rows, caller);
  else return 0;
}

template <class ExecutionSpace>
void compiled_packing<ExecutionSpace>::take_offsets(ExecutionSpace const& space, offsets_view& offsets,
                                                    std::size_t count, char const* function) {
  if (offsets.use_count() > 1) offsets = {};
  internal::grow(space, offsets, count, function, "offsets");
}

template <class ExecutionSpace>
void compiled_packing<ExecutionSpace>::copy_bytes(ExecutionSpace const& space, void* to, void const* from,
                                                  std::size_t bytes) {
  using memory_space = typename ExecutionSpace::memory_space;
  Kokkos::deep_copy(space,
                    Kokkos::View<std::byte*, memory_space, Kokkos::MemoryUnmanaged>(static_cast<std::byte*>(to), bytes),
                    Kokkos::View<std::byte const*, memory_space, Kokkos::MemoryUnmanaged>(
                        static_cast<std::byte const*>(from), bytes));
  space.fence(internal::label("pack_lists", "trim"));  // the caller frees what was copied
}

template <class ExecutionSpace>
void compiled_packing<ExecutionSpace>::set_offsets_of_no_rows(ExecutionSpace const& space, std::size_t* offsets) {
  using memory_space = typename ExecutionSpace::memory_space;
  Kokkos::deep_copy(space, Kokkos::View<std::size_t, memory_space, Kokkos::MemoryUnmanaged>(offsets), std::size_t(0));
}

template <class ExecutionSpace>
void compiled_packing<ExecutionSpace>::require_countable(ExecutionSpace const& space, std::size_t const* offsets,
                                                         std::size_t rows, std::uint64_t total, char const* function) {
  constexpr auto saturated = std::numeric_limits<std::uint64_t>::max();
  if (total != saturated) return;
  std::size_t const row = rows_within(space, offsets, rows, 0, saturated - 1);
  throw overflow_error(std::string(function) + ": the records of rows 0 to " + std::to_string(row) +
                       " are more than 64 bits count");
}

}  // namespace upsweep::pack::detail

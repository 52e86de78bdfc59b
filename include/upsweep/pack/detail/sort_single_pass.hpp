// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/byte_layout.hpp>
#include <upsweep/base/internal/index.hpp>
#include <upsweep/base/internal/index_policy.hpp>
#include <upsweep/base/internal/label.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/detail/sort_digit_counts.hpp>
#include <upsweep/pack/detail/sort_pass.hpp>
#include <upsweep/pack/detail/sort_tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace upsweep::pack::detail {

// Stable radix sort whose passes read and write each key once. The host waits for nothing: the digit counts stay
// on the device, where passes over a digit that all keys share see it and return, so that the arrays change
// places one time less.

template <class ExecutionSpace, class Key, class Value, class Shape>
struct sort_finish_kernel {
  sort_arrays<Key, Value> first, second;
  sort_buffers buffers;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (!sort_buffers::is_odd(buffers.moves())) return;
    first.keys[i] = second.keys[i];
    if constexpr (!std::is_same_v<Value, no_value>) first.values[i] = second.values[i];
  }
};

template <class ExecutionSpace, class Key, class Value, class Tuning = sort_tuning>
struct single_pass_sort {
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;
  static constexpr int radix = digit_plan::largest_radix;
  static constexpr std::size_t value_bytes = !has_values          ? 0
                                             : sizeof(Value) <= 8 ? sizeof(Value)
                                                                  : sizeof(std::uint16_t);
  using shape = decltype(Tuning::template shape<sizeof(Key), value_bytes>());
  using count_digits =
      digit_counts_kernel<ExecutionSpace, Key, Tuning::digit_count_threads, Tuning::template digit_count_columns<Key>>;
  using plan = sort_plan_kernel<ExecutionSpace>;
  using pass = sort_pass_kernel<ExecutionSpace, Key, Value, shape>;

  /// Pre: n > 1, digits.passes > 0.
  static void run(ExecutionSpace const& space, sort_arrays<Key, Value> const& data, std::size_t n, key_order<Key> order,
                  digit_plan const& digits, workspace& memory, char const* function, std::string_view caller) {
    std::size_t const tiles = internal::divide_up<std::size_t>(n, shape::tile);
    int const portions =
        internal::narrow<int>(internal::divide_up<std::size_t>(tiles, shape::portion_tiles), function, "portions");
    auto const passes = static_cast<std::size_t>(digits.passes);
    std::size_t const teams =
        std::min(internal::divide_up<std::size_t>(n, count_digits::chunk),
                 static_cast<std::size_t>(compat::multiprocessors(space)) * Tuning::digit_count_teams);
    internal::byte_layout layout;
    std::size_t const counts = layout.add<std::uint32_t>(teams * passes * radix);
    std::size_t const starts = layout.add<std::uint64_t>(passes * (static_cast<std::size_t>(portions) + 1) * radix);
    std::size_t const differs = layout.add<std::uint32_t>(1);
    std::size_t const tickets = layout.add<std::uint32_t>(passes * static_cast<std::size_t>(portions));
    layout.add<std::uint32_t>(digit_look_back::rows_in_front * radix);
    std::size_t const rows =
        layout.add<std::uint32_t>(internal::checked_multiply(tiles, std::size_t(radix), function, "rows"));
    std::size_t const keys = layout.add<Key>(n);
    std::size_t const values = has_values ? layout.add<Value>(n) : 0;
    std::byte* const base = memory.reserve(space, layout.bytes());

    sort_buffers const buffers{reinterpret_cast<std::uint32_t*>(base + counts),
                               reinterpret_cast<std::uint64_t*>(base + starts),
                               reinterpret_cast<std::uint32_t*>(base + differs),
                               reinterpret_cast<std::uint32_t*>(base + tickets),
                               reinterpret_cast<std::uint32_t*>(base + rows),
                               tiles,
                               digits.passes,
                               portions,
                               static_cast<int>(teams)};
    sort_arrays<Key, Value> const second{reinterpret_cast<Key*>(base + keys),
                                         has_values ? reinterpret_cast<Value*>(base + values) : nullptr};

    launch<typename count_digits::count_digits, 1>(space, count_digits{data.keys, n, order, digits, buffers}, teams,
                                                   internal::label(function, "count_digits", caller));
    launch<typename plan::plan, 1>(space, plan{n, buffers}, passes, internal::label(function, "plan", caller));
    for (int p = 0; p < digits.passes; ++p)
      for (int portion = 0; portion < portions; ++portion) {
        std::size_t const first_tile = static_cast<std::size_t>(portion) * shape::portion_tiles;
        launch<typename pass::move, shape::teams>(
            space,
            pass{data, second, n, first_tile, order.mask(), digits.shift(p), digits.mask(p), p, portion, buffers},
            std::min(tiles - first_tile, shape::portion_tiles), internal::label(function, "move", caller));
      }
    if (digits.passes % 2 != 0)
      Kokkos::parallel_for(internal::label(function, "finish", caller), internal::index_policy(space, n),
                           sort_finish_kernel<ExecutionSpace, Key, Value, shape>{data, second, buffers});
  }

 private:
  // One copy: see pipelined_engine in scan/detail.
  template <class Phase, int TeamsPerMultiprocessor, class Kernel>
  UPSWEEP_ONE_COPY static void launch(ExecutionSpace const& space, Kernel const& kernel, std::size_t teams,
                                      std::string const& name) {
    using policy =
        Kokkos::TeamPolicy<ExecutionSpace, Phase, Kokkos::LaunchBounds<Kernel::team_size, TeamsPerMultiprocessor>>;
    Kokkos::parallel_for(name,
                         policy(space, static_cast<int>(teams), Kernel::team_size)
                             .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(sizeof(typename Kernel::shared) +
                                                                                   Kernel::alignment))),
                         kernel);
  }
};

}  // namespace upsweep::pack::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/detail/sort/sort_digit_counts.hpp>
#include <upsweep/pack/detail/sort/sort_pass.hpp>
#include <upsweep/pack/detail/sort/sort_route.hpp>
#include <upsweep/pack/detail/sort/sort_tuning.hpp>

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

template <class Key, class Value>
struct sort_finish_kernel {
  sort_route<Key, Value> route;
  sort_buffers buffers;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    route.finish(static_cast<std::size_t>(i), sort_buffers::count(buffers.moves(route.is_in_place())));
  }
};

template <class ExecutionSpace, class Key, class Value, class Tuning = sort_tuning>
struct single_pass_sort {
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;
  static constexpr int radix = digit_plan::largest_radix;
  static constexpr std::size_t value_bytes = !has_values          ? 0
                                             : sizeof(Value) <= 8 ? sizeof(Value)
                                                                  : sizeof(std::uint16_t);
  using count_digits = digit_counts_kernel<Key, Tuning::digit_count_threads, Tuning::template digit_count_columns<Key>>;
  using plan = sort_plan_kernel<>;

  /// Bytes of scratch of a kernel's team.
  template <class Kernel>
  static constexpr std::size_t scratch_bytes = sizeof(typename Kernel::shared) + Kernel::alignment;

  /// Teams of a kernel on a multiprocessor that its launch asks for: as many as its shape wants, if there is room.
  template <class Kernel>
  static constexpr int resident_teams(int wanted, std::size_t available = compat::multiprocessor_scratch) {
    return compat::resident_teams(wanted, Kernel::team_size, scratch_bytes<Kernel>, available);
  }

  /// Sorts in place. Pre: n > 1, digits.passes > 0.
  static void run(ExecutionSpace const& space, sort_arrays<Key, Value> const& data, std::size_t n, key_order<Key> order,
                  digit_plan const& digits, workspace& memory, char const* function, std::string_view caller) {
    run_route(space, {data, data}, n, order, digits, memory, function, caller);
  }

  /// Pre: as above.
  static void run_route(ExecutionSpace const& space, sort_route<Key, Value> const& route, std::size_t n,
                        key_order<Key> order, digit_plan const& digits, workspace& memory, char const* function,
                        std::string_view caller) {
    with_shape(
        n, [&](auto shape) { run_shape<decltype(shape)>(space, route, n, order, digits, memory, function, caller); });
  }

  /// Bytes at the beginning of the workspace that run_route takes where the route has its other arrays.
  static std::size_t own_bytes(ExecutionSpace const& space, std::size_t n, digit_plan const& digits,
                               char const* function) {
    return with_shape(n, [&](auto shape) {
      internal::byte_layout layout;
      own_memory<decltype(shape)> const own(space, n, digits, function, layout);
      return layout.bytes();
    });
  }

 private:
  template <class F>
  static auto with_shape(std::size_t n, F const& f) {
    return Tuning::template with_shape<sizeof(Key), value_bytes>(n, f);
  }

  template <class Shape>
  static void run_shape(ExecutionSpace const& space, sort_route<Key, Value> route, std::size_t n, key_order<Key> order,
                        digit_plan const& digits, workspace& memory, char const* function, std::string_view caller) {
    using pass = sort_pass_kernel<Key, Value, Shape>;
    internal::byte_layout layout;
    own_memory<Shape> const own(space, n, digits, function, layout);
    other_arrays<Key, Value> const other(layout, route, n);
    std::byte* const base = internal::access::reserve(memory, space, layout.bytes());
    other.place(base, route);
    sort_buffers const buffers = own.buffers(base);
    std::size_t const tiles = buffers.tiles;

    launch<typename count_digits::count_digits, 1>(space, count_digits{route.source.keys, n, order, digits, buffers},
                                                   static_cast<std::size_t>(buffers.digit_count_teams),
                                                   internal::label(function, "count_digits", caller));
    launch<typename plan::plan, 1>(space, plan{n, buffers}, static_cast<std::size_t>(digits.passes),
                                   internal::label(function, "plan", caller));
    for (int p = 0; p < digits.passes; ++p)
      for (int portion = 0; portion < buffers.portions; ++portion) {
        std::size_t const first_tile = static_cast<std::size_t>(portion) * Shape::portion_tiles;
        launch<typename pass::move, Shape::teams>(
            space, pass{route, n, first_tile, order.mask(), digits.shift(p), digits.mask(p), p, portion, buffers},
            std::min(tiles - first_tile, Shape::portion_tiles), internal::label(function, "move", caller));
      }
    if (route.is_in_place() && digits.passes % 2 != 0)
      Kokkos::parallel_for(internal::label(function, "finish", caller), internal::index_policy(space, n),
                           sort_finish_kernel<Key, Value>{route, buffers});
  }

  /// What the kernels share, as a part of the workspace.
  template <class Shape>
  class own_memory {
   public:
    own_memory(ExecutionSpace const& space, std::size_t n, digit_plan const& digits, char const* function,
               internal::byte_layout& layout)
        : tiles_(internal::divide_up<std::size_t>(n, Shape::tile)),
          portions_(internal::narrow<int>(internal::divide_up<std::size_t>(tiles_, Shape::portion_tiles), function,
                                          "portions")),
          passes_(digits.passes),
          teams_(std::min(internal::divide_up<std::size_t>(n, count_digits::chunk),
                          static_cast<std::size_t>(compat::multiprocessors(space)) * Tuning::digit_count_teams)) {
      auto const passes = static_cast<std::size_t>(passes_), portions = static_cast<std::size_t>(portions_);
      counts_at_ = layout.add<std::uint32_t>(teams_ * passes * radix);
      starts_at_ = layout.add<std::uint64_t>(passes * (portions + 1) * radix);
      differs_at_ = layout.add<std::uint32_t>(1);
      tickets_at_ = layout.add<std::uint32_t>(passes * portions);
      layout.add<std::uint32_t>(digit_look_back::rows_in_front * radix);
      rows_at_ = layout.add<std::uint32_t>(internal::checked_multiply(tiles_, std::size_t(radix), function, "rows"));
    }
    sort_buffers buffers(std::byte* base) const {
      return {reinterpret_cast<std::uint32_t*>(base + counts_at_),
              reinterpret_cast<std::uint64_t*>(base + starts_at_),
              reinterpret_cast<std::uint32_t*>(base + differs_at_),
              reinterpret_cast<std::uint32_t*>(base + tickets_at_),
              reinterpret_cast<std::uint32_t*>(base + rows_at_),
              tiles_,
              passes_,
              portions_,
              static_cast<int>(teams_)};
    }

   private:
    std::size_t tiles_;
    int portions_, passes_;
    std::size_t teams_;
    std::size_t counts_at_, starts_at_, differs_at_, tickets_at_, rows_at_;
  };

  // One copy: see pipelined_engine in scan/detail.
  template <class Phase, int TeamsPerMultiprocessor, class Kernel>
  UPSWEEP_ONE_COPY static void launch(ExecutionSpace const& space, Kernel const& kernel, std::size_t teams,
                                      std::string const& name) {
    constexpr int resident = resident_teams<Kernel>(TeamsPerMultiprocessor);
    using policy = Kokkos::TeamPolicy<ExecutionSpace, Phase, Kokkos::LaunchBounds<Kernel::team_size, resident>>;
    Kokkos::parallel_for(name,
                         policy(space, static_cast<int>(teams), Kernel::team_size)
                             .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch_bytes<Kernel>))),
                         kernel);
  }
};

}  // namespace upsweep::pack::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/calls/matrix_sequences.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>
#include <upsweep/scan/detail/segments/segmented_sequences.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

// Batched scans: every row of a matrix for itself, in one launch, without temporary memory.
//
//   whole_rows     a team, on CPUs a thread, scans one row after the other, tile by tile (tile.hpp): rows of about a
//                  tile and more
//   packed_rows    GPUs: a team takes as many short rows as fill a tile, and scans them as segments of it
//   adjacent_rows  a thread scans a group of rows that are neighbours in memory, column by column, so that the lines it
//                  loads are used at once (CPUs) and threads side by side read side by side (GPUs): column-major
//
// Scratch: the tile's. No team needs another one: nothing is assumed about progress. Global traffic: 2 N.
// Few long rows would leave most of a device idle: batched_call.hpp gives those to an engine, and on GPUs all rows that
// lie side by side.

template <class ExecutionSpace, class In, class Out, class Monoid, bool Inclusive>
struct batched_kernel {
  using state = typename Monoid::value_type;
  using output = std::remove_const_t<Out>;
  using tile = detail::tile<ExecutionSpace, state>;
  using packed_states = segmented_states<Monoid>;
  using packed_tile = detail::tile<ExecutionSpace, typename packed_states::value_type>;
  using member = typename Kokkos::TeamPolicy<ExecutionSpace>::member_type;
  // On GPUs a warp's threads are the neighbours. On CPUs long groups spare the address translation of every column,
  // short ones keep threads busy where rows are few.
  static constexpr std::size_t least_group = compat::is_gpu<ExecutionSpace> ? 1 : 16;
  static constexpr std::size_t most_group = compat::is_gpu<ExecutionSpace> ? 1 : 128;
  struct whole_rows {};
  struct packed_rows {};
  struct adjacent_rows {};

  matrix_sequence<In> in;
  matrix_sequence<Out> out;
  Monoid monoid;
  std::size_t rows, length;
  row_finder finder;

  KOKKOS_FUNCTION void operator()(whole_rows, member const& m) const {
    state* const scratch = tile::take_scratch(m);
    // A run of rows side by side.
    auto const team = static_cast<std::size_t>(m.league_rank()), teams = static_cast<std::size_t>(m.league_size());
    std::size_t const share = rows / teams, rest = rows % teams;
    std::size_t const first = team * share + Kokkos::min(team, rest);
    for (std::size_t row = first; row < first + share + (team < rest ? 1 : 0); ++row) scan_row(m, scratch, row);
  }
  /// On CPUs, where a tile asks nothing of its team.
  void operator()(whole_rows, std::size_t row) const { scan_row(nullptr, nullptr, row); }

  KOKKOS_FUNCTION void operator()(packed_rows, member const& m) const {
    auto* const scratch = packed_tile::take_scratch(m);
    packed_states const states{{monoid}};
    segmented_input<row_heads, matrix_elements<In>> const from{{finder}, {in, finder}};
    segmented_output<Inclusive, row_heads, matrix_elements<Out>, Monoid> const to{{finder}, {out, finder}, monoid};
    std::size_t const block = rows_per_tile(length) * length, n = rows * length;
    for (std::size_t begin = static_cast<std::size_t>(m.league_rank()) * block; begin < n;
         begin += static_cast<std::size_t>(m.league_size()) * block) {
      std::size_t const end = Kokkos::min(begin + block, n);
      typename packed_tile::held held;
      packed_tile::open(m, scratch, begin, end, from, states, held);
      packed_tile::template close<Inclusive>(m, begin, end, from, to, states, held, states.identity());
    }
  }

  KOKKOS_FUNCTION void operator()(adjacent_rows, std::size_t number) const {
    std::size_t const first = number * group();
    std::size_t const count = Kokkos::min(rows - first, group());
    state running[most_group];
    for (std::size_t r = 0; r < count; ++r) running[r] = monoid.identity();
    for (std::size_t column = 0; column < length; ++column)
      for (std::size_t r = 0; r < count; ++r) {
        state const next = monoid(running[r], internal::lift(monoid, in.load(first + r, column)));
        out.store(first + r, column, internal::lower<output>(monoid, Inclusive ? next : running[r]));
        running[r] = next;
      }
  }

  KOKKOS_FUNCTION std::size_t group() const {
    // By value: clamp takes references, and device code has no address for these constants.
    return Kokkos::clamp(rows / 64, std::size_t(least_group), std::size_t(most_group));
  }
  bool has_rows_side_by_side() const {
    return in.has_rows_side_by_side(rows, length) && out.has_rows_side_by_side(rows, length);
  }
  KOKKOS_FUNCTION static std::size_t rows_per_tile(std::size_t length) { return packed_tile::size / length; }

 private:
  template <class Member>
  KOKKOS_FUNCTION void scan_row(Member const& m, state* scratch, std::size_t row) const {
    state running = monoid.identity();
    tile::template scan<Inclusive>(m, scratch, 0, length, row_sequence<In>{in, row}, row_sequence<Out>{out, row},
                                   monoid, running);
  }
};

/// How the rows of a matrix are given to teams. The choice depends on the shape, the strides and the backend alone,
/// never on the number of threads, so that a floating-point result has the same bits for any.
enum class batched_way { whole_rows, packed_rows, adjacent_rows, engine };

template <class Kernel, class ExecutionSpace>
batched_way choose_batched_way(Kernel const& k) {
  auto const magnitude = [](std::ptrdiff_t stride) { return stride < 0 ? -stride : stride; };
  bool const adjacent = magnitude(k.in.row_stride) < magnitude(k.in.column_stride) &&
                        magnitude(k.out.row_stride) < magnitude(k.out.column_stride);
  if constexpr (compat::is_gpu<ExecutionSpace>) {
    // One thread per row is enough where rows fill a few warps on each of some hundred multiprocessors.
    if (adjacent && k.rows >= 16384) return batched_way::adjacent_rows;
    if (k.length <= Kernel::packed_tile::size / 2) return batched_way::packed_rows;
    return k.rows >= 264 || k.length <= 4 * Kernel::tile::size ? batched_way::whole_rows : batched_way::engine;
  } else {
    if (adjacent && k.rows >= 64) return batched_way::adjacent_rows;
    return k.rows >= 32 || k.rows * k.length <= 32768 ? batched_way::whole_rows : batched_way::engine;
  }
}

/// Launches the kernel. Pre: the matrix has elements; way is not engine.
template <class ExecutionSpace, class Kernel>
void launch_batched(ExecutionSpace const& space, Kernel const& kernel, batched_way way, scan_names const& names) {
  using adjacent_rows = typename Kernel::adjacent_rows;
  using whole_rows = typename Kernel::whole_rows;
  std::size_t const groups = internal::divide_up(kernel.rows, kernel.group());
  auto const name = [&](char const* phase) { return internal::label(names.function, phase, names.caller); };
  if constexpr (compat::is_gpu<ExecutionSpace>) {
    constexpr std::size_t most_in_flight = std::size_t(1) << 20;  // more take several turns
    if (way == batched_way::adjacent_rows) {
      using policy = Kokkos::RangePolicy<ExecutionSpace, adjacent_rows, Kokkos::IndexType<std::size_t>>;
      Kokkos::parallel_for(name("adjacent_rows"), policy(space, 0, groups), kernel);
    } else if (way == batched_way::packed_rows) {
      std::size_t const blocks = internal::divide_up(kernel.rows, Kernel::rows_per_tile(kernel.length));
      launch_teams<typename Kernel::packed_rows, typename Kernel::packed_tile>(
          space, kernel, std::min(blocks, most_in_flight), "packed_rows", names);
    } else {
      launch_teams<whole_rows, typename Kernel::tile>(space, kernel, std::min(kernel.rows, most_in_flight),
                                                      "whole_rows", names);
    }
  } else {
    auto const run = [&](auto tag, char const* phase, std::size_t count) {
      double const least = engine::tuning<ExecutionSpace>::least_generic_nanoseconds *
                           static_cast<double>(kernel.rows) * static_cast<double>(kernel.length);
      internal::run_on_cpu(
          space, [&] { return name(phase); }, count,
          [kernel, tag](std::int64_t i) { kernel(tag, static_cast<std::size_t>(i)); }, {least});
    };
    if (way == batched_way::adjacent_rows) run(adjacent_rows{}, "adjacent_rows", groups);
    else run(whole_rows{}, "whole_rows", kernel.rows);
  }
}

}  // namespace upsweep::scan::detail

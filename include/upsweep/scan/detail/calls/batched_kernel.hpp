// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/calls/matrix_sequences.hpp>
#include <upsweep/scan/detail/cpu/cpu_kernels.hpp>
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
  // On GPUs a warp's threads are the neighbours. On CPUs threads share units of rows, and go through neighbouring units
  // together, since long groups spare the address translation of every column. Longer ones than this gain nothing.
  static constexpr std::size_t least_group = compat::is_gpu<ExecutionSpace> ? 1 : 64;
  static constexpr std::size_t most_group =
      compat::is_gpu<ExecutionSpace> ? 1 : std::max<std::size_t>(least_group, 16384 / sizeof(state));
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
  /// On CPUs, where a tile asks nothing of its team. Rows of built-in numbers side by side are scanned by the kernels
  /// of src/scan.
  void operator()(whole_rows, std::size_t row) const {
    if constexpr (has_kernels) {
      if (in.column_stride == 1 && out.column_stride == 1) {
        constexpr cpu_operation operation = compiled_monoid<Monoid>::operation;
        using word = cpu_word<state, operation>;
        auto const& kernels = cpu_kernels_for<word, operation>(internal::widest_instruction_set());
        auto const at = static_cast<std::ptrdiff_t>(row);
        return kernels.scan[Inclusive](reinterpret_cast<word const*>(in.data + at * in.row_stride),
                                       reinterpret_cast<word*>(out.data + at * out.row_stride), length,
                                       static_cast<word>(monoid.identity()), nullptr, 0);
      }
    }
    scan_row(nullptr, nullptr, row);
  }

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

  /// Units begin ... end - 1 of least_group rows.
  KOKKOS_FUNCTION void operator()(adjacent_rows, std::size_t begin, std::size_t end) const {
    auto const self = *this;  // what is stored may lie anywhere, but not in this
    std::size_t const last = Kokkos::min(end * least_group, self.rows);
    for (std::size_t first = begin * least_group; first < last; first += most_group) {
      std::size_t const count = Kokkos::min(last - first, std::size_t(most_group));
      if (self.in.row_stride == 1 && self.out.row_stride == 1) self.template scan_adjacent<true>(first, count);
      else self.template scan_adjacent<false>(first, count);
    }
  }
  KOKKOS_FUNCTION void operator()(adjacent_rows, std::size_t unit) const { (*this)(adjacent_rows{}, unit, unit + 1); }
  bool has_rows_side_by_side() const {
    return in.has_rows_side_by_side(rows, length) && out.has_rows_side_by_side(rows, length);
  }
  KOKKOS_FUNCTION static std::size_t rows_per_tile(std::size_t length) { return packed_tile::size / length; }

  /// Whether elements and results are numbers that the kernels of src/scan combine.
  static constexpr bool find_kernels() {
#if defined(UPSWEEP_CPU_KERNELS)
    return compiled_monoid<Monoid>::exists && std::is_same_v<std::remove_const_t<In>, state> &&
           std::is_same_v<output, state>;
#else
    return false;
#endif
  }
  static constexpr bool has_kernels = find_kernels();

 private:
  /// UnitStride: neighbouring rows are neighbours in memory, so that compilers make vectors of them.
  template <bool UnitStride>
  KOKKOS_FUNCTION void scan_adjacent(std::size_t first, std::size_t count) const {
    if constexpr (UnitStride && results_are_states && Inclusive) {
      continue_columns(first, count);
    } else {
      if constexpr (UnitStride && results_are_states)
        if (static_cast<void const*>(in.data) != out.data) return continue_columns(first, count);
      state running[most_group];
      for (std::size_t r = 0; r < count; ++r) running[r] = monoid.identity();
      for (std::size_t column = 0; column < length; ++column) {
        auto const c = static_cast<std::ptrdiff_t>(column), f = static_cast<std::ptrdiff_t>(first);
        auto const from = column_of<UnitStride>(in.data + f * in.row_stride + c * in.column_stride, in.row_stride);
        auto const to = column_of<UnitStride>(out.data + f * out.row_stride + c * out.column_stride, out.row_stride);
        for (std::size_t r = 0; r < count; ++r) {
          state const before = running[r];
          running[r] = monoid(before, internal::lift(monoid, from.load(r)));
          to.store(r, internal::lower<output>(monoid, Inclusive ? running[r] : before));
        }
      }
    }
  }

  /// The same where a result is what the next column goes on from: each column reads the results of the one before,
  /// and nothing is kept beside them. An exclusive scan goes on with the input of the column before, which in place is
  /// no longer there. 512 rows of 32, one core of a Xeon (AVX2), 2026-11-29, int32 / double, us: with states beside
  /// the results 2.1 / 4.3, four columns at a time 1.8 / 4.0, so 1.2 / 2.6.
  KOKKOS_FUNCTION void continue_columns(std::size_t first, std::size_t count) const {
    auto const f = static_cast<std::ptrdiff_t>(first);
    internal::contiguous_sequence<In> from{in.data + f};
    internal::contiguous_sequence<Out> to{out.data + f};
    for (std::size_t r = 0; r < count; ++r) {
      if constexpr (Inclusive) to.store(r, monoid(monoid.identity(), internal::lift(monoid, from.load(r))));
      else to.store(r, monoid.identity());
    }
    for (std::size_t column = 1; column < length; ++column) {
      internal::contiguous_sequence<Out const> const before{to.data};
      to.data += out.column_stride;
      if constexpr (Inclusive) from.data += in.column_stride;
      UPSWEEP_LANES
      for (std::size_t r = 0; r < count; ++r) to.store(r, monoid(before.load(r), internal::lift(monoid, from.load(r))));
      if constexpr (!Inclusive) from.data += in.column_stride;
    }
  }
  static constexpr bool results_are_states =
      !compat::is_gpu<ExecutionSpace> && std::is_same_v<output, state> && !internal::has_lower<Monoid>;

  template <bool UnitStride, class T>
  KOKKOS_FUNCTION static auto column_of(T* data, std::ptrdiff_t stride) {
    if constexpr (UnitStride) return internal::contiguous_sequence<T>{data};
    else return internal::strided_sequence<T>{data, stride};
  }

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
    // Few adjacent rows share a line of memory: one thread takes them all, which pays where they are short.
    if (adjacent && k.rows >= (k.rows * k.length <= 32768 ? 8 : 64)) return batched_way::adjacent_rows;
    return k.rows >= 32 || k.rows * k.length <= 32768 ? batched_way::whole_rows : batched_way::engine;
  }
}

/// Adjacent rows for run_on_cpu: neighbouring units at once.
template <class Kernel>
struct adjacent_units {
  using adjacent_rows = typename Kernel::adjacent_rows;
  Kernel kernel;
  void operator()(std::int64_t unit) const { kernel(adjacent_rows{}, static_cast<std::size_t>(unit)); }
  void run(std::size_t begin, std::size_t end) const { kernel(adjacent_rows{}, begin, end); }
};

/// Launches the kernel. Pre: the matrix has elements; way is not engine.
template <class ExecutionSpace, class Kernel>
void launch_batched(ExecutionSpace const& space, Kernel const& kernel, batched_way way, scan_names const& names) {
  using adjacent_rows = typename Kernel::adjacent_rows;
  using whole_rows = typename Kernel::whole_rows;
  auto const name = [&](char const* phase) { return internal::label(names.function, phase, names.caller); };
  if constexpr (compat::is_gpu<ExecutionSpace>) {
    constexpr std::size_t most_in_flight = std::size_t(1) << 20;  // more take several turns
    if (way == batched_way::adjacent_rows) {
      using policy = Kokkos::RangePolicy<ExecutionSpace, adjacent_rows, Kokkos::IndexType<std::size_t>>;
      Kokkos::parallel_for(name("adjacent_rows"), policy(space, 0, kernel.rows), kernel);
    } else if (way == batched_way::packed_rows) {
      std::size_t const blocks = internal::divide_up(kernel.rows, Kernel::rows_per_tile(kernel.length));
      launch_teams<typename Kernel::packed_rows, typename Kernel::packed_tile>(
          space, kernel, std::min(blocks, most_in_flight), "packed_rows", names);
    } else {
      launch_teams<whole_rows, typename Kernel::tile>(space, kernel, std::min(kernel.rows, most_in_flight),
                                                      "whole_rows", names);
    }
  } else {
    // Of adjacent rows of built-in numbers it is known: nobody looks at the clock, which would cut them into units.
    using numbers = engine::tuning<ExecutionSpace>;
    bool const is_known = Kernel::has_kernels && way == batched_way::adjacent_rows;
    double const each = is_known ? numbers::least_scan_nanoseconds * sizeof(typename Kernel::state)
                                 : numbers::least_generic_nanoseconds;
    internal::work_cost const cost{each * static_cast<double>(kernel.rows) * static_cast<double>(kernel.length),
                                   is_known};
    auto const run = [&](char const* phase, std::size_t count, auto const& part) {
      internal::run_on_cpu(space, [&] { return name(phase); }, count, part, cost);
    };
    if (way == batched_way::adjacent_rows)
      run("adjacent_rows", internal::divide_up(kernel.rows, std::size_t(Kernel::least_group)),
          adjacent_units<Kernel>{kernel});
    else
      run("whole_rows", kernel.rows, [kernel](std::int64_t i) { kernel(whole_rows{}, static_cast<std::size_t>(i)); });
  }
}

}  // namespace upsweep::scan::detail

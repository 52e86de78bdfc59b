// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/scan/detail/cpu/cpu_kernels.hpp>
#include <upsweep/scan/detail/problem/commutes.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>
#include <upsweep/scan/detail/segments/segment_bits.hpp>
#include <upsweep/scan/detail/segments/segment_problem.hpp>
#include <upsweep/scan/internal/ends_before.hpp>
#include <upsweep/scan/tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

// Reductions of segments for CPU threads, and for GPUs without warps: blocks of equal work, however long segments are.
//
//   blocks   elements and ends of segments are one sequence, each end behind its segment's elements. A thread has a
//            block of it, which it finds by a search in the offsets. It stores segments that lie in the block, and
//            leaves what the block has of the first and of the last one.
//   join     one thread goes through what the blocks have left.
//
// Memory: elements are read once; of offsets about log2(segments) more per block. 2 states and 16 bytes per block.
// Association: left folds, of built-in numbers on CPUs windows (src/scan/window_scan.hpp) where 64 or more are side by
// side; then the left fold of blocks. Fixed by where a segment lies.
// Progress: nobody waits.

/// What a block has of segments that others have a part of.
template <class State>
struct block_ends {
  State front;          ///< of the first segment that ends in the block, if has_front
  State tail;           ///< of what comes behind the last end, if has_tail
  std::size_t segment;  ///< the first one that ends in the block
  bool ends, has_front, has_tail;
};

template <class Problem, bool OnHost>
struct segment_blocks {
  using state = typename Problem::state;
  using monoid_type = typename Problem::monoid_type;
  using whole = scan_problem<typename Problem::input_type, internal::contiguous_sequence<state>, monoid_type, false>;

  Problem problem;
  block_ends<state>* ends;
  std::size_t block;  ///< elements and ends
  std::size_t blocks;

  /// Of a block.
  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    bool const is_share_right = check(k);
    std::size_t const total = problem.n + problem.segments;
    std::size_t const from = k * block, to = Kokkos::min(from + block, total);
    std::size_t const first = ends_before(from), last = ends_before(to);
    if constexpr (OnHost) {
      segment_blocks const self = *this;  // what is stored may lie anywhere, but not in this
      bool const is_right = blocks == 1
                                ? is_share_right
                                : are_right_offsets(self.problem.offsets, first, last + 1, problem.segments, problem.n);
      if (is_right) self.template reduce<false>(k, from, to, first, last);
      else self.template reduce<true>(k, from, to, first, last);
    } else {
      reduce<true>(k, from, to, first, last);
    }
  }

  KOKKOS_FUNCTION void join() const {
    state carry = problem.monoid.identity();
    bool has_carry = false;
    auto const add = [&](state const& x, bool is_there) {
      if (is_there) carry = has_carry ? problem.monoid(carry, x) : x;
      has_carry = has_carry || is_there;
    };
    for (std::size_t k = 0; k < blocks; ++k) {
      block_ends<state> const& now = ends[k];
      if (now.ends) {
        add(now.front, now.has_front);
        problem.store(now.segment, carry);
        carry = problem.monoid.identity();
        has_carry = false;
      }
      add(now.tail, now.has_tail);
    }
  }

 private:
  /// Segments whose ends are `first` ... last - 1, and what comes behind. Offsets that may be wrong may say anything:
  /// what is read is clipped.
  template <bool Clip>
  KOKKOS_FUNCTION void reduce(std::size_t k, std::size_t from, std::size_t to, std::size_t first,
                              std::size_t last) const {
    std::size_t at = Kokkos::min(from - first, problem.n);
    std::size_t const stop = Kokkos::min(to - last, problem.n);
    auto const end_of = [&](std::size_t s) {
      return Clip ? Kokkos::max(at, Kokkos::min(problem.offset(s + 1), stop)) : problem.offset(s + 1);
    };
    block_ends<state> left{problem.monoid.identity(), problem.monoid.identity(), first, first < last, false, false};
    if (first < last) {
      std::size_t const end = end_of(first);
      left.has_front = at < end;
      if (at < end) left.front = fold(at, end);
      at = end;
    }
    for (std::size_t s = first + 1; s < last; ++s) {
      std::size_t const end = end_of(s);
      problem.store(s, fold_any(at, end));
      at = end;
    }
    left.has_tail = at < stop;
    if (at < stop) left.tail = fold(at, stop);
    ends[k] = left;
  }

  /// Each block reports what is wrong in its part of the offsets; on CPUs the result says whether nothing is.
  KOKKOS_FUNCTION bool check(std::size_t k) const {
    std::size_t const part = (problem.segments + blocks) / blocks, begin = Kokkos::min(k * part, problem.segments + 1),
                      end = Kokkos::min(begin + part, problem.segments + 1);
    if constexpr (OnHost) {
      if (are_right_offsets(problem.offsets, begin, end, problem.segments, problem.n)) return true;
    }
    for (std::size_t s = begin; s < end; ++s) problem.report(s);
    return false;
  }

  KOKKOS_FUNCTION std::size_t ends_before(std::size_t count) const {
    return internal::ends_before([this](std::size_t s) { return problem.offset(s); }, problem.segments, count);
  }

  /// Of integers nobody sees whether a fold begins with the identity: so it needs no branch for segments without
  /// elements.
  KOKKOS_FUNCTION state fold_any(std::size_t begin, std::size_t end) const {
    constexpr bool from_identity = OnHost && std::is_integral_v<state> && commutes<monoid_type>;
    if (from_identity ? end - begin < longest_loop : begin == end) {
      state sum = problem.monoid.identity();
      for (std::size_t i = begin; i < end; ++i)
        sum = problem.monoid(sum, internal::lift(problem.monoid, problem.in.load(i)));
      return sum;
    }
    return fold(begin, end);
  }
  /// Elements from which on a kernel is called. Compilers make vectors of a loop over integers; a call costs more than
  /// such a loop over some hundreds of them.
  static constexpr std::size_t longest_loop = std::is_integral_v<state> ? 1024 : 64;

  /// Pre: begin < end.
  KOKKOS_FUNCTION state fold(std::size_t begin, std::size_t end) const {
    if constexpr (OnHost && has_cpu_kernels<whole>()) {
      constexpr cpu_operation operation = compiled_monoid<monoid_type>::operation;
      using word = cpu_word<state, operation>;
      if (end - begin >= longest_loop)
        return static_cast<state>(cpu_kernels_for<word, operation>(internal::widest_instruction_set())
                                      .fold(reinterpret_cast<word const*>(problem.in.data) + begin, end - begin));
    }
    auto const& op = problem.monoid;
    state sum = internal::lift(op, problem.in.load(begin));
    for (std::size_t i = begin + 1; i < end; ++i) sum = op(sum, internal::lift(op, problem.in.load(i)));
    return sum;
  }
};

template <class Kernel>
struct join_segments_kernel {
  Kernel kernel;
  KOKKOS_FUNCTION void operator()(int) const { kernel.join(); }
};

/// Blocks of a reduction of segments.
template <class ExecutionSpace>
std::size_t segment_block_count(std::size_t segments, std::size_t n) {
  return internal::divide_up(segments + n, engine::tuning<ExecutionSpace>::segment_block);
}

/// Pre: problem.segments > 0; there is a block_ends for each block.
template <class ExecutionSpace, class Problem>
void reduce_segments_by_blocks(ExecutionSpace const& space, Problem const& problem,
                               block_ends<typename Problem::state>* ends, scan_names const& names) {
  using kernel_type = segment_blocks<Problem, !compat::is_gpu<ExecutionSpace>>;
  std::size_t const blocks = segment_block_count<ExecutionSpace>(problem.segments, problem.n);
  kernel_type const kernel{problem, ends, engine::tuning<ExecutionSpace>::segment_block, blocks};
  auto const in_blocks = [&] { return internal::label(names.function, "blocks", names.caller); };
  if constexpr (compat::launches_wait<ExecutionSpace>) {
    double const least = engine::tuning<ExecutionSpace>::least_generic_nanoseconds * static_cast<double>(problem.n) / 2;
    internal::run_on_cpu(space, in_blocks, blocks, [&](std::int64_t k) { kernel(static_cast<std::size_t>(k)); },
                         {least});
  } else {
    using policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
    Kokkos::parallel_for(in_blocks(), policy(space, 0, blocks), kernel);
  }
  internal::run_on_one_thread(
      space, [&] { return internal::label(names.function, "join", names.caller); },
      join_segments_kernel<kernel_type>{kernel});
}

}  // namespace upsweep::scan::detail

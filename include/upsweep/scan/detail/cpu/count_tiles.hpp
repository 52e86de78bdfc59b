// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/cpu/instruction_set.hpp>
#include <upsweep/base/internal/monoids/saturating_plus.hpp>
#include <upsweep/scan/detail/cpu/cpu_kernels.hpp>
#include <upsweep/scan/detail/cpu/cpu_tiles.hpp>
#include <upsweep/scan/detail/problem/count_sequences.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// Whether a problem is counts_to_offsets with counts and offsets side by side, offsets of a type that the kernels of
/// src/scan sum.
template <class Problem>
inline constexpr bool is_count_problem = false;
#if defined(UPSWEEP_CPU_KERNELS)
template <class Count, class Offset, bool Inclusive>
inline constexpr bool is_count_problem<
    scan_problem<count_sequence<internal::contiguous_sequence<Count const>>,
                 offset_sequence<internal::contiguous_sequence<Offset>>, internal::saturating_plus, Inclusive>> =
    !Inclusive && compiled_integer<Offset> && !std::is_same_v<Count, bool>;
#endif

/// The tiles of cpu_tiles.hpp for counts_to_offsets. Sums that cannot overflow and have no negative count, which is
/// nearly always all of them, need no question for each count: counts are converted on the stack, 1024 at a time, and
/// summed by vectors on the way to their offsets. Pieces in which something is wrong, or may be, go one by one
/// (generic_tiles). 2^14 int32 to 64 bits, one core of a Xeon (AVX-512), 2026-11-29, us: 4.0; converted where their
/// offsets go, which are read again, 4.4; 4096 at a time, looked at in a loop before, 5.5; a loop 4.05.
template <class Problem, class Tuning = cpu_tuning>
class count_tiles : public generic_tiles<Problem, Tuning> {
  using generic = generic_tiles<Problem, Tuning>;
  using count = std::remove_const_t<std::remove_pointer_t<decltype(Problem::in.counts.data)>>;
  using offset = std::remove_pointer_t<decltype(Problem::out.offsets.data)>;
  using word = cpu_word<offset, cpu_operation::plus>;

 public:
  using state = std::uint64_t;
  using generic::size;
  static constexpr bool any_order = true;

  count_tiles(Problem const& problem, internal::instruction_set which)
      : generic(problem),
        p_(problem),
        kernels_(&cpu_kernels_for<word, cpu_operation::plus>(which)),
        scan_(streams_past_caches<Tuning>(problem.in.counts.data, problem.out.offsets.data, problem.n)
                  ? kernels_->scan_streaming[0]
                  : kernels_->scan[0]) {}

  void fold(std::size_t first, std::size_t last, state* aggregates) const {
    for (; first < last; ++first) *aggregates++ = fold_unordered(first, first + 1);
  }
  state fold_unordered(std::size_t first, std::size_t last) const {
    auto const all = look<false>(first * size, std::min(last * size, p_.n));
    return all.is_plain ? all.sum : generic::fold_unordered(first, last);
  }

  void scan(std::size_t first, std::size_t last, state const* prefixes, std::size_t) const {
    for (; first < last; ++first) scan_on(first, first + 1, *prefixes++);
  }
  state scan_on(std::size_t first, std::size_t last, state const& prefix) const {
    return scan_pieces(first * size, std::min(last * size, p_.n), prefix);
  }
  state scan_serially(state const& init) const { return scan_pieces(0, p_.n, init); }

  void finish() const { kernels_->drain(); }

 private:
  /// Whether counts are not negative, and so small that no sum of a piece overflows; then also that sum.
  struct seen {
    state sum;
    bool is_plain;
  };
  /// Convert: counts go to `converted`, too. Pre: begin < end.
  template <bool Convert>
  seen look(std::size_t begin, std::size_t end, [[maybe_unused]] offset* converted = nullptr) const {
    // The last place is no count's: it is that of the total.
    std::size_t const stop = std::min(end, p_.in.n);
    count const* const counts = p_.in.counts.data;
    count all = 0;
    state sum = 0;
    UPSWEEP_LANES
    for (std::size_t i = begin; i < stop; ++i) {
      count const here = counts[i];
      all = static_cast<count>(all | here);
      sum += static_cast<state>(here);
      if constexpr (Convert) converted[i - begin] = static_cast<offset>(here);
    }
    // A negative count makes `all` negative, and no count is larger than it.
    bool const is_plain = all >= 0 && (sizeof(count) < 8 || static_cast<state>(all) < state(1) << 40);
    return {sum, is_plain && end - begin < std::size_t(1) << 23};
  }

  state scan_pieces(std::size_t begin, std::size_t end, state running) const {
    constexpr std::size_t piece = 1024;
    constexpr auto largest = static_cast<state>(internal::largest_value<offset>);
    offset* const offsets = p_.out.offsets.data;
    offset converted[piece];
    for (std::size_t first = begin, last = 0; first < end; first = last) {
      last = std::min(first + piece, end);
      auto const all = look<true>(first, last, converted);
      // A sum that reaches the largest of 64 bits counts as an overflow: so no piece reaches the largest offset here.
      if (!all.is_plain || running >= largest || all.sum >= largest - running) {
        running = generic::scan_range(first, last, running);
        continue;
      }
      std::size_t const stop = std::min(last, p_.in.n);
      if (stop > first)
        scan_(reinterpret_cast<word const*>(converted), reinterpret_cast<word*>(offsets) + first, stop - first,
              static_cast<word>(running), nullptr, 0);
      running += all.sum;
      if (stop < last) offsets[stop] = static_cast<offset>(running);
    }
    return running;
  }

  Problem p_;
  cpu_kernels<word> const* kernels_;
  typename cpu_kernels<word>::scan_function scan_;
};

}  // namespace upsweep::scan::detail

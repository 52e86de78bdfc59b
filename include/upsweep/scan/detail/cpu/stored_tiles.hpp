// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/contiguous_sequence.hpp>
#include <upsweep/base/internal/cpu/instruction_set.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/cpu/cpu_kernels.hpp>
#include <upsweep/scan/detail/cpu/cpu_tuning.hpp>
#include <upsweep/scan/detail/problem/scan_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace upsweep::scan::detail {

/// Whether the compiled kernels can read a problem's elements, wherever its results go.
template <class Problem>
constexpr bool has_kernels_for_input() {
#if defined(UPSWEEP_CPU_KERNELS)
  using monoid = typename Problem::monoid_type;
  if constexpr (compiled_monoid<monoid>::exists) {
    using T = typename monoid::value_type;
    return std::is_same_v<typename Problem::output, T> &&
           std::is_same_v<decltype(Problem::in), internal::contiguous_sequence<T const>>;
  }
#endif
  return false;
}

/// The tiles of cpu_tiles.hpp for built-in elements side by side whose results go elsewhere: to a functor
/// (exclusive_scan_for_each), or to a strided View. The kernels of src/scan leave a tile's results on the stack, from
/// where they are stored one by one, in order.
/// Association: as that of compiled_tiles, in tiles of 8 KB.
template <class Problem, class Tuning = cpu_tuning>
class stored_tiles {
  using monoid = typename Problem::monoid_type;
  static constexpr cpu_operation operation = compiled_monoid<monoid>::operation;
  using word = cpu_word<typename Problem::state, operation>;

 public:
  using state = typename Problem::state;
  static constexpr std::size_t size = Tuning::stored_tile_bytes / sizeof(state);
  static constexpr std::size_t parallel_tiles = 2;
  static constexpr std::size_t tiles_per_thread = 2;
  static constexpr double least_nanoseconds = Tuning::least_generic_nanoseconds;
  static constexpr double least_fold_nanoseconds = Tuning::least_fold_nanoseconds * sizeof(state);
  static constexpr std::size_t group_tiles = Tuning::stored_group_tiles, largest_group = Tuning::largest_stored_group;
  static constexpr std::size_t polls_a_tile = Tuning::stored_polls_a_tile;
  static constexpr bool any_order = std::is_integral_v<state>;

  stored_tiles(Problem const& problem, internal::instruction_set which)
      : p_(problem),
        in_(reinterpret_cast<word const*>(problem.in.data)),
        kernels_(&cpu_kernels_for<word, operation>(which)) {}

  static std::size_t group_alone() { return Tuning::stored_group_alone; }

  void fold(std::size_t first, std::size_t last, state* aggregates) const {
    for (; first < last; ++first) *aggregates++ = fold_unordered(first, first + 1);
  }
  state fold_unordered(std::size_t first, std::size_t last) const {
    return static_cast<state>(kernels_->fold(in_ + first * size, end_of(last - 1) - first * size));
  }

  void scan(std::size_t first, std::size_t last, state const* prefixes, std::size_t ahead) const {
    Problem const p = p_;
    for (std::size_t tile = first; tile < last; ++tile)
      scan_range(p, tile * size, end_of(tile), prefixes[tile - first], ahead == 0 ? 0 : (ahead + tile - first) * size);
  }
  state scan_on(std::size_t first, std::size_t last, state running) const {
    Problem const p = p_;
    for (; first < last; ++first) running = scan_range(p, first * size, end_of(first), running, (first + 1) * size);
    return running;
  }
  /// Of few tiles.
  state scan_serially(state const& init) const { return scan_on(0, (p_.n + size - 1) / size, init); }

  void finish() const {}

 private:
  std::size_t end_of(std::size_t tile) const { return std::min((tile + 1) * size, p_.n); }

  /// Of at most a tile. What comes from `ahead` on is prefetched, if that is not 0. Returns the combination of all.
  state scan_range(Problem const& p, std::size_t begin, std::size_t end, state const& prefix, std::size_t ahead) const {
    word results[size];
    word const last = in_[end - 1];  // read first: what is stored may lie there
    kernels_->scan[Problem::inclusive](in_ + begin, results, end - begin, static_cast<word>(prefix),
                                       ahead == 0 ? nullptr : in_ + ahead, size / 4);
    using output = typename Problem::output;
    for (std::size_t i = begin; i < end; ++i) {
      auto const result = static_cast<output>(results[i - begin]);
      if constexpr (stores_with_element<decltype(Problem::out)>) p.out.store(i, result, p.out.element_of(i));
      else p.out.store(i, result);
    }
    state const all = static_cast<state>(results[end - begin - 1]);
    return Problem::inclusive ? all : monoid{}(all, static_cast<state>(last));
  }

  Problem p_;
  word const* in_;
  cpu_kernels<word> const* kernels_;
};

}  // namespace upsweep::scan::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/label.hpp>
#include <upsweep/base/lanes.hpp>
#include <upsweep/scan/detail/selection_rows.hpp>
#include <upsweep/scan/part_counts.hpp>
#include <upsweep/scan/selection.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace upsweep {

/// Which of three parts elements belong to, asked for once and kept as bits: what select_in_one_pass() takes as `chosen` where
/// all parts must be counted before the first element is stored. A word has the bits of the rows of one thread
/// (detail/selection_rows.hpp): those of the first part in its lower half, those of the second part in its upper half.
template <int Rows, int Lanes>
struct known_parts {
  static constexpr int parts = 3, rows = Rows, lanes = Lanes;
  using word = std::conditional_t<rows <= 16, std::uint32_t, std::uint64_t>;
  static constexpr int half = 4 * sizeof(word);

  word* words;

  /// Threads that have rows of n elements.
  static std::size_t threads(std::size_t n) { return divide_up<std::size_t>(n, rows * lanes) * lanes; }
  static std::size_t bytes(std::size_t n) { return threads(n) * sizeof(word); }

  /// The place of a thread's first element; rows are `lanes` elements apart.
  KOKKOS_FUNCTION static std::size_t first_of(std::size_t thread) { return thread / lanes * (rows * lanes) + thread % lanes; }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::size_t thread, std::uint32_t first, std::uint32_t second) const {
    words[thread] = static_cast<word>(first) | static_cast<word>(second) << half;
  }
  KOKKOS_FORCEINLINE_FUNCTION void get(std::size_t thread, std::uint32_t& first, std::uint32_t& second) const {
    word const both = words[thread];
    first = static_cast<std::uint32_t>(both & (~word(0) >> half));
    second = static_cast<std::uint32_t>(both >> half);
  }

  static constexpr std::size_t bytes_ahead = sizeof(word), elements_ahead = rows;
  KOKKOS_FUNCTION word const* ahead() const { return words; }
};

/// Those for elements of type T on a backend. Pre: can_select_in_one_pass<ExecutionSpace, T>.
template <class ExecutionSpace, class T>
using known_parts_of =
    known_parts<detail::selection_rows_of<T, detail::selection_engine<ExecutionSpace>::template shape<ExecutionSpace>::bytes_per_thread>,
                detail::lanes_of<ExecutionSpace>::size>;

namespace detail {

/// A thread asks for the parts of its rows. Loads go out together, and neighbours in neighbouring lanes.
template <class In, class PartOf, class Known>
struct ask_parts_kernel {
  using value_type = part_counts<2>;
  In in;
  PartOf part_of;
  Known known;
  std::size_t n;

  KOKKOS_FUNCTION void operator()(std::int64_t k, value_type& found) const {
    auto const thread = static_cast<std::size_t>(k);
    std::size_t const begin = Known::first_of(thread);
    typename In::value_type x[Known::rows];
    UPSWEEP_UNROLL
    for (int r = 0; r < Known::rows; ++r) x[r] = in.load(Kokkos::min(begin + static_cast<std::size_t>(r * Known::lanes), n - 1));
    std::uint32_t first = 0, second = 0;
    UPSWEEP_UNROLL
    for (int r = 0; r < Known::rows; ++r) {
      std::size_t const i = begin + static_cast<std::size_t>(r * Known::lanes);
      int const part = i < n ? part_of(x[r], i) : 2;
      if (part == 0) first |= 1u << r;
      if (part == 1) second |= 1u << r;
    }
    known.set(thread, first, second);
    found.of[0] += static_cast<std::uint64_t>(Kokkos::Experimental::popcount_builtin(first));
    found.of[1] += static_cast<std::uint64_t>(Kokkos::Experimental::popcount_builtin(second));
  }
  KOKKOS_FUNCTION void init(value_type& found) const { found = {}; }
  KOKKOS_FUNCTION void join(value_type& found, value_type const& other) const { found = add_counts<2>{}(found, other); }
};

}  // namespace detail

/// Asks for the part of each element once, part_of(element, index) is 0, 1 or 2, and counts the first two parts in device memory.
///
/// Pre: n > 0; `known` has memory of known.bytes(n).
/// Cost: n reads, 2 bits an element written; 1 launch.
/// Sync: asynchronous.
template <class ExecutionSpace, class In, class PartOf, class Known>
void ask_parts(ExecutionSpace const& space, In const& in, std::size_t n, PartOf const& part_of, Known const& known, part_counts<2>* counts,
               std::string_view function, std::string_view caller = {}) {
  using result = Kokkos::View<part_counts<2>, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;
  using policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_reduce(label(function, "ask", caller), policy(space, 0, static_cast<std::int64_t>(known.threads(n))),
                          detail::ask_parts_kernel<In, PartOf, Known>{in, part_of, known, n}, result(counts));
}

}  // namespace upsweep

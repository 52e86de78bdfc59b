// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace upsweep::pack::detail {

/// A View of rank 1 or 2 as rows of elements, whatever its layout: kernels are compiled once per element type.
template <class T>
struct strided_rows {
  T* data;
  std::ptrdiff_t row_stride, column_stride;
  std::size_t columns;

  KOKKOS_FORCEINLINE_FUNCTION T& at(std::size_t row, std::size_t column) const {
    return data[static_cast<std::ptrdiff_t>(row) * row_stride + static_cast<std::ptrdiff_t>(column) * column_stride];
  }
};

template <class V>
auto rows_of(V const& view) {
  using rows = strided_rows<typename V::value_type>;
  if constexpr (compat::rank<V> == 1) return rows{view.data(), compat::stride(view, 0), 0, 1};
  else return rows{view.data(), compat::stride(view, 0), compat::stride(view, 1), view.extent(1)};
}

/// Compile-time rules.
template <class ExecutionSpace, class Permutation>
constexpr void require_permutation() {
  require_input<ExecutionSpace, Permutation>();
  using index = typename Permutation::non_const_value_type;
  static_assert(std::is_integral_v<index> && !std::is_same_v<index, bool>,
                "upsweep: a permutation is a View of an integer type, and not of bool.");
}
template <class ExecutionSpace, class V>
constexpr void require_rows() {
  static_assert(Kokkos::is_view_v<V> && (compat::rank<V> == 1 || compat::rank<V> == 2),
                "upsweep: what is permuted is a View of rank 1, or of rank 2 with a row for each index.");
  static_assert(internal::reachable<ExecutionSpace, V>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
}
template <class ExecutionSpace, class In, class Out>
constexpr void require_permuted() {
  require_rows<ExecutionSpace, Out>();
  static_assert(compat::rank<Out> == compat::rank<In> && !std::is_const_v<typename Out::value_type>,
                "upsweep::permute: the output is a View of the input's rank with elements that can be assigned.");
  static_assert(internal::widens<typename In::non_const_value_type, typename Out::non_const_value_type>(),
                "upsweep: an element of the input does not fit in an element of the output. Give a wider output.");
}
template <class InOut>
constexpr void require_permuted_in_place() {
  static_assert(!std::is_const_v<typename InOut::value_type> &&
                    std::is_trivially_copyable_v<typename InOut::non_const_value_type>,
                "upsweep::permute_in_place: elements can be assigned, and copied as bytes.");
}

/// One thread per row of the output. An index that is no row is reported, and the row is not written, or is the same
/// row of the input.
template <class Permutation, class From, class To>
struct permute_rows_kernel {
  Permutation permutation;
  strided_rows<From> from;
  strided_rows<To> to;
  std::size_t rows;  ///< of the input
  bool keeps;        ///< whether a row without an index is the same row of the input
  internal::error_word errors;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const row = static_cast<std::size_t>(i);
    std::size_t source = source_of(row);
    if (source >= rows) {
      errors.report(row, internal::data_error::bad_permutation);
      if (!keeps) return;
      source = row;
    }
    copy(row, source);
  }
  /// Of rows begin ... end - 1. Short elements go eight at a time: permute of 2^14 int32 / double on a core of an AMD
  /// EPYC (Zen 5), 2026-11-28, us, one / four / eight at a time: 5.2 / 5.1 / 3.8 and 5.1 / 5.2 / 5.4; a loop that asks
  /// nothing 4.5 and 4.9.
  void run(std::size_t begin, std::size_t end) const {
    auto const self = *this;  // what is stored may lie anywhere, but not in this
    bool const is_plain = self.to.columns == 1 && self.from.row_stride == 1 && self.to.row_stride == 1;
    for (std::size_t row = begin; row < end; ++row) {
      if (is_plain && sizeof(To) <= 4)
        for (; end - row >= 8 && self.are_8_rows(row); row += 8)
          for (std::size_t k = row; k < row + 8; ++k)
            self.to.data[k] = static_cast<To>(self.from.data[self.source_of(k)]);
      if (is_plain)
        for (std::size_t source; row < end && (source = self.source_of(row)) < self.rows; ++row)
          self.to.data[row] = static_cast<To>(self.from.data[source]);
      if (row < end) self(static_cast<std::int64_t>(row));
    }
  }

 private:
  /// A negative one is larger than any extent.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t source_of(std::size_t row) const {
    return static_cast<std::size_t>(permutation.load(row));
  }
  /// Whether the sources of eight rows are rows.
  bool are_8_rows(std::size_t first) const {
    using given = std::remove_const_t<typename Permutation::value_type>;
    // No bool comes here, but an error for it is to be the only one.
    using index = typename std::conditional_t<std::is_same_v<given, bool>, std::type_identity<unsigned char>,
                                              std::make_unsigned<given>>::type;
    index largest = 0;
    for (std::size_t k = first; k < first + 8; ++k)
      largest = std::max(largest, static_cast<index>(permutation.load(k)));
    // A negative one is a large number here, but of few bytes it may be the number of a row.
    return largest <= static_cast<index>(std::numeric_limits<given>::max()) && largest < rows;
  }
  KOKKOS_FORCEINLINE_FUNCTION void copy(std::size_t row, std::size_t source) const {
    for (std::size_t c = 0; c < to.columns; ++c) to.at(row, c) = static_cast<To>(from.at(source, c));
  }
};

/// Rows back to where they belong, one thread per row.
template <class T>
struct copy_rows_kernel {
  strided_rows<T> from, to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    for (std::size_t c = 0; c < to.columns; ++c)
      to.at(static_cast<std::size_t>(i), c) = from.at(static_cast<std::size_t>(i), c);
  }
  /// Of rows begin ... end - 1.
  void run(std::size_t begin, std::size_t end) const {
    auto const self = *this;  // what is stored may lie anywhere, but not in this
    bool const is_plain = self.to.columns == 1 && self.from.row_stride == 1 && self.to.row_stride == 1;
    if (is_plain) std::copy(self.from.data + begin, self.from.data + end, self.to.data + begin);
    else
      for (std::size_t row = begin; row < end; ++row) self(static_cast<std::int64_t>(row));
  }
};

/// Both calls report in one word: a workspace has words for seven names.
template <class ExecutionSpace>
internal::error_word permutation_errors(workspace& memory, ExecutionSpace const& space) {
  return internal::access::errors(memory, space, "permute");
}

template <class ExecutionSpace, class Permutation, class In, class Out>
void permute_call(ExecutionSpace const& space, Permutation const& permutation, In const& in, Out const& out,
                  call_options const& options, char const* function) {
  std::size_t const n = permutation.extent(0);
  if (n == 0) return;
  internal::temporary_memory memory(space, options.workspace);
  internal::access::reserve(memory.get(), space, 0);
  auto const indices = internal::make_sequence(permutation);
  auto const from = rows_of(in);
  auto const to = rows_of(out);
  using kernel =
      permute_rows_kernel<std::remove_const_t<decltype(indices)>, typename In::value_type, typename Out::value_type>;
  internal::for_each_index(
      space, [&] { return internal::label(function, "gather", options.label); }, n,
      kernel{indices, from, to, in.extent(0), false, permutation_errors(memory.get(), space)});
  if (memory.owned()) memory.get().check(space);
}

template <class ExecutionSpace, class Permutation, class InOut>
void permute_in_place_call(ExecutionSpace const& space, Permutation const& permutation, InOut const& in_out,
                           call_options const& options, char const* function) {
  using T = typename InOut::value_type;
  std::size_t const n = permutation.extent(0);
  if (n == 0) return;
  auto const rows = rows_of(in_out);
  std::size_t const bytes = internal::checked_multiply(
      internal::checked_multiply(n, rows.columns, function, "elements"), sizeof(T), function, "bytes of the copy");
  internal::temporary_memory memory(space, options.workspace);
  auto* const data = reinterpret_cast<T*>(internal::access::reserve(memory.get(), space, bytes));
  // The copy has its elements in the order of the View, so that neighbouring threads read and write neighbours.
  strided_rows<T> const copy = rows.column_stride > rows.row_stride
                                   ? strided_rows<T>{data, 1, static_cast<std::ptrdiff_t>(n), rows.columns}
                                   : strided_rows<T>{data, static_cast<std::ptrdiff_t>(rows.columns), 1, rows.columns};
  auto const name = [&](char const* part) {
    return [part, function, &options] { return internal::label(function, part, options.label); };
  };
  auto const indices = internal::make_sequence(permutation);
  using kernel = permute_rows_kernel<std::remove_const_t<decltype(indices)>, T, T>;
  internal::for_each_index(space, name("gather"), n,
                           kernel{indices, rows, copy, n, true, permutation_errors(memory.get(), space)});
  internal::for_each_index(space, name("put_back"), n, copy_rows_kernel<T>{copy, rows});
  if (memory.owned()) memory.get().check(space);
}

}  // namespace upsweep::pack::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_memory.hpp>
#include <upsweep/mpi/detail/rows/listed_rows.hpp>
#include <upsweep/mpi/detail/rows/rows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace upsweep::mpi::detail {

inline std::size_t round_up(std::size_t n, std::size_t unit) { return upsweep::internal::divide_up(n, unit) * unit; }

/// How the rows of several Views travel: those of one index one behind the other, as a record. So rows for one rank are
/// one message, and record k of a buffer begins at k * bytes(). Keeps its memory from call to call.
class record_layout {
 public:
  template <class... Views>
  void set(Views const&... views) {
    fields_.clear();
    std::size_t end = 0, alignment = 1;
    (add(views, end, alignment), ...);
    bytes_ = round_up(end, alignment);
  }

  std::size_t bytes() const { return bytes_; }
  /// Where the rows of one View begin in a record.
  std::size_t field(std::size_t view) const { return fields_[view]; }

 private:
  template <class View>
  void add(View const& view, std::size_t& end, std::size_t& alignment) {
    using T = typename View::value_type;
    static_assert(alignof(T) <= 64, "upsweep: elements of a View that travels are aligned to at most 64 bytes.");
    fields_.push_back(round_up(end, alignof(T)));
    end = fields_.back() + row_bytes(view);
    alignment = std::max(alignment, alignof(T));
  }

  std::vector<std::size_t> fields_;
  std::size_t bytes_ = 0;
};

/// a / b, shorter where 32 bits are enough.
KOKKOS_FORCEINLINE_FUNCTION std::size_t quotient(std::size_t a, std::size_t b) {
  if ((a | b) >> 32 == 0) return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
  return a / b;
}

/// copy(row, column) for every element of rows of one View, so that neighbouring threads of a GPU touch neighbouring
/// elements; a thread of a CPU takes a whole row.
template <class ExecutionSpace, class View, class Copy>
struct copy_each_element {
  static constexpr bool by_element = compat::is_gpu<ExecutionSpace>;
  static constexpr bool by_column =
      compat::rank<View> == 2 && std::is_same_v<typename View::array_layout, Kokkos::LayoutLeft>;

  Copy copy;
  std::size_t rows, columns;

  std::size_t indices() const { return by_element ? rows * columns : rows; }
  KOKKOS_FUNCTION std::size_t width() const {
    // Known to the compiler, a division by it is a multiplication.
    if constexpr (compat::rank<View> == 1) return 1;
    else if constexpr (View::rank_dynamic == 1) return View::static_extent(1);
    else return columns;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const e = static_cast<std::size_t>(i);
    if constexpr (!by_element) {
      for (std::size_t c = 0; c < width(); ++c) copy(e, c);
    } else if constexpr (by_column) {
      std::size_t const column = quotient(e, rows);
      copy(e - column * rows, column);
    } else {
      std::size_t const row = quotient(e, width());
      copy(row, e - row * width());
    }
  }
};

/// Element (k, c) of the rows listed goes into record k.
template <class View>
struct copy_to_record {
  View view;
  std::size_t const* entries;
  std::byte* out;
  std::size_t stride;  ///< bytes from record to record
  KOKKOS_FUNCTION void operator()(std::size_t k, std::size_t c) const {
    using T = typename View::non_const_value_type;
    reinterpret_cast<T*>(out + k * stride)[c] = element(view, list_entry::row(entries[k]), c);
  }
};

/// Row i of the result: rows before the `stay` that stay, and behind them, come from records, in their order.
template <class View>
struct copy_to_place {
  View from, to;
  std::size_t const* staying;  ///< null: every row stays
  std::byte const* in;
  std::size_t stride, before, stay;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t c) const {
    using T = typename View::non_const_value_type;
    if (i >= before && i < before + stay) {
      std::size_t const row = i - before;
      element(to, i, c) = element(from, staying == nullptr ? row : staying[row], c);
    } else {
      std::size_t const k = i < before ? i : i - stay;
      element(to, i, c) = reinterpret_cast<T const*>(in + k * stride)[c];
    }
  }
};

/// Copies the rows of one View that leave into their records: `out` is where the View's rows begin in record 0.
template <class ExecutionSpace, class View>
void pack_records(ExecutionSpace const& space, View const& view, std::size_t const* entries, std::size_t rows,
                  std::byte* out, std::size_t stride) {
  static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename View::memory_space>::accessible,
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  if (rows * columns(view) == 0) return;
  copy_each_element<ExecutionSpace, View, copy_to_record<View>> const each{
      {view, entries, out, stride}, rows, columns(view)};
  upsweep::internal::for_each_index(space, "upsweep::redistribute::pack", each.indices(), each);
}

/// Fills `rows` rows of `copy.to` from those that stay and those that arrived. Does not fail for lack of memory.
template <class ExecutionSpace, class View>
void place_rows(ExecutionSpace const& space, copy_to_place<View> const& copy, std::size_t rows) {
  if (rows * columns(copy.to) == 0) return;
  copy_each_element<ExecutionSpace, View, copy_to_place<View>> const each{copy, rows, columns(copy.to)};
  launch_without_memory(space, "upsweep::redistribute::place", each.indices(), each);
}

}  // namespace upsweep::mpi::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/detail/agree_and_scan/host_copy.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_memory.hpp>
#include <upsweep/mpi/internal/fingerprint.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace upsweep::mpi::detail {

/// What can travel: a View of rank 1, or of rank 2 whose rows do, of elements that can be copied as bytes.
template <class View>
concept view_of_rows = (Kokkos::is_view_v<View> && (compat::rank<View> == 1 || compat::rank<View> == 2) &&
                        std::is_trivially_copyable_v<typename View::non_const_value_type>);

template <class View>
std::size_t columns(View const& view) {
  if constexpr (compat::rank<View> == 2) return view.extent(1);
  else return 1;
}

template <class View>
std::size_t row_bytes(View const& view) {
  return columns(view) * sizeof(typename View::value_type);
}

/// What has to be the same on all ranks of one View that travels.
template <class View>
void add_view(internal::fingerprint& arguments, View const& view) {
  arguments.type<typename View::non_const_value_type>().value(columns(view));
}

/// Throws where a call's View number `which` has not n rows, as `others` ("the first") has.
template <class View>
void require_rows(View const& view, std::size_t which, std::size_t n, char const* others, char const* function) {
  internal::require(view.extent(0) == n, function, [&] {
    return "view " + std::to_string(which) + " (" + view.label() + ") has " + std::to_string(view.extent(0)) +
           " rows, " + others + " has " + std::to_string(n);
  });
}

template <class View>
KOKKOS_FORCEINLINE_FUNCTION auto& element(View const& view, std::size_t i, std::size_t k) {
  if constexpr (compat::rank<View> == 2) return view(i, k);
  else return view(i);
}

/// Whether rows lie one behind the other without gaps, so that bytes can be received in place.
template <class View>
bool rows_are_packed(View const& view) {
  if constexpr (compat::rank<View> == 2)
    return (view.extent(1) == 1 || view.stride(1) == 1) && static_cast<std::size_t>(view.stride(0)) == view.extent(1);
  else return view.extent(0) <= 1 || view.stride(0) == 1;
}

/// Element e of the packed rows: row rows(e / columns), column e % columns.
template <class View, class Rows>
struct pack_rows {
  View view;
  Rows rows;
  typename View::non_const_value_type* out;
  std::size_t columns;
  KOKKOS_FUNCTION void operator()(std::size_t e) const { out[e] = element(view, rows(e / columns), e % columns); }
};

template <class View>
struct unpack_rows {
  typename View::non_const_value_type const* in;
  View view;
  std::size_t first, columns;
  KOKKOS_FUNCTION void operator()(std::size_t e) const { element(view, first + e / columns, e % columns) = in[e]; }
};

template <class ExecutionSpace, class View, class Rows>
void pack(ExecutionSpace const& space, View const& view, Rows const& rows, std::byte* to, char const* name) {
  static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename View::memory_space>::accessible,
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  using T = typename View::non_const_value_type;
  std::size_t const width = columns(view);
  if (rows.extent(0) * width == 0) return;
  upsweep::internal::for_each_index(space, name, rows.extent(0) * width,
                                    pack_rows<View, Rows>{view, rows, reinterpret_cast<T*>(to), width});
}

/// Comes after rows have moved, so it does not fail.
template <class ExecutionSpace, class View>
void unpack(ExecutionSpace const& space, std::byte const* from, View const& view, std::size_t first, std::size_t rows,
            char const* name) {
  using T = typename View::non_const_value_type;
  std::size_t const width = columns(view);
  if (rows * width == 0) return;
  launch_without_memory(space, name, rows * width,
                        unpack_rows<View>{reinterpret_cast<T const*>(from), view, first, width});
}

/// A new View of the same type, label and row shape with another number of rows.
template <class ExecutionSpace, class View>
View with_rows(ExecutionSpace const& space, View const& like, std::size_t rows) {
  static_assert(!View::memory_traits::is_unmanaged, "upsweep: an unmanaged View cannot be resized.");
  static_assert(!std::is_const_v<typename View::value_type>, "upsweep: a View of const elements cannot be refilled.");
  static_assert(!std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>,
                "upsweep: a strided View cannot be resized; give the View that it is a part of.");
  auto const memory = Kokkos::view_alloc(space, Kokkos::WithoutInitializing, like.label());
  if constexpr (compat::rank<View> == 2) return View(memory, typename View::array_layout(rows, like.extent(1)));
  else return View(memory, typename View::array_layout(rows));
}

}  // namespace upsweep::mpi::detail

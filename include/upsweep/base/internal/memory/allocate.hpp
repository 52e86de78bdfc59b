// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <type_traits>

namespace upsweep::internal {

/// Bytes of an element, or of a row of a View of rank 2.
template <class View>
constexpr std::size_t bytes_of_row() {
  if constexpr (compat::rank<View> == 1) return sizeof(typename View::value_type);
  else return sizeof(typename View::value_type) * View::static_extent(1);
}

/// What an error calls an array of n elements.
std::string describe_array(char const* name, std::size_t n);

[[noreturn]] void throw_cannot_allocate(char const* function, std::size_t bytes, std::string const& what,
                                        char const* memory_space);

/// A View of n elements, or of n rows where its type says how long they are (T*[3]), not initialised, labelled
/// `upsweep::<function>::<name>`: allocate_view<Kokkos::View<double*[3]>>(space, 10, "sort", "keys").
/// Sync: ordered on the instance.
/// Throws: out_of_memory_error that names the array, the bytes asked for and, where that is fewer, the bytes available;
/// overflow_error when they pass 64 bits. Linux refuses only what is more than all of its memory: callers that will
/// write all elements ask require_memory first.
template <class View, class ExecutionSpace>
View allocate_view(ExecutionSpace const& space, std::size_t n, char const* function, char const* name) {
  using memory = typename View::memory_space;
  std::size_t const bytes = checked_multiply(n, bytes_of_row<View>(), function, name);
  constexpr bool own_memory = std::is_same_v<memory, typename ExecutionSpace::memory_space>;
  try {
    View const view(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, label(function, name)), n);
    if constexpr (std::is_same_v<memory, Kokkos::HostSpace>) compat::prefer_huge_pages(view.data(), bytes);
    return view;
  } catch (std::exception const&) {
    std::string const what = describe_array(name, n);
    if constexpr (own_memory) require_memory(space, bytes, function, what);
    throw_cannot_allocate(function, bytes, what, memory::name());
  }
}

/// The same of n elements: allocate<int, Kokkos::HostSpace>(space, 10, "sort", "keys").
template <class T, class MemorySpace, class ExecutionSpace>
Kokkos::View<T*, MemorySpace> allocate(ExecutionSpace const& space, std::size_t n, char const* function,
                                       char const* name) {
  return allocate_view<Kokkos::View<T*, MemorySpace>>(space, n, function, name);
}

/// Makes a View at least n elements long, or n rows, keeping its memory when it is; what it held is lost when it is
/// not.
template <class... Properties, class ExecutionSpace>
void grow(ExecutionSpace const& space, Kokkos::View<Properties...>& view, std::size_t n, char const* function,
          char const* name) {
  if (view.extent(0) >= n) return;
  view = {};  // freed first: the old and the new need not fit side by side
  view = allocate_view<Kokkos::View<Properties...>>(space, n, function, name);
}

}  // namespace upsweep::internal

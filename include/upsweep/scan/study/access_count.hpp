// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::study {

/// How many elements kernels load from global memory and store there, for programs that compare an algorithm with its
/// formula: access_count::clear(), a scan, a fence, then access_count::loads and stores. Elements are counted whose
/// type says so: `struct element { using counter = study::access_count; ... };`
///
/// Counted are the loads and stores of the canonical sequences (sequence.hpp), on host backends: of inputs, of outputs,
/// and of states that engines keep in their workspace. Each type counts for itself: flags, keys, and states of another
/// type, as segmented scans have them, are counted where they say so, too. Atomic accesses, by which teams talk to each
/// other (tickets, status words, error words), carry no elements and are not counted.
struct access_count {
  inline static std::atomic<std::uint64_t> loads{0}, stores{0};
  static void clear() { loads = stores = 0; }

  KOKKOS_FUNCTION static void count_load() { KOKKOS_IF_ON_HOST((loads.fetch_add(1, std::memory_order_relaxed);)) }
  KOKKOS_FUNCTION static void count_store() { KOKKOS_IF_ON_HOST((stores.fetch_add(1, std::memory_order_relaxed);)) }
};

/// A type, const or not, whose loads and stores are counted.
template <class T>
concept counted_element = std::same_as<typename std::remove_const_t<T>::counter, access_count>;

}  // namespace upsweep::study

namespace upsweep {

// The sequences of counted elements: as those of sequence.hpp, and they count. The type itself names access_count, so
// every file that knows it has these, and nothing is defined twice.

template <study::counted_element T>
struct internal::contiguous_sequence<T> {
  using value_type = std::remove_const_t<T>;
  T* data;
  KOKKOS_FUNCTION value_type load(std::size_t i) const {
    study::access_count::count_load();
    return data[i];
  }
  KOKKOS_FUNCTION void store(std::size_t i, value_type const& value) const
    requires(!std::is_const_v<T>)
  {
    study::access_count::count_store();
    data[i] = value;
  }
};

template <study::counted_element T>
struct internal::strided_sequence<T> {
  using value_type = std::remove_const_t<T>;
  T* data;
  std::ptrdiff_t stride;
  KOKKOS_FUNCTION value_type load(std::size_t i) const {
    study::access_count::count_load();
    return data[static_cast<std::ptrdiff_t>(i) * stride];
  }
  KOKKOS_FUNCTION void store(std::size_t i, value_type const& value) const
    requires(!std::is_const_v<T>)
  {
    study::access_count::count_store();
    data[static_cast<std::ptrdiff_t>(i) * stride] = value;
  }
};

}  // namespace upsweep

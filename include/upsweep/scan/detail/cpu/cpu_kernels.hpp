// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/contiguous_sequence.hpp>
#include <upsweep/base/internal/cpu/instruction_set.hpp>
#include <upsweep/base/monoid.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

// Scans of built-in types, compiled in src/scan for several instruction sets and chosen at run time. All instruction
// sets give the same bits: the expression is defined by the index of an element in its tile (src/scan/window_scan.hpp).

/// The operations that are compiled.
enum class cpu_operation { plus, min, max };

/// The kernels of one type, operation and instruction set.
template <class T>
struct cpu_kernels {
  /// The combination of in[0] ... in[n-1]. Pre: n > 0.
  T (*fold)(T const* in, std::size_t n);
  /// The same, for elements that lie in a core's caches.
  T (*fold_cached)(T const* in, std::size_t n);

  /// Scans n elements behind `prefix`; out may be in. While it runs, what will be folded next is prefetched: n / 4
  /// elements from `ahead`, and as many from 1, 2 and 3 times ahead_stride elements further on. None for null.
  using scan_function = void (*)(T const* in, T* out, std::size_t n, T prefix, T const* ahead,
                                 std::size_t ahead_stride);
  scan_function scan[2];  ///< exclusive, inclusive
  /// The same with stores that bypass the caches. Pre: out is aligned to 64 bytes, and not in.
  scan_function scan_streaming[2];
  /// To be called behind streaming stores, before another thread may read them.
  void (*drain)();
};

/// T: std::uint32_t, std::uint64_t, float, double for plus; std::int32_t, std::int64_t and the unsigned two
/// for min and max.
template <class T, cpu_operation Operation>
cpu_kernels<T> const& cpu_kernels_for(internal::instruction_set which) noexcept;

/// The type whose kernels combine elements of type T: sums of signed numbers are the same bits as those
/// of unsigned ones.
template <class T, cpu_operation Operation>
using cpu_word =
    std::conditional_t<std::is_floating_point_v<T>, T,
                       std::conditional_t<Operation != cpu_operation::plus && std::is_signed_v<T>,
                                          std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// Which compiled operation a monoid is, if any. Floating-point min and max are left out: with a NaN they are not
/// associative, and windows would give other numbers than a loop.
template <class Monoid>
struct compiled_monoid {
  static constexpr bool exists = false;
};

template <class T>
inline constexpr bool compiled_integer =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && (sizeof(T) == 4 || sizeof(T) == 8);

template <class T>
struct compiled_monoid<plus<T>> {
  static constexpr bool exists = compiled_integer<T> || std::is_same_v<T, float> || std::is_same_v<T, double>;
  static constexpr cpu_operation operation = cpu_operation::plus;
};
template <class T>
struct compiled_monoid<min<T>> {
  static constexpr bool exists = compiled_integer<T>;
  static constexpr cpu_operation operation = cpu_operation::min;
};
template <class T>
struct compiled_monoid<max<T>> {
  static constexpr bool exists = compiled_integer<T>;
  static constexpr cpu_operation operation = cpu_operation::max;
};

/// Whether a problem is one for the compiled kernels: one type throughout, elements side by side.
template <class Problem>
constexpr bool has_cpu_kernels() {
#if defined(UPSWEEP_CPU_KERNELS)
  using monoid = typename Problem::monoid_type;
  if constexpr (compiled_monoid<monoid>::exists) {
    using T = typename monoid::value_type;
    using in = decltype(Problem::in);
    return std::is_same_v<decltype(Problem::out), internal::contiguous_sequence<T>> &&
           (std::is_same_v<in, internal::contiguous_sequence<T>> ||
            std::is_same_v<in, internal::contiguous_sequence<T const>>);
  }
#endif
  return false;
}

}  // namespace upsweep::scan::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/cpu/cpu_kernels.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

// Segmented scans of built-in types, compiled in src/scan for several instruction sets. Bit k % 64 of heads[k / 64]
// says whether a segment starts at element k.

/// All instruction sets give the same bits: those of windows of elements (src/scan/window_scan.hpp), none of which
/// reaches over a head.
template <class T>
struct segment_kernels {
  /// Scans n elements behind `prefix`, which elements before the first head continue; out may be in. Returns the fold
  /// of `prefix` and all elements since the last head. Pre: n > 0.
  using scan_function = T (*)(T const* in, T* out, std::size_t n, T prefix, std::uint64_t const* heads);
  scan_function scan[2];  ///< exclusive, inclusive
};
/// Heads to bits. Bits of the last word that are no element's are not defined.
template <class Mark>
struct head_kernels {
  /// Whether flags[k] != 0, for n flags.
  void (*of_flags)(Mark const* flags, std::size_t n, std::uint64_t* heads);
  /// Whether keys[k] is another than the key before it; `before` comes before the first one.
  void (*of_keys)(Mark const* keys, std::size_t n, Mark before, std::uint64_t* heads);
};

// T: std::uint32_t, std::uint64_t, float and double for plus, those integers and the signed two for min and max. Mark:
// std::uint8_t (flags only), std::uint32_t, std::uint64_t.
#if defined(UPSWEEP_CPU_KERNELS)
template <class T, cpu_operation Operation>
segment_kernels<T> const& segment_kernels_for(internal::instruction_set which) noexcept;
#endif
/// Null where there are none.
template <class Mark>
head_kernels<Mark> const* head_kernels_for(internal::instruction_set) noexcept UPSWEEP_NULL_WITHOUT_CPU_KERNELS

}  // namespace upsweep::scan::detail

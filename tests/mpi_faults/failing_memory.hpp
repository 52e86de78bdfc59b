// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>
#include <cstdint>

/// Allocations of this thread through operator new, one of which can be made to fail: those of std containers and
/// strings, and the host memory of Kokkos Views, which Kokkos takes from there, too. MPI uses malloc and
/// is not touched.
namespace failing_memory {

inline constexpr std::int64_t never = -1;

/// From here on allocations of at least so many bytes are counted; the one with this number, from 0, fails.
void arm(std::int64_t number, std::size_t least_bytes = 0);

/// Ends it and returns how many there were.
std::int64_t disarm();

/// Whether the one chosen has failed since arm().
bool has_failed();

/// From here on allocations are counted that are not for strings: Kokkos copies the names of kernels and fences.
void watch();

/// Ends it and returns how many there were.
std::int64_t watched();

}  // namespace failing_memory

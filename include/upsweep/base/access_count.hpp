// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#if defined(UPSWEEP_COUNT_ACCESSES)
#include <atomic>
#include <cstdint>
#endif

namespace upsweep {

// How many elements kernels load from global memory and store there, for programs that compare an algorithm with its
// formula. Compile such a program with UPSWEEP_COUNT_ACCESSES, all of its translation units, and link nothing that has
// the same kernels compiled without: two definitions of one function would break the one-definition rule. The library
// has some, those of its compiled lists; in this project such programs link upsweep_without_lists
// (cmake/UpsweepMacros.cmake). Without the macro nothing is left of this.
//
// Counted are the loads and stores of the canonical sequences (sequence.hpp), on host backends. Accesses that are
// atomic because teams talk to each other through them - tickets, status words, error words - carry no elements and
// are not counted.

#if defined(UPSWEEP_COUNT_ACCESSES)
/// The counts: access_count::clear(), a scan, a fence, then access_count::loads and stores.
struct access_count {
  inline static std::atomic<std::uint64_t> loads{0}, stores{0};
  static void clear() { loads = stores = 0; }
};
#endif
}  // namespace upsweep

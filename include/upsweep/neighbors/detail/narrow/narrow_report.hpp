// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// What the host needs to know of a narrowing, in memory that both can reach.
struct narrow_report {
  std::uint64_t pairs, error, far;
};

/// One thread: the report to the host.
struct publish_narrow_report {
  std::size_t const* total;
  std::uint64_t const* status;  ///< an error word, and whether a particle has moved far
  narrow_report* out;
  KOKKOS_FUNCTION void operator()(int) const { *out = {*total, status[0], status[1]}; }
};

}  // namespace upsweep::neighbors::detail

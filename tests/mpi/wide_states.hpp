// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace testing_mpi {

/// A state that does not fit in a record.
struct wide {
  std::int64_t sum;
  std::int64_t room[9];
};
struct wide_plus {
  using value_type = wide;
  KOKKOS_FUNCTION wide identity() const { return {}; }
  KOKKOS_FUNCTION wide operator()(wide const& l, wide const& r) const { return {l.sum + r.sum, {}}; }
  KOKKOS_FUNCTION wide lift(std::int64_t x) const { return {x, {}}; }
  KOKKOS_FUNCTION std::int64_t lower(wide const& s) const { return s.sum; }
};

}  // namespace testing_mpi

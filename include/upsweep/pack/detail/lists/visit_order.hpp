// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/pack_options.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::pack::detail {

/// The rows [first, last), in the order in which a launch visits them.
struct visit_order {
  int const* visit;
  std::int64_t first, last;

  KOKKOS_FUNCTION std::int64_t row(std::int64_t k) const { return visit == nullptr ? first + k : visit[k]; }
  KOKKOS_FUNCTION bool skips(std::int64_t row) const { return row < first || row >= last; }
};

/// Bytes of the bits that check_visits() marks so many rows with; 0 where rows are visited as they come.
inline std::size_t visit_marks_bytes(plan_options const& options, std::size_t rows) {
  return options.visit.given() ? internal::divide_up<std::size_t>(rows, 32) * sizeof(std::uint32_t) : 0;
}

}  // namespace upsweep::pack::detail

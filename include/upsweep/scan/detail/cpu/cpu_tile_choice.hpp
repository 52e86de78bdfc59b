// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/scan/detail/cpu/count_tiles.hpp>
#include <upsweep/scan/detail/cpu/cpu_tiles.hpp>
#include <upsweep/scan/detail/cpu/run_sum_tiles.hpp>
#include <upsweep/scan/detail/cpu/segmented_tiles.hpp>
#include <upsweep/scan/detail/cpu/stored_tiles.hpp>

#include <utility>

namespace upsweep::scan::detail {

/// The tiles with which CPU threads scan or reduce a problem.
template <class Tuning, class Problem>
auto make_cpu_tiles(Problem const& problem) {
  if constexpr (has_cpu_kernels<Problem>())
    return compiled_tiles<Problem, Tuning>(problem, internal::widest_instruction_set());
  else if constexpr (has_kernels_for_input<Problem>())
    return stored_tiles<Problem, Tuning>(problem, internal::widest_instruction_set());
  else if constexpr (is_count_problem<Problem>)
    return count_tiles<Problem, Tuning>(problem, internal::widest_instruction_set());
  else if constexpr (is_segmented_problem<Problem>)
    return segmented_tiles<Problem, Tuning>(problem, internal::widest_instruction_set());
  else if constexpr (is_run_sum_problem<Problem>) return run_sum_tiles<Problem, Tuning>(problem);
  else return generic_tiles<Problem, Tuning>(problem);
}
template <class Problem, class Tuning>
using cpu_tiles_of = decltype(make_cpu_tiles<Tuning>(std::declval<Problem const&>()));

}  // namespace upsweep::scan::detail

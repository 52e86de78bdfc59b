// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/detail/histogram/histogram_kernel.hpp>
#include <upsweep/pack/detail/histogram/histogram_tuning.hpp>
#include <upsweep/scan/internal/tile_prefixes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace upsweep::pack::detail {

/// Counts on a GPU; clears the result before, where that is necessary.
template <class ExecutionSpace, class BinOf, class Counts, class Shape = histogram_tuning::gpu>
struct histogram_teams {
  using lanes =
      std::conditional_t<compat::has_warps<ExecutionSpace>, internal::lanes_of<ExecutionSpace>, internal::one_lane>;
  using source = loads_of_bins<BinOf>;
  using kernel = histogram_kernel<source, Counts, Shape, lanes>;

  /// Bytes of scratch of a team that has counters for as many bins as fit.
  static constexpr std::size_t most_scratch = kernel::most_scratch_bytes + kernel::scratch_alignment;
  /// Teams on a multiprocessor: as many as the shape wants, if its scratch has room for them.
  static constexpr int resident_teams(std::size_t available = compat::multiprocessor_scratch) {
    return compat::resident_teams(Shape::teams, Shape::threads, most_scratch, available);
  }

  /// Pre: n > 0, bins > 0; the workspace, or null, belongs to the instance.
  static void count(ExecutionSpace const& space, BinOf const& bin_of, Counts const& counts, std::size_t n,
                    std::size_t bins, workspace* memory, std::string_view function, std::string_view caller) {
    kernel k{source(bin_of, n), counts, bins, Shape::columns_for(bins), {}};
    k.cleared.control = nullptr;
    std::size_t const teams = teams_for(space, n, bins, k.columns);
    bool const clears =
        k.columns > 0 && teams > 1 && memory != nullptr && Shape::one_launch && compat::has_warps<ExecutionSpace>;
    if (clears) {
      std::byte* const region =
          internal::access::begin_protocol(*memory, space, internal::prefix_bytes<typename kernel::region>(1));
      k.cleared = internal::make_prefixes<typename kernel::region, ExecutionSpace>(
          {region, internal::access::protocol_bytes(*memory)}, 1, false);
    } else if (k.columns == 0 || teams > 1) {
      Kokkos::parallel_for(internal::label(function, "clear", caller), internal::index_policy(space, bins),
                           clear_counters_kernel<typename Counts::value_type>{counts});
    }
    std::string const name = internal::label(function, "count", caller);
    if (k.columns == 0) launch<typename kernel::in_result>(space, k, teams, name);
    else if (k.columns <= Shape::columns_of_runs)
      launch<typename kernel::template in_scratch<true>>(space, k, teams, name);
    else launch<typename kernel::template in_scratch<false>>(space, k, teams, name);
    // A functor that throws leaves the region as begin_protocol() does not expect it: only launches that came so far
    // end the protocol.
    if (clears) internal::access::end_protocol(*memory);
  }

 private:
  static std::size_t teams_for(ExecutionSpace const& space, std::size_t n, std::size_t bins, int columns) {
    if (columns > 0 && n <= Shape::most_alone) return 1;
    std::size_t const resident = static_cast<std::size_t>(compat::multiprocessors(space) * resident_teams());
    std::size_t const useful = internal::divide_up(n, std::max(Shape::fewest_per_team, columns > 0 ? bins : 1));
    return std::max(std::min(useful, resident), internal::divide_up(n, most_counted_by_team));
  }

  // One copy: see launch_pipeline in scan/detail.
  template <class Way>
  UPSWEEP_ONE_COPY static void launch(ExecutionSpace const& space, kernel const& k, std::size_t teams,
                                      std::string const& name) {
    using policy = Kokkos::TeamPolicy<ExecutionSpace, Way, Kokkos::LaunchBounds<Shape::threads, resident_teams()>>;
    Kokkos::parallel_for(
        name,
        policy(space, static_cast<int>(teams), Shape::threads)
            .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(k.scratch_bytes() + kernel::scratch_alignment))),
        k);
  }
};

}  // namespace upsweep::pack::detail

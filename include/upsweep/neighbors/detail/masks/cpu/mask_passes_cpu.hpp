// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/neighbors/detail/masks/cpu/mask_kernels.hpp>
#include <upsweep/neighbors/detail/pairs/pair_callback.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// Launches the passes of the fast builder on CPUs.
template <class ExecutionSpace, class Real, class Systems>
struct mask_passes_cpu {
  using pass_type = mask_pass<Real, Systems>;

  static int group_size(std::int64_t) { return cpu_group; }
  /// Particles of a group that is of several cells. Two cores, 256,000 floats in a Plummer sphere, counting: 42, 34,
  /// 28, 29 ms where up to 0, 16, 24, 40 are merged; of uniform particles no difference was seen beside the noise.
  static int most_merged(std::int64_t) { return cpu_group / 2; }

  static void count(ExecutionSpace const& space, pass_type const& pass, row_counts const& rows, bool keep) {
    launch(space, "upsweep::neighbor_list::count", pass,
           [=](std::int64_t number) { kernels::count(pass, rows, keep, number); });
  }
  /// Calls back for all pairs, those of a row in its order by one thread.
  static void visit(ExecutionSpace const& space, pass_type const& pass, pair_callback const& callback) {
    launch(space, "upsweep::for_each_pair::visit", pass,
           [=](std::int64_t number) { kernels::visit(pass, callback, number); });
  }
  template <class Slots>
  static void emit(ExecutionSpace const& space, pass_type const& pass, Slots const& rows) {
    launch(space, "upsweep::neighbor_list::emit", pass,
           [=](std::int64_t number) { kernels::emit(pass, rows, number); });
  }

 private:
  using kernels = cpu_mask_kernels<Real, Systems>;

  /// What a block takes at the least; 78 neighbours a particle make it 140 us. So several blocks are shared at once
  /// where launches are cheap: with the first of them run alone a list of 4000 took 1.4 ms in place of 1.3 (two cores
  /// of an EPYC, 2026-11-27).
  static constexpr double least_nanoseconds = 5000;

  /// One thread per block of groups.
  template <class Kernel>
  static void launch(ExecutionSpace const& space, char const* name, pass_type const& pass, Kernel const& kernel) {
    std::int64_t const blocks = internal::divide_up<std::int64_t>(pass.last_group - pass.first_group, kernels::block);
    internal::work_cost const cost{least_nanoseconds * static_cast<double>(blocks)};
    internal::run_on_cpu(
        space, [name] { return name; }, static_cast<std::size_t>(blocks), kernel, cost, internal::tile_cost::uneven);
  }
};

}  // namespace upsweep::neighbors::detail

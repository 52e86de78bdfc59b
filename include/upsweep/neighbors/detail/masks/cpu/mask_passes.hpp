// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/neighbors/detail/masks/cpu/count_hits.hpp>
#include <upsweep/neighbors/detail/masks/cpu/emit_hits.hpp>
#include <upsweep/neighbors/detail/pairs/pair_callback.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

/// The two passes of the fast builder on CPUs: one thread per block of groups.
template <class ExecutionSpace, class Real, class Systems>
struct mask_passes_cpu {
  using pass_type = mask_pass<Real, Systems>;

  static int group_size(std::int64_t) { return cpu_group; }
  /// Particles of a group that is of several cells. Two cores, 256,000 floats in a Plummer sphere, counting: 42, 34,
  /// 28, 29 ms where up to 0, 16, 24, 40 are merged; of uniform particles no difference was seen beside the noise.
  static int most_merged(std::int64_t) { return cpu_group / 2; }

  static void count(ExecutionSpace const& space, pass_type const& pass, row_counts const& rows, bool keep) {
    launch(space, "upsweep::neighbor_list::count", pass, count_hits_cpu<Real, Systems>::make(pass, rows, keep));
  }
  /// Counts nothing: calls back for all pairs, those of a row in its order by one thread.
  static void visit(ExecutionSpace const& space, pass_type const& pass, pair_callback const& callback) {
    launch(space, "upsweep::for_each_pair::visit", pass,
           count_hits_cpu<Real, Systems, pair_callback>::make(pass, {nullptr, nullptr}, false, callback));
  }
  static void emit(ExecutionSpace const& space, pass_type const& pass, row_slots const& rows) {
    launch(space, "upsweep::neighbor_list::emit", pass, emit_hits_cpu<Real, false, Systems>::make(pass, rows));
  }
  static void emit(ExecutionSpace const& space, pass_type const& pass, value_slots<Real> const& rows) {
    launch(space, "upsweep::neighbor_list::emit", pass, emit_hits_cpu<Real, true, Systems>::make(pass, rows));
  }

 private:
  template <class Kernel>
  static void launch(ExecutionSpace const& space, char const* name, pass_type const& pass, Kernel const& kernel) {
    using policy =
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
    std::int64_t const blocks = internal::divide_up<std::int64_t>(pass.last_group - pass.first_group, Kernel::block);
    Kokkos::parallel_for(name, policy(space, 0, blocks, Kokkos::ChunkSize(1)), kernel);
  }
};

}  // namespace upsweep::neighbors::detail

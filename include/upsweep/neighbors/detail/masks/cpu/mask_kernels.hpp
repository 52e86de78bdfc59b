// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/masks/hit_masks.hpp>
#include <upsweep/neighbors/detail/masks/hits.hpp>
#include <upsweep/neighbors/detail/pairs/pair_callback.hpp>

#include <concepts>
#include <cstdint>

namespace upsweep::neighbors::detail {

/// The passes of the fast builder on CPUs, of a block of groups each: what src/neighbors/masks has compiled. They are
/// the same for all execution spaces, which only share out the blocks.
template <class Real, class Systems>
struct cpu_mask_kernels {
  using pass_type = mask_pass<Real, Systems>;
  static constexpr int block = 16;  ///< groups

  /// Counts the neighbours of each particle, and keeps the hits.
  static void count(pass_type const& pass, row_counts const& rows, bool keep, std::int64_t number);
  /// Calls back for the neighbours of each particle.
  static void visit(pass_type const& pass, pair_callback const& callback, std::int64_t number)
    requires(std::same_as<Systems, one_system<Real>>);
  /// Turns the bits that count() kept into rows.
  static void emit(pass_type const& pass, row_slots const& rows, std::int64_t number);
  static void emit(pass_type const& pass, value_slots<Real> const& rows, std::int64_t number);
};

extern template struct cpu_mask_kernels<float, one_system<float>>;
extern template struct cpu_mask_kernels<double, one_system<double>>;
extern template struct cpu_mask_kernels<float, many_systems<float>>;
extern template struct cpu_mask_kernels<double, many_systems<double>>;

}  // namespace upsweep::neighbors::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "count_hits.hpp"
#include "emit_hits.hpp"

#include <upsweep/neighbors/detail/masks/cpu/mask_kernels.hpp>

#include <concepts>
#include <cstdint>

namespace upsweep::neighbors::detail {

template <class Real, class Systems>
void cpu_mask_kernels<Real, Systems>::count(pass_type const& pass, row_counts const& rows, bool keep,
                                            std::int64_t number) {
  count_hits_cpu<Real, Systems>::make(pass, rows, keep)(number);
}

template <class Real, class Systems>
void cpu_mask_kernels<Real, Systems>::visit(pass_type const& pass, pair_callback const& callback, std::int64_t number)
  requires(std::same_as<Systems, one_system<Real>>)
{
  count_hits_cpu<Real, Systems, pair_callback>::make(pass, {nullptr, nullptr}, false, callback)(number);
}

template <class Real, class Systems>
void cpu_mask_kernels<Real, Systems>::emit(pass_type const& pass, row_slots const& rows, std::int64_t number) {
  emit_hits_cpu<Real, false, Systems>::make(pass, rows)(number);
}

template <class Real, class Systems>
void cpu_mask_kernels<Real, Systems>::emit(pass_type const& pass, value_slots<Real> const& rows, std::int64_t number) {
  emit_hits_cpu<Real, true, Systems>::make(pass, rows)(number);
}

}  // namespace upsweep::neighbors::detail

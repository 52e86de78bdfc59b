// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <type_traits>

namespace upsweep::base::detail {

/// The same View without a count of references. A mark that lives for one call need not count: that takes 20 ns, half
/// of a reduction of 4096 int32 (an EPYC, 2026-11-27).
template <class View>
using borrowed = Kokkos::View<typename View::data_type, typename View::array_layout, typename View::device_type,
                              Kokkos::MemoryUnmanaged>;

}  // namespace upsweep::base::detail

namespace upsweep {

/// Marks where a total goes: `exclusive_scan(space, in, out, into{total})`. A variable of the host's is written before
/// the call returns, which therefore waits; a View of rank 0 is written on the device when the kernels run. A mark
/// keeps no reference: the variable or View outlives it.
template <class Target>
struct into {
  static_assert(!std::is_const_v<Target>, "upsweep::into: a total goes to a variable that can be assigned.");
  using value_type = Target;
  Target& variable;
  explicit into(Target& target) : variable(target) {}
};
template <view_argument View>
struct into<View> {
  static_assert(view_of_rank_0<View> && !std::is_const_v<typename View::value_type>,
                "upsweep::into: a total goes to a View of rank 0 that can be assigned, or to a variable.");
  using value_type = typename View::value_type;
  base::detail::borrowed<View> view;
  explicit into(View const& target) : view(target) {}
};
template <view_argument View>
into(View const&) -> into<View>;

/// Marks an initial value that is on the device: `exclusive_scan(space, in, out, from{init})` reads a View of rank 0
/// when the kernels run. A plain value needs no mark.
template <class View>
struct from {
  static_assert(view_of_rank_0<View>,
                "upsweep::from: an initial value on the device is a View of rank 0; a plain value needs no from{}.");
  base::detail::borrowed<View> view;
  explicit from(View const& init) : view(init) {}
};

}  // namespace upsweep

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/sequence.hpp>

namespace upsweep::detail {

/// What stands before the first element of a scan: a state known to the host, or one read on the device.
template <class State>
struct initial_value {
  State value;
  State const* device = nullptr;
  KOKKOS_FUNCTION State load() const {
    return device != nullptr ? contiguous_sequence<State const>{device}.load(0) : value;
  }
};

/// The initial value from what a caller gave: a value, or a View of rank 0 of the state's type.
template <class ExecutionSpace, class Monoid, class Init>
initial_value<typename Monoid::value_type> make_initial_value(Monoid const& monoid, Init const& init) {
  using state = typename Monoid::value_type;
  if constexpr (Kokkos::is_view_v<Init>) {
    static_assert(compat::rank<Init> == 0, "upsweep: an initial value on the device is a View of rank 0.");
    static_assert(std::is_same_v<typename Init::non_const_value_type, state>,
                  "upsweep: an initial value on the device has the monoid's value_type.");
    static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename Init::memory_space>::accessible,
                  "upsweep: the initial value's View cannot be read by kernels of this execution space.");
    return {monoid.identity(), init.data()};
  } else {
    static_assert(std::is_convertible_v<Init, state>, "upsweep: the initial value does not convert to the monoid's value_type.");
    return {static_cast<state>(init)};
  }
}

}  // namespace upsweep::detail

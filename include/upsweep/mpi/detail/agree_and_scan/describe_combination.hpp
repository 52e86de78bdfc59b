// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/internal/fingerprint.hpp>

#include <cstdint>
#include <type_traits>

namespace upsweep::mpi::detail {

/// Adds the monoid's parameters to what has to be the same on all ranks: what its member fingerprint() returns, else
/// its bytes where these are a value and nothing else (no padding, no floating point).
template <class Monoid>
void add_parameters(internal::fingerprint& arguments, Monoid const& monoid) {
  if constexpr (requires { static_cast<std::uint64_t>(monoid.fingerprint()); })
    arguments.value(static_cast<std::uint64_t>(monoid.fingerprint()));
  else if constexpr (!std::is_empty_v<Monoid> && std::has_unique_object_representations_v<Monoid>)
    arguments.bytes(&monoid, sizeof(monoid));
}

/// What has to be the same on all ranks of a call that combines values: the function, the monoid, and Types, those of
/// outputs and inputs.
template <class... Types, class Monoid>
internal::fingerprint describe_combination(char const* function, Monoid const& monoid) {
  static_assert(std::is_trivially_copyable_v<typename Monoid::value_type>,
                "upsweep: a monoid's value_type is sent as bytes, so it must be trivially copyable.");
  internal::fingerprint arguments;
  arguments.text(function).template type<Monoid>();
  (arguments.template type<Types>(), ...);
  add_parameters(arguments, monoid);
  return arguments;
}

}  // namespace upsweep::mpi::detail

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

}  // namespace upsweep::mpi::detail

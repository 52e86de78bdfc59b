// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <concepts>
#include <cstddef>

namespace upsweep::team {

/// What the team algorithms ask of a team: a rank, a size and a barrier. Kokkos' TeamPolicy members have them.
template <class M>
concept member = requires(M const& m) {
  { m.team_rank() } -> std::convertible_to<int>;
  { m.team_size() } -> std::convertible_to<int>;
  m.team_barrier();
};

/// The values that a monoid combines.
template <class Monoid>
using value_of = typename Monoid::value_type;

/// What they take as scratch: a T*, or something that reads and writes like one (team/testing/lockstep_array.hpp). They
/// name the type of what they read, never `auto`, because reading such a thing gives a proxy.
template <class S, class T>
concept scratch_of = requires(S const& scratch, std::ptrdiff_t i, T const& value) {
  { scratch[i] } -> std::convertible_to<T>;
  scratch[i] = value;
  { scratch + i } -> std::convertible_to<S>;
};

}  // namespace upsweep::team

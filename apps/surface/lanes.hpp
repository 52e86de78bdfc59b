// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "types.hpp"

#include <cstdint>
#include <string>

namespace surface {

/// One thread works on a word of 64 bits alone, as on CPUs.
struct one_lane {
  /// A word whose bit b is f(b), for b < n <= 64.
  template <class F>
  KOKKOS_FUNCTION std::uint64_t gather(int n, F const& f) const {
    std::uint64_t bits = 0;
    // Compilers make vectors of a loop whose number of rounds is fixed.
    if (n == 64)
      for (int b = 0; b < 64; ++b) bits |= static_cast<std::uint64_t>(f(b)) << b;
    else
      for (int b = 0; b < n; ++b) bits |= static_cast<std::uint64_t>(f(b)) << b;
    return bits;
  }
  /// f(b) for each bit b that is set.
  template <class F>
  KOKKOS_FUNCTION void for_each(std::uint64_t bits, F const& f) const {
    for (; bits != 0; bits &= bits - 1) f(Kokkos::countr_zero(bits));
  }
  template <class F>
  KOKKOS_FUNCTION void once(F const& f) const {
    f();
  }
};

/// The vector lanes of a team's thread share a word, as on GPUs.
template <class Member>
struct vector_lanes {
  Member const& member;

  template <class F>
  KOKKOS_FUNCTION std::uint64_t gather(int n, F const& f) const {
    std::uint64_t bits = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(member, n),
        [&](int b, std::uint64_t& sum) { sum |= static_cast<std::uint64_t>(f(b)) << b; },
        Kokkos::BOr<std::uint64_t>(bits));
    return bits;
  }
  template <class F>
  KOKKOS_FUNCTION void for_each(std::uint64_t bits, F const& f) const {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, 64), [&](int b) {
      if ((bits >> b & 1) != 0) f(b);
    });
  }
  template <class F>
  KOKKOS_FUNCTION void once(F const& f) const {
    Kokkos::single(Kokkos::PerThread(member), f);
  }
};

/// Calls functor(n, lanes) for n < count, each by one thread (CPUs) or 32 vector lanes (GPUs).
template <class Functor>
struct words_by_lanes {
  Functor functor;
  std::int64_t count;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const { functor(n, one_lane{}); }

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    std::int64_t const n = std::int64_t(member.league_rank()) * member.team_size() + member.team_rank();
    if (n < count) functor(n, vector_lanes<Member>{member});
  }
};

template <class Functor>
void for_each_word(space_type const& space, std::string const& label, std::int64_t count, Functor const& functor) {
  words_by_lanes<Functor> const kernel{functor, count};
  if constexpr (upsweep::compat::is_gpu<space_type>) {
    constexpr int threads = 8, lanes = 32;
    Kokkos::parallel_for(
        label, Kokkos::TeamPolicy<space_type>(space, static_cast<int>((count + threads - 1) / threads), threads, lanes),
        kernel);
  } else {
    Kokkos::parallel_for(label, index_range(space, 0, count), kernel);
  }
}

}  // namespace surface

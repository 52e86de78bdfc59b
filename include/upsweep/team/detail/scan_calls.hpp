// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/team/member.hpp>

#include <cstddef>

// What team algorithms share: base classes that make the two scans of one algorithm from its own part, the sweep.

namespace upsweep::team::detail {

/// Scratch for one value per thread.
struct one_value_per_thread {
  /// Bytes of level-0 scratch for a team.
  template <class T>
  KOKKOS_FUNCTION static constexpr std::size_t scratch_bytes(int team_size) {
    return sizeof(T) * static_cast<std::size_t>(team_size);
  }
};

/// Both scans from `int Algorithm::sweep(m, value, op, scratch)`. A sweep makes `value` this thread's inclusive result,
/// writes the results of all threads to scratch, and returns the slot of the first one. It ends with a barrier.
template <class Algorithm>
struct scans_by_sweep : one_value_per_thread {
  /// The combination of the values of all threads up to and including this one; `total`, of all threads.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> inclusive_scan(Member const& m, value_of<Monoid> value, Monoid const& op,
                                                         Scratch scratch, value_of<Monoid>& total) {
    int const first = Algorithm::sweep(m, value, op, scratch);
    total = scratch[first + m.team_size() - 1];
    m.team_barrier();
    return value;
  }

  /// The combination of the values of all threads before this one; `total`, of all threads.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> exclusive_scan(Member const& m, value_of<Monoid> value, Monoid const& op,
                                                         Scratch scratch, value_of<Monoid>& total) {
    int const first = Algorithm::sweep(m, value, op, scratch);
    value = op.identity();
    if (m.team_rank() > 0) value = scratch[first + m.team_rank() - 1];
    total = scratch[first + m.team_size() - 1];
    m.team_barrier();
    return value;
  }
};

/// Both scans from `Algorithm::inclusive_scan_array`, which works in place and ends with a barrier.
template <class Algorithm>
struct scans_by_inclusive_array : scans_by_sweep<scans_by_inclusive_array<Algorithm>> {
 private:
  friend scans_by_sweep<scans_by_inclusive_array<Algorithm>>;

  template <class Member, class Monoid, class Scratch>
  KOKKOS_FUNCTION static int sweep(Member const& m, value_of<Monoid>& value, Monoid const& op, Scratch scratch) {
    scratch[m.team_rank()] = value;
    Algorithm::inclusive_scan_array(m, m.team_size(), op, scratch);
    value = scratch[m.team_rank()];
    return 0;
  }
};

/// Both scans from `Algorithm::exclusive_scan_array`, which works in place, leaves the combination of all n values in
/// slot `Algorithm::slot_of_total(n)`, and ends with a barrier. A single value may be its own total and then stays as
/// it is.
template <class Algorithm>
struct scans_by_exclusive_array {
  /// The combination of the values of all threads up to and including this one; `total`, of all threads.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> inclusive_scan(Member const& m, value_of<Monoid> value, Monoid const& op,
                                                         Scratch scratch, value_of<Monoid>& total) {
    auto const before = exclusive_scan(m, value, op, scratch, total);
    return op(before, value);
  }

  /// The combination of the values of all threads before this one; `total`, of all threads.
  template <member Member, monoid Monoid, scratch_of<value_of<Monoid>> Scratch>
  KOKKOS_FUNCTION static value_of<Monoid> exclusive_scan(Member const& m, value_of<Monoid> value, Monoid const& op,
                                                         Scratch scratch, value_of<Monoid>& total) {
    int const size = m.team_size();
    scratch[m.team_rank()] = value;
    Algorithm::exclusive_scan_array(m, size, op, scratch);
    value = scratch[m.team_rank()];
    total = scratch[Algorithm::slot_of_total(size)];
    // Where the total of a single value stands in the slot of the value.
    if constexpr (Algorithm::slot_of_total(1) == 0)
      if (size == 1) value = op.identity();
    m.team_barrier();
    return value;
  }
};

}  // namespace upsweep::team::detail

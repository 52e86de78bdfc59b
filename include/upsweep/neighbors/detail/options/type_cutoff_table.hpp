// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/require_reachable.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/options/largest_square.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace upsweep::neighbors::detail {

/// The largest squares of distances within the cutoffs of pairs of types, in the type of the positions. Keeps its
/// memory.
template <class ExecutionSpace, class Real>
class type_cutoff_table {
 public:
  /// Copies the table. Waits for the instance. Throws precondition_error, in the name of `function`, where it is not
  /// square or not symmetric, or an entry is not from 0 to the cutoff.
  void set(ExecutionSpace const& space, decltype(neighbor_options::type_cutoffs) const& table, Real cutoff,
           bool include_cutoff, char const* function) {
    internal::require_reachable<ExecutionSpace>(table, function, "type_cutoffs");
    internal::require(table.extent(0) == table.extent(1), function, [&] {
      return "type_cutoffs is " + std::to_string(table.extent(0)) + " by " + std::to_string(table.extent(1)) +
             "; it must be square";
    });
    types_ = static_cast<int>(table.extent(0));
    std::size_t const entries = table.extent(0) * table.extent(1);
    std::size_t const along[2] = {static_cast<std::size_t>(compat::stride(table.view(), 0)),
                                  static_cast<std::size_t>(compat::stride(table.view(), 1))};
    // All memory from the first entry to the last, whatever the layout.
    std::vector<double> given(entries == 0 ? 0
                                           : (table.extent(0) - 1) * along[0] + (table.extent(1) - 1) * along[1] + 1);
    auto const entry = [&](int a, int b) {
      return given[static_cast<std::size_t>(a) * along[0] + static_cast<std::size_t>(b) * along[1]];
    };
    std::string const label = std::string("upsweep::") + function + "::type_cutoffs";
    internal::fetch(space, table.data(), given.data(), given.size(), label);
    Kokkos::View<Real*, Kokkos::HostSpace> const squared(label, entries);
    for (int a = 0; a < types_; ++a)
      for (int b = 0; b < types_; ++b) {
        double const c = entry(a, b);
        auto const at = "type_cutoffs(" + std::to_string(a) + ", " + std::to_string(b) + ") = " + internal::text_of(c);
        internal::require(c >= 0 && static_cast<Real>(c) <= cutoff, function,
                          [&] { return at + "; it must be from 0 to the cutoff, " + internal::text_of(cutoff); });
        internal::require(c == entry(b, a), function, [&] {
          return at + " is not what (" + std::to_string(b) + ", " + std::to_string(a) + ") is";
        });
        squared(a * types_ + b) = largest_square(static_cast<Real>(c), include_cutoff);
      }
    internal::grow(space, squared_, entries, function, "type_cutoffs");
    Kokkos::deep_copy(space, Kokkos::View<Real*, memory_space, Kokkos::MemoryUnmanaged>(squared_.data(), entries),
                      squared);
    space.fence(label);
  }

  /// (types, types), of the last set().
  Real const* squared() const { return squared_.data(); }
  int types() const { return types_; }
  /// Device memory held.
  std::size_t bytes() const { return squared_.extent(0) * sizeof(Real); }

 private:
  using memory_space = typename ExecutionSpace::memory_space;

  int types_ = 0;
  Kokkos::View<Real*, memory_space> squared_;
};

}  // namespace upsweep::neighbors::detail

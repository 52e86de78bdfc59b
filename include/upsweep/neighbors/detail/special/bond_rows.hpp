// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/emitter.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/lists.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/pack/sort_and_unique_rows.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace upsweep::neighbors::detail {

/// A bond that cannot be, or none.
struct wrong_bond {
  std::int64_t bond, first, second;
};

/// Of two wrong bonds the one that comes first.
struct first_wrong_bond {
  using value_type = wrong_bond;
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  KOKKOS_FUNCTION wrong_bond identity() const { return {none, 0, 0}; }
  KOKKOS_FUNCTION wrong_bond operator()(wrong_bond const& a, wrong_bond const& b) const {
    return b.bond < a.bond ? b : a;
  }
};

template <class Bonds>
struct find_wrong_bond {
  Bonds bonds;
  std::size_t particles;
  KOKKOS_FUNCTION wrong_bond operator()(std::size_t k) const {
    auto const a = static_cast<std::int64_t>(bonds(k, 0)), b = static_cast<std::int64_t>(bonds(k, 1));
    auto const n = static_cast<std::int64_t>(particles);
    bool const good = a >= 0 && a < n && b >= 0 && b < n && a != b;
    return {good ? first_wrong_bond::none : static_cast<std::int64_t>(k), a, b};
  }
};

/// Each bond in both directions.
template <class Bonds, class Numbers>
struct both_directions {
  Bonds bonds;
  Numbers from, to;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const a = static_cast<std::int64_t>(bonds(k, 0)), b = static_cast<std::int64_t>(bonds(k, 1));
    from(2 * k) = to(2 * k + 1) = a;
    from(2 * k + 1) = to(2 * k) = b;
  }
};

/// The partners of each particle, ascending, each once.
template <class ExecutionSpace, class Bonds>
auto rows_of_bonds(ExecutionSpace const& space, std::size_t rows, Bonds const& bonds, char const* function) {
  using memory = typename ExecutionSpace::memory_space;
  std::size_t const n = bonds.extent(0);
  auto const wrong = reduce<wrong_bond>(space, n, find_wrong_bond<Bonds>{bonds, rows}, first_wrong_bond{});
  internal::require(wrong.bond == first_wrong_bond::none, function, [&] {
    return "bond " + std::to_string(wrong.bond) + " joins " + std::to_string(wrong.first) + " and " +
           std::to_string(wrong.second) + "; it needs two particles of " + std::to_string(rows);
  });
  auto const from = internal::allocate<std::int64_t, memory>(space, 2 * n, function, "particles of bonds");
  auto const to = internal::allocate<std::int64_t, memory>(space, 2 * n, function, "partners of bonds");
  internal::for_each_index(space, "upsweep::special_neighbors::both_directions", n,
                           both_directions<Bonds, decltype(from)>{bonds, from, to});
  auto const counts = internal::allocate<std::size_t, memory>(space, rows, function, "numbers of partners");
  auto const offsets = internal::allocate<std::size_t, memory>(space, rows + 1, function, "offsets of partners");
  histogram(space, from, counts, offsets);
  sort_by_key(space, from, to);
  return sort_and_unique_rows(space, offsets, to);
}

/// Who is joined to a particle by as many bonds as those in `reached`, or by one more; not the particle itself.
template <class Rows>
struct emit_one_bond_more {
  Rows bonded, reached;
  KOKKOS_FUNCTION void operator()(std::size_t i, emitter<std::int64_t> const& emit) const {
    auto const own = static_cast<std::int64_t>(i);
    for (std::size_t a = reached.offsets(i); a < reached.offsets(i + 1); ++a) {
      std::int64_t const j = reached.values(a);
      emit(j);
      for (std::size_t b = bonded.offsets(j); b < bonded.offsets(j + 1); ++b)
        if (bonded.values(b) != own) emit(bonded.values(b));
    }
  }
};

/// What a row of `all` has and the same row of `nearer`, which is sorted, has not.
template <class Rows>
struct emit_others {
  Rows all, nearer;
  KOKKOS_FUNCTION void operator()(std::size_t i, emitter<std::int64_t> const& emit) const {
    std::size_t other = nearer.offsets(i);
    for (std::size_t a = all.offsets(i); a < all.offsets(i + 1); ++a) {
      if (other < nearer.offsets(i + 1) && nearer.values(other) == all.values(a)) ++other;
      else emit(all.values(a));
    }
  }
};

}  // namespace upsweep::neighbors::detail

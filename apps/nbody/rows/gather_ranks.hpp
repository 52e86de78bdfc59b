// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../types.hpp"

#include <cstdint>

namespace nbody {

/// The rank that writes a row: the r with floor(r n / P) <= id < floor((r+1) n / P).
struct find_writer {
  id_view ids;
  Kokkos::View<int*, memory_space> writers;
  std::int64_t n, ranks;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    writers(i) = static_cast<int>(((ids(i) + 1) * ranks - 1) / n);
  }
};

/// The ranks that write the rows of these ids, of n rows in all. Local.
inline Kokkos::View<int*, memory_space> writers_of(space_type const& space, id_view const& ids, std::int64_t n,
                                                   int ranks) {
  auto const result = make<Kokkos::View<int*, memory_space>>(space, "upsweep-nbody::writers", ids.extent(0));
  Kokkos::parallel_for("upsweep-nbody::writers", particles(space, ids.extent(0)), find_writer{ids, result, n, ranks});
  return result;
}

}  // namespace nbody

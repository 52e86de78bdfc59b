// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstdint>

namespace upsweep::pack::detail {

// What kernels store elements with, whose type is that of an input.

/// An output that has room for all elements that come to it.
template <class Out>
struct placed_output {
  Out out;

  template <class T>
  KOKKOS_FUNCTION void chosen(std::uint64_t place, T const& x) const {
    out.store(place, static_cast<typename Out::value_type>(x));
  }
};

/// An output that leaves out what it has no room for.
template <class Out>
struct limited_output {
  Out to;
  std::uint64_t room;

  template <class T>
  KOKKOS_FUNCTION void store(std::uint64_t place, T const& x) const {
    if (place < room) to.store(place, static_cast<typename Out::value_type>(x));
  }
};

/// Where the first elements of runs and their number go; there may be more runs than room.
template <class Firsts>
struct run_firsts {
  limited_output<Firsts> firsts;
  std::uint64_t* count;

  KOKKOS_FUNCTION bool has_room(std::uint64_t run) const { return run < firsts.room; }
  template <class T>
  KOKKOS_FUNCTION void begins(std::uint64_t run, T const& x) const {
    firsts.store(run, x);
  }
  KOKKOS_FUNCTION void finish(std::uint64_t runs) const { *count = runs; }
};

}  // namespace upsweep::pack::detail

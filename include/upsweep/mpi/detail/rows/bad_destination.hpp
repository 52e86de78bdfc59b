// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/fetch.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <string>

namespace upsweep::mpi::detail {

template <class Destinations>
struct not_a_rank {
  Destinations destinations;
  int size;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return destinations(i) < 0 || destinations(i) >= size; }
};

/// Refuses the destination of row `bad`, which is not a rank.
template <class ExecutionSpace, class Destinations>
[[noreturn]] void throw_bad_destination(ExecutionSpace const& space, Destinations const& destinations, std::size_t bad,
                                        int ranks, char const* function) {
  auto const value =
      to_host(space, Kokkos::subview(destinations, Kokkos::pair<std::size_t, std::size_t>(bad, bad + 1)));
  throw precondition_error(std::string(function) + ": destinations(" + std::to_string(bad) +
                           ") = " + std::to_string(value[0]) + " is not a rank; there are " + std::to_string(ranks));
}

}  // namespace upsweep::mpi::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/scan/detail/problem/initial_value.hpp>
#include <upsweep/scan/detail/problem/tile.hpp>

#include <cstddef>
#include <string_view>

namespace upsweep::scan::detail {

/// Where the combination of all elements goes, if anywhere.
template <class T>
struct total_target {
  using value_type = T;
  T* device = nullptr;

  template <class Monoid>
  KOKKOS_FUNCTION void store(Monoid const& monoid, typename Monoid::value_type const& state) const {
    if (device != nullptr) internal::contiguous_sequence<T>{device}.store(0, internal::lower<T>(monoid, state));
  }
};

/// Whether an output wants the element beside the result: it has element_of(i), which is what the problem's input
/// loads for i, and store(i, result, element). A
/// compiler does not move a load over a store that might be to the same place; so who stores several results asks for
/// their elements first, and waits once.
template <class Out>
concept stores_with_element = requires(Out const& out, std::size_t i, typename Out::value_type const& result) {
  out.store(i, result, out.element_of(i));
};

/// The output of a reduction, which has a total only. T: of the total.
template <class T>
struct no_output {
  using value_type = T;
};

/// What every engine is given: canonical sequences, the resolved monoid, what stands in front, and how many elements.
template <class In, class Out, class Monoid, bool Inclusive>
struct scan_problem {
  using state = typename Monoid::value_type;
  using monoid_type = Monoid;
  using output = typename Out::value_type;
  static constexpr bool inclusive = Inclusive;

  In in;
  Out out;
  Monoid monoid;
  initial_value<state> init;
  std::size_t n;
  total_target<output> total;
};

template <bool Inclusive, class In, class Out, class Monoid>
scan_problem<In, Out, Monoid, Inclusive> make_problem(In const& in, Out const& out, Monoid const& monoid,
                                                      initial_value<typename Monoid::value_type> const& init,
                                                      std::size_t n,
                                                      total_target<typename Out::value_type> total = {}) {
  return {in, out, monoid, init, n, total};
}

/// What an engine keeps between its launches.
enum class engine_memory {
  none,
  ordinary,  ///< bytes at the front of internal::access::reserve()
  protocol   ///< a region that only look-back protocols use
};

/// The names in a kernel's label.
struct scan_names {
  std::string_view function;
  std::string_view caller;
};

/// Runs a kernel's phase with as many teams as given, each of the tile's size, with its scratch and `extra` bytes more.
template <class Tag, class Tile, class ExecutionSpace, class Kernel>
void launch_teams(ExecutionSpace const& space, Kernel const& kernel, std::size_t teams, std::string_view phase,
                  scan_names const& names, std::size_t extra = 0) {
  using policy = Kokkos::TeamPolicy<ExecutionSpace, Tag, Kokkos::LaunchBounds<Tile::team_size>>;
  Kokkos::parallel_for(internal::label(names.function, phase, names.caller),
                       policy(space, static_cast<int>(teams), Tile::team_size)
                           .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Tile::scratch_bytes() + extra))),
                       kernel);
}

}  // namespace upsweep::scan::detail

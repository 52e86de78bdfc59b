// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/sequence.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/run_engine.hpp>
#include <upsweep/scan/options.hpp>

#include <string>

namespace upsweep::detail {

/// What every engine asks of a state.
template <class State>
constexpr void require_state() {
  static_assert(std::is_trivially_copyable_v<State> && std::is_default_constructible_v<State>,
                "upsweep: a monoid's value_type must be trivially copyable and default constructible.");
}

/// The argument checks and the choice of engine that all scans share.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Monoid, class Init>
void scan_call(ExecutionSpace const& space, In const& in, Out const& out, Init const& init, Monoid const& given,
               scan_options const& options, char const* function) {
  static_assert(Kokkos::is_execution_space_v<ExecutionSpace>,
                "upsweep: the first argument of a scan is an execution-space instance.");
  static_assert(sequence_argument<In>, "upsweep: the input of a scan is a View of rank 1 or a functor of the index.");
  static_assert(view_of_rank_1<Out> && !std::is_const_v<typename Out::value_type>,
                "upsweep: the output of a scan is a View of rank 1 with elements that can be assigned.");
  static_assert(reachable<ExecutionSpace, In>() && reachable<ExecutionSpace, Out>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  require_state<typename resolved_monoid<Monoid, typename Out::value_type>::value_type>();

  std::size_t const n = out.extent(0);
  if constexpr (Kokkos::is_view_v<In>) {
    require(in.extent(0) == n, function,
            "input has " + std::to_string(in.extent(0)) + " elements, output has " + std::to_string(n));
    require_no_partial_overlap(in, out, function);
  }
  if (n == 0) return;
  auto const monoid = resolve<typename Out::value_type>(given);
  temporary_memory<ExecutionSpace> memory(space, options.workspace);
  run_engine(space, options.engine,
             make_problem<Inclusive>(make_sequence(in), make_sequence(out), monoid,
                                     make_initial_value<ExecutionSpace>(monoid, init), n),
             memory.get(), {function, options.label});
  // Without a workspace the caller is promised that the work is done; temporary_memory waits only where it owns some.
  if (memory.owned()) space.fence(label(function, "fence"));
}

/// Stands for "no initial value": the identity.
struct no_initial_value {};

template <class ExecutionSpace, class Monoid>
initial_value<typename Monoid::value_type> make_initial_value(Monoid const& monoid, no_initial_value) {
  return {monoid.identity()};
}

}  // namespace upsweep::detail

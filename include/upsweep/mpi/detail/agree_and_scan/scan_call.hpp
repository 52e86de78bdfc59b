// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/monoids/state_monoid.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/detail/agree_and_scan/describe_combination.hpp>
#include <upsweep/mpi/detail/agree_and_scan/fold_ranks.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/internal/call_arguments.hpp>
#include <upsweep/scan/internal/reserve_scan.hpp>
#include <upsweep/scan/options.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace upsweep::mpi::detail {

/// A monoid whose result stays a state: the sum of a rank goes on being combined, so lower() has to wait.
template <class Monoid>
struct without_lower : upsweep::internal::state_monoid<Monoid> {
  template <class Input>
  KOKKOS_FUNCTION typename Monoid::value_type lift(Input const& x) const {
    return upsweep::internal::lift(this->monoid, x);
  }
};

/// The combination of elements [0, n) of a View or functor as a state.
template <class State, class ExecutionSpace, class In, class Monoid>
State reduce_to_state(ExecutionSpace const& space, std::size_t n, In const& in, Monoid const& monoid,
                      call_options const& options) {
  without_lower<Monoid> const fold{{monoid}};
  if constexpr (Kokkos::is_view_v<In>) return upsweep::reduce<State>(space, in, fold, options);
  else return upsweep::reduce<State>(space, n, in, fold, options);
}

template <class View>
struct store_total {
  View view;
  typename View::value_type value;
  KOKKOS_FUNCTION void operator()(std::int64_t) const { view() = value; }
};

/// The state that an initial value is. A View of rank 0 is read: waits for the instance.
template <class ExecutionSpace, class Monoid, class Init>
typename Monoid::value_type state_of(ExecutionSpace const& space, Monoid const& monoid, Init const& init,
                                     char const* function) {
  if constexpr (internal::has_tag<Init, from>) return internal::fetch_one(space, init.view.data(), function);
  else return internal::make_initial_value(monoid, init, function).value;
}

/// Reduces the elements of this rank, combines what the ranks below have, and scans behind that. What goes wrong before
/// the ranks meet is thrown on all of them, and nothing is written then. The initial value stands before the elements
/// of rank 0, from where the others get it with the combination. total: into{} or left_out; init: a value, from{} or
/// left_out.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Total, class Init, class Given, class Engine>
void run_scan(communicator const& comm, ExecutionSpace const& space, In const& in, Out const& out, Total const& into_it,
              Init const& init, Given const& given, basic_scan_options<Engine> options, char const* function) {
  using output = typename Out::non_const_value_type;
  constexpr bool has_total = internal::has_tag<Total, into>;
  constexpr bool has_init = !std::is_same_v<Init, internal::left_out>;
  auto const monoid = upsweep::internal::resolve<output>(given);
  using state = typename decltype(monoid)::value_type;

  auto arguments = describe_combination<output, internal::sequence_value_t<In>>(function, monoid);
  arguments.value(has_total).value(has_init);

  std::optional<internal::temporary_memory> memory;
  failure failed;
  state mine = monoid.identity(), first = monoid.identity();
  try {
    if constexpr (Kokkos::is_view_v<In>) {
      upsweep::internal::require_same_extent(in.extent(0), out.extent(0), function, "input");
      upsweep::internal::require_same_or_apart(in, out, function);
    }
    // Reduction and scan share one workspace. It gets its final size here, so that the scan does not run out of
    // device memory on one rank after others have overwritten their input.
    memory.emplace(space, options.workspace);
    options.workspace = &memory->get();
    upsweep::internal::reserve_scan(space, in, out, monoid, options);
    // Nobody asks for what the last rank has unless there is a total.
    if (has_total || comm.rank() + 1 < comm.size())
      mine = reduce_to_state<state>(space, out.extent(0), in, monoid, {options.workspace, options.label});
    if constexpr (has_init) {
      // All ranks convert a plain value, and compare a number; a View is read on rank 0.
      if (!internal::has_tag<Init, from> || comm.rank() == 0) first = state_of(space, monoid, init, function);
      if constexpr (std::is_arithmetic_v<state> && !internal::has_tag<Init, from>) arguments.value(first);
      if (comm.rank() == 0) mine = monoid(first, mine);
    }
  } catch (...) {
    failed = current_failure();
  }
  auto const combined =
      combine_ranks(comm, has_total ? which_ranks::both : which_ranks::below, failed, arguments, monoid, mine, function,
                    "types, operations, parameters of the monoid, initial values or totals");
  state const prefix = has_init && comm.rank() == 0 ? first : combined.below;
  // What can fail here is small: memory for the names of kernels.
  all_or_none(comm, [&] {
    if constexpr (Inclusive) upsweep::inclusive_scan(space, in, out, prefix, monoid, options);
    else upsweep::exclusive_scan(space, in, out, prefix, monoid, options);
    if constexpr (requires { into_it.view; }) {
      using view = std::remove_cvref_t<decltype(into_it.view)>;
      upsweep::internal::for_each_index(
          space, [&] { return internal::label(function, "total", options.label); }, 1,
          store_total<view>{into_it.view, upsweep::internal::lower<output>(monoid, combined.all)});
    }
    memory.reset();
  });
  if constexpr (requires { into_it.variable; })
    into_it.variable = upsweep::internal::lower<output>(monoid, combined.all);
}

/// A scan over ranks. given: what the caller gave between output and options.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Engine, class... Given>
void scan_call(communicator const& comm, ExecutionSpace const& space, In const& in, Out const& out,
               basic_scan_options<Engine> const& options, char const* function, Given const&... given) {
  constexpr auto made =
      internal::mistake_in_call<internal::mistake_in_sequences<ExecutionSpace, In, Out>(),
                                internal::total_role | internal::initial_value_role | internal::monoid_role,
                                ExecutionSpace, Out, Given...>();
  internal::say<made>();
  if constexpr (made == internal::mistake::none)
    run_scan<Inclusive>(comm, space, in, out,
                        internal::argument_of<internal::total_role>(internal::left_out{}, given...),
                        internal::argument_of<internal::initial_value_role>(internal::left_out{}, given...),
                        internal::argument_of<internal::monoid_role>(plus<>{}, given...), options, function);
}

}  // namespace upsweep::mpi::detail

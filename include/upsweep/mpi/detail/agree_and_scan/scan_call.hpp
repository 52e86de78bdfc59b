// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/monoids/state_monoid.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/detail/agree_and_scan/fold_ranks.hpp>
#include <upsweep/mpi/detail/agree_and_scan/monoid_parameters.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/internal/reserve_scan.hpp>
#include <upsweep/scan/options.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
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

/// Reduces the elements of this rank, combines what the ranks below have, and scans behind that. What goes wrong before
/// the ranks meet is thrown on all of them, and nothing is written then.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Given, class Engine>
void scan_call(communicator const& comm, ExecutionSpace const& space, In const& in, Out const& out, Given const& given,
               basic_scan_options<Engine> options, char const* function) {
  static_assert(sequence_argument<In>, "upsweep: the input of a scan is a View of rank 1 or a functor of the index.");
  static_assert(view_of_rank_1<Out>, "upsweep: the output of a scan is a View of rank 1.");
  using output = typename Out::non_const_value_type;
  auto const monoid = upsweep::internal::resolve<output>(given);
  using monoid_type = std::remove_const_t<decltype(monoid)>;
  using state = typename monoid_type::value_type;
  static_assert(std::is_trivially_copyable_v<state>,
                "upsweep: a monoid's value_type is sent as bytes, so it must be trivially copyable.");

  internal::fingerprint arguments;
  arguments.text(function).template type<monoid_type>().template type<output>();
  arguments.template type<internal::sequence_value_t<In>>();
  add_parameters(arguments, monoid);

  std::optional<internal::temporary_memory> memory;
  failure failed;
  state total = monoid.identity();
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
    // Nobody asks for the total of the last rank.
    if (comm.rank() + 1 < comm.size())
      total = reduce_to_state<state>(space, out.extent(0), in, monoid, {options.workspace, options.label});
  } catch (...) {
    failed = current_failure();
  }
  auto const prefix = combine_ranks(comm, which_ranks::below, failed, arguments, monoid, total, function);
  // What can fail here is small: memory for the names of kernels.
  all_or_none(comm, [&] {
    if constexpr (Inclusive) upsweep::inclusive_scan(space, in, out, prefix, monoid, options);
    else upsweep::exclusive_scan(space, in, out, prefix, monoid, options);
    memory.reset();
  });
}

}  // namespace upsweep::mpi::detail

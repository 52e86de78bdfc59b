// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/calls/run_engine.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::scan::detail {

/// What every engine asks of a state.
template <class State>
constexpr void require_state() {
  static_assert(std::is_trivially_copyable_v<State> && std::is_default_constructible_v<State>,
                "upsweep: a monoid's value_type must be trivially copyable and default constructible.");
}

/// Stands for "no initial value": the identity.
struct no_initial_value {};

template <class ExecutionSpace, class Monoid>
initial_value<typename Monoid::value_type> make_initial_value(Monoid const& monoid, no_initial_value, char const*) {
  return {monoid.identity()};
}

/// The argument checks that all scans share; the number of elements. `auto`, so that a compiler instantiates it where
/// it is called, and says the sentences below before it trips over what follows from the same mistake.
template <class ExecutionSpace, class In, class Out>
auto checked_extent(In const& in, Out const& out, char const* function) {
  static_assert(Kokkos::is_execution_space_v<ExecutionSpace>,
                "upsweep: the first argument of a scan is an execution-space instance.");
  static_assert(sequence_argument<In>, "upsweep: the input of a scan is a View of rank 1 or a functor of the index.");
  static_assert(view_of_rank_1<Out> && !std::is_const_v<typename Out::value_type>,
                "upsweep: the output of a scan is a View of rank 1 with elements that can be assigned.");
  static_assert(internal::reachable<ExecutionSpace, In>() && internal::reachable<ExecutionSpace, Out>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  std::size_t const n = out.extent(0);
  if constexpr (Kokkos::is_view_v<In>) {
    internal::require_same_extent(in.extent(0), n, function, "input");
    internal::require_same_or_apart(in, out, function);
  }
  return n;
}

/// Writes what stands before the first element, as the total of no elements.
template <class Monoid, class T>
struct empty_total_kernel {
  Monoid monoid;
  initial_value<typename Monoid::value_type> init;
  total_target<T> total;
  KOKKOS_FUNCTION void operator()(std::int64_t) const { total.store(monoid, init.load()); }
};

/// Where the total goes on the device: a View of rank 0 of the output's value type.
template <class ExecutionSpace, class T, class Total>
total_target<T> make_total_target(Total const& total) {
  static_assert(Kokkos::is_view_v<Total> && compat::rank<Total> == 0 && std::is_same_v<typename Total::value_type, T>,
                "upsweep: the total of a scan goes to a View of rank 0 of the output's value type.");
  static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename Total::memory_space>::accessible,
                "upsweep: the total's View cannot be written by kernels of this execution space.");
  return {total.data()};
}

/// Stands for "no total".
struct no_total {};

/// A scan of any kind. in, out: canonical sequences; out may be anything that takes results. total: no_total, a View of
/// rank 0, or a variable of the caller's. Asynchronous where a workspace is given and total is no variable.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Total, class Init, class Monoid,
          class Engine>
void run_scan(ExecutionSpace const& space, std::size_t n, In const& in, Out const& out, Total&& total, Init const& init,
              Monoid const& given, basic_scan_options<Engine> const& options, char const* function) {
  using value = typename Out::value_type;
  using total_type = std::remove_cvref_t<Total>;
  constexpr bool has_total = !std::is_same_v<total_type, no_total>;
  constexpr bool to_variable = has_total && !Kokkos::is_view_v<total_type>;
  auto const monoid = internal::resolve<value>(given);
  require_state<typename decltype(monoid)::value_type>();
  auto const first = make_initial_value<ExecutionSpace>(monoid, init, function);
  auto problem = make_problem<Inclusive>(in, out, monoid, first, n);
  if constexpr (has_total && !to_variable) {
    problem.total = make_total_target<ExecutionSpace, value>(total);
    if constexpr (Kokkos::is_view_v<Init>)
      internal::require(static_cast<void const*>(init.data()) != total.data(), function,
                        "init and total are the same View; some teams read it while another writes");
  }
  if (n == 0 && !has_total) return;
  internal::temporary_memory memory(space, options.workspace);
  if constexpr (to_variable) {
    static_assert(std::is_same_v<total_type, value> && sizeof(value) <= workspace::result_bytes,
                  "upsweep: the total of a scan has the output's value type, at most 192 bytes on the host.");
    // Reserved before the slot's address is taken: growing would move it.
    if (n != 0) reserve_engine<Engine, decltype(problem)>(space, n, memory.get());
    problem.total = {reinterpret_cast<value*>(memory.get().result_slot(space))};
  }
  if (n != 0) {
    run_engine<Engine>(space, problem, memory.get(), {function, options.label});
  } else if constexpr (has_total) {
    using kernel = empty_total_kernel<std::remove_const_t<decltype(monoid)>, value>;
    internal::for_each_index(
        space, [&] { return internal::label(function, "total", options.label); }, 1,
        kernel{monoid, first, problem.total});
  }
  // Without a workspace the caller is promised that the work is done.
  if constexpr (to_variable) total = internal::fetch_one(space, problem.total.device, function);
  else if (memory.owned()) space.fence(internal::label(function, "fence"));
}

}  // namespace upsweep::scan::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/fetch.hpp>
#include <upsweep/base/index_policy.hpp>
#include <upsweep/base/overlap.hpp>
#include <upsweep/base/sequence.hpp>
#include <upsweep/base/temporary_memory.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/run_engine.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace upsweep::detail {

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

/// The argument checks that all scans share; the number of elements. `auto`, so that a compiler instantiates it where it is
/// called, and says the sentences below before it trips over what follows from the same mistake.
template <class ExecutionSpace, class In, class Out>
auto checked_extent(In const& in, Out const& out, char const* function) {
  static_assert(Kokkos::is_execution_space_v<ExecutionSpace>,
                "upsweep: the first argument of a scan is an execution-space instance.");
  static_assert(sequence_argument<In>, "upsweep: the input of a scan is a View of rank 1 or a functor of the index.");
  static_assert(view_of_rank_1<Out> && !std::is_const_v<typename Out::value_type>,
                "upsweep: the output of a scan is a View of rank 1 with elements that can be assigned.");
  static_assert(reachable<ExecutionSpace, In>() && reachable<ExecutionSpace, Out>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  std::size_t const n = out.extent(0);
  if constexpr (Kokkos::is_view_v<In>) {
    require_extent_of_output(in.extent(0), n, function, "input");
    require_same_or_apart(in, out, function);
  }
  return n;
}

/// A scan of any kind, asynchronous where a workspace is given. in, out: canonical sequences; out may be anything that takes results.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Monoid, class Init, class Engine>
void run_scan(ExecutionSpace const& space, std::size_t n, In const& in, Out const& out, Init const& init, Monoid const& given,
              basic_scan_options<Engine> const& options, char const* function) {
  auto const monoid = resolve<typename Out::value_type>(given);
  require_state<typename decltype(monoid)::value_type>();
  auto const first = make_initial_value<ExecutionSpace>(monoid, init, function);
  if (n == 0) return;
  temporary_memory memory(space, options.workspace);
  run_engine(space, options.engine, make_problem<Inclusive>(in, out, monoid, first, n), memory.get(), {function, options.label});
  // Without a workspace the caller is promised that the work is done.
  if (memory.owned()) space.fence(label(function, "fence"));
}

/// Writes what stands before the first element, as the total of no elements.
template <class Monoid, class T>
struct empty_total_kernel {
  Monoid monoid;
  initial_value<typename Monoid::value_type> init;
  total_target<T> total;
  KOKKOS_FUNCTION void operator()(int) const { total.store(monoid, init.load()); }
};

/// The same with the combination of all elements in `total`, on the device.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Init, class Monoid, class Engine>
void run_scan_to_target(ExecutionSpace const& space, std::size_t n, In const& in, Out const& out,
                        total_target<typename Out::value_type> total, Init const& init, Monoid const& given,
                        basic_scan_options<Engine> const& options, char const* function) {
  auto const monoid = resolve<typename Out::value_type>(given);
  require_state<typename decltype(monoid)::value_type>();
  auto const first = make_initial_value<ExecutionSpace>(monoid, init, function);
  if constexpr (Kokkos::is_view_v<Init>)
    require(static_cast<void const*>(init.data()) != total.device, function,
            "init and total are the same View; some teams read it while another writes");
  temporary_memory memory(space, options.workspace);
  if (n == 0) {
    using kernel = empty_total_kernel<std::remove_const_t<decltype(monoid)>, typename Out::value_type>;
    Kokkos::parallel_for(label(function, "total", options.label), one_thread(space),
                         kernel{monoid, first, total});
  } else {
    run_engine(space, options.engine, make_problem<Inclusive>(in, out, monoid, first, n, total), memory.get(),
               {function, options.label});
  }
  if (memory.owned()) space.fence(label(function, "fence"));
}

/// The same with the total in a variable of the caller's: waits for the instance.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class T, class Init, class Monoid, class Engine>
void run_scan_to_variable(ExecutionSpace const& space, std::size_t n, In const& in, Out const& out, T& total, Init const& init,
                          Monoid const& given, basic_scan_options<Engine> options, char const* function) {
  static_assert(std::is_same_v<T, typename Out::value_type> && sizeof(T) <= workspace::result_bytes,
                "upsweep: the total of a scan has the output's value type, at most 192 bytes on the host.");
  temporary_memory memory(space, options.workspace);
  options.workspace = &memory.get();
  // Reserved before the slot's address is taken: growing would move it.
  using state = typename resolved_monoid<Monoid, T>::value_type;
  using problem = decltype(make_problem<Inclusive>(in, out, resolve<T>(given), initial_value<state>{}, 0));
  if (n != 0) reserve_for_scan<problem>(space, options.engine, n, memory.get());
  auto* const slot = reinterpret_cast<T*>(memory.get().result_slot(space));
  run_scan_to_target<Inclusive>(space, n, in, out, total_target<T>{slot}, init, given, options, function);
  total = fetch_one(space, slot, function);
}

/// The total on the device: a View of rank 0 of the output's value type.
template <class ExecutionSpace, class T, class Total>
total_target<T> make_total_target(Total const& total) {
  static_assert(Kokkos::is_view_v<Total> && compat::rank<Total> == 0 && std::is_same_v<typename Total::value_type, T>,
                "upsweep: the total of a scan goes to a View of rank 0 of the output's value type.");
  static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename Total::memory_space>::accessible,
                "upsweep: the total's View cannot be written by kernels of this execution space.");
  return {total.data()};
}

/// total: a View of rank 0, or a variable of the caller's.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Total, class Init, class Monoid, class Engine>
void run_scan_with_total(ExecutionSpace const& space, std::size_t n, In const& in, Out const& out, Total& total, Init const& init,
                         Monoid const& monoid, basic_scan_options<Engine> const& options, char const* function) {
  using value = typename Out::value_type;
  if constexpr (Kokkos::is_view_v<std::remove_const_t<Total>>)
    run_scan_to_target<Inclusive>(space, n, in, out, make_total_target<ExecutionSpace, value>(total), init, monoid, options, function);
  else run_scan_to_variable<Inclusive>(space, n, in, out, total, init, monoid, options, function);
}

/// Both from and to what callers have.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Monoid, class Init, class Engine>
void scan_call(ExecutionSpace const& space, In const& in, Out const& out, Init const& init, Monoid const& monoid,
               basic_scan_options<Engine> const& options, char const* function) {
  std::size_t const n = checked_extent<ExecutionSpace>(in, out, function);
  run_scan<Inclusive>(space, n, make_sequence(in), make_output_sequence(out), init, monoid, options, function);
}
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Total, class Init, class Monoid, class Engine>
void scan_call_with_total(ExecutionSpace const& space, In const& in, Out const& out, Total& total, Init const& init, Monoid const& monoid,
                          basic_scan_options<Engine> const& options, char const* function) {
  std::size_t const n = checked_extent<ExecutionSpace>(in, out, function);
  run_scan_with_total<Inclusive>(space, n, make_sequence(in), make_output_sequence(out), total, init, monoid, options, function);
}

}  // namespace upsweep::detail

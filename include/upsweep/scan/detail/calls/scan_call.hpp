// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/detail/calls/call_arguments.hpp>
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

/// The initial value from what a caller gave: a value, from{view}, or left_out for the identity. Numbers must survive
/// the conversion.
template <class Monoid, class Init>
initial_value<typename Monoid::value_type> make_initial_value(Monoid const& monoid, Init const& init,
                                                              char const* function) {
  using state = typename Monoid::value_type;
  if constexpr (std::is_same_v<Init, left_out>) return {monoid.identity()};
  else if constexpr (has_tag<Init, from>) return {monoid.identity(), init.view.data()};
  else {
    if constexpr (std::is_arithmetic_v<Init> && std::is_arithmetic_v<state>) require_same_value<state>(init, function);
    return {static_cast<state>(init)};
  }
}

/// The checks of extents that all scans share; the number of elements. Pre: no mistake_in_sequences().
template <class In, class Out>
std::size_t checked_extent(In const& in, Out const& out, char const* function) {
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

/// A scan of any kind. in, out: canonical sequences; out may be anything that takes results. total: into{} or left_out;
/// init: a value, from{} or left_out. Asynchronous where a workspace is given and total is no variable.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Total, class Init, class Monoid,
          class Engine>
void run_scan(ExecutionSpace const& space, std::size_t n, In const& in, Out const& out, Total const& total,
              Init const& init, Monoid const& given, basic_scan_options<Engine> const& options, char const* function) {
  using value = typename Out::value_type;
  constexpr bool has_total = has_tag<Total, into>;
  constexpr bool to_variable = requires { total.variable; };
  auto const monoid = internal::resolve<value>(given);
  require_state<typename decltype(monoid)::value_type>();
  auto const first = make_initial_value(monoid, init, function);
  auto problem = make_problem<Inclusive>(in, out, monoid, first, n);
  if constexpr (has_total && !to_variable) {
    problem.total = {total.view.data()};
    if constexpr (has_tag<Init, from>)
      internal::require(static_cast<void const*>(init.view.data()) != total.view.data(), function,
                        "init and total are the same View; some teams read it while another writes");
  }
  if (n == 0 && !has_total) return;
  internal::temporary_memory memory(space, options.workspace);
  internal::mailbox<ExecutionSpace> mail(space);
  if constexpr (to_variable) {
    static_assert(sizeof(value) <= internal::mailbox_bytes,
                  "upsweep: the total of a scan has at most 192 bytes on the host; give a View.");
    internal::access::require_same_instance(memory.get(), space);
    if (n != 0) reserve_engine<Engine, decltype(problem)>(space, n, memory.get());
    problem.total = {mail.template place<value>()};
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
  if constexpr (to_variable) mail.take(&total.variable, 1, internal::label(function, "fetch"));
  else if (memory.owned()) space.fence(internal::label(function, "fence"));
}

/// A scan of a View or functor to a View. given: what the caller gave between output and options.
template <bool Inclusive, class ExecutionSpace, class In, class Out, class Engine, class... Given>
void scan_call(ExecutionSpace const& space, In const& in, Out const& out, basic_scan_options<Engine> const& options,
               char const* function, Given const&... given) {
  constexpr mistake made =
      mistake_in_call<mistake_in_sequences<ExecutionSpace, In, Out>(), total_role | initial_value_role | monoid_role,
                      ExecutionSpace, Out, Given...>();
  say<made>();
  if constexpr (made == mistake::none) {
    std::size_t const n = checked_extent(in, out, function);
    run_scan<Inclusive>(space, n, internal::make_sequence(in), internal::make_output_sequence(out),
                        argument_of<total_role>(left_out{}, given...),
                        argument_of<initial_value_role>(left_out{}, given...),
                        argument_of<monoid_role>(plus<>{}, given...), options, function);
  }
}

}  // namespace upsweep::scan::detail

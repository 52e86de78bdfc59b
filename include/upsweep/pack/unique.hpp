// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>
#include <upsweep/pack/detail/moving/run_marks.hpp>
#include <upsweep/scan/options.hpp>
#include <upsweep/scan/scan_by_key.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep {

namespace pack::detail {

template <class ExecutionSpace, class In, class Out, class Equal>
std::uint64_t check_and_unique(ExecutionSpace const& space, In const& in, Out const& out, Equal const& equal,
                               std::uint64_t* count, call_options const& options) {
  static constexpr char const* function = "unique";
  using T = typename In::non_const_value_type;
  require_input<ExecutionSpace, In>();
  require_output<ExecutionSpace, Out, T>();
  require_equality<T, Equal>();
  internal::require_apart(in, out, function, "input", "output");
  auto const from = internal::make_sequence(in);
  using source = std::remove_const_t<decltype(from)>;
  return compact_call(space, in.extent(0), from, part_by_run<source, Equal>{from, equal}, out, count, options,
                      function);
}

template <class ExecutionSpace, class InOut, class Equal>
std::uint64_t check_and_unique_in_place(ExecutionSpace const& space, InOut const& in_out, Equal const& equal,
                                        std::uint64_t* count, call_options const& options) {
  require_in_out<ExecutionSpace, InOut>();
  require_equality<typename InOut::value_type, Equal>();
  auto const from = internal::make_sequence(in_out);
  using source = std::remove_const_t<decltype(from)>;
  return compact_in_place(space, in_out, from, part_by_run<source, Equal>{from, equal}, count, options,
                          "unique_in_place");
}

}  // namespace pack::detail

/// Copies the first of each run of equal neighbours; returns how many: 5 5 5 2 7 7 5 gives 5 2 7 5.
///
/// Pre: equal(element before, element) may be called by any thread and does not throw; out's memory is not in's. Every
///   element is compared with the one before it in the input, which need not be the run's first where equality is
///   not transitive.
/// Cost: as compact; equal n - 1 times. Where compact has a pass of its own for the predicate, n elements more are
///   read, from a cache.
/// Order: stable, the same in each run of the program.
/// Sync: waits for the instance.
/// Aliasing: none; contiguous ranges that overlap are refused.
/// Throws: as compact.
template <execution_space_argument ExecutionSpace, class In, class Out, functor_argument Equal = equal_keys>
std::size_t unique(ExecutionSpace const& space, In const& in, Out const& out, Equal const& equal = {},
                   call_options const& options = {}) {
  return pack::detail::check_and_unique(space, in, out, equal, nullptr, options);
}

/// The same with the number in `count`, a View of rank 0 of std::size_t, on the device: asynchronous with a
/// workspace, and nothing is thrown for an output that is too short: count is larger than its extent then.
template <execution_space_argument ExecutionSpace, class In, class Out, view_argument Count,
          functor_argument Equal = equal_keys>
void unique(ExecutionSpace const& space, In const& in, Out const& out, Count const& count, Equal const& equal = {},
            call_options const& options = {}) {
  pack::detail::check_and_unique(space, in, out, equal, pack::detail::data_of_counts<ExecutionSpace, 0>(count),
                                 options);
}

/// Moves the first of each run of equal neighbours to the front of in_out; returns how many: 5 5 5 2 7 becomes 5 2 7
/// and two elements that are not defined, and the count is 3.
/// Pre: equal as above; elements can be copied as bytes. Order, Sync: as above. Cost, Throws: as compact
///   within its input.
/// Aliasing: equal reads nothing of in_out but its arguments.
template <execution_space_argument ExecutionSpace, class InOut, functor_argument Equal = equal_keys>
std::size_t unique_in_place(ExecutionSpace const& space, InOut const& in_out, Equal const& equal = {},
                            call_options const& options = {}) {
  return pack::detail::check_and_unique_in_place(space, in_out, equal, nullptr, options);
}

/// The same with the number in `count` on the device: asynchronous with a workspace.
template <execution_space_argument ExecutionSpace, class InOut, view_argument Count,
          functor_argument Equal = equal_keys>
void unique_in_place(ExecutionSpace const& space, InOut const& in_out, Count const& count, Equal const& equal = {},
                     call_options const& options = {}) {
  pack::detail::check_and_unique_in_place(space, in_out, equal, pack::detail::data_of_counts<ExecutionSpace, 0>(count),
                                          options);
}

/// The four of them with ==. Options follow the outputs.
template <execution_space_argument ExecutionSpace, class In, class Out>
std::size_t unique(ExecutionSpace const& space, In const& in, Out const& out, call_options const& options) {
  return upsweep::unique(space, in, out, equal_keys{}, options);
}
template <execution_space_argument ExecutionSpace, class In, class Out, view_argument Count>
void unique(ExecutionSpace const& space, In const& in, Out const& out, Count const& count,
            call_options const& options) {
  upsweep::unique(space, in, out, count, equal_keys{}, options);
}
template <execution_space_argument ExecutionSpace, class InOut>
std::size_t unique_in_place(ExecutionSpace const& space, InOut const& in_out, call_options const& options) {
  return upsweep::unique_in_place(space, in_out, equal_keys{}, options);
}
template <execution_space_argument ExecutionSpace, class InOut, view_argument Count>
void unique_in_place(ExecutionSpace const& space, InOut const& in_out, Count const& count,
                     call_options const& options) {
  upsweep::unique_in_place(space, in_out, count, equal_keys{}, options);
}

UPSWEEP_WITHOUT_SPACE(unique)
UPSWEEP_WITHOUT_SPACE(unique_in_place)

}  // namespace upsweep

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>
#include <upsweep/pack/detail/moving/finish_count.hpp>
#include <upsweep/pack/detail/moving/run_marks.hpp>
#include <upsweep/scan/internal/runs.hpp>
#include <upsweep/scan/internal/selection.hpp>
#include <upsweep/scan/options.hpp>
#include <upsweep/scan/scan_by_key.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep {

namespace pack::detail {

/// Both forms; count: where it goes on the device; null: to the host, which is waited for.
template <class ExecutionSpace, class In, class Values, class Lengths, class Equal>
std::uint64_t run_length_call(ExecutionSpace const& space, In const& in, Values const& values, Lengths const& lengths,
                              Equal const& equal, std::uint64_t* count, call_options const& options) {
  static constexpr char const* function = "run_length";
  using internal::named;
  require_runs<ExecutionSpace, Equal>(function, named{in, "input"}, named{values, "values"}, named{lengths, "lengths"});
  using length = typename Lengths::value_type;
  static_assert(std::is_integral_v<length> && !std::is_same_v<length, bool>,
                "upsweep::run_length: lengths are of an integer type.");
  std::size_t const n = in.extent(0), room = values.extent(0);
  internal::narrow<length>(n, function, "the longest possible run");

  internal::temporary_memory memory(space, options.workspace);
  internal::mailbox<ExecutionSpace> mail(space);
  auto const from = internal::make_sequence(in);
  auto const to = internal::make_output_sequence(values);
  auto const to_lengths = internal::make_output_sequence(lengths);
  using source = std::remove_const_t<decltype(from)>;
  using output = run_output<std::remove_const_t<decltype(to)>, std::remove_const_t<decltype(to_lengths)>>;
  part_by_run<source, Equal> const starts{from, equal};
  std::uint64_t* counts = nullptr;
  if constexpr (internal::can_select_in_one_pass<ExecutionSpace, typename In::non_const_value_type>) {
    counts = count == nullptr ? mail.template place<std::uint64_t>() : count;
    internal::find_runs_in_one_pass(space, from, n, starts, output{{{to, room}, counts}, to_lengths}, memory.get(),
                                    function, options.label);
  } else {
    marks_memory<ExecutionSpace, 2> const held(space, memory.get(), n, true);
    counts = count == nullptr ? held.counts : count;
    std::uint64_t const* const heads = held.marks.words[0];
    std::size_t const groups = internal::divide_up(n, mask_word_bits);
    std::uint64_t* const last = held.counts + 1;
    make_marks(space, starts, held.marks, memory.get(), options, function);
    exclusive_scan(space, last_heads{heads}, words_view<ExecutionSpace>(held.extra, groups),
                   into{word_view<ExecutionSpace>(last)}, std::uint64_t(0), max<std::uint64_t>{},
                   scan_options{.workspace = &memory.get(), .label = internal::inner_label(options.label, function)});
    using sink = run_sink<source, std::remove_const_t<decltype(to)>, std::remove_const_t<decltype(to_lengths)>>;
    move_marked(space, sink{from, {{{to, room}, counts}, to_lengths}, {heads, held.extra, last}}, held.marks, options,
                function);
  }
  return finish_count(space, mail, counts, count == nullptr, room, memory, function);
}

}  // namespace pack::detail

/// Runs of equal neighbours, each as its first element and its length; returns how many: 5 5 5 2 7 7 has the values 5 2
/// 7 and the lengths 3 1 2.
///
/// Pre: equal(element before, element) may be called by any thread and does not throw; values and lengths have the same
///   extent and are not in's memory; lengths' integer type holds the number of elements.
/// Cost: equal n - 1 times; one value and one length per run are written. CUDA from sm_70 on and HIP, elements of at
///   most 64 bytes that can be copied as bytes: n reads, the firsts again from a cache; 1 launch; workspace 128 bytes
///   per tile of 20 to 72 KB, less for elements below 4 bytes. Else equal has a pass of its own: 2 n reads, of which n
///   come from a cache; two scans of n/64 words; the firsts are read again. 2 launches and the scans'; workspace 3 n/8
///   bytes and the scans'.
/// Order: exact, runs in order, the same in each run of the program.
/// Sync: waits for the instance.
/// Aliasing: none; contiguous ranges that overlap are refused.
/// Throws: precondition_error (extents, overlap, workspace of another instance), overflow_error where the outputs are
///   too short (they have the first runs) or the lengths' type is too narrow; out_of_memory_error.
template <execution_space_argument ExecutionSpace, class In, class Values, class Lengths,
          functor_argument Equal = equal_keys>
std::size_t run_length(ExecutionSpace const& space, In const& in, Values const& values, Lengths const& lengths,
                       Equal const& equal = {}, call_options const& options = {}) {
  return pack::detail::run_length_call(space, in, values, lengths, equal, nullptr, options);
}

/// The same with the number of runs in `count`, a View of rank 0 of std::size_t, on the device: asynchronous with a
/// workspace, and nothing is thrown for outputs that are too short: count is larger than their extent then.
template <execution_space_argument ExecutionSpace, class In, class Values, class Lengths, view_argument Count,
          functor_argument Equal = equal_keys>
void run_length(ExecutionSpace const& space, In const& in, Values const& values, Lengths const& lengths,
                Count const& count, Equal const& equal = {}, call_options const& options = {}) {
  pack::detail::run_length_call(space, in, values, lengths, equal,
                                pack::detail::data_of_counts<ExecutionSpace, 0>(count), options);
}

/// Both with ==. Options follow the outputs.
template <execution_space_argument ExecutionSpace, class In, class Values, class Lengths>
std::size_t run_length(ExecutionSpace const& space, In const& in, Values const& values, Lengths const& lengths,
                       call_options const& options) {
  return upsweep::run_length(space, in, values, lengths, equal_keys{}, options);
}
template <execution_space_argument ExecutionSpace, class In, class Values, class Lengths, view_argument Count>
void run_length(ExecutionSpace const& space, In const& in, Values const& values, Lengths const& lengths,
                Count const& count, call_options const& options) {
  upsweep::run_length(space, in, values, lengths, count, equal_keys{}, options);
}

UPSWEEP_WITHOUT_SPACE(run_length)

}  // namespace upsweep

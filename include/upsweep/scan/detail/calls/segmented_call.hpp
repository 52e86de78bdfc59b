// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/calls/run_engine.hpp>
#include <upsweep/scan/detail/calls/scan_call.hpp>
#include <upsweep/scan/detail/cpu/cpu_offset_heads.hpp>
#include <upsweep/scan/detail/segments/offset_heads.hpp>
#include <upsweep/scan/detail/segments/segment_bits.hpp>
#include <upsweep/scan/detail/segments/segmented_sequences.hpp>
#include <upsweep/scan/segments.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::scan::detail {

/// Refuses flags, keys or offsets that lie in the output: other teams read them while it is written. Only contiguous
/// Views are judged; strided ones may interleave.
template <class Marks, class Out>
void check_heads(Marks const& marks, Out const& out, char const* function, char const* name) {
  internal::require_apart(marks, out, function, name, "output");
}

/// The same for marks of which there is one per element.
template <class Marks, class Out>
void check_element_marks(Marks const& marks, Out const& out, char const* function, char const* name) {
  if constexpr (Kokkos::is_view_v<Marks>) internal::require_same_extent(marks.extent(0), out.extent(0), function, name);
  check_heads(marks, out, function, name);
}

/// A segmented scan of canonical sequences, as an engine is given it.
template <bool Inclusive, class Heads, class In, class Out, class Monoid>
using segmented_problem = scan_problem<segmented_input<Heads, In>, segmented_output<Inclusive, Heads, Out, Monoid>,
                                       segmented_states<Monoid>, Inclusive>;

/// Runs a segmented scan of canonical sequences. Pre: n > 0.
template <bool Inclusive, class ExecutionSpace, class Heads, class In, class Out, class Monoid, class Engine>
void run_segmented(ExecutionSpace const& space, Heads const& heads, In const& in, Out const& out, Monoid const& monoid,
                   std::size_t n, workspace& memory, basic_scan_options<Engine> const& options, char const* function) {
  require_state<typename Monoid::value_type>();
  segmented_states<Monoid> const states{{monoid}};
  segmented_problem<Inclusive, Heads, In, Out, Monoid> const problem{
      {heads, in}, {heads, out, monoid}, states, {states.identity()}, n, {}};
  run_engine<Engine>(space, problem, memory, {function, options.label});
}

/// A segmented scan with heads that need no memory of their own.
template <bool Inclusive, class ExecutionSpace, class Heads, class In, class Out, class Monoid, class Engine>
void segmented_call(ExecutionSpace const& space, Heads const& heads, In const& in, Out const& out, Monoid const& given,
                    basic_scan_options<Engine> const& options, char const* function) {
  std::size_t const n = out.extent(0);
  if (n == 0) return;
  internal::temporary_memory memory(space, options.workspace);
  run_segmented<Inclusive>(space, heads, internal::make_sequence(in), internal::make_output_sequence(out),
                           internal::resolve<typename Out::value_type>(given), n, memory.get(), options, function);
  if (memory.owned()) space.fence(internal::label(function, "fence"));
}

/// Heads from bits, which are made first. The bits lie behind the engine's own temporary memory, which starts at the
/// same address for every call: both are reserved together, before the engine asks for its part.
template <bool Inclusive, class ExecutionSpace, class Offsets, class In, class Out, class Monoid, class Engine>
void run_segmented_with_bits(ExecutionSpace const& space, Offsets const& offsets, std::size_t segments, In const& in,
                             Out const& out, Monoid const& monoid, std::size_t n, workspace& memory,
                             basic_scan_options<Engine> const& options, char const* function) {
  using state = segmented_state<typename Monoid::value_type>;
  using bits = segment_bits<Offsets>;
  internal::byte_layout layout;
  layout.add<std::byte>(engine_bytes<Engine, ExecutionSpace, state>(n));
  std::size_t const at = layout.add<std::uint32_t>(bits::words_for(n));
  auto* const words = reinterpret_cast<std::uint32_t*>(internal::access::reserve(memory, space, layout.bytes()) + at);
  make_segment_bits(space, bits{offsets, segments, n, {words}, internal::access::errors(memory, space, function)},
                    function, options.label);
  run_segmented<Inclusive>(space, bit_heads{{words}}, in, out, monoid, n, memory, options, function);
}

/// Whether tiles of an engine find heads in offsets by themselves.
template <class Engine, class ExecutionSpace, class Problem>
constexpr bool finds_heads_in_offsets() {
  if constexpr (has_segmented_tiles<ExecutionSpace, Problem>())
    return std::is_same_v<implementation_of<Engine, ExecutionSpace, Problem>, warp_look_back_engine>;
  else return false;
}

/// A segmented scan with heads from offsets: CPU threads look them up, short scans on GPUs search them; else they
/// become bits first.
template <bool Inclusive, class ExecutionSpace, class Offsets, class In, class Out, class Monoid, class Engine>
void segmented_call_with_offsets(ExecutionSpace const& space, Offsets const& offsets, In const& in, Out const& out,
                                 Monoid const& given, basic_scan_options<Engine> const& options, char const* function) {
  std::size_t const n = out.extent(0), segments = offsets.extent(0) - 1;
  if (n == 0) return;
  auto const monoid = internal::resolve<typename Out::value_type>(given);
  internal::temporary_memory memory(space, options.workspace);
  auto const marks = internal::make_sequence(offsets);
  auto const from = internal::make_sequence(in);
  auto const to = internal::make_output_sequence(out);
  using offsets_type = std::remove_const_t<decltype(marks)>;
  if constexpr (std::is_same_v<typename engine_class<Engine, ExecutionSpace>::type, cache_tiles_engine>) {
    cpu_offset_heads<offsets_type> const heads{marks, segments, n,
                                               internal::access::errors(memory.get(), space, function)};
    run_segmented<Inclusive>(space, heads, from, to, monoid, n, memory.get(), options, function);
  } else {
    bool is_done = false;
    using heads = offset_heads<offsets_type>;
    using problem = segmented_problem<Inclusive, heads, std::remove_const_t<decltype(from)>,
                                      std::remove_const_t<decltype(to)>, std::remove_const_t<decltype(monoid)>>;
    if constexpr (finds_heads_in_offsets<Engine, ExecutionSpace, problem>()) {
      using limits = engine::tuning<ExecutionSpace>;
      static_assert(limits::offsets_bytes <= std::size_t(1) << 30,
                    "upsweep: searches in offsets have numbers of 30 bits.");
      if (n <= limits::offsets_bytes / sizeof(typename Out::value_type) && segments <= n / limits::offsets_length) {
        run_segmented<Inclusive>(space,
                                 heads{marks, segments, n, internal::access::errors(memory.get(), space, function)},
                                 from, to, monoid, n, memory.get(), options, function);
        is_done = true;
      }
    }
    if (!is_done)
      run_segmented_with_bits<Inclusive>(space, marks, segments, from, to, monoid, n, memory.get(), options, function);
  }
  if (memory.owned()) memory.get().check(space);
}

/// The mistake in what says where segments start. Marks: flags, keys or offsets.
template <class ExecutionSpace, class Marks>
constexpr mistake mistake_in_marks() {
  if constexpr (!sequence_argument<Marks>) return mistake::keys;
  else return internal::reachable<ExecutionSpace, Marks>() ? mistake::none : mistake::memory;
}
template <class ExecutionSpace, class Segments>
constexpr mistake mistake_in_segments() {
  if constexpr (has_tag<Segments, head_flags>) return mistake_in_marks<ExecutionSpace, decltype(Segments::flags)>();
  else if constexpr (has_tag<Segments, segment_offsets>)
    return mistake_in_marks<ExecutionSpace, decltype(Segments::view)>();
  else return mistake::unmarked_segments;
}

/// The mistake in a segmented scan: in sequences, in what says where segments start, in what follows the output.
template <mistake InSegments, class ExecutionSpace, class In, class Out, class... Given>
constexpr mistake mistake_in_segmented() {
  constexpr mistake in_sequences = mistake_in_sequences<ExecutionSpace, In, Out>();
  return mistake_in_call<in_sequences != mistake::none ? in_sequences : InSegments, monoid_role, ExecutionSpace, Out,
                         Given...>();
}

/// The whole call with flags or offsets. given: the monoid, if any.
template <bool Inclusive, class ExecutionSpace, class In, class Segments, class Out, class Engine, class... Given>
void check_segments_and_scan(ExecutionSpace const& space, In const& in, Segments const& segments, Out const& out,
                             basic_scan_options<Engine> const& options, char const* function, Given const&... given) {
  constexpr mistake made =
      mistake_in_segmented<mistake_in_segments<ExecutionSpace, Segments>(), ExecutionSpace, In, Out, Given...>();
  say<made>();
  if constexpr (made == mistake::none) {
    std::size_t const n = checked_extent(in, out, function);
    plus<> const sum{};
    auto const& monoid = argument_of<monoid_role>(sum, given...);
    if constexpr (has_tag<Segments, head_flags>) {
      check_element_marks(segments.flags, out, function, "head_flags");
      auto const marks = internal::make_sequence(segments.flags);
      segmented_call<Inclusive>(space, flag_heads<std::remove_const_t<decltype(marks)>>{marks}, in, out, monoid,
                                options, function);
    } else {
      std::size_t const offsets = segments.view.extent(0);
      internal::require(offsets >= 1 && (offsets >= 2 || n == 0), function, [&] {
        return "segment offsets have " + std::to_string(offsets) + " entries for " + std::to_string(n) +
               " elements; they need one more than segments, and elements need a segment";
      });
      check_heads(segments.view, out, function, "segment offsets");
      segmented_call_with_offsets<Inclusive>(space, segments.view, in, out, monoid, options, function);
    }
  }
}

/// The whole call with keys. given: the monoid, if any.
template <bool Inclusive, class ExecutionSpace, class Keys, class In, class Out, class Equal, class Engine,
          class... Given>
void check_keys_and_scan(ExecutionSpace const& space, Keys const& keys, In const& in, Out const& out,
                         Equal const& equal, basic_scan_options<Engine> const& options, char const* function,
                         Given const&... given) {
  constexpr mistake made =
      mistake_in_segmented<mistake_in_marks<ExecutionSpace, Keys>(), ExecutionSpace, In, Out, Given...>();
  say<made>();
  if constexpr (made == mistake::none) {
    constexpr bool compares =
        std::predicate<Equal const&, internal::sequence_value_t<Keys>, internal::sequence_value_t<Keys>>;
    say<compares ? mistake::none : mistake::equality>();
    if constexpr (compares) {
      checked_extent(in, out, function);
      check_element_marks(keys, out, function, "keys");
      auto const marks = internal::make_sequence(keys);
      segmented_call<Inclusive>(space, key_heads<std::remove_const_t<decltype(marks)>, Equal>{marks, equal}, in, out,
                                argument_of<monoid_role>(plus<>{}, given...), options, function);
    }
  }
}

}  // namespace upsweep::scan::detail

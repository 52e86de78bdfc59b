// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/detail/moving/cpu_marks.hpp>
#include <upsweep/pack/detail/moving/device_marks.hpp>
#include <upsweep/pack/detail/moving/element_marks.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/internal/part_counts.hpp>
#include <upsweep/scan/internal/temporary_bytes.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace upsweep::pack::detail {

// How elements are assigned to parts and moved: the common part of compact, partition, unique and run_length.
//
//   mark   a thread evaluates the parts of elements and keeps them as one bit per element in the workspace, a mask for
//          every part but the last; so the user's functor is called once for an element
//   scan   one exclusive scan of the masks' 64-bit words: the elements of each part before each group of 64
//   move   an element's place in its part is what stands before its group and before it in the word; a sink stores it
//
// Work to threads: on GPUs 8 elements per thread in `mark`, which are whole sectors of memory for elements of 4 bytes
// and more; in `move` one element per thread, so that neighbours read and write side by side. On CPUs runs of groups.
// Shared state: masks and group counts, written by one launch and read by the next on the same instance. No progress is
// assumed. Not one scan whose stores scatter, which would read the elements once: engines load twice on CPUs and
// wherever a look-back falls back, and so would call the user's functor again. Where teams can count on each other,
// select_in_one_pass() and find_runs_in_one_pass() replace all this.

/// What is scanned: marked elements of a group.
template <int Parts>
struct mask_word_counts {
  element_marks<Parts> marks;
  KOKKOS_FUNCTION typename element_marks<Parts>::counted operator()(std::size_t mask_word) const {
    if constexpr (Parts == 2) {
      return popcount(marks.words[0][mask_word]);
    } else {
      typename element_marks<Parts>::counted counts;
      for (int p = 0; p < Parts - 1; ++p) counts.of[p] = popcount(marks.words[p][mask_word]);
      return counts;
    }
  }
};

/// The masks and counts of a call in its workspace, and how many 64-bit words per group the caller wants in addition.
/// They follow the scans' memory.
template <class ExecutionSpace, int Parts>
struct marks_memory {
  element_marks<Parts> marks;
  std::uint64_t* extra;   ///< one word per group for the caller, and one more
  std::uint64_t* counts;  ///< Parts words for the caller
  std::byte* elements;    ///< element_bytes for the caller

  marks_memory(ExecutionSpace const& space, workspace& memory, std::size_t n, bool with_extra = false,
               std::size_t element_bytes = 0) {
    std::size_t const mask_words = internal::divide_up(n, mask_word_bits);
    internal::byte_layout layout;
    layout.add<std::byte>(
        internal::scan_temporary_bytes<typename element_marks<Parts>::counted, ExecutionSpace>(mask_words));
    std::size_t const arrays = 2 * (Parts - 1) + (with_extra ? 1 : 0);
    std::size_t const stride = internal::divide_up<std::size_t>(mask_words + 1, 32) * 32;  // words: 256 bytes
    std::size_t const at = layout.add<std::uint64_t>(arrays * stride), small = layout.add<std::uint64_t>(2 * Parts);
    std::size_t const copies = layout.add<std::byte>(element_bytes);
    std::byte* const base = internal::access::reserve(memory, space, layout.bytes());
    auto* const words = reinterpret_cast<std::uint64_t*>(base + at);
    auto* const totals = reinterpret_cast<std::uint64_t*>(base + small);
    marks.n = n;
    for (int p = 0; p < Parts - 1; ++p) marks.words[p] = words + static_cast<std::size_t>(p) * stride;
    marks.prefixes = words + (Parts - 1) * stride;
    marks.totals = totals;
    extra = with_extra ? words + (arrays - 1) * stride : nullptr;
    counts = totals + Parts;
    elements = base + copies;
  }
};

template <class ExecutionSpace, class T = std::uint64_t>
using words_view = Kokkos::View<T*, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;
template <class ExecutionSpace, class T = std::uint64_t>
using word_view = Kokkos::View<T, typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged>;

/// Asks for every element's part and counts them.
template <class ExecutionSpace, int Parts, class PartOf>
void make_marks(ExecutionSpace const& space, PartOf const& part_of, element_marks<Parts> const& marks,
                workspace& memory, call_options const& options, char const* function) {
  std::size_t const mask_words = internal::divide_up(marks.n, mask_word_bits);
  auto const name = [&] { return internal::label(function, "mark", options.label); };
  if constexpr (!compat::is_gpu<ExecutionSpace>)
    internal::run_on_cpu(space, name, mask_words, mark_group_kernel<Parts, PartOf>{part_of, marks});
  else if (mask_words > 0)
    Kokkos::parallel_for(name(), internal::index_policy(space, mask_words * 8),
                         mark_kernel<Parts, PartOf>{part_of, marks});
  using counted = typename element_marks<Parts>::counted;
  using monoid = typename element_marks<Parts>::monoid;
  exclusive_scan(space, mask_word_counts<Parts>{marks},
                 words_view<ExecutionSpace, counted>(reinterpret_cast<counted*>(marks.prefixes), mask_words),
                 into{word_view<ExecutionSpace, counted>(reinterpret_cast<counted*>(marks.totals))},
                 monoid{}.identity(), monoid{},
                 scan_options{.workspace = &memory, .label = internal::inner_label(options.label, function)});
}

/// Gives marked elements to a sink.
template <class ExecutionSpace, int Parts, class Sink>
void move_marked(ExecutionSpace const& space, Sink const& sink, element_marks<Parts> const& marks,
                 call_options const& options, char const* function) {
  auto const name = [&] { return internal::label(function, "move", options.label); };
  if constexpr (compat::is_gpu<ExecutionSpace>) {
    move_elements<Parts, Sink> const kernel{sink, marks};
    Kokkos::parallel_for(name(), internal::index_policy(space, kernel.threads()), kernel);
  } else {
    move_on_cpu(space, sink, marks, name);
  }
}

/// Whether move_marked() goes from the first group to the last, because there is one thread.
template <class ExecutionSpace>
bool goes_in_order(ExecutionSpace const& space) {
  return !compat::is_gpu<ExecutionSpace> && compat::launches_wait<ExecutionSpace> && compat::concurrency(space) == 1;
}

/// Whether elements that find their places within their own memory, so many bytes, are moved in order: no other thread
/// pays for that. Others would collect them elsewhere and copy them back.
template <class ExecutionSpace>
bool moves_in_order(ExecutionSpace const& space, std::size_t bytes) {
  constexpr double nanoseconds_a_byte = 0.03;  // a scan's, at the least
  if constexpr (compat::launches_wait<ExecutionSpace>)
    return !internal::pays_to_share(space, nanoseconds_a_byte * static_cast<double>(bytes));
  else return false;
}

/// Marks, counts and moves elements. in_order: goes_in_order(space), and mark_and_move_in_order() can do it; or
/// moves_in_order(), and the sink moves them within their memory.
template <class ExecutionSpace, int Parts, class PartOf, class Sink>
void mark_and_move(ExecutionSpace const& space, PartOf const& part_of, Sink const& sink,
                   element_marks<Parts> const& marks, bool in_order, workspace& memory, call_options const& options,
                   char const* function) {
  if constexpr (compat::launches_wait<ExecutionSpace>) {
    auto const name = [&] { return internal::label(function, "move", options.label); };
    if (in_order && goes_in_order(space)) return mark_and_move_in_order(space, part_of, sink, marks, name);
    if (in_order) {
      make_marks(space, part_of, marks, memory, options, function);  // what a predicate costs nobody knows
      return move_in_order(space, sink, marks, name);
    }
  }
  make_marks(space, part_of, marks, memory, options, function);
  move_marked(space, sink, marks, options, function);
}

}  // namespace upsweep::pack::detail

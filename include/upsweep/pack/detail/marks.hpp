// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/byte_layout.hpp>
#include <upsweep/base/index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/label.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/sequence.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/detail/index_policy.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/part_counts.hpp>
#include <upsweep/scan/temporary_bytes.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace upsweep::detail {

// How elements are told apart and moved: the common part of compact, partition, unique and run_length.
//
//   mark   a thread asks for the parts of 8 elements and keeps the answers as one bit an element in the workspace, a mask for
//          every part but the last; so the user's functor is called once for an element, whatever engine scans
//   scan   one exclusive scan of the masks' 64-bit words: the elements of each part before each group of 64
//   move   an element's place in its part is what stands before its group and before it in the word; a sink stores it
//
// Work to threads: 8 elements a thread in `mark`, which on a GPU are whole sectors of memory for elements of 4 bytes and more;
// in `move` an element a thread on GPUs, so that neighbours read and write side by side, and a group a thread on CPUs.
// Shared state: masks and group counts, written by one launch and read by the next on the same instance. No progress is assumed.
// Not one scan whose stores scatter, which would read the elements once: engines load twice on CPUs and wherever a look-back helps
// out, and so would call the user's functor again. Where teams can count on each other, select_in_one_pass() and find_runs_in_one_pass()
// take the place of all this.

inline constexpr std::size_t group_size = 64;

/// Ones below bit k. Pre: k < 64.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t bits_below(unsigned k) { return (std::uint64_t(1) << k) - 1; }
KOKKOS_FORCEINLINE_FUNCTION unsigned count_bits(std::uint64_t word) {
  return static_cast<unsigned>(Kokkos::Experimental::popcount_builtin(word));
}
/// Pre: word != 0.
KOKKOS_FORCEINLINE_FUNCTION unsigned lowest_bit(std::uint64_t word) {
  return static_cast<unsigned>(Kokkos::Experimental::countr_zero_builtin(word));
}
KOKKOS_FORCEINLINE_FUNCTION unsigned highest_bit(std::uint64_t word) {
  return 63u - static_cast<unsigned>(Kokkos::Experimental::countl_zero_builtin(word));
}

/// The masks of all parts but the last one, to which every element without a mark belongs: a bit an element, and how many there
/// are before each group and in all.
template <int Parts>
struct element_marks {
  static constexpr int masks = Parts - 1;
  /// What is scanned: a plain number where that is enough, which engines have their best kernels for.
  using counted = std::conditional_t<masks == 1, std::uint64_t, part_counts<masks>>;
  using monoid = std::conditional_t<masks == 1, plus<std::uint64_t>, add_counts<masks>>;
  std::uint64_t* words[masks];
  std::uint64_t* befores;  ///< a number a mask, for each group
  std::uint64_t* totals;   ///< a number a mask
  std::size_t n;

  KOKKOS_FUNCTION std::uint64_t before(int p, std::size_t group) const { return befores[group * masks + static_cast<std::size_t>(p)]; }
  KOKKOS_FUNCTION std::uint64_t count(int p) const {
    if (p < masks) return totals[p];
    std::uint64_t rest = n;
    for (int q = 0; q < masks; ++q) rest -= totals[q];
    return rest;
  }
};

/// Writes the masks, 8 bits of each: part_of(i) is in 0 ... Parts - 1. The masks' last words are filled up with zeros.
template <int Parts, class PartOf>
struct mark_kernel {
  PartOf part_of;
  element_marks<Parts> marks;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const byte = static_cast<std::size_t>(k);
    unsigned bits[Parts - 1] = {};
    for (unsigned b = 0; b < 8; ++b) {
      std::size_t const i = byte * 8 + b;
      if (i >= marks.n) break;
      int const p = part_of(i);
      UPSWEEP_UNROLL
      for (int q = 0; q < Parts - 1; ++q) bits[q] |= static_cast<unsigned>(p == q) << b;
    }
    // Bit i % 64 of a word is element i on machines of either byte order.
    std::size_t const place = std::endian::native == std::endian::little ? byte : byte ^ 7u;
    UPSWEEP_UNROLL
    for (int q = 0; q < Parts - 1; ++q) reinterpret_cast<unsigned char*>(marks.words[q])[place] = static_cast<unsigned char>(bits[q]);
  }
};

/// What is scanned: marked elements of a group.
template <int Parts>
struct group_counts {
  element_marks<Parts> marks;
  KOKKOS_FUNCTION typename element_marks<Parts>::counted operator()(std::size_t group) const {
    if constexpr (Parts == 2) {
      return count_bits(marks.words[0][group]);
    } else {
      typename element_marks<Parts>::counted counts;
      for (int p = 0; p < Parts - 1; ++p) counts.of[p] = count_bits(marks.words[p][group]);
      return counts;
    }
  }
};

/// Gives elements to sink(i, part, place in the part); sink.finish(marks) is called once.
/// Sink::first_only: it wants the elements of part 0 alone.
template <bool ElementAThread, int Parts, class Sink>
struct move_kernel {
  Sink sink;
  element_marks<Parts> marks;

  std::size_t threads() const { return std::max<std::size_t>(1, ElementAThread ? marks.n : divide_up(marks.n, group_size)); }

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    if (k == 0) sink.finish(marks);
    if (marks.n == 0) return;
    if constexpr (ElementAThread) move_element(static_cast<std::size_t>(k));
    else move_group(static_cast<std::size_t>(k));
  }

 private:
  KOKKOS_FUNCTION void move_element(std::size_t i) const {
    std::size_t const group = i / group_size;
    auto const bit = static_cast<unsigned>(i % group_size);
    std::uint64_t place = i;  // in the last part: all that are not in another one
    UPSWEEP_UNROLL
    for (int p = 0; p < Parts - 1; ++p) {
      std::uint64_t const word = marks.words[p][group];
      bool const is_mine = (word >> bit & 1u) != 0;
      if (Sink::first_only && !is_mine) return;
      std::uint64_t const before = marks.before(p, group) + count_bits(word & bits_below(bit));
      if (is_mine) return sink(i, p, before);
      place -= before;
    }
    if constexpr (!Sink::first_only) sink(i, Parts - 1, place);
  }

  KOKKOS_FUNCTION void move_group(std::size_t group) const {
    std::size_t const begin = group * group_size;
    if constexpr (Sink::first_only) {
      std::uint64_t place = marks.before(0, group);
      for (std::uint64_t word = marks.words[0][group]; word != 0; word &= word - 1)
        sink(begin + lowest_bit(word), 0, place++);
    } else {
      std::uint64_t place[Parts];
      place[Parts - 1] = begin;
      for (int p = 0; p < Parts - 1; ++p) {
        place[p] = marks.before(p, group);
        place[Parts - 1] -= place[p];
      }
      for (std::size_t i = begin; i < begin + group_size && i < marks.n; ++i) {
        int mine = 0;
        while (mine < Parts - 1 && (marks.words[mine][group] >> (i - begin) & 1u) == 0) ++mine;
        sink(i, mine, place[mine]++);
      }
    }
  }
};

/// The masks and counts of a call in its workspace, and how many 64-bit words a group the caller wants beside. Behind what the scans take.
template <class ExecutionSpace, int Parts>
struct marks_memory {
  element_marks<Parts> marks;
  std::uint64_t* extra;   ///< one word a group for the caller, and one more
  std::uint64_t* counts;  ///< Parts words for the caller
  std::byte* elements;    ///< element_bytes for the caller

  template <class Engine>
  marks_memory(ExecutionSpace const& space, workspace& memory, Engine const& which, std::size_t n, bool with_extra = false,
               std::size_t element_bytes = 0) {
    std::size_t const groups = divide_up(n, group_size);
    byte_layout layout;
    layout.add<std::byte>(scan_temporary_bytes<typename element_marks<Parts>::counted, ExecutionSpace>(which, groups));
    std::size_t const arrays = 2 * (Parts - 1) + (with_extra ? 1 : 0);
    std::size_t const stride = divide_up<std::size_t>(groups + 1, 32) * 32;  // words: 256 bytes
    std::size_t const at = layout.add<std::uint64_t>(arrays * stride), small = layout.add<std::uint64_t>(2 * Parts);
    std::size_t const copies = layout.add<std::byte>(element_bytes);
    std::byte* const base = memory.reserve(space, layout.bytes());
    auto* const words = reinterpret_cast<std::uint64_t*>(base + at);
    auto* const totals = reinterpret_cast<std::uint64_t*>(base + small);
    marks.n = n;
    for (int p = 0; p < Parts - 1; ++p) marks.words[p] = words + static_cast<std::size_t>(p) * stride;
    marks.befores = words + (Parts - 1) * stride;
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
template <class ExecutionSpace, int Parts, class PartOf, class Engine>
void make_marks(ExecutionSpace const& space, PartOf const& part_of, element_marks<Parts> const& marks, workspace& memory,
                basic_scan_options<Engine> const& options, char const* function) {
  std::size_t const groups = divide_up(marks.n, group_size);
  if (groups > 0)
    Kokkos::parallel_for(label(function, "mark", options.label), index_policy(space, groups * 8),
                         mark_kernel<Parts, PartOf>{part_of, marks});
  using counted = typename element_marks<Parts>::counted;
  using monoid = typename element_marks<Parts>::monoid;
  exclusive_scan(space, group_counts<Parts>{marks}, words_view<ExecutionSpace, counted>(reinterpret_cast<counted*>(marks.befores), groups),
                 word_view<ExecutionSpace, counted>(reinterpret_cast<counted*>(marks.totals)), monoid{}.identity(), monoid{},
                 basic_scan_options<Engine>{options.engine, &memory, function});
}

/// Gives marked elements to a sink.
template <class ExecutionSpace, int Parts, class Sink, class Engine>
void move_marked(ExecutionSpace const& space, Sink const& sink, element_marks<Parts> const& marks,
                 basic_scan_options<Engine> const& options, char const* function) {
  move_kernel<compat::is_gpu<ExecutionSpace>, Parts, Sink> const kernel{sink, marks};
  Kokkos::parallel_for(label(function, "move", options.label), index_policy(space, kernel.threads()), kernel);
}

/// Whether the calling thread may do a kernel's work in the order of its indices, because no other thread would.
template <class ExecutionSpace>
inline constexpr bool may_go_in_order = !compat::is_gpu<ExecutionSpace> && compat::launches_wait<ExecutionSpace>;
template <class ExecutionSpace>
bool goes_in_order(ExecutionSpace const& space) {
  return may_go_in_order<ExecutionSpace> && space.concurrency() == 1;
}

/// move_marked() by the calling thread, from the first element to the last. Pre: goes_in_order().
template <class ExecutionSpace, int Parts, class Sink, class Engine>
void move_in_order(ExecutionSpace const& space, Sink const& sink, element_marks<Parts> const& marks,
                   basic_scan_options<Engine> const& options, char const* function) {
  if constexpr (may_go_in_order<ExecutionSpace>) {
    move_kernel<false, Parts, Sink> const kernel{sink, marks};
    compat::run_on_this_thread(space, label(function, "move", options.label), [&] {
      for (std::size_t k = 0; k < kernel.threads(); ++k) kernel(static_cast<std::int64_t>(k));
    });
  }
}

/// Copies words of the workspace to the host. Waits for the instance.
template <class ExecutionSpace>
void fetch_words(ExecutionSpace const& space, std::uint64_t* device, std::uint64_t* host, std::size_t count, char const* function) {
  Kokkos::deep_copy(space, Kokkos::View<std::uint64_t*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(host, count),
                    words_view<ExecutionSpace>(device, count));
  space.fence(label(function, "fetch"));
}

}  // namespace upsweep::detail

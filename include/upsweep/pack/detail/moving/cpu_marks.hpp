// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/pack/detail/moving/cpu_moves.hpp>
#include <upsweep/pack/detail/moving/element_marks.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace upsweep::pack::detail {

// How CPU threads mark and move elements (marks.hpp), a group of 64 per call. 2^14 int32 on an AMD EPYC 9004, one
// thread, a random half chosen, us: marked 1.8, with a loop that keeps 8 bits 7.5; moved by the kernels of src/pack
// 2.0, bit by bit 5.9, element by element with a conditional move 10.4.

/// Whether two predicates are asked about integers, which compilers may ask of all elements.
template <class PartOf>
concept asks_integers_twice = requires(PartOf const& of) {
  of.first(of.in.load(0));
  of.second(of.in.load(0));
  requires std::is_integral_v<typename decltype(of.in)::value_type>;
};

/// Writes a group's masks: part_of(i) is in 0 ... Parts - 1. Bits behind the last element are zeros.
template <int Parts, class PartOf>
struct mark_group_kernel {
  PartOf part_of;
  element_marks<Parts> marks;

  void operator()(std::int64_t k) const { mark(part_of, static_cast<std::size_t>(k)); }
  /// Groups begin ... end - 1.
  void run(std::size_t begin, std::size_t end) const {
    if constexpr (requires { part_of.read_bits(begin, end, marks.words[0]); }) {
      std::size_t const last = std::min(end * mask_word_bits, marks.n);
      part_of.read_bits(begin * mask_word_bits, last, marks.words[0] + begin);
      if (last % mask_word_bits != 0) marks.words[0][end - 1] &= bits_below(last % mask_word_bits);
    } else {
      PartOf const of = part_of;  // what is stored may lie anywhere, but not in this
      for (std::size_t group = begin; group < end; ++group) mark(of, group);
    }
  }

 private:
  void mark(PartOf const& of, std::size_t group) const {
    // Answers first, in a loop that compilers turn into vectors where the functor allows it.
    unsigned char parts[mask_word_bits];
    std::size_t const begin = group * mask_word_bits, size = std::min(marks.n - begin, mask_word_bits);
    if constexpr (asks_integers_twice<PartOf>)
      if (size == mask_word_bits) return mark_in_turn(of, begin, group);
    if (size == mask_word_bits) {
      for (std::size_t b = 0; b < mask_word_bits; ++b) parts[b] = static_cast<unsigned char>(of(begin + b));
    } else {
      std::fill_n(parts, mask_word_bits, static_cast<unsigned char>(Parts - 1));
      for (std::size_t b = 0; b < size; ++b) parts[b] = static_cast<unsigned char>(of(begin + b));
    }
    if constexpr (Parts == 2) {
      marks.words[0][group] = ~bits_of(parts);
    } else {
      for (int p = 0; p < Parts - 1; ++p) {
        unsigned char is_p[mask_word_bits];
        for (std::size_t b = 0; b < mask_word_bits; ++b) is_p[b] = parts[b] == p ? 1 : 0;
        marks.words[p][group] = bits_of(is_p);
      }
    }
  }

  /// One predicate after the other: two loops that become vectors, one does not. The second one of floating-point
  /// numbers would be a branch, since a comparison may trap. 2^14 int32, one core of a Xeon, 2026-11-29, us: 4.6; in
  /// one loop 7.2; with the second of elements put side by side before 4.3 (double 7.2 for 9.4).
  void mark_in_turn(PartOf const& of, std::size_t begin, std::size_t group) const {
    unsigned char is_first[mask_word_bits], is_second[mask_word_bits];
    for (std::size_t b = 0; b < mask_word_bits; ++b) is_first[b] = of.first(of.in.load(begin + b)) ? 1 : 0;
    for (std::size_t b = 0; b < mask_word_bits; ++b)
      is_second[b] = is_first[b] == 0 && of.second(of.in.load(begin + b)) ? 1 : 0;
    marks.words[0][group] = bits_of(is_first);
    marks.words[1][group] = bits_of(is_second);
  }

  /// Flags that are 0 or 1 as bits.
  static std::uint64_t bits_of(unsigned char const* flags) {
    std::uint64_t word = 0;
    for (unsigned b = 0; b < mask_word_bits; b += 8) word |= bits_of_8(flags + b) << b;
    return word;
  }
  /// Of eight flags, byte k as bit k: the product has byte k, which is bit 8 k, as bit 56 + k, and no carries there.
  static std::uint64_t bits_of_8(unsigned char const* flags) {
    std::uint64_t bytes;
    std::memcpy(&bytes, flags, sizeof bytes);
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    return bytes * 0x0102040810204080u >> 56;
  }
};

/// Gives elements to sink(i, part, place in the part), a group a call; sink.finish(marks) is called once.
/// Sink::first_only: it wants the elements of part 0 alone.
/// The last part of a group comes first: part 0 may be stored in the input's front (compact in place), over elements of
/// the same group.
template <int Parts, class Sink>
struct move_groups {
  static constexpr std::size_t groups = 1;
  Sink sink;
  element_marks<Parts> marks;

  std::size_t threads() const { return std::max<std::size_t>(1, internal::divide_up(marks.n, mask_word_bits)); }

  void operator()(std::int64_t k) const {
    if (k == 0) sink.finish(marks);
    if (marks.n > 0) move(static_cast<std::size_t>(k));
  }
  void move(std::size_t group) const {
    std::size_t const begin = group * mask_word_bits;
    if constexpr (!Sink::first_only) {
      std::size_t const size = marks.n - begin;
      std::uint64_t rest = size < mask_word_bits ? bits_below(static_cast<unsigned>(size)) : ~std::uint64_t(0),
                    place = begin;
      for (int p = 0; p < Parts - 1; ++p) {
        rest &= ~marks.words[p][group];
        place -= marks.before(p, group);
      }
      move_part(begin, Parts - 1, rest, place);
      for (int p = Parts - 2; p > 0; --p) move_part(begin, p, marks.words[p][group], marks.before(p, group));
    }
    move_part(begin, 0, marks.words[0][group], marks.before(0, group));
  }

 private:
  void move_part(std::size_t begin, int part, std::uint64_t word, std::uint64_t place) const {
    for (; word != 0; word &= word - 1) sink(begin + lowest_set_bit(word), part, place++);
  }
};

/// Whether a sink wants to know, too, which elements were chosen: sink.moved(begin, places, count, place in the part)
/// for elements begin + places[0 ... count - 1].
template <class Sink>
concept wants_places = requires(Sink const& sink, std::uint32_t const* places) { sink.moved(0, places, 0, 0); };

/// The same with the kernels of src/pack, `groups` groups a call.
template <int Parts, class Sink, class Word>
struct move_plainly {
  static constexpr std::size_t groups = 16, most = groups * mask_word_bits;
  Sink sink;
  element_marks<Parts> marks;
  plain_move<Word> to;
  move_kernels<Word> const* kernels;

  std::size_t threads() const { return std::max<std::size_t>(1, internal::divide_up(marks.n, most)); }

  void operator()(std::int64_t k) const {
    if (k == 0) sink.finish(marks);
    if (marks.n > 0) move(static_cast<std::size_t>(k));
  }
  void move(std::size_t k) const {
    std::size_t const group = k * groups, begin = group * mask_word_bits;
    std::size_t const count = std::min(most, marks.n - begin);
    if (to.in != nullptr) return move_some(to.in + begin, count, group);
    Word numbers[most];
    for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<Word>(begin + i);
    move_some(numbers, count, group);
  }

 private:
  /// Elements of the groups from `group` on.
  void move_some(Word const* in, std::size_t count, std::size_t group) const {
    std::size_t const before = marks.before(0, group);
    std::uint64_t const* const words = marks.words[0] + group;
    Word* const chosen = to.chosen + before;
    if constexpr (Parts == 3) {
      std::size_t const before_second = marks.before(1, group);
      kernels->divide(in, count, words, marks.words[1] + group, chosen, to.second + before_second,
                      to.rest + (group * mask_word_bits - before - before_second));
    } else if (to.rest == nullptr) {
      move_chosen(in, count, words, chosen, group, before);
    } else if (!to.rest_is_reversed) {
      kernels->split(in, count, words, chosen, to.rest + (group * mask_word_bits - before));
    } else {
      Word rest[most];
      kernels->split(in, count, words, chosen, rest);
      std::size_t left = count;  // of the rest
      for (std::size_t g = 0; g < internal::divide_up(count, mask_word_bits); ++g) left -= popcount(words[g]);
      std::reverse_copy(rest, rest + left, to.rest - (group * mask_word_bits - before) - left);
    }
  }

  /// Without a rest. Few are moved one by one.
  void move_chosen(Word const* in, std::size_t count, std::uint64_t const* words, Word* chosen, std::size_t group,
                   std::size_t before) const {
    std::size_t const all_words = internal::divide_up(count, mask_word_bits);
    std::size_t found = 0;
    for (std::size_t g = 0; g < all_words; ++g) found += popcount(words[g]);
    if (found == 0) return;
    [[maybe_unused]] std::uint32_t places[wants_places<Sink> ? most : 1];
    if (found * few < count) {
      std::size_t at = 0;
      for (std::size_t g = 0; g < all_words; ++g)
        for (std::uint64_t word = words[g]; word != 0; word &= word - 1, ++at) {
          std::size_t const place = g * mask_word_bits + lowest_set_bit(word);
          chosen[at] = in[place];
          if constexpr (wants_places<Sink>) places[at] = static_cast<std::uint32_t>(place);
        }
    } else {
      kernels->choose(in, count, words, chosen);
      if constexpr (wants_places<Sink>) {
        std::uint32_t numbers[most];
        for (std::size_t i = 0; i < most; ++i) numbers[i] = static_cast<std::uint32_t>(i);
        move_kernels_for<std::uint32_t>(internal::widest_instruction_set())->choose(numbers, count, words, places);
      }
    }
    if constexpr (wants_places<Sink>) sink.moved(group * mask_word_bits, places, found, before);
  }
  /// Of so many elements less than one.
  static constexpr std::size_t few = 24;
};

/// Whether a sink may know a plain move.
template <class Sink, int Parts>
concept moves_plainly = requires(Sink const& sink, element_marks<Parts> const& marks) { sink.plain(marks); };

/// Calls run(kernel) with what moves elements. Pre: what is scanned is there, if launches wait.
template <class ExecutionSpace, int Parts, class Sink, class Run>
void with_move_kernel(Sink const& sink, element_marks<Parts> const& marks, Run const& run) {
  if constexpr (compat::launches_wait<ExecutionSpace> && moves_plainly<Sink, Parts>) {
    auto const move = sink.plain(marks);
    using word = std::remove_pointer_t<decltype(move.chosen)>;
    auto const* const kernels = move_kernels_for<word>(internal::widest_instruction_set());
    if (move.is_possible && kernels != nullptr) return run(move_plainly<Parts, Sink, word>{sink, marks, move, kernels});
  }
  run(move_groups<Parts, Sink>{sink, marks});
}

/// Moves elements.
template <class ExecutionSpace, int Parts, class Sink, class MakeLabel>
void move_on_cpu(ExecutionSpace const& space, Sink const& sink, element_marks<Parts> const& marks,
                 MakeLabel const& make_label) {
  with_move_kernel<ExecutionSpace>(
      sink, marks, [&](auto const& kernel) { internal::run_on_cpu(space, make_label, kernel.threads(), kernel); });
}

/// Moves elements on the calling thread, in order: within their memory, where each goes to a place that has been read.
template <class ExecutionSpace, int Parts, class Sink, class MakeLabel>
void move_in_order(ExecutionSpace const& space, Sink const& sink, element_marks<Parts> const& marks,
                   MakeLabel const& make_label) {
  with_move_kernel<ExecutionSpace>(sink, marks, [&](auto const& kernel) {
    compat::run_on_this_thread(space, make_label, [&] {
      for (std::size_t k = 0; k < kernel.threads(); ++k) kernel(static_cast<std::int64_t>(k));
    });
  });
}

/// Marks elements and moves them at once, on the calling thread: they come from memory once. Pre: the places of
/// elements do not depend on how many there are in all, and there is room for all; launches_wait<ExecutionSpace>. 2^20
/// doubles within their View, half of them kept, one core of a Xeon, 2026-11-29, us: 498, marked before 723, a
/// loop 567.
template <class ExecutionSpace, int Parts, class PartOf, class Sink, class MakeLabel>
void mark_and_move_in_order(ExecutionSpace const& space, PartOf const& part_of, Sink const& sink,
                            element_marks<Parts> const& marks, MakeLabel const& make_label) {
  constexpr std::size_t masks = Parts - 1;
  std::fill_n(marks.totals, masks, std::uint64_t(0));  // nothing says yet that a part is too long
  with_move_kernel<ExecutionSpace>(sink, marks, [&](auto const& kernel) {
    compat::run_on_this_thread(space, make_label, [&] {
      mark_group_kernel<Parts, PartOf> const mark{part_of, marks};
      std::size_t const all = internal::divide_up(marks.n, mask_word_bits);
      std::uint64_t before[masks] = {};
      for (std::size_t first = 0; first < all; first += kernel.groups) {
        std::size_t const last = std::min(first + kernel.groups, all);
        mark.run(first, last);
        for (std::size_t group = first; group < last; ++group)
          for (std::size_t p = 0; p < masks; ++p) {
            marks.prefixes[group * masks + p] = before[p];
            before[p] += popcount(marks.words[p][group]);
          }
        kernel.move(first / kernel.groups);
      }
      std::copy_n(before, masks, marks.totals);
      sink.finish(marks);
    });
  });
}

}  // namespace upsweep::pack::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/detail/cpu/cpu_segment_kernels.hpp>
#include <upsweep/scan/detail/cpu/head_reader.hpp>
#include <upsweep/scan/detail/segments/segmented_sequences.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::scan::detail {

/// How a CPU thread scans a range of elements with heads: by the kernels of src/scan, which get heads as bits, or in a
/// loop. Most: elements of the longest range.
/// Association: the kernels' windows within each piece of the range; in a loop the strict left fold since the head.
template <class Problem, std::size_t Most>
class segment_scans {
  using heads_type = decltype(Problem::in.heads);
  using input_type = decltype(Problem::in.in);
  using output_type = decltype(Problem::out.out);
  using monoid_type = decltype(Problem::out.monoid);
  using value_type = typename monoid_type::value_type;
  using output = typename output_type::value_type;

  /// Elements of one type side by side, and a monoid that is compiled.
  static constexpr bool has_kernels() {
#if defined(UPSWEEP_CPU_KERNELS)
    using from = internal::contiguous_sequence<value_type const>;
    using to = internal::contiguous_sequence<value_type>;
    return compiled_monoid<monoid_type>::exists && std::is_same_v<output_type, to> &&
           (std::is_same_v<input_type, from> || std::is_same_v<input_type, to>);
#else
    return false;
#endif
  }
  /// Elements whose heads are read ahead: what lies in the first cache.
  static constexpr std::size_t piece = has_kernels() ? std::min<std::size_t>(Most, 4096) : Most;

 public:
  segment_scans(Problem const& problem, internal::instruction_set which)
      : heads_(problem.in.heads), in_(problem.in.in), out_(problem.out.out), op_(problem.out.monoid), which_(which) {}

  /// Scans [begin, end) behind `running`; returns the fold since the last head. Pre: begin < end <= begin + Most.
  value_type scan(std::size_t begin, std::size_t end, value_type running) const {
    if constexpr (has_kernels()) {
      auto const* const in = reinterpret_cast<word const*>(in_.data);
      auto* const out = reinterpret_cast<word*>(out_.data);
      auto const kernel =
          segment_kernels_for<word, compiled_monoid<monoid_type>::operation>(which_).scan[Problem::inclusive];
      return in_pieces(begin, end, running,
                       [&](std::size_t first, std::size_t last, value_type before, std::uint64_t const* words) {
                         return static_cast<value_type>(
                             kernel(in + first, out + first, last - first, static_cast<word>(before), words));
                       });
    } else if constexpr (is_cpu_offset_heads<heads_type>) {
      return in_pieces(begin, end, running,
                       [&](std::size_t first, std::size_t last, value_type before, std::uint64_t const* words) {
                         return scan_each(word_heads{words, first}, first, last, before);
                       });
    } else {
      return scan_each(heads_, begin, end, running);
    }
  }

 private:
  static auto word_type() {
    if constexpr (has_kernels()) return cpu_word<value_type, compiled_monoid<monoid_type>::operation>{};
    else return value_type{};
  }
  using word = decltype(word_type());

  /// Calls scan(first, last, running, heads) for each piece.
  template <class Scan>
  value_type in_pieces(std::size_t begin, std::size_t end, value_type running, Scan const& scan) const {
    std::uint64_t words[piece / 64 + 2];
    head_reader<heads_type> reader(heads_, begin, which_);
    for (std::size_t first = begin; first < end;) {
      std::size_t const last = std::min(first + piece, end);
      reader.read(first, last, words);
      running = scan(first, last, running, words);
      first = last;
    }
    return running;
  }

  /// Elements one after the other.
  template <class Heads>
  value_type scan_each(Heads const& of_elements, std::size_t begin, std::size_t end, value_type running) const {
    // Copies: what is stored may lie anywhere, but not in these.
    Heads const heads = of_elements;
    input_type const in = in_;
    output_type const out = out_;
    monoid_type const op = op_;
    auto const put = [&](std::size_t i, bool head) {
      value_type const own = internal::lift(op, in.load(i));  // read before the store: in may be out
      value_type const next = head ? own : static_cast<value_type>(op(running, own));
      if constexpr (Problem::inclusive) out.store(i, internal::lower<output>(op, next));
      else out.store(i, internal::lower<output>(op, head ? op.identity() : running));
      running = next;
    };
    put(begin, heads.at(begin));
    for (std::size_t i = begin + 1; i < end; ++i) put(i, heads.starts(i));
    return running;
  }

  heads_type heads_;
  input_type in_;
  output_type out_;
  monoid_type op_;
  internal::instruction_set which_;
};

}  // namespace upsweep::scan::detail

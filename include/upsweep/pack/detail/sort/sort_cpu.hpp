// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/cpu_fork.hpp>
#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/detail/sort/digit_lines.hpp>
#include <upsweep/pack/detail/sort/key_order.hpp>
#include <upsweep/pack/detail/sort/sort_route.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace upsweep::pack::detail {

// Stable radix sort by CPU threads, least significant digit first.
//
//   count     every thread counts all digits of its run of the keys, in one read
//   scan      the calling thread turns the first digit's counts, in the order (digit, thread), into addresses
//   scatter   every thread sends its run to where the digits go, through a cache line per digit (digit_lines.hpp)
//
// and for each further digit, counted again, as the runs hold other keys now. A digit that all keys share is skipped.
// One thread does not count again. The result of a stable sort is one, so it depends on no number of threads.
// Work to threads: one run of consecutive elements each, the same in each launch. Runs taken by ticket were as fast
// with two threads (2^15 / 2^16 / 2^18 keys, best of 30 processes on an EPYC, 2026-11-27: 346 / 653 / 2627 us as here,
// 342 / 651 / 2817), but then a run may lie in the cache of another core, which made scans of 2^19 int32 twice as slow
// (cpu_tuning.hpp).
// Shared state: the counts, written by one launch and read behind it. Temporary memory: a copy of keys and values, and
// the counts.

/// Measured on a core of a Xeon (Sapphire Rapids, 2 MB L2), 2026-11-21, random 32-bit keys alone and with
/// 32-bit values, us:
///
///   keys                2^6     2^7    2^16    2^18    2^19    2^20    2^21    2^22    2^24
///   inserted            0.8     2.5
///   stored at once      1.7     1.9     510    2504    5826   12199   48188   97896  438887
///   by lines            3.5     4.5     699    2891    6118   12885   40890   85719  378053
///   and streamed        3.5     4.3     725    2935    5888   11944   23939   47899  192622
///   with values:
///   stored at once                      824           10048   32207   76673  154232  896788
///   by lines                            828            8124   22887   57400  117468  744896
///   and streamed                       1359           10911   21741   44495   88592  538390
///
/// Two threads, ms, medians of 5, ours / std::sort / par_unseq over TBB: uint32 2^24 137 / 1545 / 1003, 2^20 7.6 / 81 /
/// 49, 2^16 0.43 / 4.2 / 2.6; float 2^24 144 / 1708 / 1055; uint64 2^24 350 / 1612 / 991; double 2^22 91 / 399 / 241.
struct sort_cpu_tuning {
  /// Keys up to which they are inserted one by one, in place.
  static constexpr std::size_t insertion = 80;
  /// Fewer keys are not worth a thread.
  static constexpr std::size_t keys_per_thread = 8 * 1024;
  /// What a thread takes to count and move a key by a digit, at the least: worth a launch for the counts and one for
  /// the moves, if these pay.
  static constexpr double least_nanoseconds = 2.5;
  /// Bytes of keys, or of keys and values, up to which scattered stores stay in the L2 cache and need no lines.
  static constexpr std::size_t direct_bytes = 1024 * 1024;
  static constexpr std::size_t direct_bytes_with_values = 512 * 1024;
  /// The same from which full lines go past the caches.
  static constexpr std::size_t streamed_bytes = 8 * 1024 * 1024;
  /// Values of a digit, up to these bytes and behind them, up to which scattered stores go to so few places that they
  /// need no lines. Same machine, 2026-11-23, digits of 5 bits, by lines / stored at once, ns a key: uint64 3.6 / 2.2
  /// (2^20), uint32 2.4 / 1.6 (2^20), 3.3 / 5.1 (2^22, with values); of 3 bits there 3.3 / 2.6.
  static constexpr unsigned few_digits = 64, few_digits_of_many = 16;
};

/// Counts of digits that one thread makes.
struct digit_counts {
  std::size_t of[digit_plan::largest_radix];
};

template <class ExecutionSpace, class Key, class Value, class Tuning = sort_cpu_tuning>
class cpu_sort {
  static constexpr int radix = digit_plan::largest_radix;
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;

 public:
  using arrays = sort_arrays<Key, Value>;
  using route = sort_route<Key, Value>;

  /// Sorts in place.
  static void run(ExecutionSpace const& space, arrays const& data, std::size_t n, key_order<Key> order,
                  digit_plan const& digits, workspace& memory, char const* function, std::string_view caller) {
    run_route(space, {data, data}, n, order, digits, memory, function, caller);
  }

  static void run_route(ExecutionSpace const& space, route const& way, std::size_t n, key_order<Key> order,
                        digit_plan const& digits, workspace& memory, char const* function, std::string_view caller) {
    cpu_sort(space, way, n, order, digits, function, caller).run(memory);
  }
  /// run_route in two steps.
  cpu_sort(ExecutionSpace const& space, route const& way, std::size_t n, key_order<Key> order, digit_plan const& digits,
           char const* function, std::string_view caller)
      : space_(space),
        route_(way),
        n_(n),
        order_(order),
        digits_(digits),
        function_(function),
        caller_(caller),
        threads_(paying_threads(space, n, digits)) {}

  void run(workspace& memory) {
    if (n_ <= Tuning::insertion) {
      compat::run_on_this_thread(
          space_, [&] { return internal::label(function_, "insert", caller_); }, [&] { insert(); });
      return;
    }
    internal::byte_layout layout;
    std::size_t const counts = layout.add<digit_counts>(count_rows(space_, n_, digits_));
    other_arrays<Key, Value> const other(layout, route_, n_);
    std::byte* const base = internal::access::reserve(memory, space_, layout.bytes());
    counts_ = reinterpret_cast<digit_counts*>(base + counts);
    other.place(base, route_);

    on_threads("count_digits", [&](std::size_t thread) { count_digits(thread); });
    // As yet the counts are those of all passes. Threads have other keys later, but the sum over threads stays.
    std::uint32_t moving = 0;
    for (int pass = 0; pass < digits_.passes; ++pass) moving |= is_shared_by_all(pass) ? 0u : 1u << pass;
    int const moves = std::popcount(moving);
    int move = 0;
    for (int pass = 0; pass < digits_.passes; ++pass) {
      if ((moving >> pass & 1u) == 0) continue;
      arrays const from = route_.from(move, moves), to = route_.to(move, moves);
      auto const digit = digit_of(pass);
      if (move > 0 && threads_ > 1)
        on_threads("count", [&](std::size_t thread) { count(thread, pass, digit, from.keys); });
      addresses(pass);
      on_threads("scatter", [&](std::size_t thread) {
        scatter(begin_of(thread), begin_of(thread + 1), from, to, digit, row(thread, pass).of);
      });
      ++move;
    }
    arrays const end = route_.from(moves, moves);
    if (end.keys != route_.result.keys)
      on_threads("copy", [&](std::size_t thread) { copy(begin_of(thread), begin_of(thread + 1), end, route_.result); });
  }

  /// Bytes at the beginning of the workspace that run_route takes where the route has its other arrays.
  static std::size_t own_bytes(ExecutionSpace const& space, std::size_t n, digit_plan const& digits, char const*) {
    internal::byte_layout layout;
    layout.add<digit_counts>(count_rows(space, n, digits));
    return layout.bytes();
  }

 private:
  static std::size_t threads_for(ExecutionSpace const& space, std::size_t n) {
    return std::clamp<std::size_t>(n / Tuning::keys_per_thread, 1,
                                   static_cast<std::size_t>(compat::concurrency(space)));
  }

  /// Those that there is memory for; fewer may work.
  static std::size_t count_rows(ExecutionSpace const& space, std::size_t n, digit_plan const& digits) {
    return threads_for(space, n) * static_cast<std::size_t>(digits.passes);
  }
  static std::size_t paying_threads(ExecutionSpace const& space, std::size_t n, digit_plan const& digits) {
    std::size_t const most = threads_for(space, n);
    if (most == 1) return 1;
    double const alone = Tuning::least_nanoseconds * digits.passes * static_cast<double>(n);
    return internal::pays_to_share(space, alone, 2 * digits.passes) ? most : 1;
  }

  template <class Work>
  void on_threads(std::string_view part, Work const& work) {
    internal::fork_on_cpu(
        space_, [&] { return internal::label(function_, part, caller_); }, threads_,
        [&](int thread) { work(static_cast<std::size_t>(thread)); });
  }

  std::size_t begin_of(std::size_t thread) const {
    std::size_t const each = n_ / threads_, more = n_ % threads_;
    return thread * each + std::min(thread, more);
  }
  digit_counts& row(std::size_t thread, int pass) const {
    return counts_[thread * static_cast<std::size_t>(digits_.passes) + static_cast<std::size_t>(pass)];
  }
  key_digit<Key> digit_of(int pass) const { return {order_, digits_.shift(pass), digits_.mask(pass)}; }

  void count_digits(std::size_t thread) const {
    Key const* const keys = route_.source.keys;
    if (digits_.passes == 1) return count(thread, 0, digit_of(0), keys);
    digit_counts* const rows = &row(thread, 0);
    std::fill_n(rows->of, static_cast<std::size_t>(digits_.passes) * radix, std::size_t(0));
    // Whole keys are the common case: their digits are counted by a loop of constant length, which compilers unroll.
    constexpr int all = static_cast<int>(sizeof(Key));
    bool const whole = digits_.first == 0 && digits_.last == 8 * all;
    std::size_t const end = begin_of(thread + 1);
    for (std::size_t i = begin_of(thread); i < end; ++i) {
      auto const bits = order_(keys[i]);
      if (whole) {
        for (int pass = 0; pass < all; ++pass) ++rows[pass].of[(bits >> (8 * pass)) & 255u];
      } else {
        for (int pass = 0; pass < digits_.passes; ++pass)
          ++rows[pass].of[static_cast<unsigned>(bits >> digits_.shift(pass)) & digits_.mask(pass)];
      }
    }
  }

  void count(std::size_t thread, int pass, key_digit<Key> const digit, Key const* keys) const {
    // Two tables: equal digits in a row do not wait for each other's store.
    digit_counts even{}, odd{};
    std::size_t const end = begin_of(thread + 1);
    std::size_t i = begin_of(thread);
    for (; i + 1 < end; i += 2) {
      ++even.of[digit(keys[i])];
      ++odd.of[digit(keys[i + 1])];
    }
    if (i < end) ++even.of[digit(keys[i])];
    digit_counts& sum = row(thread, pass);
    for (int d = 0; d < radix; ++d) sum.of[d] = even.of[d] + odd.of[d];
  }

  bool is_shared_by_all(int pass) const {
    unsigned const d = digit_of(pass)(route_.source.keys[0]);
    std::size_t sum = 0;
    for (std::size_t thread = 0; thread < threads_; ++thread) sum += digit_count(thread, pass, d);
    return sum == n_;
  }
  // The counts of a pass are those of all passes until the pass begins.
  std::size_t digit_count(std::size_t thread, int pass, unsigned d) const { return row(thread, pass).of[d]; }

  void addresses(int pass) const {
    std::size_t at = 0;
    for (int d = 0; d < radix; ++d)
      for (std::size_t thread = 0; thread < threads_; ++thread) at += std::exchange(row(thread, pass).of[d], at);
  }

  void scatter(std::size_t begin, std::size_t end, arrays const from, arrays const to, key_digit<Key> const digit,
               std::size_t* next) const {
    constexpr std::size_t bytes = sizeof(Key) + (has_values ? sizeof(Value) : 0);
    constexpr std::size_t direct_bytes = has_values ? Tuning::direct_bytes_with_values : Tuning::direct_bytes;
    unsigned const few = n_ * bytes < Tuning::streamed_bytes ? Tuning::few_digits : Tuning::few_digits_of_many;
    if (n_ * bytes > direct_bytes && digit.mask >= few)
      return scatter_by_lines(begin, end, from, to, digit, next, n_ * bytes >= Tuning::streamed_bytes);
    for (std::size_t i = begin; i < end; ++i) {
      Key const key = from.keys[i];
      std::size_t const at = next[digit(key)]++;
      to.keys[at] = key;
      if constexpr (has_values) to.values[at] = from.values[i];
    }
  }

  static void copy(std::size_t begin, std::size_t end, arrays const& from, arrays const& to) {
    std::copy(from.keys + begin, from.keys + end, to.keys + begin);
    if constexpr (has_values) std::copy(from.values + begin, from.values + end, to.values + begin);
  }

  void insert() const {
    arrays const& data = route_.result;
    if (!route_.is_in_place()) copy(0, n_, route_.source, data);
    key_word<Key> const mask = static_cast<key_word<Key>>(range_mask());
    for (std::size_t i = 1; i < n_; ++i) {
      Key const key = data.keys[i];
      auto const bits = order_(key) & mask;
      std::size_t at = i;
      while (at > 0 && (order_(data.keys[at - 1]) & mask) > bits) --at;
      if (at == i) continue;
      std::copy_backward(data.keys + at, data.keys + i, data.keys + i + 1);
      data.keys[at] = key;
      if constexpr (has_values) {
        Value const value = data.values[i];
        std::copy_backward(data.values + at, data.values + i, data.values + i + 1);
        data.values[at] = value;
      }
    }
  }
  std::uint64_t range_mask() const {
    int const width = digits_.last - digits_.first;
    return (width == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << width) - 1) << digits_.first;
  }

  ExecutionSpace space_;
  route route_;
  std::size_t n_;
  key_order<Key> order_;
  digit_plan digits_;
  char const* function_;
  std::string_view caller_;
  std::size_t threads_;
  digit_counts* counts_ = nullptr;
};

}  // namespace upsweep::pack::detail

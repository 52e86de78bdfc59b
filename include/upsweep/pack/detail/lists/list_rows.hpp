// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/cpu_fork.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/monoids/saturating_plus.hpp>
#include <upsweep/pack/detail/lists/row_errors.hpp>
#include <upsweep/pack/emitter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::pack::detail {

/// The user's functor and what it fills, for code that is compiled without them (kept_lists.hpp). It refers to `rows`.
struct list_rows_calls {
  void const* rows;
  std::size_t (*put)(void const* rows, std::size_t first, std::size_t last, std::byte* slot, std::size_t room,
                     std::size_t at);
  void (*put_again)(void const* rows, std::size_t first, std::size_t last, std::size_t end);
  internal::known_cost* cost;  ///< of a row
  std::size_t* offsets;        ///< one more than rows
  std::byte* values;
  std::size_t room;  ///< records that `values` has room for
  std::size_t record_bytes;
  bool are_bytes;  ///< whether records can be copied as bytes
};

/// Rows of a list on a CPU thread, one after the other.
template <class T, class Functor>
struct list_rows {
  Functor const& functor;
  std::size_t* offsets;
  T* values;
  std::size_t room;
  internal::error_word errors;
  std::size_t row_bound;

  /// Rows first ... last - 1, with `at` records before them: their offsets, and their records one behind the other from
  /// `slot` on, `most` of them. Returns at + all their records; sums saturate.
  std::size_t put(std::size_t first, std::size_t last, T* slot, std::size_t most, std::size_t at) const {
    auto const call = *this;  // what is stored may lie anywhere, but not in this
    std::size_t const begin = at;
    std::size_t longest = 0;
    for (std::size_t i = first; i < last; ++i) {
      call.offsets[i] = at;
      std::size_t const own = at - begin;
      emitter<T> const emit = own < most ? emitter<T>(slot + own, most - own) : emitter<T>();
      call.functor(i, emit);
      if (emit.code() != 0) call.errors.report(i, emit.code());
      longest = std::max(longest, emit.count());
      at = internal::saturating_plus{}(at, emit.count());
    }
    // Behind the loop: compared and reported row by row, rows of 0 to 7 take 1.35 times as long.
    for (std::size_t i = first; longest > row_bound && i < last; ++i)
      report_row(errors, static_cast<std::int64_t>(i), 0, (i + 1 < last ? offsets[i + 1] : at) - offsets[i], row_bound);
    return at;
  }
  /// Rows whose offsets are known, and that of the row behind them is `end`, into their slots: a second call.
  void put_again(std::size_t first, std::size_t last, std::size_t end) const {
    for (std::size_t i = first; i < last; ++i) {
      std::size_t const begin = offsets[i], count = (i + 1 < last ? offsets[i + 1] : end) - begin;
      if (begin >= room) return;
      emitter<T> const emit(values + begin, std::min(count, room - begin));
      functor(i, emit);
      if (!report_row(errors, static_cast<std::int64_t>(i), emit.code(), emit.count(), no_bound) &&
          emit.count() != count)
        errors.report(behind_failures + i, count_mismatch_code);
    }
  }

  list_rows_calls calls() const {
    return {
        this,
        [](void const* rows, std::size_t first, std::size_t last, std::byte* slot, std::size_t most, std::size_t at) {
          return static_cast<list_rows const*>(rows)->put(first, last, reinterpret_cast<T*>(slot), most, at);
        },
        [](void const* rows, std::size_t first, std::size_t last, std::size_t end) {
          static_cast<list_rows const*>(rows)->put_again(first, last, end);
        },
        &cost,
        offsets,
        reinterpret_cast<std::byte*>(values),
        room,
        sizeof(T),
        std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t)};
  }

 private:
  static inline internal::known_cost cost;
};

}  // namespace upsweep::pack::detail

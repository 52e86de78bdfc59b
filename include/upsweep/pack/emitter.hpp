// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep {

/// What a functor calls to hand over a record: `emit(record)`. In the first pass it has no storage and only counts, in
/// the second it writes into the row's slot; one type serves both, so that one functor does.
/// A row never writes outside its slot: records beyond its capacity are counted, not stored.
template <class T>
class emitter {
 public:
  emitter() = default;
  KOKKOS_FUNCTION emitter(T* slot, std::size_t capacity) : slot_(slot), capacity_(capacity) {}

  KOKKOS_FORCEINLINE_FUNCTION void operator()(T const& record) const {
    if (count_ < capacity_) slot_[count_] = record;
    ++count_;
  }

  /// Whether this is a pass in which records are only counted: a functor that can count faster than it can make its
  /// records says `if (emit.counts_only()) return emit.add(n);`.
  KOKKOS_FUNCTION bool counts_only() const { return slot_ == nullptr; }

  /// Counts n records at once. Pre: counts_only().
  KOKKOS_FUNCTION void add(std::size_t n) const { count_ += n; }

  /// Reports that this item cannot be packed: the call throws user_failure_error with the code (1 to 65531) of the
  /// first such row; codes outside that range arrive as 65531.
  KOKKOS_FUNCTION void fail(int code) const {
    code_ = static_cast<std::uint16_t>(code >= 1 && code <= largest_code ? code : largest_code);
  }

  KOKKOS_FUNCTION std::size_t count() const { return count_; }
  KOKKOS_FUNCTION std::uint16_t code() const { return code_; }

  static constexpr int largest_code = 65531;

 private:
  T* slot_ = nullptr;
  std::size_t capacity_ = 0;
  mutable std::size_t count_ = 0;
  mutable std::uint16_t code_ = 0;
};

}  // namespace upsweep

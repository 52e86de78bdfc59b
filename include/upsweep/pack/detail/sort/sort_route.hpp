// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/sort/key_order.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep::pack::detail {

/// The arrays that a radix sort moves its elements through. Its first move reads `source`. Moves store to `result` and
/// `other` in turn, so that the last one stores to the result. The sort is in place where the source is the result.
/// Then the first move has to store to `other`, so an odd number of moves ends there, and a copy is left to do. Out of
/// place the source is only read, and a copy is left to do where nothing moves.
template <class Key, class Value>
struct sort_route {
  using arrays = sort_arrays<Key, Value>;
  arrays source;
  arrays result;
  arrays other{};  ///< null: an engine takes it from its workspace

  KOKKOS_FUNCTION bool is_in_place() const { return source.keys == result.keys; }
  /// Where move number `move` of `moves` stores.
  KOKKOS_FUNCTION arrays to(int move, int moves) const {
    bool const begins_with_result = moves % 2 != 0 && !is_in_place();
    return (move % 2 == 0) == begins_with_result ? result : other;
  }
  /// Where it reads; for move number `moves`, where elements are after all moves.
  KOKKOS_FUNCTION arrays from(int move, int moves) const { return move == 0 ? source : to(move - 1, moves); }

  /// Copies element i to the result, if it is not there after all moves.
  KOKKOS_FUNCTION void finish(std::size_t i, int moves) const {
    arrays const end = from(moves, moves);
    if (end.keys == result.keys) return;
    result.keys[i] = end.keys[i];
    if constexpr (!std::is_same_v<Value, no_value>) result.values[i] = end.values[i];
  }
};

/// Memory of a workspace for the other arrays of a route that has none.
template <class Key, class Value>
class other_arrays {
 public:
  other_arrays(internal::byte_layout& layout, sort_route<Key, Value> const& route, std::size_t n) {
    if (route.other.keys != nullptr) return;
    is_needed_ = true;
    keys_at_ = layout.add<Key>(n);
    if constexpr (has_values) values_at_ = layout.add<Value>(n);
  }
  void place(std::byte* base, sort_route<Key, Value>& route) const {
    if (!is_needed_) return;
    route.other.keys = reinterpret_cast<Key*>(base + keys_at_);
    if constexpr (has_values) route.other.values = reinterpret_cast<Value*>(base + values_at_);
  }

 private:
  static constexpr bool has_values = !std::is_same_v<Value, no_value>;
  bool is_needed_ = false;
  std::size_t keys_at_ = 0, values_at_ = 0;
};

}  // namespace upsweep::pack::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Sorts out of place, with guards around all arrays and behind what a sort may take of its workspace.

#include "guarded.hpp"
#include "sort.hpp"

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/internal/sort_copy.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <type_traits>
#include <vector>

namespace sorted {

/// sort(source, result, other, memory) sorts out of place, with `own_bytes` of the workspace. Value is no_value for
/// keys alone.
template <class Value, class Key, class Sort>
void expect_copied(std::vector<Key> const& keys, std::vector<std::size_t> const& order, std::size_t own_bytes,
                   Sort const& sort) {
  using oracle::space;
  constexpr bool has_values = !std::is_same_v<Value, upsweep::pack::detail::no_value>;
  using value = std::conditional_t<has_values, Value, char>;
  using arrays = upsweep::internal::sort_arrays<Key, Value>;
  std::size_t const n = keys.size();
  std::vector<value> values(has_values ? n : 0);
  std::iota(values.begin(), values.end(), value(0));
  std::vector<guarded<Key>> const k{guarded(keys), guarded(std::vector<Key>(n)), guarded(std::vector<Key>(n))};
  std::vector<guarded<value>> const v{guarded(values), guarded(std::vector<value>(values.size())),
                                      guarded(std::vector<value>(values.size()))};
  auto const arrays_of = [&](std::size_t which) {
    if constexpr (has_values) return arrays{k[which].data(), v[which].data()};
    else return arrays{k[which].data(), nullptr};
  };

  upsweep::workspace memory{space{}};
  std::size_t const guard = 256;
  std::byte* const base = upsweep::internal::access::reserve(memory, space{}, own_bytes + guard);
  Kokkos::View<unsigned char*, oracle::memory, Kokkos::MemoryUnmanaged> const behind(
      reinterpret_cast<unsigned char*>(base + own_bytes), guard);
  oracle::fill(behind, static_cast<unsigned char>(0x5a));
  sort(arrays_of(0), arrays_of(1), arrays_of(2), memory);
  space{}.fence();

  EXPECT_TRUE(same_bits(k[1].content(), permuted(keys, order))) << n;
  EXPECT_TRUE(same_bits(k[0].content(), keys)) << n;
  if constexpr (has_values) {
    EXPECT_EQ(v[1].content(), permuted(values, order)) << n;
    EXPECT_EQ(v[0].content(), values) << n;
  }
  for (auto const& array : k) EXPECT_TRUE(array.are_guards_whole()) << n;
  for (auto const& array : v) EXPECT_TRUE(array.are_guards_whole()) << n;
  ASSERT_EQ(upsweep::internal::access::reserve(memory, space{}, own_bytes + guard), base) << n;
  EXPECT_EQ(oracle::to_host(behind), std::vector<unsigned char>(guard, 0x5a)) << n;
}

}  // namespace sorted

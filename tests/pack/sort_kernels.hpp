// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What the tests of the kernels of sorts share: those of one sort, called directly.

#include "sort_copies.hpp"

#include <upsweep/pack/sort.hpp>

#include <numeric>
#include <vector>

namespace sorted {

/// Both::run sorts keys with values, Alone::run keys without, in place; run_route out of place.
template <class Value, class Both, class Alone, class Key>
void expect_sorted(std::vector<Key> const& keys, bool descending, int first, int last) {
  using oracle::space;
  std::vector<Value> values(keys.size());
  std::iota(values.begin(), values.end(), Value(0));
  auto const device_keys = oracle::to_device(keys), only_keys = oracle::to_device(keys);
  auto const device_values = oracle::to_device(values);
  using word = upsweep::pack::detail::key_word<Key>;
  upsweep::pack::detail::key_order<Key> const order{descending ? static_cast<word>(~word(0)) : word(0)};
  auto const digits = upsweep::pack::detail::digit_plan::of(first, last);
  upsweep::workspace ws{space{}};
  Both::run(space{}, {device_keys.data(), device_values.data()}, keys.size(), order, digits, ws, "sort", "test");
  Alone::run(space{}, {only_keys.data(), nullptr}, keys.size(), order, digits, ws, "sort", "test");
  auto const expected = order_of(keys, descending, first, last);
  EXPECT_TRUE(same_bits(oracle::to_host(device_keys), permuted(keys, expected))) << keys.size();
  EXPECT_TRUE(same_bits(oracle::to_host(only_keys), permuted(keys, expected))) << keys.size();
  EXPECT_EQ(oracle::to_host(device_values), permuted(values, expected)) << keys.size();
  auto const copies = [&]<class Engine, class V>(Engine*, V*) {
    expect_copied<V>(keys, expected, Engine::own_bytes(space{}, keys.size(), digits, "sort"),
                     [&](auto const& source, auto const& result, auto const& other, upsweep::workspace& memory) {
                       Engine::run_route(space{}, {source, result, other}, keys.size(), order, digits, memory, "sort",
                                         "test");
                     });
  };
  copies(static_cast<Both*>(nullptr), static_cast<Value*>(nullptr));
  copies(static_cast<Alone*>(nullptr), static_cast<upsweep::pack::detail::no_value*>(nullptr));
}

}  // namespace sorted

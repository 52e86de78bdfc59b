// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Sorts of every type of keys, by all bits or a range of them.

#include "array.hpp"
#include "operations.hpp"

#include <upsweep/pack/sort.hpp>

#include <algorithm>
#include <bit>
#include <climits>
#include <cstring>
#include <numeric>

namespace differential {
namespace {

template <class Key>
using bits_of = upsweep::pack::detail::key_word<Key>;

/// The key as an unsigned number of the same order.
template <class Key>
bits_of<Key> ordered_bits(Key key) {
  using bits = bits_of<Key>;
  constexpr bits sign = bits(bits(1) << (sizeof(Key) * CHAR_BIT - 1));
  auto const b = std::bit_cast<bits>(key);
  if constexpr (std::is_floating_point_v<Key>) return b & sign ? bits(~b) : bits(b | sign);
  else return std::is_signed_v<Key> ? bits(b ^ sign) : b;
}

/// Random bits, of which some keys share all but a few, so that keys repeat and digits are shared.
template <class Key>
std::vector<Key> keys_of(trial& t, std::size_t n) {
  using bits = bits_of<Key>;
  bits const varying = t.one_in(2) ? bits(~bits(0)) : bits(t.random()() & t.random()());
  bits const fixed = bits(t.random()());
  std::vector<Key> keys(n);
  for (auto& k : keys) k = std::bit_cast<Key>(bits((t.random()() & varying) | (fixed & ~varying)));
  return keys;
}

template <class Key, class Value>
void sort(trial& t) {
  constexpr int all = sizeof(Key) * CHAR_BIT;
  auto const n = t.size(std::size_t(1) << 20);
  upsweep::sort_options options{.workspace = t.workspace()};
  bool const descending = t.one_in(2), part = t.one_in(2);
  if (descending) options.order = upsweep::sort_order::descending;
  if (part) {
    options.first_bit = t.between(0, all);
    options.last_bit = t.one_in(3) ? all : t.between(options.first_bit, all);
  }
  int const first = options.first_bit, last = part ? options.last_bit : all;
  t.note("descending", descending);
  t.note("first_bit", first);
  t.note("last_bit", last);
  auto const keys = keys_of<Key>(t, n);
  auto const digits = [&](Key k) {
    auto const b = std::uint64_t(ordered_bits(k)) >> (first < 64 ? first : 63) >> (first < 64 ? 0 : 1);
    return last - first >= 64 ? b : b & ((std::uint64_t(1) << (last - first)) - 1);
  };
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return descending ? digits(keys[a]) > digits(keys[b]) : digits(keys[a]) < digits(keys[b]);
  });
  std::vector<Key> expected(n);
  for (std::size_t i = 0; i < n; ++i) expected[i] = keys[order[i]];
  bool const strided = t.one_in(6);
  array_maker const make{t, strided};
  auto in = make(keys);
  if constexpr (std::is_void_v<Value>) {
    if (strided) upsweep::sort(t.space(), in.strided(), options);
    else upsweep::sort(t.space(), in.contiguous(), options);
  } else {
    std::vector<Value> values(n), moved(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<Value>(i);
    for (std::size_t i = 0; i < n; ++i) moved[i] = values[order[i]];
    auto with = make(values);
    if (strided) upsweep::sort_by_key(t.space(), in.strided(), with.strided(), options);
    else upsweep::sort_by_key(t.space(), in.contiguous(), with.contiguous(), options);
    t.space().fence();
    with.expect(moved, "the values");
  }
  t.space().fence();
  in.expect(expected, "the keys");
}

}  // namespace

std::vector<operation> sorts() {
  return {{"sort_int8", sort<std::int8_t, void>},
          {"sort_uint16", sort<std::uint16_t, void>},
          {"sort_int32", sort<std::int32_t, void>},
          {"sort_double", sort<double, void>},
          {"sort_by_key_uint32", sort<std::uint32_t, std::uint32_t>},
          {"sort_by_key_float", sort<float, double>},
          {"sort_by_key_int64", sort<std::int64_t, std::int16_t>}};
}

}  // namespace differential

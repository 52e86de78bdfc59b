// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The sort out of place that other layers call, on the default space. tests/pack/sort_single_pass.cpp and
// sort_teams.cpp have that of the engines of GPUs.

#include "sort_copies.hpp"

#include <utility>
#include <vector>

namespace {

using oracle::space;
using sorted::pattern;
using upsweep::sort_options;
using upsweep::sort_order;
using upsweep::pack::detail::no_value;

template <class Value, class Key>
void check_with(std::vector<Key> const& keys, sort_options options) {
  std::size_t const n = keys.size();
  int const last = options.last_bit == sort_options::all_bits ? 64 : options.last_bit;
  auto const order = sorted::order_of(keys, options.order == sort_order::descending, options.first_bit, last);
  sorted::expect_copied<Value>(
      keys, order, upsweep::internal::sort_copy_bytes<Key, Value>(space{}, n, options),
      [&](auto const& source, auto const& result, auto const& other, upsweep::workspace& memory) {
        options.workspace = &memory;
        upsweep::internal::sort_copy(space{}, source, result, other, n, options, "sort");
      });
}
template <class Key>
void check(std::vector<Key> const& keys, sort_options const& options = {}) {
  check_with<no_value>(keys, options);
  check_with<std::uint64_t>(keys, options);
}

/// Sizes around insertion, runs of threads and tiles.
std::vector<std::size_t> const sizes{0, 1, 2, 3, 80, 81, 3841, 16383, 16385, 50021};

TEST(sort_copy, all_sizes) {
  for (std::size_t n : sizes) {
    check(sorted::make_keys<std::uint8_t>(n));
    check(sorted::make_keys<std::int16_t>(n), {.order = sort_order::descending});
    check(sorted::make_keys<float>(n));
    check(sorted::make_keys<std::int64_t>(n), {.order = sort_order::descending});
  }
}

TEST(sort_copy, any_number_of_digits_that_differ) {
  for (unsigned digits = 0; digits < 16; ++digits)
    for (std::size_t n : {std::size_t(60), std::size_t(5000), std::size_t(40001)}) {
      std::uint32_t mask = 0;
      for (int d = 0; d < 4; ++d) mask |= (digits >> d & 1u) != 0 ? 0xffu << 8 * d : 0u;
      auto keys = sorted::make_keys<std::uint32_t>(n);
      for (auto& key : keys) key = (key & mask) | (0x12345678u & ~mask);
      check(keys);
    }
}

TEST(sort_copy, ranges_of_bits) {
  std::vector<std::pair<int, int>> const ranges{{0, 1}, {3, 12}, {7, 32}, {31, 32}, {5, 5}, {0, 0}, {32, 32}};
  for (std::size_t n : {std::size_t(1), std::size_t(30), std::size_t(40001)}) {
    auto const keys = sorted::make_keys<std::uint32_t>(n);
    for (auto [first, last] : ranges) check(keys, {.first_bit = first, .last_bit = last});
  }
}

}  // namespace

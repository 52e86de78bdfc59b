// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// String comparison: the order of two strings is that of the first characters that differ, which a reduction finds.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/scan/segmented_reduce.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// -1, 0 or 1 for less, equal or greater: the left piece decides, unless it is equal. Not commutative.
struct first_difference {
  using value_type = int;
  KOKKOS_FUNCTION int identity() const { return 0; }
  KOKKOS_FUNCTION int operator()(int left, int right) const { return left != 0 ? left : right; }
};

using pairs = std::vector<std::pair<std::string, std::string>>;

/// All pairs at once: their characters lie one behind the other, and a pair is a segment. The shorter of two strings is
/// padded with a character that is less than all others.
std::vector<int> compare(pairs const& all) {
  Kokkos::DefaultExecutionSpace const space;
  std::vector<unsigned char> first, second;
  std::vector<int> starts{0};
  for (auto const& [a, b] : all) {
    std::size_t const end = first.size() + std::max(a.size(), b.size());
    first.insert(first.end(), a.begin(), a.end());
    first.resize(end);
    second.insert(second.end(), b.begin(), b.end());
    second.resize(end);
    starts.push_back(static_cast<int>(end));
  }
  auto const left = example::to_device(first);
  auto const right = example::to_device(second);
  Kokkos::View<int*> const order("order", all.size());
  upsweep::segmented_reduce(
      space, first.size(), KOKKOS_LAMBDA(std::size_t i) { return (left(i) > right(i)) - (left(i) < right(i)); },
      upsweep::segment_offsets{example::to_device(starts)}, order, first_difference{});
  return upsweep::to_host(space, order);
}

std::vector<int> serial_compare(pairs const& all) {
  std::vector<int> order;
  for (auto const& [a, b] : all) order.push_back((a > b) - (a < b));
  return order;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);

  pairs const words{{"scan", "scan"}, {"scan", "sum"}, {"prefix sum", "prefix"}, {"reduce", "reduction"}, {"", ""}};
  auto const found = compare(words);
  for (std::size_t k = 0; k < words.size(); ++k)
    std::cout << '\'' << words[k].first << "' "
              << "<=>"[found[k] + 1] << " '" << words[k].second << "'\n";
  example::expect("order of each", found, {0, -1, 1, -1, 0});

  // 2000 pairs that begin alike and differ late, if at all.
  std::mt19937 random(1);
  pairs many;
  for (int k = 0; k < 2000; ++k) {
    std::string const same(random() % 300, 'x');
    many.emplace_back(same + "ab"[random() % 2] + "yz", same + "ab"[random() % 2] + (random() % 2 ? "y" : "yz"));
  }
  example::confirm("2000 pairs are ordered as std::string says", compare(many) == serial_compare(many));
  return example::exit_code();
}

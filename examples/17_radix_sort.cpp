// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Radix sort is just repeated partition: by the lowest bit first, each time without changing the order of equal bits.
// (upsweep::sort does it with eight bits at a time.)

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/pack/partition.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

using key = std::uint32_t;

std::vector<key> radix_sort(std::vector<key> const& given, int bits, bool shows) {
  Kokkos::DefaultExecutionSpace const space;
  auto keys = example::to_device(given);
  Kokkos::View<key*> other("other", given.size());
  for (int bit = 0; bit < bits; ++bit) {
    auto const counts = upsweep::partition(space, keys, other, KOKKOS_LAMBDA(key k) { return (k >> bit & 1) == 0; });
    std::swap(keys, other);
    if (!shows) continue;
    std::cout << "bit " << bit << " (" << counts[0] << " zeros)";
    example::print("", upsweep::to_host(space, keys));
  }
  return upsweep::to_host(space, keys);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);

  example::print("keys", std::vector<key>{4, 3, 7, 9, 2, 3});
  example::expect("sorted", radix_sort({4, 3, 7, 9, 2, 3}, 4, true), {2, 3, 3, 4, 7, 9});

  std::mt19937 random(1);
  std::vector<key> many(200'000);
  for (auto& k : many) k = static_cast<key>(random());
  auto const found = radix_sort(many, 32, false);
  std::sort(many.begin(), many.end());
  example::confirm("200,000 keys are in the order of std::sort", found == many);
  return example::exit_code();
}

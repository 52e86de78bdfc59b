// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Dropping dead particles, by a scan and by atomics: both keep the living, but only the scan keeps their order.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/scan/exclusive_scan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

struct particle {
  int id;
  float energy;  // it dies when none is left
};

/// Each living particle takes the next place from a counter. Who comes first is up to chance.
std::vector<int> living_by_atomics(Kokkos::View<particle*> const& all) {
  Kokkos::DefaultExecutionSpace const space;
  Kokkos::View<int*> const ids("ids", all.extent(0));
  Kokkos::View<int> const counter("counter");
  Kokkos::parallel_for(
      "atomics", Kokkos::RangePolicy<>(space, 0, all.extent(0)), KOKKOS_LAMBDA(std::size_t i) {
        if (all(i).energy > 0) ids(Kokkos::atomic_fetch_inc(&counter())) = all(i).id;
      });
  int count = 0;
  Kokkos::deep_copy(count, counter);
  auto result = upsweep::to_host(space, ids);
  result.resize(count);
  return result;
}

std::vector<int> living_by_scan(Kokkos::View<particle*> const& all) {
  Kokkos::DefaultExecutionSpace const space;
  Kokkos::View<particle*> const living("living", all.extent(0));
  auto const count = upsweep::compact(space, all, living, KOKKOS_LAMBDA(particle const& p) { return p.energy > 0; });
  std::vector<int> ids;
  for (auto const& p : upsweep::to_host(space, living)) ids.push_back(p.id);
  ids.resize(count);
  return ids;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Kokkos::DefaultExecutionSpace const space;

  // The example of the article: A to E, of which B and E go.
  auto const letters = example::to_device<char>({'A', 'B', 'C', 'D', 'E'});
  auto const flags = example::to_device<int>({1, 0, 1, 1, 0});
  Kokkos::View<int*> const places("places", 5);
  upsweep::exclusive_scan(space, flags, places);
  example::expect("scan of the flags", upsweep::to_host(space, places), {0, 1, 1, 2, 3});
  Kokkos::View<char*> const kept("kept", 5);
  auto const count = upsweep::compact(space, letters, upsweep::flagged{flags}, kept);
  auto first = upsweep::to_host(space, kept);
  first.resize(count);
  example::expect("kept", first, {'A', 'C', 'D'});

  // A million particles, of which a third is dead.
  std::size_t const n = 1'000'000;
  Kokkos::View<particle*> const all("all", n);
  Kokkos::parallel_for(
      "particles", Kokkos::RangePolicy<>(space, 0, n),
      KOKKOS_LAMBDA(std::size_t i) { all(i) = {static_cast<int>(i), static_cast<float>(i * 2654435761u % 3)}; });
  std::vector<int> expected;
  for (std::size_t i = 0; i < n; ++i)
    if (i * 2654435761u % 3 > 0) expected.push_back(static_cast<int>(i));
  std::cout << expected.size() << " of " << n << " particles live\n";
  example::confirm("by scan: the same particles in the same order", living_by_scan(all) == expected);
  auto by_atomics = living_by_atomics(all);
  std::sort(by_atomics.begin(), by_atomics.end());
  example::confirm("by atomics: the same particles, once sorted", by_atomics == expected);
  return example::exit_code();
}

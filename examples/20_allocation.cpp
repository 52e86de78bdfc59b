// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Allocation: everyone says how much they want, and a scan says what is theirs. A sandwich, camp slots, market space.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

using space_type = Kokkos::DefaultExecutionSpace;

/// The sandwich of the lecture: 100 inches for 10 people. Where to cut?
void cut_a_sandwich() {
  space_type const space;
  std::vector<int> const wanted{3, 5, 2, 7, 28, 4, 3, 0, 8, 1};
  Kokkos::View<int*> const cuts("cuts", wanted.size());
  int total = 0;
  upsweep::inclusive_scan(space, example::to_device(wanted), cuts, upsweep::into{total});
  example::print("inches of a sandwich", wanted);
  example::expect("cut at", upsweep::to_host(space, cuts), {3, 8, 10, 17, 45, 49, 52, 52, 60, 61});
  example::expect("inches left", 100 - total, 39);
}

/// A camp with 20 slots in a row: groups get slots side by side, in the order of their arrival, as long as there are
/// enough. Those for whom there are not are turned away.
void assign_camp_slots() {
  space_type const space;
  int const slots = 20;
  auto const wanted = example::to_device<int>({4, 3, 7, 9, 2, 3});
  Kokkos::View<int*> const first("first", wanted.extent(0)), turned_away("turned away", wanted.extent(0));
  upsweep::exclusive_scan(space, wanted, first);
  auto const count = upsweep::compact_indices(
      space, wanted.extent(0), turned_away, KOKKOS_LAMBDA(std::size_t i) { return first(i) + wanted(i) > slots; });
  example::expect("first slot of each group", upsweep::to_host(space, first), {0, 4, 7, 14, 23, 25});
  auto groups = upsweep::to_host(space, turned_away);
  groups.resize(count);
  example::expect("groups that find no room", groups, {3, 4, 5});
}

/// A market: stalls of different widths, in centimetres. Each begins at a full metre, so what is scanned is computed
/// from what is wanted.
void assign_market_space() {
  space_type const space;
  auto const widths = example::to_device<int>({250, 100, 420, 90, 300});
  Kokkos::View<int*> const metres("metres", widths.extent(0));
  int length = 0;
  upsweep::exclusive_scan(
      space, KOKKOS_LAMBDA(std::size_t i) { return (widths(i) + 99) / 100; }, metres, upsweep::into{length});
  example::expect("stalls begin at metre", upsweep::to_host(space, metres), {0, 3, 4, 9, 10});
  example::expect("metres in all", length, 13);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  cut_a_sandwich();
  assign_camp_slots();
  assign_market_space();

  // A sandwich for a million people: nobody's piece overlaps another's, and all of it is used.
  space_type const space;
  std::size_t const people = 1'000'000;
  Kokkos::View<std::int64_t*> const begins("begins", people);
  std::int64_t total = 0;
  upsweep::exclusive_scan(
      space, KOKKOS_LAMBDA(std::size_t i) { return static_cast<std::int64_t>(i % 10); }, begins, upsweep::into{total});
  auto const found = upsweep::to_host(space, begins);
  bool is_right = total == 4'500'000;
  for (std::size_t i = 0; i < people; ++i)
    is_right = is_right && found[i] + static_cast<std::int64_t>(i % 10) == (i + 1 < people ? found[i + 1] : total);
  example::confirm("the pieces of a million people lie side by side", is_right);
  return example::exit_code();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A first scan: every element becomes the sum of those before it (exclusive) or up to it (inclusive).

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Kokkos::DefaultExecutionSpace const space;

  // The numbers of the slides.
  auto const in = example::to_device<int>({4, 3, 7, 9, 2, 3});
  Kokkos::View<int*> const out("out", in.extent(0));
  example::print("input", upsweep::to_host(space, in));
  upsweep::exclusive_scan(space, in, out);
  example::expect("exclusive scan", upsweep::to_host(space, out), {0, 4, 7, 14, 23, 25});
  upsweep::inclusive_scan(space, in, out);
  example::expect("inclusive scan", upsweep::to_host(space, out), {4, 7, 14, 23, 25, 28});

  // Another operator, an initial value, and the total of all elements.
  upsweep::inclusive_scan(space, in, out, upsweep::max<>{});
  example::expect("largest so far", upsweep::to_host(space, out), {4, 4, 7, 9, 9, 9});
  int total = 0;
  upsweep::exclusive_scan(space, in, out, upsweep::into{total}, 100);
  example::expect("from 100 on", upsweep::to_host(space, out), {100, 104, 107, 114, 123, 125});
  example::expect("and with the last element", total, 128);

  // The numbers of the lecture, scanned in place, and those of the article, which a functor computes.
  auto const lecture = example::to_device<int>({3, 1, 7, 0, 4, 1, 6, 3});
  upsweep::inclusive_scan(space, lecture, lecture);
  example::expect("lecture", upsweep::to_host(space, lecture), {3, 4, 11, 11, 15, 16, 22, 25});
  Kokkos::View<int*> const article("article", 8);
  auto const one_to_eight = KOKKOS_LAMBDA(std::size_t i) { return static_cast<int>(i) + 1; };
  upsweep::inclusive_scan(space, one_to_eight, article);
  example::expect("article, inclusive", upsweep::to_host(space, article), {1, 3, 6, 10, 15, 21, 28, 36});
  upsweep::exclusive_scan(space, one_to_eight, article);
  example::expect("article, exclusive", upsweep::to_host(space, article), {0, 1, 3, 6, 10, 15, 21, 28});
  auto const tree = example::to_device<int>({2, 4, 6, 8, 1, 3, 5, 7});
  example::expect("article, reduction", upsweep::reduce(space, tree), 36);

  // The sum of the first i + 1 odd numbers is the square of i + 1.
  Kokkos::View<std::int64_t*> const sums("sums", 1'000'000);
  upsweep::inclusive_scan(space, KOKKOS_LAMBDA(std::size_t i) { return 2 * static_cast<std::int64_t>(i) + 1; }, sums);
  auto const squares = upsweep::to_host(space, sums);
  bool all_squares = true;
  for (std::size_t i = 0; i < squares.size(); ++i)
    all_squares = all_squares && squares[i] == static_cast<std::int64_t>((i + 1) * (i + 1));
  example::confirm("a million sums of odd numbers are squares", all_squares);
  return example::exit_code();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Scans of the rows of a matrix, in both layouts.

#include "operations.hpp"
#include "scan_case.hpp"

#include <upsweep/scan/batched_scan.hpp>

#include <algorithm>

namespace differential {
namespace {

template <class Layout>
void batched(trial& t) {
  std::size_t const rows = t.one_in(8) ? 0 : 1 + t.below(t.one_in(3) ? 5000 : 40);
  std::size_t const columns = t.below(rows > 0 ? std::min<std::size_t>((1 << 20) / rows, 200000) + 1 : 100);
  bool const inclusive = t.one_in(2);
  t.note("rows", rows);
  t.note("columns", columns);
  t.note("inclusive", inclusive);
  auto const choice = t.scan();
  Kokkos::View<int**, Layout, oracle::memory> const in("in", rows, columns), out("out", rows, columns);
  oracle::host_copy const host_in(in);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) host_in(r, c) = t.between(-99, 99);
  host_in.write();
  choice.with_options([&](auto const& options) {
    if (inclusive) upsweep::batched_inclusive_scan(t.space(), in, out, upsweep::plus<int>{}, options);
    else upsweep::batched_exclusive_scan(t.space(), in, out, upsweep::plus<int>{}, options);
  });
  t.space().fence();
  oracle::host_copy const host_out(out);
  for (std::size_t r = 0; r < rows; ++r) {
    int sum = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      int const next = sum + host_in(r, c);
      if (host_out(r, c) != (inclusive ? next : sum))
        throw mismatch("row " + std::to_string(r) + ", column " + std::to_string(c) + " is wrong");
      sum = next;
    }
  }
}

}  // namespace

std::vector<operation> batched_scans() {
  return {{"batched_row_major", batched<Kokkos::LayoutRight>}, {"batched_column_major", batched<Kokkos::LayoutLeft>}};
}

}  // namespace differential

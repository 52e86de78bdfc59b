// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Sparse rows expanded with balanced load: where one row has half of all entries, work is divided by entries, and every
// entry must know its row.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/pack/load_balance.hpp>
#include <upsweep/scan/segmented_reduce.hpp>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

/// A matrix in compressed rows: row r has the entries offsets(r) ... offsets(r + 1) - 1.
struct matrix {
  Kokkos::View<int*> offsets, columns;
  Kokkos::View<double*> values;
};

/// Divides every row by its sum: afterwards an entry (r, c) is the probability that a random walk goes from r to c.
void normalize_rows(matrix const& m) {
  Kokkos::DefaultExecutionSpace const space;
  std::size_t const rows = m.offsets.extent(0) - 1, entries = m.values.extent(0);
  Kokkos::View<double*> const sums("sums", rows);
  upsweep::segmented_reduce(space, m.values, upsweep::segment_offsets{m.offsets}, sums);
  Kokkos::View<int*> const row_of("row_of", entries);
  upsweep::load_balance(space, m.offsets, row_of);
  auto const values = m.values;
  Kokkos::parallel_for(
      "divide", Kokkos::RangePolicy<>(space, 0, entries),
      KOKKOS_LAMBDA(std::size_t k) { values(k) /= sums(row_of(k)); });
}

/// The product with a vector, of which segmented_reduce makes blocks of equal work, too.
std::vector<double> product(matrix const& m, Kokkos::View<double*> const& x) {
  Kokkos::DefaultExecutionSpace const space;
  Kokkos::View<double*> const y("y", m.offsets.extent(0) - 1);
  auto const columns = m.columns;
  auto const values = m.values;
  upsweep::segmented_reduce(
      space, values.extent(0), KOKKOS_LAMBDA(std::size_t k) { return values(k) * x(columns(k)); },
      upsweep::segment_offsets{m.offsets}, y);
  return upsweep::to_host(space, y);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Kokkos::DefaultExecutionSpace const space;

  // Three rows with 2, 0 and 3 entries.
  Kokkos::View<int*> const rows("rows", 5);
  upsweep::load_balance(space, example::to_device<int>({0, 2, 2, 5}), rows);
  example::expect("rows of the entries", upsweep::to_host(space, rows), {0, 0, 2, 2, 2});
  matrix const small{example::to_device<int>({0, 2, 2, 5}), example::to_device<int>({0, 1, 0, 1, 2}),
                     example::to_device<double>({1, 3, 2, 4, 2})};
  normalize_rows(small);
  example::expect("probabilities", upsweep::to_host(space, small.values), {0.25, 0.75, 0.25, 0.5, 0.25});
  example::expect("product with 4 8 12", product(small, example::to_device<double>({4, 8, 12})), {7, 0, 8});

  // A graph with a hub: node 0 knows all others, which know three nodes each.
  int const nodes = 30'000;
  std::mt19937 random(1);
  std::vector<int> offsets{0}, columns;
  std::vector<double> values, x;
  for (int r = 0; r < nodes; ++r) {
    for (int k = 0; k < (r == 0 ? nodes : 3); ++k) {
      columns.push_back(r == 0 ? k : static_cast<int>(random() % nodes));
      values.push_back(1 + static_cast<double>(random() % 9));
    }
    offsets.push_back(static_cast<int>(columns.size()));
    x.push_back(static_cast<double>(random() % 1000));
  }
  matrix const graph{example::to_device(offsets), example::to_device(columns), example::to_device(values)};
  normalize_rows(graph);
  auto const found = product(graph, example::to_device(x));
  bool is_right = true;
  for (int r = 0; r < nodes; ++r) {
    double sum = 0, weighted = 0;
    for (int k = offsets[r]; k < offsets[r + 1]; ++k) {
      sum += values[k];
      weighted += values[k] * x[columns[k]];
    }
    is_right = is_right && std::abs(found[r] - weighted / sum) <= 1e-10 * (weighted / sum);
  }
  example::confirm("the product of 30,000 rows is that of two loops", is_right);
  return example::exit_code();
}

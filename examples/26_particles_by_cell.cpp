// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Particles that are stored by cell: positions, velocities and ids in the order of one key, again after every step, in
// memory that is taken once.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/permute.hpp>
#include <upsweep/pack/sort_permutation.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

constexpr int cells_per_edge = 8;

struct particles {
  Kokkos::View<double* [3]> positions, velocities;  // in the unit cube
  Kokkos::View<int*> ids;

  explicit particles(std::size_t n) : positions("positions", n), velocities("velocities", n), ids("ids", n) {}
};

/// The cell of a particle, which needs no memory: the sort reads what the functor returns.
struct cell_of {
  Kokkos::View<double const* [3]> positions;

  KOKKOS_FUNCTION int operator()(std::size_t i) const {
    int cell = 0;
    for (int d = 2; d >= 0; --d) cell = cell * cells_per_edge + static_cast<int>(positions(i, d) * cells_per_edge);
    return cell;
  }
};

/// Puts particles of one cell side by side. Particles of a cell stay in their order, since the sort is stable.
class cell_order {
 public:
  explicit cell_order(std::size_t n) : order_("order", n) {}

  void apply(particles const& p) {
    upsweep::sort_permutation(space_, order_.extent(0), cell_of{p.positions}, order_, {.workspace = &workspace_});
    upsweep::permute_in_place(space_, order_, p.positions, {.workspace = &workspace_});
    upsweep::permute_in_place(space_, order_, p.velocities, {.workspace = &workspace_});
    upsweep::permute_in_place(space_, order_, p.ids, {.workspace = &workspace_});
  }
  std::size_t bytes() const { return workspace_.size_bytes(); }

 private:
  Kokkos::DefaultExecutionSpace space_;
  upsweep::workspace workspace_{space_};
  Kokkos::View<int*> order_;
};

/// A number from 0 to below 1 that depends on its arguments alone.
KOKKOS_FUNCTION double scattered(std::uint32_t id, std::uint32_t which) {
  std::uint32_t x = (id * 8u + which) * 2654435761u;
  x = (x ^ x >> 15) * 2246822519u;
  return (x ^ x >> 13) / 4294967296.0;
}

void make(particles const& p) {
  Kokkos::parallel_for(
      "make", p.ids.extent(0), KOKKOS_LAMBDA(int i) {
        p.ids(i) = i;
        for (int d = 0; d < 3; ++d) {
          p.positions(i, d) = scattered(i, d);
          p.velocities(i, d) = scattered(i, d + 3) - 0.5;
        }
      });
}

void move(particles const& p, double time) {
  Kokkos::parallel_for(
      "move", p.ids.extent(0), KOKKOS_LAMBDA(int i) {
        for (int d = 0; d < 3; ++d) {
          double const x = p.positions(i, d) + time * p.velocities(i, d);
          p.positions(i, d) = x - Kokkos::floor(x);
        }
      });
}

/// Whether cells ascend, and every velocity is still that of the particle's id.
bool is_in_order(particles const& p) {
  cell_of const cell{p.positions};
  int wrong = 0;
  Kokkos::parallel_reduce(
      "check", p.ids.extent(0),
      KOKKOS_LAMBDA(int i, int& sum) {
        if (i > 0 && cell(i - 1) > cell(i)) ++sum;
        for (int d = 0; d < 3; ++d)
          if (p.velocities(i, d) != scattered(p.ids(i), d + 3) - 0.5) ++sum;
      },
      wrong);
  return wrong == 0;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Kokkos::DefaultExecutionSpace const space;

  // What the permutation is: element 1 comes first, then 3, 4, 2 and 0.
  auto const keys = example::to_device<int>({50, 10, 40, 20, 30});
  auto const letters = example::to_device<char>({'e', 'a', 'd', 'b', 'c'});
  Kokkos::View<int*> const order("order", 5);
  upsweep::sort_permutation(space, keys, order);
  example::expect("order", upsweep::to_host(space, order), {1, 3, 4, 2, 0});
  upsweep::permute_in_place(space, order, letters);
  example::expect("letters in order", upsweep::to_host(space, letters), {'a', 'b', 'c', 'd', 'e'});

  std::size_t const n = 100'000;
  particles const p(n);
  make(p);
  example::confirm("particles are scattered at first", !is_in_order(p));
  cell_order by_cell(n);
  by_cell.apply(p);
  example::confirm("particles are stored by cell", is_in_order(p));
  std::size_t const bytes = by_cell.bytes();
  for (int step = 0; step < 3; ++step) {
    move(p, 0.1);
    by_cell.apply(p);
  }
  example::confirm("after three steps, too", is_in_order(p));
  example::confirm("in the memory of the first time", by_cell.bytes() == bytes);
  return example::exit_code();
}

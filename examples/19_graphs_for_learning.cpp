// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A batch for machine learning: the neighbours of many small systems, molecules and crystals, by one call. The edges
// come as index pairs with displacements, as PyTorch Geometric wants them, as compressed rows, and as padded rows. Then
// some of the systems move, and they alone are searched again.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/neighbors/batched_neighbor_list.hpp>
#include <upsweep/neighbors/boxes_of_edges.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

constexpr std::size_t systems = 64;
constexpr double cutoff = 3;

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Kokkos::DefaultExecutionSpace const space;

  // Every other system is a molecule, which has no cell, the others are crystals with cells of any three edges, many of
  // them smaller than the cutoff.
  std::mt19937 random(1);
  auto const number = [&](double lo, double hi) { return lo + (hi - lo) * random() / 4294967296.0; };
  Kokkos::View<double* [3][3], Kokkos::HostSpace> const cells("cells", systems);
  Kokkos::View<bool* [3], Kokkos::HostSpace> const periodic("periodic", systems);
  std::vector<int> starts{0};
  std::vector<double> coordinates;
  for (std::size_t s = 0; s < systems; ++s) {
    for (int d = 0; d < 3; ++d) {
      periodic(s, d) = s % 2 == 1;
      for (int e = 0; e < 3 && s % 2 == 1; ++e) cells(s, d, e) = d == e ? number(2, 5) : number(-0.5, 0.5);
    }
    starts.push_back(starts.back() + static_cast<int>(number(1, 20)));
    for (int k = 3 * starts[s]; k < 3 * starts[s + 1]; ++k) coordinates.push_back(number(0, 4));
  }
  auto const memory = example::to_device(coordinates);
  std::size_t const n = coordinates.size() / 3;
  Kokkos::View<double* [3], Kokkos::LayoutRight, Kokkos::MemoryUnmanaged> const x(memory.data(), n);
  auto const batch_offsets = example::to_device(starts);

  // Offsets and neighbours are compressed rows of all atoms; what else is kept belongs to the same pairs. What
  // PyTorch Geometric calls batch is system_of().
  auto const boxes = upsweep::boxes_of_edges(cells, periodic);
  upsweep::batched_neighbor_list list(space, x, batch_offsets, boxes, cutoff,
                                      {.first_indices = true, .displacements = true});
  std::size_t const edges = list.pairs();
  std::cout << systems << " systems, " << n << " atoms, " << edges << " edges\n";

  // edge_index, (2, edges): from the neighbour to the atom that collects its message. Displacements, (edges, 3), lead
  // from that atom to the neighbour, through borders of the cell where it is periodic.
  Kokkos::View<std::int64_t**, Kokkos::LayoutRight> const edge_index("edge_index", 2, edges);
  auto const i = list.first_indices().view();
  auto const j = list.neighbors();
  Kokkos::parallel_for(
      "edge_index", edges, KOKKOS_LAMBDA(std::size_t k) {
        edge_index(0, k) = j(k);
        edge_index(1, k) = i(k);
      });

  // Padded rows, (atoms, largest row): places without a neighbour have the number of atoms.
  Kokkos::View<int**> const padded("padded", n, list.largest_row());
  auto const offsets = list.offsets();
  Kokkos::parallel_for(
      "padded", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {padded.extent(0), padded.extent(1)}),
      KOKKOS_LAMBDA(std::size_t row, std::size_t k) {
        bool const is_there = k < offsets(row + 1) - offsets(row);
        padded(row, k) = is_there ? j(offsets(row) + k) : static_cast<int>(n);
      });

  // The list of each system alone has the same pairs, and neighbours are numbered from its first atom.
  auto const E = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), edge_index);
  auto const D = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list.displacements().view());
  auto const rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), padded);
  auto const system = upsweep::to_host(space, list.system_of());
  bool same_edges = true, same_displacements = true, same_rows = true, same_systems = true;
  std::size_t edge = 0;
  for (std::size_t s = 0; s < systems; ++s) {
    upsweep::neighbor_list const alone(space,
                                       Kokkos::subview(x, Kokkos::make_pair(starts[s], starts[s + 1]), Kokkos::ALL),
                                       boxes[s], cutoff, {.displacements = true});
    auto const ends = upsweep::to_host(space, alone.offsets());
    auto const neighbors = upsweep::to_host(space, alone.neighbors());
    auto const ways = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), alone.displacements().view());
    for (std::size_t row = 0; row + 1 < ends.size(); ++row) {
      std::size_t const atom = starts[s] + row, length = ends[row + 1] - ends[row];
      same_systems = same_systems && system[atom] == static_cast<int>(s);
      for (std::size_t k = 0; k < rows.extent(1); ++k)
        same_rows = same_rows && rows(atom, k) == (k < length ? starts[s] + neighbors[ends[row] + k] : int(n));
      for (std::size_t k = ends[row]; k < ends[row + 1]; ++k, ++edge) {
        same_edges =
            same_edges && E(0, edge) == starts[s] + neighbors[k] && E(1, edge) == static_cast<std::int64_t>(atom);
        for (int d = 0; d < 3; ++d) same_displacements = same_displacements && D(edge, d) == ways(k, d);
      }
    }
  }
  example::confirm("edges are those of each system's list", same_edges && edge == edges);
  example::confirm("with the same displacements", same_displacements);
  example::confirm("padded rows, too", same_rows);
  example::confirm("every atom knows its system", same_systems);

  // One system in four moves, and the others keep their rows.
  Kokkos::View<double* [3], Kokkos::LayoutRight> const moved("moved", n);
  Kokkos::View<bool*> const rebuild("rebuild", systems);
  auto const of = list.system_of();
  Kokkos::parallel_for("rebuild", systems, KOKKOS_LAMBDA(std::size_t s) { rebuild(s) = s % 4 == 0; });
  Kokkos::parallel_for(
      "move", n, KOKKOS_LAMBDA(std::size_t atom) {
        for (std::size_t d = 0; d < 3; ++d) moved(atom, d) = x(atom, d) * (rebuild(of(atom)) ? 0.75 : 1);
      });
  list.update(space, moved, rebuild);
  upsweep::batched_neighbor_list const whole(space, moved, batch_offsets, boxes, cutoff);
  example::confirm("after some have moved, the list is that of all of them",
                   upsweep::to_host(space, list.offsets()) == upsweep::to_host(space, whole.offsets()) &&
                       upsweep::to_host(space, list.neighbors()) == upsweep::to_host(space, whole.neighbors()));
  return example::exit_code();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Lists for a code that has ghosts of its own, as LAMMPS, miniMD and ExaMiniMD do: shifted copies of particles, behind
// the particles in the same arrays. The code's loop over all pairs gives way in steps: a full list, a faster loop, half
// lists with newton off and on.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>

#include <cmath>
#include <vector>

using space_type = Kokkos::DefaultExecutionSpace;
using vector3 = Kokkos::Array<double, 3>;
constexpr int owned = 1000;
constexpr double length = 10, cutoff = 1.5;

/// The code's particles, of a crooked lattice in a periodic cube, then its ghosts: an image of each particle within the
/// cutoff of the cube. Tags are numbers of particles; a ghost has its owner's.
void make_particles(std::vector<vector3>& x, std::vector<int>& tags) {
  for (int i = 0; i < owned; ++i) {
    int const cell[3] = {i % 10, i / 10 % 10, i / 100};
    vector3 p;
    for (int d = 0; d < 3; ++d) p[d] = cell[d] + 0.5 + 0.3 * std::sin(7.0 * i + d);
    x.push_back(p);
    tags.push_back(i);
  }
  for (int i = 0; i < owned; ++i)
    for (int image = 0; image < 27; ++image) {
      int const shift[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
      vector3 p = x[i];
      bool is_near = image != 13;
      for (int d = 0; d < 3; ++d) {
        p[d] += length * shift[d];
        is_near = is_near && p[d] >= -cutoff && p[d] <= length + cutoff;
      }
      if (is_near) x.push_back(p), tags.push_back(i);
    }
}

/// The code's force of one pair, a soft push on the first particle. 0 beyond the cutoff.
KOKKOS_FUNCTION vector3 push(vector3 const& a, vector3 const& b) {
  vector3 const way{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  double const r2 = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
  double const f = r2 <= cutoff * cutoff ? 1 - cutoff / std::sqrt(r2) : 0;
  return {f * way[0], f * way[1], f * way[2]};
}

/// Forces of a half list, which adds to the neighbour, too, as far as that is one of the first `with_forces`.
Kokkos::View<vector3*> half_forces(upsweep::neighbor_list<space_type, double> const& list,
                                   Kokkos::View<vector3*> const& x, int with_forces) {
  Kokkos::View<vector3*> const f("forces", with_forces);
  auto const rows = list.view();
  Kokkos::parallel_for(
      "half forces", owned, KOKKOS_LAMBDA(int i) {
        upsweep::for_each_neighbor(rows, i, [&](int j) {
          auto const on_i = push(x(i), x(j));
          for (int d = 0; d < 3; ++d) {
            Kokkos::atomic_add(&f(i)[d], on_i[d]);
            if (j < with_forces) Kokkos::atomic_add(&f(j)[d], -on_i[d]);
          }
        });
      });
  return f;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  space_type const space;
  std::vector<vector3> places;
  std::vector<int> tags;
  make_particles(places, tags);
  int const all = static_cast<int>(places.size());
  auto const x = example::to_device(places);
  auto const tag = example::to_device(tags);
  std::cout << owned << " particles, " << all - owned << " ghosts\n";

  // 0. What the code does: every particle looks at all particles and ghosts.
  std::vector<vector3> expected(owned);
  for (int i = 0; i < owned; ++i)
    for (int j = 0; j < all; ++j)
      for (int d = 0; d < 3 && j != i; ++d) expected[i][d] += push(places[i], places[j])[d];
  auto const confirm_forces = [&](char const* what, Kokkos::View<vector3*> const& f) {
    auto const found = upsweep::to_host(space, f);
    double largest = 0;
    for (int i = 0; i < owned; ++i)
      for (int d = 0; d < 3; ++d) largest = std::max(largest, std::abs(found[i][d] - expected[i][d]));
    example::confirm(what, largest < 1e-12);
  };

  // 1. A list of particles and ghosts, in which particles alone have rows. The box holds the ghosts, too, and is open
  // in all directions: nothing is wrapped, and the list makes no images of its own.
  auto const position = KOKKOS_LAMBDA(std::size_t i) { return x(i); };  // or a View (n, 3) of any layout
  double const lo = -cutoff, hi = length + cutoff;
  upsweep::box<double> const open({lo, lo, lo}, {hi, hi, hi}, {false, false, false});
  upsweep::neighbor_list const full(space, all, position, open, cutoff, {.rows = owned});
  Kokkos::View<vector3*> const f("forces", owned);
  upsweep::reduce_rows<vector3>(
      space, full,
      KOKKOS_LAMBDA(std::size_t i, int j, vector3& sum) {
        auto const on_i = push(x(i), x(j));
        for (int d = 0; d < 3; ++d) sum[d] += on_i[d];
      },
      KOKKOS_LAMBDA(std::size_t i, vector3 const& sum) { f(i) = sum; });
  confirm_forces("a full list gives the same forces", f);

  // 2. Newton off: a pair of two particles is in one row, a pair with a ghost in the row of the particle. Forces on
  // ghosts are left to their owners, so nothing is sent back, and no tags are needed.
  upsweep::neighbor_list const off(space, all, position, open, cutoff, {.half = true, .newton = false, .rows = owned});
  confirm_forces("so does half a list, newton off", half_forces(off, x, owned));

  // 3. Newton on: a pair with a ghost is in one row, too, of the particle or of the ghost's owner, as tags say. Forces
  // on ghosts go back to their owners, in the way that the code has.
  upsweep::neighbor_list const on(space, all, position, open, cutoff, {.half = true, .rows = owned, .ids = tag});
  auto const with_ghosts = half_forces(on, x, all);
  Kokkos::parallel_for(
      "send back", Kokkos::RangePolicy<>(owned, all), KOKKOS_LAMBDA(int ghost) {
        for (int d = 0; d < 3; ++d) Kokkos::atomic_add(&with_ghosts(tag(ghost))[d], with_ghosts(ghost)[d]);
      });
  confirm_forces("so does half a list, newton on", with_ghosts);

  // 4. A code on one rank can drop its ghosts: the list of a periodic box has the same pairs.
  upsweep::box<double> const periodic({0, 0, 0}, {length, length, length});
  upsweep::neighbor_list const none(space, owned, position, periodic, cutoff, {.order = upsweep::row_order::sorted});
  upsweep::neighbor_list const ghosts(space, all, position, open, cutoff,
                                      {.order = upsweep::row_order::sorted, .rows = owned, .ids = tag});
  auto neighbors = upsweep::to_host(space, ghosts.neighbors());
  for (int& j : neighbors) j = tags[j];
  example::confirm("without ghosts there are the same pairs, in the same order",
                   neighbors == upsweep::to_host(space, none.neighbors()) &&
                       upsweep::to_host(space, ghosts.offsets()) == upsweep::to_host(space, none.offsets()));
  return example::exit_code();
}

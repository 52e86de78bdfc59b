// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// For libraries that know no periodic box: the images of particles near the borders, made before anything is timed.

#include "implementation.hpp"

#include <upsweep/pack/pack_lists.hpp>

#include <cstddef>

namespace perf::neighbors {

/// All particles, and behind them their images within a cutoff of the box.
template <class Real>
struct with_ghosts {
  positions<Real> x;
  /// The particles with rows: the first ones.
  std::size_t n;
  /// Of a ghost, whose image it is: of x(n + k) that of owners(k).
  Kokkos::View<int const*, memory> owners;
  /// Where all are.
  Kokkos::Array<Real, 3> lo, hi;
};

struct ghost {
  int owner;
  signed char shift[3];
};

template <class Real>
struct make_ghosts {
  positions<Real> x;
  upsweep::box<Real> box;
  Real reach;

  template <class Emit>
  KOKKOS_FUNCTION void operator()(std::size_t i, Emit const& emit) const {
    for (int image = 0; image < 27; ++image) {
      int const shift[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
      auto const by = box.shift(upsweep::image(shift[0], shift[1], shift[2]));
      bool near = image != 13;
      for (int d = 0; d < 3; ++d) {
        Real const c = x(i, d) + by[d];
        near = near && c >= box.lo(d) - reach && c <= box.hi(d) + reach;
      }
      if (near)
        emit({static_cast<int>(i),
              {static_cast<signed char>(shift[0]), static_cast<signed char>(shift[1]),
               static_cast<signed char>(shift[2])}});
    }
  }
};

template <class Real>
struct place_ghosts {
  positions<Real> from, to;
  upsweep::box<Real> box;
  ghost const* ghosts;
  int* owners;
  std::size_t n;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    if (i >= n) owners[i - n] = ghosts[i - n].owner;
    if (i < n) {
      for (int d = 0; d < 3; ++d) to(i, d) = from(i, d);
      return;
    }
    ghost const& g = ghosts[i - n];
    auto const by = box.shift(upsweep::image(g.shift[0], g.shift[1], g.shift[2]));
    for (int d = 0; d < 3; ++d) to(i, d) = from(g.owner, d) + by[d];
  }
};

template <class Real>
with_ghosts<Real> add_ghosts(space const& instance, particles<Real> const& p) {
  with_ghosts<Real> all{p.x, p.n(), {}, {}, {}};
  // A little more than the cutoff: what lies behind it is left out by every list.
  auto const reach = p.periodic() ? static_cast<Real>(cutoff * 1.001) : Real(0);
  for (int d = 0; d < 3; ++d) {
    all.lo[d] = p.box.lo(d) - reach;
    all.hi[d] = p.box.hi(d) + reach;
  }
  if (!p.periodic()) return all;
  auto const made = upsweep::pack_lists<ghost>(instance, p.n(), make_ghosts<Real>{p.x, p.box, reach}).values;
  Kokkos::View<int*, memory> const owners("upsweep::perf::owners", made.extent(0));
  all.x = positions<Real>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::with_ghosts"),
                          p.n() + made.extent(0));
  Kokkos::parallel_for("upsweep::perf::ghosts", range(instance, all.x.extent(0)),
                       place_ghosts<Real>{p.x, all.x, p.box, made.data(), owners.data(), p.n()});
  instance.fence("upsweep::perf::ghosts");
  all.owners = owners;
  return all;
}

/// A list of particles and ghosts in the form of `rows`. Offsets may have no last entry; `counts` are the
/// rows' lengths then.
struct rows_of_owners {
  int const *offsets, *counts, *neighbors, *owners;
  std::size_t* to_offsets;
  int* to_neighbors;
  std::size_t n;

  KOKKOS_FUNCTION int length(std::size_t i) const {
    return counts != nullptr ? counts[i] : offsets[i + 1] - offsets[i];
  }
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    for (int k = 0; k < length(i); ++k) {
      int const j = neighbors[offsets[i] + k];
      to_neighbors[offsets[i] + k] = static_cast<std::size_t>(j) < n ? j : owners[static_cast<std::size_t>(j) - n];
    }
    to_offsets[i] = static_cast<std::size_t>(offsets[i]);
    if (i + 1 == n) to_offsets[n] = static_cast<std::size_t>(offsets[i]) + static_cast<std::size_t>(length(i));
  }
};

template <class Ints>
rows to_owners(space const& instance, std::size_t n, Ints const& offsets, Ints const& counts, Ints const& neighbors,
               Kokkos::View<int const*, memory> const& owners) {
  Kokkos::View<std::size_t*, memory> const to_offsets("upsweep::perf::offsets", n + 1);
  Kokkos::View<int*, memory> const to_neighbors(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::neighbors"), neighbors.extent(0));
  Kokkos::parallel_for("upsweep::perf::owners", range(instance, n),
                       rows_of_owners{offsets.data(), counts.data(), neighbors.data(), owners.data(), to_offsets.data(),
                                      to_neighbors.data(), n});
  instance.fence("upsweep::perf::owners");
  return {to_offsets, to_neighbors};
}

}  // namespace perf::neighbors

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "half_forces.hpp"

#include "force_grid.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/mpi/reduce.hpp>
#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/neighbor_lanes.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>

namespace nbody {
namespace {

// A particle's terms are counted in one number, of three counts.
constexpr std::int64_t too_near = 1;                           ///< the grid does not hold the pair's force
constexpr std::int64_t large = std::int64_t(1) << 20;          ///< 2^43 spacings or more
constexpr std::int64_t without_force = std::int64_t(1) << 40;  ///< no grid does
constexpr std::int64_t counted = large - 1;

/// What one particle gets from one pair, or from several.
struct terms {
  std::int64_t of[5] = {};

  /// Adds a pair's force in spacings of the grid of `unit`. way: from the other particle to this one.
  KOKKOS_FUNCTION void add(double const (&way)[3], double cutoff2, double unit) {
    double const r2 = upsweep::fma(way[2], way[2], upsweep::fma(way[1], way[1], way[0] * way[0]));
    if (!(r2 <= cutoff2) || unit == 0) return;
    if (!(r2 >= nearest_of_all2)) of[4] += without_force;
    else if (r2 < closest2(unit)) of[4] += too_near;
    else add_on_grid(way, r2, unit);
  }
  KOKKOS_FUNCTION void join(terms const& t) {
    for (int k = 0; k < 5; ++k) of[k] += t.of[k];
  }
  /// What the other particle of the pair gets on the same grid: rounding to a grid does not depend on the sign.
  KOKKOS_FUNCTION terms opposite() const {
    terms t = *this;
    for (int d = 0; d < 3; ++d) t.of[d] = -t.of[d];
    return t;
  }

 private:
  KOKKOS_FUNCTION void add_on_grid(double const (&way)[3], double r2, double unit) {
    double const f = lennard_jones::force_over_r(1.0 / r2);
    double const spacings = 0x1p40 / unit;
    std::int64_t size = 0;
    for (int d = 0; d < 3; ++d) {
      auto const q = static_cast<std::int64_t>(product_on_force_grid(way[d], f, unit) * spacings);
      of[d] += q;
      if (size < (q < 0 ? -q : q)) size = q < 0 ? -q : q;
    }
    of[3] += size;
    if (size >= std::int64_t(1) << 43) of[4] += large;
  }
};

/// The pairs of a row, for both of their particles. Each sees the other as its own rank does, with a full list: the
/// ghost is moved to its image, or the particle to the opposite one, which rounds differently.
struct add_pairs {
  upsweep::neighbor_rows<> rows;
  neighbor_positions positions;
  vectors origins;
  Kokkos::View<upsweep::image*, memory_space> images;
  upsweep::box<double> box;
  std::size_t owned;
  double cutoff2;
  scalars units;
  half_forces::sums sums;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    auto const i = static_cast<std::size_t>(row);
    terms own;
    upsweep::for_each_neighbor(rows, i, [&](int neighbor) {
      auto const j = static_cast<std::size_t>(neighbor);
      double way[3];
      for (int d = 0; d < 3; ++d) way[d] = positions(i, d) - positions(j, d);
      terms pair;
      pair.add(way, cutoff2, units(i));
      own.join(pair);
      if (j < owned && units(j) == units(i)) {
        add(j, pair.opposite());
        return;
      }
      for (int d = 0; d < 3; ++d) way[d] = -way[d];
      if (j >= owned) {
        auto const shift = box.shift(-images(j));
        for (int d = 0; d < 3; ++d) {
          double const seen = shift[d] != 0 ? positions(i, d) + shift[d] : positions(i, d);
          way[d] = origins(j - owned, d) - seen;
        }
      }
      terms other;
      other.add(way, cutoff2, units(j));
      add(j, other);
    });
    add(i, own);
  }

 private:
  KOKKOS_FUNCTION void add(std::size_t particle, terms const& t) const {
    for (int k = 0; k < 5; ++k)
      if (t.of[k] != 0) Kokkos::atomic_add(&sums(particle, k), t.of[k]);
  }
};

/// Turns the sums of particles whose grid is right into forces; the others get a coarser grid.
struct finish_particles {
  half_forces::sums sums;
  scalars units;
  vectors forces;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    double const unit = units(i);
    if (unit == 0) return;
    std::int64_t const count = sums(i, 4);
    bool const hopeless = count >= without_force;
    // Fewer than 1024 large terms, and others of less than 2^43, do not overflow; more are beyond the grid.
    bool const fits = (count & counted) == 0 && count / large < 1024 && sums(i, 3) < std::int64_t(1) << 53;
    units(i) = hopeless || fits ? 0 : 2 * unit;
    if (!hopeless && !fits) return;
    double const none = Kokkos::Experimental::quiet_NaN_v<double>, spacing = unit * 0x1p-40;
    for (int d = 0; d < 3; ++d) forces(i, d) = hopeless ? none : static_cast<double>(sums(i, d)) * spacing;
  }
};

/// 1 where the force of a particle is not known yet.
struct is_open {
  scalars units;
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return units(i) != 0 ? 1 : 0; }
};

}  // namespace

void half_forces::reserve(space_type const& space, neighborhood const& near) {
  std::size_t const all = near.positions().rows.extent(0);
  sums_.resize(space, "upsweep-nbody::half_sums", all);
  units_.resize(space, "upsweep-nbody::units", all);
}

void half_forces::compute(upsweep::mpi::communicator const& comm, space_type const& space, neighborhood& near,
                          lennard_jones const& pair, vectors const& forces) {
  std::size_t const owned = near.owned();
  Kokkos::deep_copy(space, *units_, 1.0);
  for (;;) {
    Kokkos::deep_copy(space, *sums_, std::int64_t(0));
    Kokkos::parallel_for("upsweep-nbody::half_pairs", particles(space, owned),
                         add_pairs{near.rows(), near.positions(), near.origins(), near.images(), near.box(), owned,
                                   pair.cutoff2, *units_, *sums_});
    near.add_to_owners(*sums_);
    Kokkos::parallel_for("upsweep-nbody::finish_particles", particles(space, owned),
                         finish_particles{*sums_, *units_, forces});
    int const open = upsweep::mpi::reduce(
        comm,
        [&] {
          return upsweep::reduce(space, owned, is_open{*units_}, upsweep::max<int>{}, {.label = "upsweep-nbody"});
        },
        upsweep::max<int>{});
    if (open <= 0) return;
    near.send_to_ghosts(*units_);
  }
}

}  // namespace nbody

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/moved_particle.hpp>
#include <upsweep/neighbors/detail/grid/binned_particles.hpp>
#include <upsweep/neighbors/detail/narrow/whole_edges.hpp>
#include <upsweep/neighbors/detail/rules/pair_rules.hpp>
#include <upsweep/neighbors/image.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace upsweep::neighbors::detail {

/// An image as one number. Images that differ by whole edges differ by the difference of their words.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t word_of(image im) {
  std::uint32_t word;
  memcpy(&word, &im, sizeof(word));
  return word;
}
KOKKOS_FORCEINLINE_FUNCTION image image_of(std::uint32_t word) {
  image im;
  memcpy(static_cast<void*>(&im), &word, sizeof(word));
  return im;
}

/// What is wrong with a particle of a narrowing.
enum class moved_error : std::uint16_t { position = 1, type, radius };

/// Where particles were, and where they are now.
template <class Real>
struct moved_particles {
  binned_particles<Real> at_build;
  whole_edges<Real> lattice;
  moved_particle<Real>* now;
  int const* types = nullptr;
  double const* radii = nullptr;
  int type_count = 0;
  int* safe_types = nullptr;  ///< those that can be looked up
  Real* radii_now = nullptr;

  /// From where particle i was to p, both wrapped.
  KOKKOS_FUNCTION typename box<Real>::vector way(std::int64_t i, moved_particle<Real> const& p) const {
    int const place = at_build.place_of[i];
    return {p.x - at_build.x[place], p.y - at_build.y[place], p.z - at_build.z[place]};
  }
  /// A length squared. NaN counts as infinitely far.
  KOKKOS_FUNCTION static Real squared(typename box<Real>::vector const& way) {
    Real const sum = binned_particles<Real>::length_squared(way[0], way[1], way[2]);
    return sum == sum ? sum : internal::largest_value<Real>;
  }
};

/// One thread per particle: wraps it, and finds by how many edges that moved it since the list was built. Which number
/// is taken does not matter for the list, as long as the particle is then near to where it was: only wrapped positions
/// decide what is in a list. Reports what cannot be used, and notes whether a particle has moved far.
template <class Positions, class Real>
struct move_particles {
  Positions positions;
  moved_particles<Real> to;
  Real near_squared;
  internal::error_word errors;
  std::uint64_t* far;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const& box = to.at_build.sim_box;
    auto const x = positions(i), wrapped = box.wrap(x);
    auto const report = [&](moved_error what) {
      errors.report(static_cast<std::size_t>(i), static_cast<std::uint16_t>(what));
    };
    moved_particle<Real> p{wrapped[0], wrapped[1], wrapped[2], word_of(image(0, 0, 0))};
    if (box.fault(x, wrapped)) {
      report(moved_error::position);
    } else {
      auto const way = to.way(i, p);
      if (!(to.squared(way) <= near_squared)) {  // few
        auto const short_way = to.lattice(way);
        p.edges = short_way.edges;
        if (!(to.squared(short_way.rest) <= near_squared)) Kokkos::atomic_store(far, std::uint64_t(1));
      }
    }
    to.now[i] = p;
    if (to.types != nullptr) {
      bool const known = to.types[i] >= 0 && to.types[i] < to.type_count;
      if (!known) report(moved_error::type);
      to.safe_types[i] = known ? to.types[i] : 0;
    }
    if (to.radii != nullptr) {
      if (!(to.radii[i] >= 0 && Kokkos::isfinite(to.radii[i]))) report(moved_error::radius);
      to.radii_now[i] = static_cast<Real>(to.radii[i]);
    }
  }
};

/// The two particles that have moved most: how far, squared, and which one is the first.
template <class Real>
struct farthest_moved {
  Real first, second;
  std::uint64_t particle;
};
template <class Real>
struct farthest_moved_monoid {
  using value_type = farthest_moved<Real>;
  KOKKOS_FUNCTION value_type identity() const { return {0, 0, ~std::uint64_t(0)}; }
  KOKKOS_FUNCTION value_type operator()(value_type const& a, value_type const& b) const {
    return a.first < b.first ? value_type{b.first, a.first < b.second ? b.second : a.first, b.particle}
                             : value_type{a.first, b.first < a.second ? a.second : b.first, a.particle};
  }
};

template <class Real>
struct find_farthest {
  moved_particles<Real> particles;
  KOKKOS_FUNCTION farthest_moved<Real> operator()(std::size_t i) const {
    auto const k = static_cast<std::int64_t>(i);
    return {particles.squared(particles.lattice(particles.way(k, particles.now[k])).rest), 0,
            static_cast<std::uint64_t>(i)};
  }
};

}  // namespace upsweep::neighbors::detail

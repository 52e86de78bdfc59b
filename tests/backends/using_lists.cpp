// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What reads neighbour lists: loops of every level, and the rebuild test.

#include "gate.hpp"

#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/internal/wrap_in_place.hpp>
#include <upsweep/neighbors/needs_rebuild.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/pair_index.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>
#include <upsweep/neighbors/unwrapped_image.hpp>
#include <upsweep/neighbors/wrap_positions.hpp>

namespace gate {

using vector3 = Kokkos::Array<double, 3>;

struct add_charge {
  view<double const> charge;
  KOKKOS_FUNCTION void operator()(std::size_t i, int j, double& sum) const { sum += charge(i) * charge(j); }
};
struct add_loaded_charge {
  view<double const> charge;
  KOKKOS_FUNCTION double load(std::size_t, int j) const { return charge(j); }
  KOKKOS_FUNCTION void operator()(std::size_t i, int, double other, double& sum) const { sum += charge(i) * other; }
};
struct add_kept {
  view<double const> kept;
  KOKKOS_FUNCTION double load(std::size_t, int, upsweep::pair_index k) const { return kept(k.value); }
  KOKKOS_FUNCTION void operator()(std::size_t, int, upsweep::image im, upsweep::pair_index k, double loaded,
                                  double& sum) const {
    sum += loaded * im.x() + kept(k.value);
  }
};
struct store_sum {
  view<double> out;
  KOKKOS_FUNCTION void operator()(std::size_t i, double sum) const { out(i) = sum; }
};
struct add_shift {
  KOKKOS_FUNCTION void operator()(std::size_t, int j, upsweep::image im, vector3& sum) const {
    for (int d = 0; d < 3; ++d) sum[d] += im[d] * j;
  }
};
struct store_shift {
  view<double> out;
  KOKKOS_FUNCTION void operator()(std::size_t i, vector3 const& sum) const { out(i) = sum[0] + sum[1] + sum[2]; }
};

/// Every nested form.
template <class Rows>
struct nested_kernel {
  Rows rows;
  view<double> out;
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    std::size_t const i = static_cast<std::size_t>(member.league_rank());
    auto const count = [&](int j) { Kokkos::atomic_add(&out(i), static_cast<double>(j)); };
    auto const sum = [&](int j, upsweep::image im, double& s) { s += j * im.x(); };
    auto const kept = [&](int j, std::size_t k, double& s) { s += j * out(k); };
    double value = 0, least = 0;
    upsweep::for_each_neighbor(rows, i, count);
    upsweep::for_each_neighbor(member, rows, i, count);
    upsweep::for_each_neighbor(upsweep::team_thread_level(member), rows, i, count);
    upsweep::for_each_neighbor(upsweep::thread_vector_level(member), rows, i, count);
    upsweep::reduce_neighbors(rows, i, sum, value);
    upsweep::reduce_neighbors(member, rows, i, sum, value);
    upsweep::reduce_neighbors(member, rows, i, kept, value);
    upsweep::reduce_neighbors(rows, i, kept, value);
    upsweep::reduce_neighbors(upsweep::team_thread_level(member), rows, i, sum, value);
    upsweep::reduce_neighbors(upsweep::thread_vector_level(member), rows, i, sum, value);
    upsweep::reduce_neighbors(member, rows, i, sum, Kokkos::Min<double>(least));
    upsweep::reduce_neighbors(rows, i, sum, Kokkos::Min<double>(least));
    out(i) += value + least;
  }
};

template <class Rows>
void loops(Rows const& rows, view<double> const& out) {
  space const s;
  Kokkos::parallel_for(Kokkos::TeamPolicy<space>(s, 10, 4, 8), nested_kernel<Rows>{rows, out});
  upsweep::reduce_rows<double>(s, rows, add_charge{out}, store_sum{out});
  upsweep::reduce_rows<double>(s, rows, add_loaded_charge{out}, store_sum{out});
  upsweep::reduce_rows<double>(s, rows, add_kept{out}, store_sum{out});
  upsweep::reduce_rows<vector3>(s, rows, add_shift{}, store_shift{out}, {.label = "gate"});
  // A lambda of a user's own.
  upsweep::reduce_rows<double>(
      s, rows, KOKKOS_LAMBDA(std::size_t i, int j, double& sum) { sum += static_cast<double>(i) * j; },
      KOKKOS_LAMBDA(std::size_t i, double sum) { out(i) = sum; });
  upsweep::reduce_rows<double>(
      s, rows, KOKKOS_LAMBDA(std::size_t, int, std::size_t k, double& sum) { sum += out(k); },
      KOKKOS_LAMBDA(std::size_t i, double sum) { out(i) = sum; });
}

void lists(view<std::size_t const> const& offsets, view<int const> const& neighbors,
           view<upsweep::image const> const& images, view<double> const& out) {
  loops(upsweep::make_neighbor_rows(offsets, neighbors, images), out);
}

template <class Real>
bool rebuilds(Kokkos::View<Real* [3], memory> const& now,
              Kokkos::View<Real const**, Kokkos::LayoutStride, memory> const& before) {
  upsweep::box<Real> const box({0, 0, 0}, {10, 10, 10});
  return upsweep::needs_rebuild(space(), upsweep::now{now, box}, upsweep::at_build{before, box}, Real(2.5), Real(0.3));
}

template <class Real>
void wraps(Kokkos::View<Real* [3], memory> const& x, Kokkos::View<int* [3], memory> const& crossings) {
  upsweep::wrap_positions(space(), x, upsweep::box<Real>({0, 0, 0}, {10, 10, 10}));
  upsweep::wrap_positions(space(), x, crossings, upsweep::box<Real>::triclinic({0, 0, 0}, {9, 9, 9}, {.xy = 1}));
}
template void wraps<float>(Kokkos::View<float* [3], memory> const&, Kokkos::View<int* [3], memory> const&);
template void wraps<double>(Kokkos::View<double* [3], memory> const&, Kokkos::View<int* [3], memory> const&);

template bool rebuilds<float>(Kokkos::View<float* [3], memory> const&,
                              Kokkos::View<float const**, Kokkos::LayoutStride, memory> const&);
template bool rebuilds<double>(Kokkos::View<double* [3], memory> const&,
                               Kokkos::View<double const**, Kokkos::LayoutStride, memory> const&);

/// The images of pairs as positions that were not wrapped see them.
struct unwrap_images {
  upsweep::box<double> box;
  Kokkos::View<double const* [3], memory> x;
  view<int> out;
  KOKKOS_FUNCTION void operator()(int i, int j) const {
    auto const s = upsweep::unwrapped_image(box, upsweep::image(0, 0, 1), {x(i, 0), x(i, 1), x(i, 2)},
                                            {x(j, 0), x(j, 1), x(j, 2)});
    out(i) = s[0] + s[1] + s[2];
  }
};
void unwrapped(unwrap_images const& kernel) {
  Kokkos::parallel_for(Kokkos::MDRangePolicy<space, Kokkos::Rank<2>>({0, 0}, {4, 4}), kernel);
}

}  // namespace gate

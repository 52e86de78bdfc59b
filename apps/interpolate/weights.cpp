// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "weights.hpp"

#include "../support/sum_of.hpp"
#include "local_fit.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/neighbors/kokkos_kernels.hpp>
#include <upsweep/scan/reduce.hpp>

#include <KokkosSparse_spmv.hpp>

#include <string>
#include <type_traits>

namespace interpolate {
namespace {

using index_range = Kokkos::RangePolicy<space_type, Kokkos::IndexType<std::int64_t>>;

/// What a fit knows of a point: where it is from the target, in radii, and its weight.
struct near_point {
  double x[3], r2, weight;
};

/// Fits every target; one thread has a row.
template <int Dim>
struct weigh_rows {
  upsweep::neighbor_rows<> rows;
  vectors points, targets;
  box domain;
  double per_radius;
  method wanted;
  double* values;
  signed char* degrees;

  /// C. Wendland's function of second order of smoothness: 1 at the target, 0 from the radius on.
  KOKKOS_FUNCTION static double smooth(double r) {
    double const rest = r < 1 ? 1 - r : 0;
    return rest * rest * rest * rest * (1 + 4 * r);
  }

  KOKKOS_FUNCTION vector position(vectors const& of, std::int64_t i) const {
    return domain.wrap(vector{of(i, 0), of(i, 1), of(i, 2)});
  }

  KOKKOS_FUNCTION near_point point_at(vector const& target, upsweep::neighbor_run<int> const& run,
                                      std::size_t k) const {
    auto const at = position(points, run[k]);
    vector const shift = run.images == nullptr ? vector{0, 0, 0} : domain.shift(run.image_of(k));
    near_point p;
    p.r2 = 0;
    for (int d = 0; d < 3; ++d) {
      p.x[d] = ((at[d] - target[d]) + shift[d]) * per_radius;
      p.r2 += p.x[d] * p.x[d];
    }
    p.weight = smooth(Kokkos::sqrt(p.r2));
    return p;
  }

  /// Prefetches the point some places ahead, in the first pass over a row. Points may be in random order, and a fit has
  /// too many instructions for each point for CPUs to run ahead by themselves (docs/interpolation.md has times).
  KOKKOS_FUNCTION void prefetch_ahead(upsweep::neighbor_run<int> const& run, std::size_t k) const {
    constexpr std::size_t ahead = 12;
    if (k + ahead < run.count) upsweep::compat::prefetch_read(&points(run[k + ahead], 0));
  }

  template <int Degree>
  KOKKOS_FUNCTION bool fit(vector const& target, upsweep::neighbor_run<int> const& run, double* out) const {
    using fit_type = local_fit<Dim, Degree>;
    constexpr int n = fit_type::n;
    if (run.count < std::size_t(n)) return false;
    fit_type local;
    double p[n], at_target[n], lacking[n];
    for (std::size_t k = 0; k < run.count; ++k) {
      prefetch_ahead(run, k);
      auto const point = point_at(target, run, k);
      monomials<Dim, Degree>(point.x, p);
      local.add(point.weight, p);
    }
    if (!local.factor()) return false;
    for (int a = 0; a < n; ++a) at_target[a] = a == 0;
    local.solve(at_target);
    // These weights are differences of large numbers where points lie unfavourably. What they lack to reproduce the
    // monomials is small, and so are the weights that add it: then all are exact except for rounding.
    for (int a = 0; a < n; ++a) lacking[a] = a == 0;
    for (std::size_t k = 0; k < run.count; ++k) {
      auto const point = point_at(target, run, k);
      monomials<Dim, Degree>(point.x, p);
      out[k] = point.weight * product(p, at_target);
      for (int a = 0; a < n; ++a) lacking[a] -= out[k] * p[a];
    }
    local.solve(lacking);
    for (std::size_t k = 0; k < run.count; ++k) {
      auto const point = point_at(target, run, k);
      monomials<Dim, Degree>(point.x, p);
      out[k] += point.weight * product(p, lacking);
    }
    return true;
  }

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION static double product(double const (&a)[N], double const (&b)[N]) {
    double sum = 0;
    for (int n = 0; n < N; ++n) sum += a[n] * b[n];
    return sum;
  }

  /// The weights of R. Franke and G. Little, (1 / r - 1)^2 with r in radii. At a point, or some, the mean of these.
  KOKKOS_FUNCTION bool mean_by_distance(vector const& target, upsweep::neighbor_run<int> const& run,
                                        double* out) const {
    std::int64_t hits = 0;
    double sum = 0;
    for (std::size_t k = 0; k < run.count; ++k) {
      double const r = Kokkos::sqrt(point_at(target, run, k).r2), w = r < 1 ? (1 / r - 1) * (1 / r - 1) : 0;
      // Infinite, too, where a point is so near that its weight is no number.
      hits += !(w <= largest_weight);
      sum += w;
      out[k] = w;
    }
    if (!(sum > 0)) return false;
    for (std::size_t k = 0; k < run.count; ++k)
      out[k] = hits == 0 ? out[k] / sum : out[k] <= largest_weight ? 0.0 : 1.0 / double(hits);
    return true;
  }
  static constexpr double largest_weight = 1e200;

  KOKKOS_FUNCTION int degree_of(vector const& target, upsweep::neighbor_run<int> const& run, double* out) const {
    if (wanted == method::shepard) return mean_by_distance(target, run, out) ? 0 : -1;
    if (wanted == method::quadratic && fit<2>(target, run, out)) return 2;
    if (fit<1>(target, run, out)) return 1;
    return fit<0>(target, run, out) ? 0 : -1;
  }

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const run = rows.run(std::size_t(i));
    double* const out = values + rows.offsets[i];
    int const degree = degree_of(position(targets, i), run, out);
    degrees[i] = static_cast<signed char>(degree);
    // Points at the radius have no weight.
    if (degree < 0)
      for (std::size_t k = 0; k < run.count; ++k) out[k] = 0;
  }
};

struct count_of_degree {
  signed char const* degrees;
  KOKKOS_FUNCTION degree_counts operator()(std::size_t i) const {
    int const d = degrees[i];
    return {d < 0, d == 0, d == 1, d == 2};
  }
};

struct mark_empty {
  signed char const* degrees;
  fields out;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    if (degrees[i] >= 0) return;
    for (std::size_t f = 0; f < out.extent(1); ++f) out(i, f) = Kokkos::Experimental::quiet_NaN_v<double>;
  }
};

bool is_periodic(box const& b) { return b.periodic(0) || b.periodic(1) || b.periodic(2); }

template <class View>
View make(space_type const& space, std::string const& label, std::size_t n) {
  return View(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, label), n);
}

}  // namespace

weights::weights(space_type const& space, method wanted, int dimensions, vectors const& points, vectors const& targets,
                 box const& domain, double radius)
    : list_(space, targets, points, domain, radius, {.pair_images = is_periodic(domain)}),
      values_(make<Kokkos::View<double*, memory_space>>(space, "upsweep-interpolate::weights", list_.pairs())),
      degrees_(make<Kokkos::View<signed char*, memory_space>>(space, "upsweep-interpolate::degrees", list_.rows())),
      points_(static_cast<int>(points.extent(0))) {
  auto const weigh = [&]<int Dim>(std::integral_constant<int, Dim>) {
    Kokkos::parallel_for(
        "upsweep-interpolate::weigh", index_range(space, 0, std::int64_t(list_.rows())),
        weigh_rows<Dim>{list_.view(), points, targets, domain, 1 / radius, wanted, values_.data(), degrees_.data()});
  };
  if (dimensions == 2) weigh(std::integral_constant<int, 2>());
  else weigh(std::integral_constant<int, 3>());
  counts_ = upsweep::reduce<degree_counts>(space, list_.rows(), count_of_degree{degrees_.data()},
                                           apps::sum_of<degree_counts>{});
}

void weights::apply(space_type const& space, fields const& in, fields const& out) const {
  if (list_.rows() == 0) return;
  auto const matrix = upsweep::to_crs_matrix(list_, points_, values_);
  KokkosSparse::spmv(space, "N", 1.0, matrix, in, 0.0, out);
  Kokkos::parallel_for("upsweep-interpolate::mark_empty", index_range(space, 0, std::int64_t(list_.rows())),
                       mark_empty{degrees_.data(), out});
  space.fence("upsweep-interpolate::apply");
}

}  // namespace interpolate

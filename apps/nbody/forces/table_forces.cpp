// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "table_forces.hpp"

#include "force_grid.hpp"

#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/neighbor_lanes.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>

#include <type_traits>

namespace nbody {
namespace {

// The law may be any function, so the bounds 4 and 5 of force_grid.hpp do not hold here. One test replaces them: a row
// is right on the grid of unit u where s < 2^11 u, s being the sum of the sizes of its rounded terms (3 there).
// - All forces are at most 2^11 u. By 1 and 2 there, s is exact in every order as long as it is below 2^13 u, so the
//   test has the same result in every order.
// - One force is larger. Rounding is monotone, so its rounded size is 2^11 u or more, s is at least that, and the test
//   fails in every order.

/// What the force of a pair needs of the neighbour, or of several at once.
template <class Real>
struct loaded_neighbor {
  Kokkos::Array<Real, 3> position, coefficients;
};

/// The law's force over distance where the pair is within its cutoff, else 0. A law of single numbers is asked for one
/// lane after the other.
template <class Law, class Real, class Mask>
KOKKOS_FORCEINLINE_FUNCTION Real force_within(Real r2, Mask within) {
  if constexpr (std::is_same_v<Real, double>) {
    return within ? Law::force_over_r(r2) : 0.0;
  } else if constexpr (law_of_lanes<Law>) {
    Real const all = Law::force_over_r(r2);
    return within ? all : Real{};
  } else {
    Real force{};
    for (std::size_t lane = 0; lane < sizeof(Real) / sizeof(double); ++lane)
      if (within[lane]) force[lane] = Law::force_over_r(r2[lane]);
    return force;
  }
}

/// Adds the force of one pair, or of several at once.
template <class Law>
struct table_force {
  static constexpr bool takes_lanes = true;
  padded_vectors positions;
  pair_table table;
  double unit;

  template <class J>
  KOKKOS_FORCEINLINE_FUNCTION auto load(std::size_t i, J const& j) const {
    auto const position = upsweep::gather_positions(positions, j);
    return loaded_neighbor<std::remove_cvref_t<decltype(position[0])>>{position,
                                                                       table.force_coefficients(positions, i, j)};
  }
  template <class J, class Loaded, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::size_t i, J const&, Loaded const& other, Sum& sum) const {
    using real = typename Sum::value_type;
    auto const own = upsweep::gather_positions(positions, i);
    real const dx = own[0] - other.position[0], dy = own[1] - other.position[1], dz = own[2] - other.position[2];
    real const r2 = upsweep::fma(dz, dz, upsweep::fma(dy, dy, dx * dx));
    auto const within = r2 <= other.coefficients[0];
    if constexpr (std::is_same_v<real, double>)
      if (!within) return;
    real const f = other.coefficients[2] * force_within<Law>(real(r2 * other.coefficients[1]), within);
    real const x = product_on_force_grid(dx, f, unit), y = product_on_force_grid(dy, f, unit),
               z = product_on_force_grid(dz, f, unit);
    sum[0] += x;
    sum[1] += y;
    sum[2] += z;
    sum[3] += size_of_terms::of(r2, x, y, z);
  }
};

struct add_row_sums {
  using value_type = row_sum;
  KOKKOS_FORCEINLINE_FUNCTION row_sum identity() const { return {0, 0, 0, 0}; }
  KOKKOS_FORCEINLINE_FUNCTION row_sum operator()(row_sum const& a, row_sum const& b) const {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
  }
};

/// The force is that of the first pass where the finest grid holds it; else the row is summed again, in one thread.
template <class Law, class Rows>
struct store_table_force {
  Rows rows;
  padded_vectors positions;
  pair_table table;
  vectors forces;

  KOKKOS_FUNCTION void operator()(std::size_t i, row_sum const& first) const {
    row_sum sum = first;
    double unit = 1;
    // Ends without a force where s is NaN, and where the coarsest grid is too fine.
    while (!(sum[3] < 0x1p11 * unit) && unit < 0x1p480) {
      unit *= sum[3] <= 0x1p600 ? 2 : 0x1p480;
      table_force<Law> const of{positions, table, unit};
      sum = {0, 0, 0, 0};
      upsweep::for_each_neighbor(rows, i, [&](int j) { of(i, j, of.load(i, j), sum); });
    }
    bool const known = sum[3] < 0x1p11 * unit;
    for (int d = 0; d < 3; ++d) forces(i, d) = known ? sum[d] : Kokkos::Experimental::quiet_NaN_v<double>;
  }
};

}  // namespace

template <class Rows>
void compute_forces(space_type const& space, Rows const& rows, padded_vectors const& positions, pair_table const& table,
                    vectors const& forces) {
  with_law(table, [&](auto law) {
    using law_type = decltype(law);
    upsweep::reduce_rows(space, rows, table_force<law_type>{positions, table, 1},
                         store_table_force<law_type, Rows>{rows, positions, table, forces}, add_row_sums{},
                         {.label = "upsweep-nbody"});
  });
}

template void compute_forces(space_type const&, upsweep::neighbor_rows<> const&, padded_vectors const&,
                             pair_table const&, vectors const&);
template void compute_forces(space_type const&, upsweep::chosen_rows<> const&, padded_vectors const&, pair_table const&,
                             vectors const&);

}  // namespace nbody

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
/// The same where coefficients are chosen by the types.
struct loaded_type {
  Kokkos::Array<double, 3> position;
  std::int32_t type;
};

/// Whether the law is asked for pairs beyond the cutoff, too. A branch saves time where a CPU has one neighbour at a
/// time; in vectors and on GPUs it costs more than it saves.
template <class Law, class Real>
inline constexpr bool computes_all =
    law_of_lanes<Law> && (!std::is_same_v<Real, double> || upsweep::compat::is_gpu<space_type>);

/// The law's force over distance where the pair is within its cutoff, else 0. A law of single numbers is asked for one
/// lane after the other.
template <class Law, class Real, class Mask>
KOKKOS_FORCEINLINE_FUNCTION Real force_within(Real r2, Mask within) {
  if constexpr (computes_all<Law, Real>) {
    Real const all = Law::force_over_r(r2);
    return within ? all : Real{};
  } else if constexpr (std::is_same_v<Real, double>) {
    return within ? Law::force_over_r(r2) : 0.0;
  } else {
    Real force{};
    for (std::size_t lane = 0; lane < sizeof(Real) / sizeof(double); ++lane)
      if (within[lane]) force[lane] = Law::force_over_r(r2[lane]);
    return force;
  }
}

/// Adds the force of one pair, or of several at once.
/// Few: there are no more types than pair_table::few, and coefficients are chosen, not loaded. For GPUs, where a load
/// of 24 bytes for each pair takes longer.
template <class Law, bool Few>
struct table_force {
  static constexpr bool takes_lanes = true;
  neighbor_positions positions;
  pair_table table;
  double unit;

  template <class J>
  KOKKOS_FORCEINLINE_FUNCTION auto load(std::size_t i, J const& j) const {
    auto const position = positions.of(j);
    if constexpr (Few) return loaded_type{position, positions.type(j)};
    else
      return loaded_neighbor<std::remove_cvref_t<decltype(position[0])>>{position,
                                                                         table.force_coefficients(positions, i, j)};
  }
  template <class J, class Loaded, class Sum>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::size_t i, J const&, Loaded const& other, Sum& sum) const {
    using real = typename Sum::value_type;
    auto const own = positions.of(i);
    real const dx = own[0] - other.position[0], dy = own[1] - other.position[1], dz = own[2] - other.position[2];
    real const r2 = upsweep::fma(dz, dz, upsweep::fma(dy, dy, dx * dx));
    auto const coefficients = coefficients_of(i, other);
    auto const within = r2 <= coefficients[0];
    if constexpr (std::is_same_v<real, double> && !computes_all<Law, real>)
      if (!within) return;
    real const f = coefficients[2] * force_within<Law>(real(r2 * coefficients[1]), within);
    real const x = product_on_force_grid(dx, f, unit), y = product_on_force_grid(dy, f, unit),
               z = product_on_force_grid(dz, f, unit);
    sum[0] += x;
    sum[1] += y;
    sum[2] += z;
    sum[3] += size_of_terms::of(r2, x, y, z);
  }

 private:
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Real, 3> const& coefficients_of(std::size_t,
                                                                            loaded_neighbor<Real> const& other) const {
    return other.coefficients;
  }
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<double, 3> coefficients_of(std::size_t i, loaded_type const& other) const {
    return table.force_coefficients_of_few(positions.type(i), other.type);
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
  neighbor_positions positions;
  pair_table table;
  vectors forces;

  KOKKOS_FUNCTION void operator()(std::size_t i, row_sum const& first) const {
    row_sum sum = first;
    double unit = 1;
    // Ends without a force where s is NaN, and where the coarsest grid is too fine.
    while (!(sum[3] < 0x1p11 * unit) && unit < 0x1p480) {
      unit *= sum[3] <= 0x1p600 ? 2 : 0x1p480;
      table_force<Law, false> const of{positions, table, unit};
      sum = {0, 0, 0, 0};
      upsweep::for_each_neighbor(rows, i, [&](int j) { of(i, j, of.load(i, j), sum); });
    }
    bool const known = sum[3] < 0x1p11 * unit;
    for (int d = 0; d < 3; ++d) forces(i, d) = known ? sum[d] : Kokkos::Experimental::quiet_NaN_v<double>;
  }
};

}  // namespace

template <class Rows>
void compute_forces(space_type const& space, Rows const& rows, neighbor_positions const& positions,
                    pair_table const& table, vectors const& forces) {
  with_law(table, [&](auto law) {
    using law_type = decltype(law);
    auto const add_up = [&](auto const& force) {
      upsweep::reduce_rows(space, rows, force, store_table_force<law_type, Rows>{rows, positions, table, forces},
                           add_row_sums{}, {.label = "upsweep-nbody"});
    };
    if constexpr (upsweep::compat::is_gpu<space_type>) {
      if (table.types <= pair_table::few) {
        add_up(table_force<law_type, true>{positions, table, 1});
        return;
      }
    }
    add_up(table_force<law_type, false>{positions, table, 1});
  });
}

template void compute_forces(space_type const&, upsweep::neighbor_rows<> const&, neighbor_positions const&,
                             pair_table const&, vectors const&);
template void compute_forces(space_type const&, upsweep::chosen_rows<> const&, neighbor_positions const&,
                             pair_table const&, vectors const&);

}  // namespace nbody

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "table_forces.hpp"

#include "force_grid.hpp"

#include <upsweep/neighbors/for_each_neighbor.hpp>
#include <upsweep/neighbors/reduce_rows.hpp>

namespace nbody {
namespace {

// The law may be any function, so the bounds 4 and 5 of force_grid.hpp do not hold here. One test replaces them: a row
// is right on the grid of unit u where s < 2^11 u, s being the sum of the sizes of its rounded terms (3 there).
// - All forces are at most 2^11 u. By 1 and 2 there, s is exact in every order as long as it is below 2^13 u, so the
//   test has the same result in every order.
// - One force is larger. Rounding is monotone, so its rounded size is 2^11 u or more, s is at least that, and the test
//   fails in every order.

/// Adds the force of one pair. Unlike the plain pair's functor it takes one neighbour at a time.
template <class Law>
struct table_force {
  padded_vectors positions;
  pair_table table;
  double unit;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t i, int j, row_sum& sum) const {
    auto const row = static_cast<std::size_t>(i), other = static_cast<std::size_t>(j);
    double const dx = positions(row, 0) - positions(other, 0), dy = positions(row, 1) - positions(other, 1),
                 dz = positions(row, 2) - positions(other, 2);
    double const r2 = upsweep::fma(dz, dz, upsweep::fma(dy, dy, dx * dx));
    double const* const c = table.row(positions, row, other);
    if (!(r2 <= c[0])) return;
    double const f = c[2] * Law::force_over_r(r2 * c[1]);
    double const x = product_on_force_grid(dx, f, unit), y = product_on_force_grid(dy, f, unit),
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

  KOKKOS_FUNCTION void operator()(std::int64_t i, row_sum const& first) const {
    row_sum sum = first;
    double unit = 1;
    // Ends without a force where s is NaN, and where the coarsest grid is too fine.
    while (!(sum[3] < 0x1p11 * unit) && unit < 0x1p480) {
      unit *= sum[3] <= 0x1p600 ? 2 : 0x1p480;
      table_force<Law> const of{positions, table, unit};
      sum = {0, 0, 0, 0};
      upsweep::for_each_neighbor(rows, static_cast<std::size_t>(i), [&](int j) { of(i, j, sum); });
    }
    bool const known = sum[3] < 0x1p11 * unit;
    for (int d = 0; d < 3; ++d) forces(i, d) = known ? sum[d] : Kokkos::Experimental::quiet_NaN_v<double>;
  }
};

template <class Rows>
void add_up(space_type const& space, Rows const& rows, padded_vectors const& positions, pair_table const& table,
            vectors const& forces) {
  with_law(table, [&](auto law) {
    using law_type = decltype(law);
    upsweep::reduce_rows(space, rows, table_force<law_type>{positions, table, 1},
                         store_table_force<law_type, Rows>{rows, positions, table, forces}, add_row_sums{},
                         {.label = "upsweep-nbody"});
  });
}

}  // namespace

void compute_forces(space_type const& space, upsweep::neighbor_rows<> const& rows, padded_vectors const& positions,
                    pair_table const& table, vectors const& forces) {
  add_up(space, rows, positions, table, forces);
}
void compute_forces(space_type const& space, upsweep::chosen_rows<> const& rows, padded_vectors const& positions,
                    pair_table const& table, vectors const& forces) {
  add_up(space, rows, positions, table, forces);
}

}  // namespace nbody

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "msd.hpp"

#include "../rows/rows_by_id.hpp"
#include "../text.hpp"
#include "exact_plus.hpp"

#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/reduce.hpp>

#include <cstddef>

namespace nbody {

void msd::sample(atoms const& a, upsweep::box<double> const& box, std::int64_t step) {
  rows_by_id const rows(comm_, space_, a.ids, particles_);
  auto at = rows.fetch(a.positions);
  auto const edges = rows.fetch(a.edges);
  auto const tilt = box.tilt();
  for (std::size_t k = 0; k < at.size(); k += 3) {
    double const e[3] = {static_cast<double>(edges[k]), static_cast<double>(edges[k + 1]),
                         static_cast<double>(edges[k + 2])};
    at[k] += e[0] * box.length(0) + e[1] * tilt.xy + e[2] * tilt.xz;
    at[k + 1] += e[1] * box.length(1) + e[2] * tilt.yz;
    at[k + 2] += e[2] * box.length(2);
  }
  bool const first = rows_.empty();
  if (first) reference_ = std::move(at);
  exact_plus const plus;
  auto const all = upsweep::mpi::reduce(
      comm_,
      [&] {
        auto sum = plus.identity();
        for (std::size_t k = 0; !first && k < at.size(); ++k) {
          double const moved = at[k] - reference_[k];
          sum = plus(sum, exact_plus::sum{}.lift(moved * moved));
        }
        return sum;
      },
      plus);
  upsweep::mpi::all_or_none(
      comm_, [&] { rows_.push_back({step, exact_plus::sum{}.lower(all) / static_cast<double>(particles_)}); });
}

std::string msd_text(std::vector<msd_row> const& rows, double dt) {
  std::string lines = "# upsweep-nbody: step time msd\n";
  for (auto const& row : rows)
    lines +=
        text("%lld %.10g %.15g\n", static_cast<long long>(row.step), dt * static_cast<double>(row.step), row.value);
  return lines;
}

}  // namespace nbody

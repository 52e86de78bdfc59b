// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "pair_table.hpp"

#include "../atoms.hpp"
#include "pair_coefficients.hpp"

#include <vector>

namespace nbody {

std::optional<pair_table> make_pair_table(space_type const& space, options const& o, std::int32_t types) {
  if (o.pair == "lj" && o.coefficients.empty()) return {};
  auto given = o.coefficients;
  if (given.empty())
    for (std::int32_t type = 1; type <= types; ++type) given.push_back({type, type, 1, 1, 0});
  auto const all = all_pairs(given, o.cutoff);
  pair_table table;
  table.law = o.pair == "soft" ? pair_law::soft_sphere : o.pair == "own" ? pair_law::own : pair_law::lennard_jones;
  table.types = types_of(given);
  std::vector<double> forces, energies;
  for (auto const& c : all) {
    double const cutoff2 = c.cutoff * c.cutoff, sigma2 = c.sigma * c.sigma;
    double const at_cutoff = c.epsilon * with_law(table, [&](auto law) { return law.energy(cutoff2 / sigma2); });
    for (double const number : {cutoff2, 1 / sigma2, c.epsilon / sigma2, 0.0}) forces.push_back(number);
    for (double const number : {cutoff2, 1 / sigma2, c.epsilon, o.shift ? at_cutoff : 0.0}) energies.push_back(number);
  }
  table.of_forces = make<pair_table::coefficients>(space, "upsweep-nbody::force_coefficients", all.size());
  table.of_energies = make<pair_table::coefficients>(space, "upsweep-nbody::energy_coefficients", all.size());
  copy_rows_in(space, table.of_forces, forces.data());
  copy_rows_in(space, table.of_energies, energies.data());
  return table;
}

}  // namespace nbody

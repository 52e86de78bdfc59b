// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>

namespace nbody {

/// One line of the table; LAMMPS' definitions in reduced units, energies per particle.
struct thermo_row {
  std::int64_t step = 0;
  double temperature = 0;  ///< of 3N-3 degrees of freedom
  double potential = 0;
  double kinetic = 0;
  double total = 0;
  double pressure = 0;  ///< kinetic part and virial
};

/// Calls f(name, number) for the numbers of a row.
template <class Row, class F>
void for_each_number(Row& row, F&& f) {
  f("temperature", row.temperature);
  f("potential", row.potential);
  f("kinetic", row.kinetic);
  f("total", row.total);
  f("pressure", row.pressure);
}

}  // namespace nbody

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What read_lammps_data makes of a file, for check_examples.py: print_atoms FILE [STYLE]. A line for each atom: id,
// type, position, image flags, molecule, charge and radius; - for what the style does not have. A file that is refused
// gives the message and exit code 2.
#include <upsweep/base/error.hpp>
#include <upsweep/io/lammps_data.hpp>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  try {
    auto const p = upsweep::read_lammps_data(argv[1], {.atom_style = argc > 2 ? argv[2] : ""});
    for (std::size_t i = 0; i < p.size(); ++i) {
      std::printf("%lld %d %.17g %.17g %.17g %d %d %d", static_cast<long long>(p.ids[i]), p.types[i],
                  p.positions[3 * i], p.positions[3 * i + 1], p.positions[3 * i + 2], p.image_flags[3 * i],
                  p.image_flags[3 * i + 1], p.image_flags[3 * i + 2]);
      std::printf(" %s", p.molecules.empty() ? "-" : std::to_string(p.molecules[i]).c_str());
      p.charges.empty() ? std::printf(" -") : std::printf(" %.17g", p.charges[i]);
      p.radii.empty() ? std::printf(" -\n") : std::printf(" %.17g\n", p.radii[i]);
    }
  } catch (upsweep::input_error const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}

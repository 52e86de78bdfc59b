// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Any bytes are refused by input_error, or give particles that fit together.
#include "particles.hpp"

#include <upsweep/io/extended_xyz.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t n) {
  static fuzz::folder const folder;
  auto const p = fuzz::unless_refused([&] { return upsweep::read_extended_xyz(folder.file("x.xyz", bytes, n)); });
  if (!p) return 0;
  fuzz::check_particles(*p);
  fuzz::check(p->size() >= 1, "no particles");
  fuzz::check(p->particle_masses.empty() || p->particle_masses.size() == p->size(), "masses of some particles alone");
  return 0;
}

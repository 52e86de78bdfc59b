// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace upsweep::neighbors::detail {

// Batches of small systems on GPUs: one launch for all, and a team for each system. A team checks its particles, lays
// out the grid, finds the candidates near the system, tests all of its rows against them, learns from the teams before
// where its rows begin, and writes them. Nothing but positions is read from global memory, and nothing but the list is
// written. Rows are written before the CPU knows how many pairs there are, into the memory of the list before: it waits
// once, and only where that memory was too small it takes more, and launches again.
//
// H200, 2026-11-29, whole builds, 77 neighbours, periodic, here and by masks, us: 1,024 systems of 128 particles in
// float 151 and 318, in double 171 and 365, with images 198 and 365; 8,192 of them 852 and 1450, 1040 and 1779, 1118
// and 1619; 2,048 of 64 148 and 280, 8,192 of 32 274 and 366. Of 75 million instructions of warps for 1,024 systems a
// third are tests.
//
// What a team cannot do it reports, and the batch is built as others are, which says also what is wrong with it.

/// At most so many particles has a small system: a lane has four rows of 32 lanes.
inline constexpr int most_particles_of_small_system = 128;

/// What was found of systems: of all together the largest of each.
struct small_systems_found {
  unsigned largest_row = 0, words = 0, particles = 0;  ///< words: of 32 candidates that are near a system
  bool failed = false;                                 ///< some system was not built

  /// In the 63 bits that teams pass on.
  KOKKOS_FUNCTION std::uint64_t packed() const {
    return std::uint64_t(limited(largest_row, 22)) | std::uint64_t(limited(words, 20)) << 22 |
           std::uint64_t(limited(particles, 20)) << 42 | std::uint64_t(failed ? 1 : 0) << 62;
  }
  /// Adds what another team has packed.
  KOKKOS_FUNCTION void add(std::uint64_t other) {
    add({field(other, 0, 22), field(other, 22, 20), field(other, 42, 20), (other >> 62 & 1) != 0});
  }
  KOKKOS_FUNCTION void add(small_systems_found const& other) {
    largest_row = Kokkos::max(largest_row, other.largest_row);
    words = Kokkos::max(words, other.words);
    particles = Kokkos::max(particles, other.particles);
    failed = failed || other.failed;
  }

 private:
  KOKKOS_FUNCTION static unsigned limited(unsigned value, int bits) { return Kokkos::min(value, (1u << bits) - 1); }
  KOKKOS_FUNCTION static unsigned field(std::uint64_t from, int bit, int bits) {
    return static_cast<unsigned>(from >> bit) & ((1u << bits) - 1);
  }
};

/// What the CPU has to know of the batch. Written on the device.
struct small_systems_report {
  small_systems_found found;
  std::uint64_t pairs = 0;
};

}  // namespace upsweep::neighbors::detail

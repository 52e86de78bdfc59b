// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/box/system_memory.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep::neighbors::detail {

// Some systems of a batch become a batch of their own, its part.

/// How many systems, and particles of these, in one word: a scan adds up both. A batch has fewer than 2^31 of each.
struct part_size {
  std::size_t word;

  KOKKOS_FUNCTION static part_size of(std::int64_t systems, std::int64_t particles) {
    return {static_cast<std::size_t>(systems) << 32 | static_cast<std::size_t>(particles)};
  }
  KOKKOS_FUNCTION std::int64_t systems() const { return static_cast<std::int64_t>(word >> 32); }
  KOKKOS_FUNCTION std::int64_t particles() const { return static_cast<std::int64_t>(word & 0xffffffffu); }
};

/// Which systems of a batch are in its part, and where.
struct systems_in_part {
  int systems;                  ///< of the batch
  int const* flags;             ///< of each, whether it is in the part
  std::int64_t const* offsets;  ///< of the batch
  int const* of_particle;       ///< the system of each particle of the batch
  std::size_t const* before;    ///< of each system the part_size before it, and behind the last that of all

  KOKKOS_FUNCTION bool has(std::int64_t system) const { return flags[system] != 0; }
  /// Pre: the part has the system.
  KOKKOS_FUNCTION std::int64_t place_of(std::int64_t system) const { return part_size{before[system]}.systems(); }
  KOKKOS_FUNCTION std::int64_t first_particle(std::int64_t system) const {
    return part_size{before[system]}.particles();
  }
  /// A particle's number in the batch, less that in the part.
  KOKKOS_FUNCTION std::int64_t shift(std::int64_t system) const { return offsets[system] - first_particle(system); }
};

/// One thread per system: its share of the part.
struct measure_part_kernel {
  int const* flags;
  std::int64_t const* offsets;
  std::size_t* sizes;
  KOKKOS_FUNCTION void operator()(std::int64_t b) const {
    sizes[b] = flags[b] == 0 ? 0 : part_size::of(1, offsets[b + 1] - offsets[b]).word;
  }
};

/// One thread per system, and one more: offsets and boxes of the part.
template <class Real>
struct gather_systems_kernel {
  systems_in_part in_part;
  box<Real> const* boxes;
  system_memory<Real> to;
  int* numbers;
  KOKKOS_FUNCTION void operator()(std::int64_t b) const {
    bool const is_end = b == in_part.systems;
    if (!is_end && !in_part.has(b)) return;
    std::int64_t const k = in_part.place_of(b);
    to.offsets[k] = in_part.first_particle(b);
    if (is_end) return;
    to.boxes[k] = boxes[b];
    numbers[k] = static_cast<int>(b);
  }
};

/// One thread per particle of the batch: what is given for the particles of the part, side by side. What is not given
/// is null. Of the others not even the position is read.
template <class Real>
struct gather_particles_kernel {
  systems_in_part in_part;
  one_set<Real> positions;
  std::int64_t const* wide_ids;
  std::int32_t const* narrow_ids;
  int const* types;
  double const* radii;
  Real* x;
  int* numbers;
  std::int64_t* own_ids;  ///< a particle's number where no ids are given
  int* own_types;
  double* own_radii;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    int const system = in_part.of_particle[i];
    if (!in_part.has(system)) return;
    std::int64_t const k = i - in_part.shift(system);
    auto const at = positions(i);
    for (int d = 0; d < 3; ++d) x[3 * k + d] = at[d];
    numbers[k] = static_cast<int>(i);
    if (own_ids != nullptr) own_ids[k] = wide_ids != nullptr ? wide_ids[i] : narrow_ids != nullptr ? narrow_ids[i] : i;
    if (own_types != nullptr) own_types[k] = types[i];
    if (own_radii != nullptr) own_radii[k] = radii[i];
  }
};

}  // namespace upsweep::neighbors::detail

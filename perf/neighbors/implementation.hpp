// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "particles.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace perf::neighbors {

/// A finished list in one form for all, for its verification: the neighbours of particle i are those
/// from offsets(i) on.
struct rows {
  Kokkos::View<std::size_t const*, memory> offsets;
  Kokkos::View<int const*, memory> neighbors;
};

/// A list whose memory is kept from build to build, as far as the implementation can.
struct prepared {
  std::function<void()> build;
  /// Of the last build: how many neighbours all particles have, and the list's bytes.
  std::function<std::size_t()> pairs;
  std::function<std::size_t()> bytes;
  std::function<neighbors::rows()> rows;
  /// What it keeps of pairs beside neighbours, as words of 32 bits, one array after the other.
  using words = Kokkos::View<std::uint32_t const*, memory, Kokkos::MemoryUnmanaged>;
  std::function<std::vector<words>()> values = {};
};

/// One implementation: ours, or a peer's.
template <class Real>
struct implementation {
  std::string name;
  /// Ours are the same list bit by bit. Peers may differ where a distance is the cutoff up to rounding, and in order.
  bool exact;
  std::function<prepared(space const&, particles<Real> const&)> prepare;
  /// It has no way to leave ghosts without rows.
  bool open_only = false;
  /// The list that it must be equal to, where it is not the full one; measured with uniform particles alone.
  std::function<prepared(space const&, particles<Real> const&)> reference = {};
};

/// All of them, by who makes them. Each is in the header of its name, and instantiated in a file of its own
/// (CMakeLists.txt), because they take long to compile.
template <class Real>
struct lists {
  static std::vector<implementation<Real>> by_upsweep(), by_cabana(), by_arborx();
};

}  // namespace perf::neighbors

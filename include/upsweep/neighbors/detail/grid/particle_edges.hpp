// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace upsweep::neighbors::detail {

/// So many whole edges may be taken off a particle, for unwrapped images to be ints: s + (n_i - n_j).
inline constexpr int most_edges_off = std::numeric_limits<int>::max() / 2 - image::limit;

/// What is known of the whole edges that wrapping takes off a particle: 0 where there are none, 1 where there are
/// some; where there are too many, the complement of i, so that the largest names the first one.
template <class Positions, class Systems>
struct edges_off_summary {
  Positions positions;
  Systems systems;

  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t i) const {
    auto const particle = static_cast<std::int64_t>(i);
    auto const n = systems.box_of(systems.system_of(particle)).edges_off(positions(particle));
    std::uint64_t found = 0;
    for (int d = 0; d < 3; ++d) {
      if (n[d] > most_edges_off || n[d] < -most_edges_off) return ~static_cast<std::uint64_t>(i);
      if (n[d] != 0) found = 1;
    }
    return found;
  }
};

/// One thread per place: the edges taken off the particle there.
template <class Positions, class Systems>
struct edges_off_kernel {
  Positions positions;
  Systems systems;
  int const* order;
  int* edges;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    auto const n = systems.box_of(systems.system_of(order[place])).edges_off(positions(order[place]));
    for (int d = 0; d < 3; ++d) edges[3 * place + d] = n[d];
  }
};

/// The whole edges that wrapping takes off each particle, in the order of places. Keeps its memory.
template <class ExecutionSpace>
class particle_edges {
 public:
  using memory_space = typename ExecutionSpace::memory_space;

  /// Looks whether there are any. Waits for the instance. Throws overflow_error that names the first particle with more
  /// than unwrapped images can express. Pre: no particle has a fault.
  template <class Positions, class Systems>
  void check(ExecutionSpace const& space, Positions const& positions, std::int64_t n, Systems const& systems,
             call_options const& reduction) {
    any_ = false;
    if (n == 0) return;
    std::uint64_t const found = reduce(space, static_cast<std::size_t>(n),
                                       edges_off_summary<Positions, Systems>{positions, systems}, max<>{}, reduction);
    if (found > 1) {
      auto const at = static_cast<std::int64_t>(~found);
      auto const error = systems.error_of(space, at);
      throw overflow_error(error + "particle " + std::to_string(systems.number_of(space, at)) + " is more than " +
                           std::to_string(most_edges_off) + " edges outside of the box: unwrapped images have 32 bits");
    }
    any_ = found == 1;
  }

  /// Pre: check() came before, with the same positions.
  template <class Positions, class Systems>
  void store(ExecutionSpace const& space, Positions const& positions, std::int64_t n, Systems const& systems,
             int const* order) {
    if (!any_) return;
    internal::grow(space, edges_, 3 * static_cast<std::size_t>(n), Systems::function, "edges_off");
    internal::for_each_index(space, "upsweep::neighbor_list::edges_off", static_cast<std::size_t>(n),
                             edges_off_kernel<Positions, Systems>{positions, systems, order, edges_.data()});
  }
  void forget() { any_ = false; }

  /// Three per place; null where there are none.
  int const* data() const { return any_ ? edges_.data() : nullptr; }
  /// Device memory held.
  std::size_t bytes() const { return edges_.extent(0) * sizeof(int); }

 private:
  bool any_ = false;
  Kokkos::View<int*, memory_space> edges_;
};

}  // namespace upsweep::neighbors::detail

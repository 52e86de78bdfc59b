// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/internal/wrap_in_place.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep {

namespace neighbors::detail {

/// The complement of i for a particle that cannot be wrapped, or not be counted; 0 for a good one: the largest names
/// the first.
template <class Positions, class Crossings, class Real>
struct cannot_wrap {
  Positions positions;
  Crossings crossings;
  box<Real> sim_box;

  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t i) const {
    Kokkos::Array<Real, 3> const x{positions(i, 0), positions(i, 1), positions(i, 2)};
    bool bad = static_cast<bool>(sim_box.fault(x));
    if constexpr (!std::is_same_v<Crossings, internal::no_crossings>)
      bad = bad ||
            internal::overflow_of(sim_box, x, Kokkos::Array<int, 3>{crossings(i, 0), crossings(i, 1), crossings(i, 2)});
    return bad ? ~static_cast<std::uint64_t>(i) : 0;
  }
};

/// Row i of a View (n, 3), on the host.
template <class ExecutionSpace, class View>
auto fetch_three(ExecutionSpace const& space, View const& view, std::size_t i) {
  Kokkos::Array<typename View::non_const_value_type, 3> row;
  for (std::size_t d = 0; d < 3; ++d)
    row[d] = internal::fetch_one(
        space, view.data() + i * std::size_t(compat::stride(view, 0)) + d * std::size_t(compat::stride(view, 1)),
        "wrap_positions");
  return row;
}

template <class ExecutionSpace, class Positions, class Crossings, class Real>
void wrap_positions_call(ExecutionSpace const& space, Positions const& positions, Crossings const& crossings,
                         box<Real> const& box, call_options const& options) {
  static constexpr char const* function = "wrap_positions";
  constexpr bool counts = !std::is_same_v<Crossings, internal::no_crossings>;
  static_assert(compat::rank<Positions> == 2 && std::is_same_v<typename Positions::value_type, Real>,
                "upsweep::wrap_positions: positions is a View (n, 3) of the box's floating-point type that can be "
                "written.");
  static_assert(Kokkos::SpaceAccessibility<ExecutionSpace, typename Positions::memory_space>::accessible,
                "upsweep::wrap_positions: positions cannot be reached by kernels of this execution space.");
  std::size_t const n = positions.extent(0);
  internal::require(positions.extent(1) == 3, function,
                    [&] { return "positions has " + std::to_string(positions.extent(1)) + " columns; it needs 3"; });
  if constexpr (counts)
    internal::require(crossings.extent(0) == n && crossings.extent(1) == 3, function, [&] {
      return "crossings is " + std::to_string(crossings.extent(0)) + " x " + std::to_string(crossings.extent(1)) +
             " for " + std::to_string(n) + " particles; it is n x 3";
    });
  if (n == 0) return;
  std::uint64_t const found =
      reduce(space, n, cannot_wrap<Positions, Crossings, Real>{positions, crossings, box}, max<>{}, options);
  if (found != 0) {
    auto const i = static_cast<std::size_t>(~found);
    auto const x = fetch_three(space, positions, i);
    auto const subject = std::string(function) + ": " + internal::text_of_particle(std::int64_t(i), x) + " ";
    if (auto const fault = box.fault(x)) throw precondition_error(subject + box.describe(fault));
    if constexpr (counts) {
      auto const overflow = internal::overflow_of(box, x, fetch_three(space, crossings, i));
      throw overflow_error(subject + internal::describe(box, overflow));
    }
  }
  auto const wrap = [&](auto const& wrap_one) {
    internal::for_each_index(space, [&] { return internal::label(function, "wrap", options.label); }, n, wrap_one);
  };
  if (box.is_orthogonal()) wrap(internal::wrap_and_count<Positions, Crossings, Real>{positions, crossings, box});
  else wrap(internal::wrap_along_edges<Positions, Crossings, Real>{positions, crossings, box});
}

}  // namespace neighbors::detail

/// Wraps positions into the box where they are, as box::wrap does and as the owner of a particle does before a list is
/// built: `wrap_positions(space, x, box)`. Images of a list's pairs are relative to such positions. Wrapping again
/// changes no bit.
///
/// positions: a View (n, 3) of any layout. Open directions are left alone.
/// Pre: kernels of the space reach positions and crossings.
/// Cost: a reduction over the positions, and a launch that writes only what is not in the box.
/// Order: the same bits on every backend. Sync: waits for the reduction; the wrapping is asynchronous.
/// Throws, before anything is changed: precondition_error naming the first particle that has a box::fault(); extents.
template <execution_space_argument ExecutionSpace, view_argument Positions, class Real>
void wrap_positions(ExecutionSpace const& space, Positions const& positions, box<Real> const& box,
                    call_options const& options = {}) {
  neighbors::detail::wrap_positions_call(space, positions, internal::no_crossings{}, box, options);
}

/// The same, where crossings, a View (n, 3) of int, counts the edges that wrapping takes off, as the image flags of
/// LAMMPS: unwrapped position = position + crossings(i, 0) a + crossings(i, 1) b + crossings(i, 2) c, up to rounding,
/// with a, b and c the edges. They are added to what is there.
/// Throws: also overflow_error naming a particle of which a count would leave the range of int.
template <execution_space_argument ExecutionSpace, view_argument Positions, view_argument Crossings, class Real>
void wrap_positions(ExecutionSpace const& space, Positions const& positions, Crossings const& crossings,
                    box<Real> const& box, call_options const& options = {}) {
  static_assert(compat::rank<Crossings> == 2 && std::is_same_v<typename Crossings::value_type, int>,
                "upsweep::wrap_positions: crossings is a View (n, 3) of int that can be written.");
  neighbors::detail::wrap_positions_call(space, positions, crossings, box, options);
}

UPSWEEP_WITHOUT_SPACE(wrap_positions)

}  // namespace upsweep

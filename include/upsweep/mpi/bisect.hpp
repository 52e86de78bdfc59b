// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>
#include <upsweep/mpi/detail/bricks/bisection_search.hpp>
#include <upsweep/mpi/detail/bricks/open_range.hpp>
#include <upsweep/mpi/detail/bricks/positions.hpp>
#include <upsweep/mpi/detail/bricks/upright_frame.hpp>
#include <upsweep/mpi/detail/rows/listed_rows.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/mpi/internal/fingerprint.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/scan/reduce.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

namespace upsweep::mpi {

namespace detail {

/// Every particle weighs the same.
struct equal_weights {
  std::uint64_t weight;
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t) const { return weight; }
};

template <class Weights>
struct weights_of_view {
  Weights weights;
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t i) const { return static_cast<std::uint64_t>(weights(i)); }
};

template <class Weights>
struct is_negative {
  Weights weights;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return weights(i) < 0; }
};

/// Throws overflow_error on all ranks where the sum of all weights might not fit. Collective.
inline void require_weights_that_add(communicator const& comm, std::uint64_t largest, std::uint64_t particles) {
  check(comm, MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_UINT64_T, MPI_MAX, comm.get()), "MPI_Allreduce");
  check(comm, MPI_Allreduce(MPI_IN_PLACE, &particles, 1, MPI_UINT64_T, MPI_SUM, comm.get()), "MPI_Allreduce");
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (particles > 0 && largest > most / particles)
    throw overflow_error("mpi::bisect: " + std::to_string(particles) + " weights of up to " + std::to_string(largest) +
                         " may add up to more than 2^63");
}

/// check_weights() looks at the weights of this rank and returns the largest.
template <class ExecutionSpace, class Real, class Positions, class WeightOf, class CheckWeights>
domain<Real> bisect_call(communicator const& comm, ExecutionSpace const& space, upsweep::box<Real> const& whole,
                         Positions const& positions, WeightOf const& weight_of, CheckWeights const& check_weights) {
  static constexpr char const* function = "mpi::bisect";
  static_assert(std::is_same_v<typename Positions::non_const_value_type, Real>,
                "upsweep::mpi::bisect: positions are a View of the box's floating-point type.");
  internal::fingerprint arguments;
  arguments.text(function);
  add_box(arguments, whole);
  std::size_t const n = positions.extent(0);
  upright_frame<Real> const frame(whole);
  open_range range{};
  using search_type = bisection_search<ExecutionSpace, Positions, WeightOf, Real>;
  std::optional<search_type> search;
  std::uint64_t const largest = all_or_none_checked(comm, arguments, function, "the box", [&]() -> std::uint64_t {
    internal::require(positions.extent(1) == 3, function,
                      [&] { return "positions has " + std::to_string(positions.extent(1)) + " columns"; });
    auto const bad = first_bad_row(space, n, has_no_place<Positions, Real>{positions, whole}, "bisect");
    if (bad < n)
      throw precondition_error(std::string(function) + ": " + describe_position(space, positions, bad) +
                               " (index on this rank) " + why_no_place(whole, row_of_three(space, positions, bad)));
    if (comm.size() > 1) {
      search.emplace(space, frame, positions, weight_of, comm.size());
      if (frame.is_unbounded()) range = find_open_range(space, frame, positions, "bisect");
    }
    return check_weights();
  });
  require_weights_that_add(comm, largest, n);
  if (!search) return domain<Real>(comm, whole, rank_grid{1, 1, 1});
  if (frame.is_unbounded()) join_open_ranges(comm, range);
  return domain<Real>(comm, whole, search->find(comm, part_with_particles(frame, range)));
}

}  // namespace detail

/// A domain of bricks with equal weight, by recursive bisection, for any number of ranks: `auto const parts =
/// bisect(comm, space, box, positions);` makes bricks with as many particles each, wherever these are. Then `migrate`
/// brings particles to their owners. The box is cut across its longest side into two parts for one half of the ranks
/// each (rounded down, and up), then these parts are, and so on. A triclinic box is cut along its edges, in upright
/// coordinates, and where a box of any edges is open over the range of the particles.
///
/// `weights`, a View of integers, says how much work each particle makes: bricks then have equal sums. Particles at
/// the same coordinate are on one side of a cut, whatever they weigh.
/// Pre: all ranks call it; positions, a View (n, 3) of Real, has particles of the box, each on one rank, in any order
/// and on any rank. They need not be wrapped.
/// Cost: with P ranks, for each of log2(P) levels at most 8 passes over positions, each with an MPI_Allreduce of 256 P
/// bytes at most.
/// Order: the cuts depend on particles and weights alone, not on which rank has them: the same bits on all ranks.
/// Sync: collective; waits for the instance.
/// Throws: on all ranks alike: precondition_error (a box that differs between ranks, a particle that migrate would
/// refuse, a negative weight, a part so thin that no number lies in it to cut at), overflow_error (weights that may add
/// up to 2^63 or more), out_of_memory_error.
/// Source: Berger and Bokhari, *A partitioning strategy for nonuniform problems on multiprocessors*.
template <execution_space_argument ExecutionSpace, class Real, detail::view_of_positions Positions,
          view_of_rank_1 Weights>
domain<Real> bisect(communicator const& comm, ExecutionSpace const& space, upsweep::box<Real> const& whole,
                    Positions const& positions, Weights const& weights) {
  using weight = typename Weights::non_const_value_type;
  static_assert(std::is_integral_v<weight> && !std::is_same_v<weight, bool>,
                "upsweep::mpi::bisect: weights are integers, whose sums do not depend on their order.");
  std::size_t const n = positions.extent(0);
  return detail::bisect_call(
      comm, space, whole, positions, detail::weights_of_view<Weights>{weights}, [&]() -> std::uint64_t {
        internal::require_same_extent(n, weights.extent(0), "mpi::bisect", "positions", "weights");
        if constexpr (std::is_signed_v<weight>) {
          auto const bad = detail::first_bad_row(space, n, detail::is_negative<Weights>{weights}, "bisect");
          internal::require(bad == n, "mpi::bisect", [&] { return "weight " + std::to_string(bad) + " is negative"; });
        }
        if (n == 0) return 0;
        return static_cast<std::uint64_t>(upsweep::reduce(space, weights, max<weight>{}));
      });
}

/// The same where every particle weighs the same.
template <execution_space_argument ExecutionSpace, class Real, detail::view_of_positions Positions>
domain<Real> bisect(communicator const& comm, ExecutionSpace const& space, upsweep::box<Real> const& whole,
                    Positions const& positions) {
  return detail::bisect_call(comm, space, whole, positions, detail::equal_weights{1}, [] { return std::uint64_t(1); });
}

/// The same by measured time: `seconds` is how long this rank has worked, for the particles that it has in positions.
/// Each of them weighs an equal part of it, rounded to 2^-20 of the largest part that a particle has on any rank.
/// Throws: also precondition_error for a time that is negative or not finite.
template <execution_space_argument ExecutionSpace, class Real, detail::view_of_positions Positions>
domain<Real> bisect_by_time(communicator const& comm, ExecutionSpace const& space, upsweep::box<Real> const& whole,
                            Positions const& positions, double seconds) {
  constexpr double parts = 1 << 20;
  bool const good = std::isfinite(seconds) && seconds >= 0;
  std::size_t const n = positions.extent(0);
  double const each = good && n > 0 ? seconds / static_cast<double>(n) : 0;
  double largest = 0;
  check(comm, MPI_Allreduce(&each, &largest, 1, MPI_DOUBLE, MPI_MAX, comm.get()), "MPI_Allreduce");
  std::uint64_t const weight =
      largest > 0 ? std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(parts * (each / largest)))) : 1;
  return detail::bisect_call(comm, space, whole, positions, detail::equal_weights{weight}, [&] {
    internal::require(good, "mpi::bisect_by_time", [&] { return "seconds = " + upsweep::internal::text_of(seconds); });
    return weight;
  });
}

UPSWEEP_WITHOUT_COMMUNICATOR(bisect)
UPSWEEP_WITHOUT_COMMUNICATOR(bisect_by_time)

}  // namespace upsweep::mpi

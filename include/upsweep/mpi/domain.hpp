// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/internal/fingerprint.hpp>
#include <upsweep/neighbors/box.hpp>

#include <concepts>
#include <string>
#include <vector>

namespace upsweep::mpi {

/// How many bricks, one per rank, there are along x, y and z. A zero is a free choice.
using rank_grid = Kokkos::Array<int, 3>;

/// The grid of `ranks` bricks with the smallest brick surface: choose_grid(8, {10, 10, 10}) is 2 x 2 x 2. Components of
/// `wanted` that are not zero are kept: choose_grid(8, lengths, {0, 1, 0}) cuts only x and z.
/// Throws: precondition_error when no grid of that form has `ranks` bricks.
rank_grid choose_grid(int ranks, Kokkos::Array<double, 3> const& lengths, rank_grid const& wanted = {0, 0, 0});

/// The half-open part [lo, hi) of the box that belongs to one rank.
template <std::floating_point Real>
struct brick {
  Kokkos::Array<Real, 3> lo, hi;
};

namespace detail {
template <class Real>
void add_box(internal::fingerprint& arguments, upsweep::box<Real> const& box) {
  arguments.type<Real>();
  for (int d = 0; d < 3; ++d) arguments.value(box.lo(d)).value(box.hi(d)).value(static_cast<int>(box.periodic(d)));
  for (int k = 0; k < 3; ++k)
    for (int d = 0; d < 3; ++d) arguments.value(box.edge(k)[d]);
}
}  // namespace detail

/// Who owns which part of a box: a grid of equal bricks, x running fastest. Known as a whole to every rank, and to
/// kernels: `domain<double> parts(comm, box, {2, 2, 1}); int r = parts.owner(x, y, z);`
/// Pre: all ranks construct, with the same box and grid; a zero in the grid is chosen (choose_grid).
/// Order: a brick's upper border is its neighbour's lower border, bit by bit, and belongs to the neighbour.
/// Sync: collective; one MPI_Allreduce of 24 bytes.
/// Throws: on all ranks alike: precondition_error when the product of the grid is not the number of ranks, ranks
/// differ, or the box is not orthogonal.
template <std::floating_point Real>
class domain {
 public:
  using real = Real;

  domain(communicator const& comm, upsweep::box<Real> const& whole, rank_grid const& wanted = {0, 0, 0}) : box_(whole) {
    internal::fingerprint arguments;
    detail::add_box(arguments, whole);
    for (int d = 0; d < 3; ++d) arguments.value(wanted[d]);
    detail::agree_on(comm, error_kind::none, {}, arguments, "mpi::domain", "the box and the rank grid");
    // Nothing from here on allocates unless it throws on all ranks.
    if (whole.is_of_edges())
      throw precondition_error("mpi::domain: boxes of any three edges cannot be distributed, only orthogonal ones");
    if (whole.is_triclinic()) throw precondition_error("mpi::domain: triclinic boxes cannot be distributed");
    grid_ =
        choose_grid(comm.size(), {double(whole.length(0)), double(whole.length(1)), double(whole.length(2))}, wanted);
    for (int d = 0; d < 3; ++d) step_[d] = whole.length(d) / static_cast<Real>(grid_[d]);
  }

  KOKKOS_FUNCTION upsweep::box<Real> const& box() const { return box_; }
  KOKKOS_FUNCTION rank_grid const& grid() const { return grid_; }
  KOKKOS_FUNCTION int size() const { return grid_[0] * grid_[1] * grid_[2]; }

  /// Lower border of the k-th brick along d, for k = 0 ... grid()[d]; the last is the box's upper border. All borders,
  /// of bricks and of owners, come from here. Ascending, since a rounded multiply-add is monotone in k.
  KOKKOS_FUNCTION Real border(int d, int k) const {
    if (k >= grid_[d]) return box_.hi(d);
    Real const x = Kokkos::fma(static_cast<Real>(k), step_[d], box_.lo(d));
    return x < box_.hi(d) ? x : box_.hi(d);
  }

  /// Which brick along d holds x; outside of the box the nearest. Pre: x is not NaN.
  KOKKOS_FUNCTION int column(Real x, int d) const {
    Real const guess = (x - box_.lo(d)) / step_[d];
    int k = guess >= static_cast<Real>(grid_[d]) ? grid_[d] - 1 : (guess > Real(0) ? static_cast<int>(guess) : 0);
    if (k > grid_[d] - 1) k = grid_[d] - 1;
    // The division may be off by a rounding; the borders decide.
    while (k > 0 && x < border(d, k)) --k;
    while (k + 1 < grid_[d] && x >= border(d, k + 1)) ++k;
    return k;
  }

  /// The rank whose brick holds the wrapped position (x, y, z).
  KOKKOS_FUNCTION int owner(Real x, Real y, Real z) const {
    return column(x, 0) + grid_[0] * (column(y, 1) + grid_[1] * column(z, 2));
  }

  KOKKOS_FUNCTION upsweep::mpi::brick<Real> brick(int rank) const {
    Kokkos::Array<int, 3> const at{rank % grid_[0], rank / grid_[0] % grid_[1], rank / grid_[0] / grid_[1]};
    upsweep::mpi::brick<Real> result;
    for (int d = 0; d < 3; ++d) {
      result.lo[d] = border(d, at[d]);
      result.hi[d] = border(d, at[d] + 1);
    }
    return result;
  }

  /// Adds what ranks must have in common to call something with it.
  void describe(internal::fingerprint& arguments) const {
    detail::add_box(arguments, box_);
    for (int d = 0; d < 3; ++d) arguments.value(grid_[d]);
  }

  std::vector<upsweep::mpi::brick<Real>> bricks() const {
    std::vector<upsweep::mpi::brick<Real>> all;
    for (int r = 0; r < size(); ++r) all.push_back(brick(r));
    return all;
  }

 private:
  upsweep::box<Real> box_;
  rank_grid grid_{1, 1, 1};
  Kokkos::Array<Real, 3> step_{};
};

}  // namespace upsweep::mpi

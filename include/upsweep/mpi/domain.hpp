// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/bricks/bisection_tree.hpp>
#include <upsweep/mpi/detail/bricks/upright_frame.hpp>
#include <upsweep/mpi/internal/fingerprint.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/internal/upright_reach.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace upsweep::mpi {

/// How many bricks, one per rank, there are along x, y and z. A zero is a free choice.
using rank_grid = Kokkos::Array<int, 3>;

/// The grid of `ranks` bricks with the smallest brick surface: choose_grid(8, {10, 10, 10}) is 2 x 2 x 2. Components of
/// `wanted` that are not zero are kept: choose_grid(8, lengths, {0, 1, 0}) cuts only x and z.
/// Throws: precondition_error when no grid of that form has `ranks` bricks.
rank_grid choose_grid(int ranks, Kokkos::Array<double, 3> const& lengths, rank_grid const& wanted = {0, 0, 0});

/// The half-open part [lo, hi) of the box that belongs to one rank, in upright coordinates (box::upright): in an
/// orthogonal box of positions, in a triclinic one a part with tilted faces.
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

namespace detail {
/// choose_grid for bricks of a box. A grid is good that has few ghosts: these are in proportion to the number of bricks
/// along each direction over the height of the box. Allocates nothing unless it throws.
template <class Real>
rank_grid choose_grid_of_box(upright_frame<Real> const& frame, int ranks, rank_grid wanted) {
  auto const& box = frame.box;
  bool unbounded = ranks > 1;
  Kokkos::Array<double, 3> heights;
  for (int d = 0; d < 3; ++d) {
    heights[d] = double(box.length(d)) / upsweep::internal::upright_stretch(box, d);
    unbounded = unbounded && frame.is_unbounded(d);
    if (!frame.is_unbounded(d)) continue;
    if (wanted[d] > 1)
      throw precondition_error("mpi::domain: the box has no borders in its open direction " +
                               std::string(1, box.direction_name(d)) + ", and so no " + std::to_string(wanted[d]) +
                               " equal bricks; mpi::bisect cuts it where particles are");
    if (wanted[d] == 0) wanted[d] = 1;
  }
  if (unbounded)
    throw precondition_error("mpi::domain: the box has no borders, and so no " + std::to_string(ranks) +
                             " equal bricks; mpi::bisect cuts it where particles are");
  return choose_grid(ranks, heights, wanted);
}
}  // namespace detail

/// Who owns which part of a box: a grid of equal bricks, x running fastest, or bricks made by recursive bisection
/// (mpi::bisect). Known as a whole to every rank, and to kernels: `domain<double> parts(comm, box, {2, 2, 1}); int r =
/// parts.owner(x, y, z);`
///
/// A triclinic box is cut along its edges: borders are those of upright coordinates (box::upright). Rounding may leave
/// these a little outside of the box; the bricks on its borders own what is there.
/// Pre: all ranks construct, with the same box and grid; a zero in the grid is chosen (choose_grid).
/// Order: a brick's upper border is its neighbour's lower border, bit by bit, and belongs to the neighbour.
/// Sync: collective; one MPI_Allreduce of 24 bytes.
/// Throws: on all ranks alike: precondition_error when the product of the grid is not the number of ranks, ranks
/// differ, or a box of any edges is to be cut along an open direction, where it has no borders.
template <std::floating_point Real>
class domain {
 public:
  using real = Real;

  domain(communicator const& comm, upsweep::box<Real> const& whole, rank_grid const& wanted = {0, 0, 0})
      : frame_(whole) {
    internal::fingerprint arguments;
    detail::add_box(arguments, whole);
    for (int d = 0; d < 3; ++d) arguments.value(wanted[d]);
    detail::agree_on(comm, error_kind::none, {}, arguments, "mpi::domain", "the box and the rank grid");
    // Nothing from here on allocates unless it throws on all ranks.
    grid_ = detail::choose_grid_of_box(frame_, comm.size(), wanted);
    for (int d = 0; d < 3; ++d) step_[d] = whole.length(d) / static_cast<Real>(grid_[d]);
    size_ = comm.size();
  }

  /// Bricks by recursive bisection: a range of P ranks is cut into its first P / 2, rounded down, and the others, until
  /// each has one rank. cuts[r - 1] is the cut between rank r - 1 and rank r: what mpi::bisect finds, and cuts() gives.
  /// Pre: all ranks construct, with the same box and cuts.
  /// Sync: as above, and another MPI_Allreduce of 24 bytes.
  /// Throws: as above: precondition_error, too, where the number of cuts is not one less than that of ranks, or a cut
  /// is not inside of what it cuts; out_of_memory_error.
  domain(communicator const& comm, upsweep::box<Real> const& whole, std::vector<bisection_cut<Real>> const& cuts)
      : frame_(whole), grid_{0, 0, 0} {
    internal::fingerprint arguments, of_cuts;
    for (auto const& c : cuts) of_cuts.value(c.at).value(c.direction);
    cuts_fingerprint_ = of_cuts.get();
    detail::add_box(arguments, whole);
    arguments.value(cuts.size()).value(cuts_fingerprint_);
    detail::agree_on(comm, error_kind::none, {}, arguments, "mpi::domain", "the box and the cuts");
    size_ = comm.size();
    all_or_none(comm, [&] {
      internal::require(cuts.size() + 1 == static_cast<std::size_t>(size_), "mpi::domain", [&] {
        return "there are " + std::to_string(cuts.size()) + " cuts for " + std::to_string(size_) + " ranks";
      });
      Kokkos::View<bisection_cut<Real>*, detail::cuts_space> const stored(
          Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::domain::cuts"), cuts.size());
      for (std::size_t k = 0; k < cuts.size(); ++k) stored(k) = cuts[k];
      cuts_ = stored;
      require_cuts_inside();
    });
  }

  KOKKOS_FUNCTION upsweep::box<Real> const& box() const { return frame_.box; }
  /// How many bricks along x, y and z; zeros where they were made by bisection.
  KOKKOS_FUNCTION rank_grid const& grid() const { return grid_; }
  KOKKOS_FUNCTION int size() const { return size_; }
  /// Whether bricks were made by bisection.
  KOKKOS_FUNCTION bool is_bisected() const { return grid_[0] == 0; }

  /// The cuts of a bisection, for another domain; else none.
  std::vector<bisection_cut<Real>> cuts() const {
    std::vector<bisection_cut<Real>> all;
    for (std::size_t k = 0; k < cuts_.extent(0); ++k) all.push_back(cuts_(k));
    return all;
  }

  /// Of a grid: lower border of the k-th brick along d, for k = 0 ... grid()[d]; the last is the box's upper border.
  /// All borders, of bricks and of owners, come from here. Ascending, since a rounded multiply-add is monotone in k.
  KOKKOS_FUNCTION Real border(int d, int k) const {
    if (k >= grid_[d]) return frame_.hi[d];
    Real const x = Kokkos::fma(static_cast<Real>(k), step_[d], frame_.lo[d]);
    return x < frame_.hi[d] ? x : frame_.hi[d];
  }

  /// Of a grid: which brick along d holds the upright coordinate x; outside of the box the nearest. Pre: x is not NaN.
  KOKKOS_FUNCTION int column(Real x, int d) const {
    Real const guess = (x - frame_.lo[d]) / step_[d];
    int k = guess >= static_cast<Real>(grid_[d]) ? grid_[d] - 1 : (guess > Real(0) ? static_cast<int>(guess) : 0);
    if (k > grid_[d] - 1) k = grid_[d] - 1;
    // The division may be off by a rounding; the borders decide.
    while (k > 0 && x < border(d, k)) --k;
    while (k + 1 < grid_[d] && x >= border(d, k + 1)) ++k;
    return k;
  }

  /// The rank whose brick holds the wrapped position (x, y, z). Cost: of a bisection as many comparisons as the
  /// logarithm of the number of ranks.
  KOKKOS_FUNCTION int owner(Real x, Real y, Real z) const { return owner_of_place(frame_.place({x, y, z})); }

  /// The same for upright coordinates, which in an orthogonal box are the position.
  KOKKOS_FUNCTION int owner_of_place(Kokkos::Array<Real, 3> const& at) const {
    if (is_bisected()) {
      detail::rank_range range{0, size_};
      while (range.size() > 1) range = detail::half_that_holds(cuts_, range, at);
      return range.first;
    }
    return column(at[0], 0) + grid_[0] * (column(at[1], 1) + grid_[1] * column(at[2], 2));
  }

  KOKKOS_FUNCTION upsweep::mpi::brick<Real> brick(int rank) const {
    if (is_bisected()) return bisected_brick(rank);
    Kokkos::Array<int, 3> const at{rank % grid_[0], rank / grid_[0] % grid_[1], rank / grid_[0] / grid_[1]};
    upsweep::mpi::brick<Real> result;
    for (int d = 0; d < 3; ++d) {
      result.lo[d] = border(d, at[d]);
      result.hi[d] = border(d, at[d] + 1);
    }
    return result;
  }

  std::vector<upsweep::mpi::brick<Real>> bricks() const {
    std::vector<upsweep::mpi::brick<Real>> all;
    for (int r = 0; r < size(); ++r) all.push_back(brick(r));
    return all;
  }

 private:
  friend struct detail::access;

  KOKKOS_FUNCTION detail::upright_frame<Real> const& frame() const { return frame_; }

  void describe(internal::fingerprint& arguments) const {
    detail::add_box(arguments, box());
    for (int d = 0; d < 3; ++d) arguments.value(grid_[d]);
    arguments.value(cuts_fingerprint_);
  }

  KOKKOS_FUNCTION upsweep::mpi::brick<Real> bisected_brick(int rank) const {
    upsweep::mpi::brick<Real> result;
    for (int d = 0; d < 3; ++d) {
      result.lo[d] = frame_.lo[d];
      result.hi[d] = frame_.hi[d];
    }
    detail::rank_range range{0, size_};
    while (range.size() > 1) {
      auto const& cut = cuts_(range.cut());
      bool const upper = rank >= range.middle();
      (upper ? result.lo : result.hi)[cut.direction] = cut.at;
      range = range.half(upper);
    }
    return result;
  }

  void require_cuts_inside() const {
    for (std::size_t k = 0; k < cuts_.extent(0); ++k)
      if (cuts_(k).direction < 0 || cuts_(k).direction > 2)
        throw precondition_error("mpi::domain: cut " + std::to_string(k) + " has the direction " +
                                 std::to_string(cuts_(k).direction));
    for (int r = 0; r < size_; ++r) {
      auto const b = bisected_brick(r);
      for (int d = 0; d < 3; ++d)
        if (!(b.lo[d] < b.hi[d] && b.lo[d] >= frame_.lo[d] && b.hi[d] <= frame_.hi[d]))
          throw precondition_error("mpi::domain: the cuts leave rank " + std::to_string(r) + " a brick from " +
                                   upsweep::internal::text_of(b.lo[d]) + " to " + upsweep::internal::text_of(b.hi[d]) +
                                   " in direction " + box().direction_name(d));
    }
  }

  detail::upright_frame<Real> frame_;
  rank_grid grid_{1, 1, 1};
  int size_ = 1;
  Kokkos::Array<Real, 3> step_{};
  Kokkos::View<bisection_cut<Real> const*, detail::cuts_space> cuts_;  // of a bisection
  std::uint64_t cuts_fingerprint_ = 0;
};

}  // namespace upsweep::mpi

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/detail/agree_and_scan/host_copy.hpp>
#include <upsweep/mpi/detail/bricks/bisection_tree.hpp>
#include <upsweep/mpi/detail/bricks/upright_frame.hpp>
#include <upsweep/mpi/domain.hpp>
#include <upsweep/neighbors/internal/upright_reach.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace upsweep::mpi::detail {

// Where to cut a part of the box is found by weighing: its longest side is divided into bins, the weight in each is
// summed over all ranks, and the bin in which the cut has to be is divided again. Weights are integers, so all ranks
// have the same sums, whichever of them holds which particle.

/// Bins of one division, and how often one is divided: 2^48 places in all, as many as a side of doubles needs.
inline constexpr int bisection_bins = 64;
inline constexpr int bisection_rounds = 8;

/// Where the cut of one part may be: in [lo, hi) along `direction`, which bins divide. `place`: of its bins among those
/// of all parts; negative where there is nothing to weigh.
template <class Real>
struct cut_search {
  Real lo, hi, step;
  int direction;
  int place;

  KOKKOS_FUNCTION Real border(int k) const {
    if (k >= bisection_bins) return hi;
    Real const x = Kokkos::fma(static_cast<Real>(k), step, lo);
    return x < hi ? x : hi;
  }
  /// Pre: lo <= x < hi. The division may be off by a rounding; the borders decide.
  KOKKOS_FUNCTION int bin(Real x) const {
    Real const guess = (x - lo) / step;
    int k = guess < static_cast<Real>(bisection_bins) ? static_cast<int>(guess) : bisection_bins - 1;
    while (k > 0 && x < border(k)) --k;
    while (k + 1 < bisection_bins && x >= border(k + 1)) ++k;
    return k;
  }
};

/// Adds the weight of a particle to the bin of the part that holds it, `level` cuts below the box.
template <class Positions, class WeightOf, class Cuts, class Searches, class Real>
struct weigh_bins {
  Positions positions;
  WeightOf weight_of;
  upright_frame<Real> frame;
  Cuts cuts;
  Searches searches;  ///< by the numbers of their cuts
  Kokkos::View<std::uint64_t*, typename Cuts::memory_space> weights;
  int ranks, level;

  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    auto const x = frame.place(frame.box.wrap({positions(i, 0), positions(i, 1), positions(i, 2)}));
    rank_range range{0, ranks};
    for (int l = 0; l < level && range.size() > 1; ++l) range = half_that_holds(cuts, range, x);
    if (range.size() == 1) return;
    auto const& s = searches(range.cut());
    Real const at = x[s.direction];
    if (s.place < 0 || !(at >= s.lo && at < s.hi)) return;
    Kokkos::atomic_add(&weights(s.place * bisection_bins + s.bin(at)), weight_of(i));
  }
};

/// A part of the box that is about to be cut at `at`, as far as is known. `below`: the weight below its search.
template <class Real>
struct part_to_cut {
  rank_range ranks;
  upsweep::mpi::brick<Real> brick;
  Real at = 0;
  std::uint64_t below = 0, target = 0;
  bool is_weighed = false;
};

/// Finds all cuts, those of one level at a time. Memory is taken at the beginning.
template <class ExecutionSpace, class Positions, class WeightOf, class Real>
class bisection_search {
 public:
  /// Local. Pre: ranks > 1.
  bisection_search(ExecutionSpace const& space, upright_frame<Real> const& frame, Positions const& positions,
                   WeightOf const& weight_of, int ranks)
      : space_(space),
        frame_(frame),
        positions_(positions),
        weight_of_(weight_of),
        ranks_(ranks),
        cuts_(static_cast<std::size_t>(ranks - 1)),
        searches_(cuts_.size()),
        device_cuts_(allocate<bisection_cut<Real>>(space, cuts_.size(), function, "cuts")),
        device_searches_(allocate<cut_search<Real>>(space, cuts_.size(), function, "searches")) {
    weights_.resize(static_cast<std::size_t>(ranks) / 2 * bisection_bins);
    device_weights_ = allocate<std::uint64_t>(space, weights_.size(), function, "weights");
    parts_.reserve(static_cast<std::size_t>(ranks));
    next_.reserve(static_cast<std::size_t>(ranks));
  }

  /// Collective. whole: what is cut, in which all particles are.
  std::vector<bisection_cut<Real>> const& find(communicator const& comm, upsweep::mpi::brick<Real> const& whole) {
    parts_.push_back({{0, ranks_}, whole});
    for (int level = 0; !parts_.empty(); ++level) {
      for (auto& part : parts_) begin(part);
      for (int round = 0; round < bisection_rounds; ++round) {
        std::size_t const bins = number_searches();
        if (bins == 0) break;
        weigh(comm, level, bins);
        for (auto& part : parts_) narrow(part);
      }
      next_.clear();
      for (auto const& part : parts_) cut(part);
      std::swap(parts_, next_);
    }
    return cuts_;
  }

 private:
  static constexpr char const* function = "bisect";
  using memory_space = typename ExecutionSpace::memory_space;
  using part_type = part_to_cut<Real>;

  cut_search<Real>& search_of(part_type const& p) { return searches_[static_cast<std::size_t>(p.ranks.cut())]; }

  static void divide(cut_search<Real>& s, Real lo, Real hi) {
    s.lo = lo;
    s.hi = hi;
    s.step = (hi - lo) / bisection_bins;
    // Where bins are no longer apart, there is nothing more to find.
    s.place = s.border(1) > lo && s.border(bisection_bins - 1) < hi ? 0 : nowhere;
  }

  void begin(part_type& p) {
    auto& s = search_of(p);
    s.direction = 0;
    // How far its faces are apart; less than nothing where no number is between them.
    auto const side = [&](int d) {
      if (!(std::nextafter(p.brick.lo[d], p.brick.hi[d]) < p.brick.hi[d])) return Real(-1);
      return static_cast<Real>(double(p.brick.hi[d] - p.brick.lo[d]) /
                               upsweep::internal::upright_stretch(frame_.box, d));
    };
    for (int d = 1; d < 3; ++d)
      if (side(d) > side(s.direction)) s.direction = d;
    p.at = p.brick.lo[s.direction];
    divide(s, p.at, p.brick.hi[s.direction]);
  }

  /// Gives bins to the searches that are not at their end; returns how many.
  std::size_t number_searches() {
    int places = 0;
    for (auto const& p : parts_)
      if (auto& s = search_of(p); s.place >= 0) s.place = places++;
    return static_cast<std::size_t>(places) * bisection_bins;
  }

  void weigh(communicator const& comm, int level, std::size_t bins) {
    all_or_none(comm, [&] {
      auto const used = Kokkos::subview(device_weights_, Kokkos::make_pair(std::size_t(0), bins));
      Kokkos::deep_copy(space_, used, std::uint64_t(0));
      Kokkos::deep_copy(space_, device_cuts_, host_span<bisection_cut<Real> const>(cuts_.data(), cuts_.size()));
      Kokkos::deep_copy(space_, device_searches_, host_span<cut_search<Real> const>(searches_.data(), cuts_.size()));
      using cuts_view = Kokkos::View<bisection_cut<Real>*, memory_space>;
      using searches_view = Kokkos::View<cut_search<Real>*, memory_space>;
      upsweep::internal::for_each_index(
          space_, "upsweep::bisect::weigh", positions_.extent(0),
          weigh_bins<Positions, WeightOf, cuts_view, searches_view, Real>{
              positions_, weight_of_, frame_, device_cuts_, device_searches_, device_weights_, ranks_, level});
      Kokkos::deep_copy(space_, host_span<std::uint64_t>(weights_.data(), bins), used);
      space_.fence("upsweep::bisect::weights");
    });
    check(comm, MPI_Allreduce(MPI_IN_PLACE, weights_.data(), static_cast<int>(bins), MPI_UINT64_T, MPI_SUM, comm.get()),
          "MPI_Allreduce");
  }

  /// Goes on with the bin in which the weight below passes the target.
  void narrow(part_type& p) {
    auto& s = search_of(p);
    if (s.place < 0) return;
    auto const* const weight = weights_.data() + static_cast<std::size_t>(s.place) * bisection_bins;
    if (!p.is_weighed) {
      std::uint64_t total = 0;
      for (int k = 0; k < bisection_bins; ++k) total += weight[k];
      auto const all = static_cast<std::uint64_t>(p.ranks.size());
      auto const lower = static_cast<std::uint64_t>(p.ranks.size() / 2);
      p.target = total / all * lower + total % all * lower / all;
      p.is_weighed = true;
    }
    int k = 0;
    while (k < bisection_bins && p.below < p.target && p.below + weight[k] <= p.target) p.below += weight[k++];
    p.at = s.border(k);
    if (p.below == p.target) {
      s.place = nowhere;
      return;
    }
    std::uint64_t const missing = p.target - p.below;
    Real const lo = p.at, hi = s.border(k + 1);
    if (weight[k] - missing < missing) p.at = hi;
    divide(s, lo, hi);
  }

  /// Puts the cut down, and what it leaves to be cut. Where nothing is below the cut, or everything, it is where equal
  /// weight everywhere would have it.
  void cut(part_type const& p) {
    auto const& s = search_of(p);
    int const d = s.direction;
    Real const lo = p.brick.lo[d], hi = p.brick.hi[d];
    Real const share = static_cast<Real>(p.ranks.size() / 2) / static_cast<Real>(p.ranks.size());
    Real const even = std::max(std::min(std::fma(hi - lo, share, lo), std::nextafter(hi, lo)), std::nextafter(lo, hi));
    Real const at = p.at > lo && p.at < hi ? p.at : even;
    cuts_[static_cast<std::size_t>(p.ranks.cut())] = {at, d};
    for (bool const upper : {false, true}) {
      part_type half{p.ranks.half(upper), p.brick};
      (upper ? half.brick.lo : half.brick.hi)[d] = at;
      if (half.ranks.size() > 1) next_.push_back(half);
    }
  }

  static constexpr int nowhere = -1;

  ExecutionSpace space_;
  upright_frame<Real> frame_;
  Positions positions_;
  WeightOf weight_of_;
  int ranks_;
  std::vector<bisection_cut<Real>> cuts_;
  std::vector<cut_search<Real>> searches_;
  std::vector<std::uint64_t> weights_;
  std::vector<part_type> parts_, next_;
  Kokkos::View<bisection_cut<Real>*, memory_space> device_cuts_;
  Kokkos::View<cut_search<Real>*, memory_space> device_searches_;
  Kokkos::View<std::uint64_t*, memory_space> device_weights_;
};

}  // namespace upsweep::mpi::detail

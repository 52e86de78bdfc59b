// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/base/index.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid_geometry.hpp>
#include <upsweep/neighbors/detail/prepare_positions.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/team/reduce.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace upsweep::detail {

/// Which particles cannot be used: those with a fault in the box, and those that have a row and an image.
template <class Positions, class Real>
struct bad_particle {
  Positions positions;
  box<Real> limits;
  image const* images;
  std::int64_t rows;

  KOKKOS_FUNCTION bool has_row_and_image(std::size_t i) const {
    return images != nullptr && static_cast<std::int64_t>(i) < rows && !(images[i] == image(0, 0, 0));
  }

  /// The complement of i for a particle at x that cannot be used, 0 for a good one: the largest names the first.
  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t i, typename box<Real>::vector const& x,
                                           typename box<Real>::vector const& wrapped) const {
    return has_row_and_image(i) || limits.fault(x, wrapped) ? ~static_cast<std::uint64_t>(i) : 0;
  }
};

/// The range of particles' upright coordinates, and the first bad one.
template <class Real>
struct survey {
  bounds<Real> range;
  std::uint64_t bad;
};

/// Monoid of surveys: that of no particles is its identity.
template <class Real>
struct survey_monoid {
  using value_type = survey<Real>;
  KOKKOS_FUNCTION value_type identity() const {
    constexpr Real inf = largest_value<Real>;
    return {{{inf, inf, inf}, {-inf, -inf, -inf}}, 0};
  }
  KOKKOS_FUNCTION value_type operator()(value_type a, value_type const& b) const {
    for (int d = 0; d < 3; ++d) {
      if (b.range.lo[d] < a.range.lo[d]) a.range.lo[d] = b.range.lo[d];
      if (b.range.hi[d] > a.range.hi[d]) a.range.hi[d] = b.range.hi[d];
    }
    a.bad = Kokkos::max(a.bad, b.bad);
    return a;
  }
};

/// Surveys blocks of consecutive particles, each by itself: one thread a block on CPUs, one team a block on devices.
template <class Positions, class Real>
struct survey_blocks {
  using monoid = survey_monoid<Real>;

  bad_particle<Positions, Real> bad;
  std::size_t particles;
  std::size_t block;
  survey<Real>* surveys;

  KOKKOS_FUNCTION void operator()(std::size_t b) const {
    bool const plain = !bad.limits.is_triclinic() && bad.images == nullptr;
    if (!plain || !survey_plain(b)) surveys[b] = of_every(1, b * block, end(b));
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    auto const b = static_cast<std::size_t>(member.league_rank());
    auto const threads = static_cast<std::size_t>(member.team_size());
    survey<Real> const own = of_every(threads, b * block + static_cast<std::size_t>(member.team_rank()), end(b));
    auto const bytes = scratch_bytes(member.team_size());
    auto* const scratch = static_cast<survey<Real>*>(member.team_scratch(0).get_shmem_aligned(bytes, 16));
    survey<Real> const all = team::tree_reduction::reduce(member, own, monoid{}, scratch);
    if (member.team_rank() == 0) surveys[b] = all;
  }

  KOKKOS_FUNCTION static constexpr std::size_t scratch_bytes(int threads) {
    return team::tree_reduction::scratch_bytes<survey<Real>>(threads);
  }

 private:
  KOKKOS_FUNCTION std::size_t end(std::size_t b) const { return (b + 1) * block < particles ? (b + 1) * block : particles; }

  /// Particles of an orthogonal box, without images: as they are, since the range of a periodic direction is never
  /// asked for. No branches in the loop. False where a particle is bad: in an orthogonal box that is so exactly where
  /// a corner of the range is, or a coordinate is not finite.
  KOKKOS_FUNCTION bool survey_plain(std::size_t b) const {
    auto all = monoid{}.identity();
    Real finite[3] = {0, 0, 0};
    for (std::size_t i = b * block; i < end(b); ++i) {
      auto const x = bad.positions(static_cast<std::int64_t>(i));
      for (int d = 0; d < 3; ++d) {
        all.range.lo[d] = x[d] < all.range.lo[d] ? x[d] : all.range.lo[d];
        all.range.hi[d] = x[d] > all.range.hi[d] ? x[d] : all.range.hi[d];
        finite[d] += x[d] * 0;
      }
    }
    surveys[b] = all;
    if (finite[0] + finite[1] + finite[2] != 0) return false;
    auto const& [lo, hi] = all.range;
    return !bad.limits.fault({lo[0], lo[1], lo[2]}) && !bad.limits.fault({hi[0], hi[1], hi[2]});
  }

  KOKKOS_FUNCTION survey<Real> of_every(std::size_t stride, std::size_t first, std::size_t last) const {
    auto all = monoid{}.identity();
    for (std::size_t i = first; i < last; i += stride) {
      auto const x = bad.positions(static_cast<std::int64_t>(i)), wrapped = bad.limits.wrap(x);
      auto const t = cell_position(bad.limits, wrapped, bad.images == nullptr ? image(0, 0, 0) : bad.images[i]);
      for (int d = 0; d < 3; ++d) {
        // Not fmin and fmax, which are calls on CPUs: where a NaN ends does not matter beside `bad`.
        if (t[d] < all.range.lo[d]) all.range.lo[d] = t[d];
        if (t[d] > all.range.hi[d]) all.range.hi[d] = t[d];
      }
      std::uint64_t const found = bad(i, x, wrapped);
      if (found > all.bad) all.bad = found;
    }
    return all;
  }
};

/// The surveys of blocks, in memory that kernels write and the CPU reads.
template <class ExecutionSpace, class Real>
using survey_view = Kokkos::View<survey<Real>*, compat::mailbox_space<ExecutionSpace>>;

/// The survey of n particles: one launch, then the CPU joins the results of blocks. 1 M floats take 21 us on an H200
/// (under ncu), where the two launches of `reduce` took 100 and 21; on CPUs `reduce` would give so few blocks to one
/// thread. Waits for the instance.
template <class ExecutionSpace, class Positions, class Real>
survey<Real> survey_all(ExecutionSpace const& space, bad_particle<Positions, Real> const& bad, std::size_t n,
                        survey_view<ExecutionSpace, Real>& surveys) {
  static constexpr char const* label = "upsweep::neighbor_list::survey";
  constexpr std::size_t most_blocks = 512, least = 1024;
  constexpr int threads = 256;
  if (surveys.data() == nullptr)
    surveys = survey_view<ExecutionSpace, Real>(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing),
                                                most_blocks);
  std::size_t const block = std::max(divide_up(n, most_blocks), least), blocks = divide_up(n, block);
  survey_blocks<Positions, Real> const kernel{bad, n, block, surveys.data()};
  if constexpr (compat::is_gpu<ExecutionSpace>) {
    if (blocks > 0)
      Kokkos::parallel_for(label,
                           Kokkos::TeamPolicy<ExecutionSpace>(space, static_cast<int>(blocks), threads)
                               .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(kernel.scratch_bytes(threads)) + 16)),
                           kernel);
  } else {
    using policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>;
    Kokkos::parallel_for(label, policy(space, 0, blocks), kernel);
  }
  space.fence(label);
  survey_monoid<Real> const join;
  auto all = join.identity();
  for (std::size_t b = 0; b < blocks; ++b) all = join(all, surveys(b));
  return all;
}

/// One particle's position, for an error message.
template <class ExecutionSpace, class Positions>
struct copy_position_kernel {
  Positions positions;
  std::int64_t i;
  Kokkos::View<position_real_t<Positions>[3], typename ExecutionSpace::memory_space> out;
  KOKKOS_FUNCTION void operator()(int d) const { out(d) = positions(i)[d]; }
};

/// Throws precondition_error naming the first particle that cannot be used, and why; else returns where particles
/// are. Waits for the instance.
template <class ExecutionSpace, class Positions, class Real>
bounds<Real> survey_particles(ExecutionSpace const& space, Positions const& positions, std::int64_t n,
                              std::int64_t rows, box<Real> const& limits, neighbor_options const& options,
                              survey_view<ExecutionSpace, Real>& surveys) {
  if (n == 0) return {};
  bad_particle<Positions, Real> const bad{positions, limits, options.images.data(), rows};
  auto const all = survey_all(space, bad, static_cast<std::size_t>(n), surveys);
  std::uint64_t const found = all.bad;
  if (found == 0) return all.range;
  auto const i = static_cast<std::int64_t>(~found);
  Kokkos::View<Real[3], typename ExecutionSpace::memory_space> x("upsweep::neighbor_list::bad_position");
  Kokkos::parallel_for("upsweep::neighbor_list::bad_position", Kokkos::RangePolicy<ExecutionSpace>(space, 0, 3),
                       copy_position_kernel<ExecutionSpace, Positions>{positions, i, x});
  auto const host = Kokkos::create_mirror_view(Kokkos::HostSpace(), x);
  Kokkos::deep_copy(space, host, x);
  space.fence("upsweep::neighbor_list::bad_position");
  auto const fault = limits.fault({host(0), host(1), host(2)});
  char at[128];
  std::snprintf(at, sizeof(at), "particle %lld at (%.9g, %.9g, %.9g) ", static_cast<long long>(i), double(host(0)),
                double(host(1)), double(host(2)));
  throw precondition_error("neighbor_list: " + std::string(at) +
                           (fault ? limits.describe(fault) : "has a row and an image"));
}

}  // namespace upsweep::detail

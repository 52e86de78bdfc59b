// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/monoids/in_any_order.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/grid/bad_particle.hpp>
#include <upsweep/neighbors/detail/grid/grid_geometry.hpp>
#include <upsweep/neighbors/detail/grid/radius_bins.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep::neighbors::detail {

/// The range of particles' upright coordinates, the first bad one, and the last bin that has radii, those of the
/// smallest; -1 without radii.
template <class Real>
struct particle_summary {
  bounds<Real> range;
  std::uint64_t bad;
  int last_radius_bin;
};

/// Monoid of summaries: that of no particles is its identity. The order of operands decides which of the two zeros a
/// border has, and where a NaN ends: zeros give the same grid, and a NaN is bad.
template <class Real>
struct particle_summary_monoid : internal::in_any_order {
  using value_type = particle_summary<Real>;
  KOKKOS_FUNCTION value_type identity() const {
    constexpr Real inf = internal::largest_value<Real>;
    return {{{inf, inf, inf}, {-inf, -inf, -inf}}, 0, -1};
  }
  KOKKOS_FUNCTION value_type operator()(value_type a, value_type const& b) const {
    for (int d = 0; d < 3; ++d) {
      if (b.range.lo[d] < a.range.lo[d]) a.range.lo[d] = b.range.lo[d];
      if (b.range.hi[d] > a.range.hi[d]) a.range.hi[d] = b.range.hi[d];
    }
    a.bad = Kokkos::max(a.bad, b.bad);
    a.last_radius_bin = Kokkos::max(a.last_radius_bin, b.last_radius_bin);
    return a;
  }
};

/// Adds a good particle's place to a summary, or the number of a bad one: `found` is its complement, 0 of a good one.
template <class Real>
KOKKOS_FUNCTION void add_to_summary(particle_summary<Real>& all, typename box<Real>::vector const& t,
                                    std::uint64_t found) {
  for (int d = 0; d < 3; ++d) {
    // Not fmin and fmax, which are calls on CPUs: where a NaN ends does not matter beside `bad`.
    if (t[d] < all.range.lo[d]) all.range.lo[d] = t[d];
    if (t[d] > all.range.hi[d]) all.range.hi[d] = t[d];
  }
  if (found > all.bad) all.bad = found;
}

/// The summary of a block of consecutive particles, as a functor of the block's number. CPUs go through a block in a
/// loop that compilers vectorise; on GPUs a block is one particle.
template <class Positions, class Real, std::size_t Block>
struct summarize_block {
  using monoid = particle_summary_monoid<Real>;

  bad_particle<Positions, Real> bad;
  bin_of_radius bin_of;  ///< without radii where none are given
  std::size_t particles;

  std::size_t blocks() const { return internal::divide_up(particles, Block); }

  /// Adds particle i, at x, to a summary; returns where cells see it. orthogonal: !sim_box.is_triclinic().
  KOKKOS_FUNCTION typename box<Real>::vector add(particle_summary<Real>& all, std::size_t i,
                                                 typename box<Real>::vector const& x, bool orthogonal) const {
    bool const inside = orthogonal && is_inside(x);  // most are
    auto const wrapped = inside ? x : bad.sim_box.wrap(x);
    auto const t = cell_position(bad.sim_box, wrapped, bad.images == nullptr ? image(0, 0, 0) : bad.images[i]);
    add_to_summary(all, t, inside ? bad.of_image(i) : bad(i, x, wrapped));
    return t;
  }

  KOKKOS_FUNCTION particle_summary<Real> operator()(std::size_t b) const {
    std::size_t const first = b * Block, last = Kokkos::min(first + Block, particles);
    auto all = summarize_positions(first, last);
    if (bin_of.radii != nullptr)
      for (std::size_t i = first; i < last; ++i)
        all.last_radius_bin = Kokkos::max(all.last_radius_bin, bin_of(static_cast<std::int64_t>(i)));
    return all;
  }

  /// The summary of particle i, which is at x.
  KOKKOS_FUNCTION particle_summary<Real> of_particle(std::size_t i, typename box<Real>::vector const& x) const {
    auto all = monoid{}.identity();
    add(all, i, x, !bad.sim_box.is_triclinic());
    if (bin_of.radii != nullptr) all.last_radius_bin = bin_of(static_cast<std::int64_t>(i));
    return all;
  }

 private:
  KOKKOS_FUNCTION particle_summary<Real> summarize_positions(std::size_t first, std::size_t last) const {
    if constexpr (Block > 1) {
      auto all = monoid{}.identity();
      if (!bad.sim_box.is_triclinic() && bad.images == nullptr && summarize_unwrapped(first, last, all)) return all;
    }
    return summarize_wrapped(first, last);
  }

  /// Particles of an orthogonal box, without images: as they are, since the range of a periodic direction is never
  /// asked for. No branches in the loop. False where a particle is bad: in an orthogonal box that is so exactly where
  /// a corner of the range is, or a coordinate is not finite.
  KOKKOS_FUNCTION bool summarize_unwrapped(std::size_t first, std::size_t last, particle_summary<Real>& all) const {
    Real finite[3] = {0, 0, 0};
    for (std::size_t i = first; i < last; ++i) {
      auto const x = bad.positions(static_cast<std::int64_t>(i));
      for (int d = 0; d < 3; ++d) {
        all.range.lo[d] = x[d] < all.range.lo[d] ? x[d] : all.range.lo[d];
        all.range.hi[d] = x[d] > all.range.hi[d] ? x[d] : all.range.hi[d];
        finite[d] += x[d] * 0;
      }
    }
    if (finite[0] + finite[1] + finite[2] != 0) return false;
    auto const& [lo, hi] = all.range;
    return !bad.sim_box.fault({lo[0], lo[1], lo[2]}) && !bad.sim_box.fault({hi[0], hi[1], hi[2]});
  }

  /// Whether a position in an orthogonal box is wrapped and good.
  KOKKOS_FUNCTION bool is_inside(typename box<Real>::vector const& x) const {
    for (int d = 0; d < 3; ++d)
      if (!(x[d] >= bad.sim_box.lo(d) && x[d] < bad.sim_box.hi(d))) return false;
    return true;
  }

  KOKKOS_FUNCTION particle_summary<Real> summarize_wrapped(std::size_t first, std::size_t last) const {
    auto all = monoid{}.identity();
    bool const orthogonal = !bad.sim_box.is_triclinic();
    for (std::size_t i = first; i < last; ++i) add(all, i, bad.positions(static_cast<std::int64_t>(i)), orthogonal);
    return all;
  }
};

/// A particle as a GPU loads it: several of a thread come together, since nothing is done yet that could wait for one.
template <class Real>
struct loaded_particle {
  typename box<Real>::vector x;
  std::size_t i;
};

template <class Positions, class Real>
struct load_particle {
  Positions positions;
  KOKKOS_FUNCTION loaded_particle<Real> operator()(std::size_t i) const {
    return {positions(static_cast<std::int64_t>(i)), i};
  }
};

/// Summarises them.
template <class Positions, class Real>
struct loaded_particle_monoid : particle_summary_monoid<Real> {
  summarize_block<Positions, Real, 1> summarize;
  KOKKOS_FUNCTION particle_summary<Real> lift(loaded_particle<Real> const& particle) const {
    return summarize.of_particle(particle.i, particle.x);
  }
};

/// One particle's position, for an error message.
template <class ExecutionSpace, class Positions>
struct copy_position_kernel {
  Positions positions;
  std::int64_t i;
  Kokkos::View<position_real_t<Positions>[3], typename ExecutionSpace::memory_space> out;
  KOKKOS_FUNCTION void operator()(int d) const { out(d) = positions(i)[d]; }
};

/// Throws precondition_error, in the name of `function`, that says where particle i is and what is wrong with it. Waits
/// for the instance. number: what the caller numbers it by, if not by i.
template <class ExecutionSpace, class Positions, class Real>
[[noreturn]] void throw_bad_position(ExecutionSpace const& space, Positions const& positions, std::int64_t i,
                                     box<Real> const& sim_box, char const* function, std::string const& of_system = "",
                                     std::int64_t number = -1) {
  auto const label = std::string("upsweep::") + function + "::bad_position";
  Kokkos::View<Real[3], typename ExecutionSpace::memory_space> x(label);
  Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecutionSpace>(space, 0, 3),
                       copy_position_kernel<ExecutionSpace, Positions>{positions, i, x});
  Real host[3];
  internal::fetch(space, x.data(), host, 3, label);
  auto const fault = sim_box.fault({host[0], host[1], host[2]});
  throw precondition_error(std::string(function) + ": " + of_system +
                           internal::text_of_particle(number < 0 ? i : number, host) + " " +
                           (fault ? sim_box.describe(fault) : "has a row and an image"));
}

/// Throws precondition_error naming the first particle that cannot be used, and why; else returns where particles
/// are. Waits for the instance.
template <class ExecutionSpace, class Positions, class Real>
particle_summary<Real> check_particles(ExecutionSpace const& space, Positions const& positions, std::int64_t n,
                                       std::int64_t rows, box<Real> const& sim_box, Real cutoff,
                                       neighbor_options const& options, call_options const& reduction) {
  if (n == 0) return {};
  bad_particle<Positions, Real> const bad{positions, sim_box, options.images.data(), rows};
  bin_of_radius const bin_of{radius_bins(double(cutoff)), options.radii.data()};
  auto const particles = static_cast<std::size_t>(n);
  particle_summary<Real> all;
  if constexpr (compat::is_gpu<ExecutionSpace>) {
    loaded_particle_monoid<Positions, Real> const monoid{{}, {bad, bin_of, particles}};
    all =
        reduce<particle_summary<Real>>(space, particles, load_particle<Positions, Real>{positions}, monoid, reduction);
  } else {
    summarize_block<Positions, Real, 32> const of_block{bad, bin_of, particles};
    all = reduce(space, of_block.blocks(), of_block, particle_summary_monoid<Real>{}, reduction);
  }
  std::uint64_t const found = all.bad;
  if (found == 0) return all;
  throw_bad_position(space, positions, static_cast<std::int64_t>(~found), sim_box, "neighbor_list");
}

}  // namespace upsweep::neighbors::detail

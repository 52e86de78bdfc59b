// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/index.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/grid_geometry.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep::detail {

/// Positions in the two forms that callers have: a View (n, 3) of any layout, as a pointer with two strides, or a functor.
template <class Real>
struct strided_positions {
  using real = Real;
  Real const* data;
  std::ptrdiff_t particle_stride, component_stride;
  KOKKOS_FUNCTION Kokkos::Array<Real, 3> operator()(std::int64_t i) const {
    Real const* const p = data + i * particle_stride;
    return {p[0], p[component_stride], p[2 * component_stride]};
  }
  /// Says that particle i will be read.
  KOKKOS_FUNCTION void will_read(std::int64_t i) const {
    Real const* const p = data + i * particle_stride;
    for (int d = 0; d < 3; ++d) compat::will_read(p + d * component_stride);
  }
};

template <class Positions>
auto make_positions(Positions const& positions) {
  if constexpr (Kokkos::is_view_v<Positions>) {
    static_assert(compat::rank<Positions> == 2, "upsweep::neighbor_list: positions is a View (n, 3).");
    return strided_positions<typename Positions::non_const_value_type>{
        positions.data(), compat::stride(positions, 0), compat::stride(positions, 1)};
  } else {
    return positions;
  }
}

/// The floating-point type of positions.
template <class Positions>
using position_real_t =
    std::remove_cvref_t<decltype(std::declval<decltype(make_positions(std::declval<Positions const&>()))>()(0)[0])>;

/// 1 + the complement of the index of a particle that cannot be used, 0 for a good one: the largest names the first.
template <class Positions, class Real>
struct bad_particle {
  Positions positions;
  box<Real> limits;
  image const* images;
  std::int64_t rows;

  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t i) const {
    auto const x = positions(static_cast<std::int64_t>(i));
    bool good = images == nullptr || static_cast<std::int64_t>(i) >= rows || images[i] == image(0, 0, 0);
    for (int d = 0; d < 3; ++d) good = good && Kokkos::isfinite(x[d]);
    auto const t = limits.upright(x);
    for (int d = 0; d < 3; ++d)
      if (!limits.periodic(d)) good = good && t[d] >= limits.lo(d) && t[d] <= limits.hi(d);
    return good ? 0 : ~static_cast<std::uint64_t>(i);
  }
};

/// Upright coordinates of a wrapped particle, as cells see them: those of its image.
template <class Real>
KOKKOS_FUNCTION typename box<Real>::vector cell_position(box<Real> const& limits, typename box<Real>::vector const& wrapped, image im) {
  auto t = limits.upright(wrapped);
  for (int d = 0; d < 3; ++d) t[d] += static_cast<Real>(im[d]) * limits.length(d);
  return t;
}

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

/// The survey of a block of particles: a thread of a CPU keeps it in registers, a GPU's takes one particle.
template <class Positions, class Real>
struct particle_survey {
  bad_particle<Positions, Real> bad;
  std::size_t particles;
  std::size_t block;

  KOKKOS_FUNCTION survey<Real> operator()(std::size_t b) const {
    auto all = survey_monoid<Real>{}.identity();
    std::size_t const last = (b + 1) * block < particles ? (b + 1) * block : particles;
    for (std::size_t i = b * block; i < last; ++i) {
      auto const x = bad.limits.wrap(bad.positions(static_cast<std::int64_t>(i)));
      auto const t = cell_position(bad.limits, x, bad.images == nullptr ? image(0, 0, 0) : bad.images[i]);
      for (int d = 0; d < 3; ++d) {
        // Not fmin and fmax, which are calls on CPUs: where a NaN ends does not matter beside `bad`.
        if (t[d] < all.range.lo[d]) all.range.lo[d] = t[d];
        if (t[d] > all.range.hi[d]) all.range.hi[d] = t[d];
      }
      std::uint64_t const found = bad(i);
      if (found > all.bad) all.bad = found;
    }
    return all;
  }
};

/// A thread a block, one survey of each.
template <class Positions, class Real>
struct survey_block {
  particle_survey<Positions, Real> of;
  survey<Real>* surveys;

  KOKKOS_FUNCTION void operator()(std::size_t b) const {
    bool const plain = !of.bad.limits.is_triclinic() && of.bad.images == nullptr;
    if (!plain || !survey_plain(b)) surveys[b] = of(b);
  }

 private:
  /// Particles of an orthogonal box, without images: as they are, since the range of a periodic direction is never asked for.
  /// No branches; false where one may be bad.
  KOKKOS_FUNCTION bool survey_plain(std::size_t b) const {
    auto all = survey_monoid<Real>{}.identity();
    Real finite[3] = {0, 0, 0};
    std::size_t const first = b * of.block, last = first + of.block < of.particles ? first + of.block : of.particles;
    for (std::size_t i = first; i < last; ++i) {
      auto const x = of.bad.positions(static_cast<std::int64_t>(i));
      for (int d = 0; d < 3; ++d) {
        all.range.lo[d] = x[d] < all.range.lo[d] ? x[d] : all.range.lo[d];
        all.range.hi[d] = x[d] > all.range.hi[d] ? x[d] : all.range.hi[d];
        finite[d] += x[d] * 0;
      }
    }
    surveys[b] = all;
    bool good = finite[0] + finite[1] + finite[2] == 0;
    for (int d = 0; d < 3; ++d)
      good = good && (of.bad.limits.periodic(d) || (all.range.lo[d] >= of.bad.limits.lo(d) && all.range.hi[d] <= of.bad.limits.hi(d)));
    return good;
  }
};

/// The survey of all particles on the host: a reduction of few long blocks, which `reduce` would give to one thread.
template <class ExecutionSpace, class Positions, class Real>
survey<Real> survey_by_blocks(ExecutionSpace const& space, bad_particle<Positions, Real> const& bad, std::size_t n) {
  constexpr std::size_t most_blocks = 256;
  survey<Real> surveys[most_blocks];
  std::size_t const block = divide_up(n, most_blocks) > 1024 ? divide_up(n, most_blocks) : 1024, blocks = divide_up(n, block);
  Kokkos::parallel_for("upsweep::neighbor_list::survey", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, blocks),
                       survey_block<Positions, Real>{{bad, n, block}, surveys});
  survey_monoid<Real> const join;
  auto all = join.identity();
  for (std::size_t b = 0; b < blocks; ++b) all = join(all, surveys[b]);
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

/// Throws precondition_error naming the first particle that is NaN, infinite, outside an open direction of the box, or
/// has a row and an image; else returns where particles stand. Waits for the instance.
template <class ExecutionSpace, class Positions, class Real>
bounds<Real> survey_particles(ExecutionSpace const& space, Positions const& positions, std::int64_t n, std::int64_t rows,
                              box<Real> const& limits, neighbor_options const& options, bool with_range, scan_options const& scan) {
  auto const size = static_cast<std::size_t>(n);
  bad_particle<Positions, Real> const bad{positions, limits, options.images.data(), rows};
  survey<Real> all{};
  if constexpr (compat::launches_wait<ExecutionSpace>) all = survey_by_blocks(space, bad, size);
  else if (with_range) all = reduce(space, size, particle_survey<Positions, Real>{bad, size, 1}, survey_monoid<Real>{}, scan);
  else all.bad = reduce(space, size, bad, max<>{}, scan);
  std::uint64_t const found = all.bad;
  if (found == 0) return all.range;
  auto const i = static_cast<std::int64_t>(~found);
  Kokkos::View<Real[3], typename ExecutionSpace::memory_space> x("upsweep::neighbor_list::bad_position");
  Kokkos::parallel_for("upsweep::neighbor_list::bad_position", Kokkos::RangePolicy<ExecutionSpace>(space, 0, 3),
                       copy_position_kernel<ExecutionSpace, Positions>{positions, i, x});
  auto const host = Kokkos::create_mirror_view(Kokkos::HostSpace(), x);
  Kokkos::deep_copy(space, host, x);
  space.fence("upsweep::neighbor_list::bad_position");
  std::string at = "particle " + std::to_string(i) + " at (";
  for (int d = 0; d < 3; ++d) at += std::to_string(host(d)) + (d < 2 ? ", " : ")");
  throw precondition_error("neighbor_list: " + at +
                           " is not finite, lies outside an open direction of the box, or has a row and an image");
}

}  // namespace upsweep::detail

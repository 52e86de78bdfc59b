// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// The exact list out of a list with skin, beside the fresh builds of the same positions.

#include "implementation.hpp"

#include <upsweep/neighbors/narrowed_list.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace perf::neighbors {

inline constexpr double skin = 0.3;

/// Where particles were some steps ago: up to 0.1 from where they are, wrapped.
template <class Real>
struct move_back {
  positions<Real> from, to;
  upsweep::box<Real> box;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    double const most = 0.0999 / Kokkos::sqrt(3.0);
    Kokkos::Array<Real, 3> x;
    for (int d = 0; d < 3; ++d)
      x[d] = static_cast<Real>(from(i, d) + most * (2 * random(3 * i + static_cast<std::uint64_t>(d) + 0x5eedull) - 1));
    if (box.fault(x)) x = {from(i, 0), from(i, 1), from(i, 2)};  // it would have come from outside
    x = box.wrap(x);
    for (int d = 0; d < 3; ++d) to(i, d) = x[d];
  }
};

template <class Real>
implementation<Real> narrowed(char const* name, bool pair_images) {
  using list = upsweep::neighbor_list<space, Real>;
  using narrowed_list = upsweep::narrowed_list<space, Real>;
  implementation<Real> made{.name = name, .exact = true, .prepare = {}};
  made.prepare = [pair_images](space const& instance, particles<Real> const& p) -> prepared {
    positions<Real> const then(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::then"), p.n());
    Kokkos::parallel_for("upsweep::perf::move_back", range(instance, p.n()), move_back<Real>{p.x, then, p.box});
    auto const with_skin = std::make_shared<list const>(
        instance, then, p.box, static_cast<Real>(cutoff + skin),
        upsweep::neighbor_options{.pair_images = true, .order = upsweep::row_order::sorted});
    auto const kept = std::make_shared<narrowed_list>(instance, static_cast<Real>(cutoff),
                                                      upsweep::narrow_options{.pair_images = pair_images});
    return {[=] { kept->update(instance, *with_skin, p.x); }, [=] { return kept->pairs(); },
            [=] { return kept->bytes(); }, [=] { return rows{kept->offsets(), kept->neighbors()}; }};
  };
  made.reference = [](space const& instance, particles<Real> const& p) -> prepared {
    auto const fresh = std::make_shared<list>(instance, p.box, static_cast<Real>(cutoff),
                                              upsweep::neighbor_options{.order = upsweep::row_order::sorted});
    return {[=] { fresh->update(instance, p.x); }, [=] { return fresh->pairs(); },
            [=] { return fresh->last_plan().bytes(); }, [=] { return rows{fresh->offsets(), fresh->neighbors()}; }};
  };
  return made;
}

template <class Real>
std::vector<implementation<Real>> narrowed_lists() {
  return {narrowed<Real>("upsweep_narrow", false), narrowed<Real>("upsweep_narrow_images", true)};
}

}  // namespace perf::neighbors

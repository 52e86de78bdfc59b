// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "run.hpp"

#include <upsweep/base/available_memory.hpp>

#include <algorithm>
#include <string>

namespace interpolate {
namespace {

/// n rows of `width` numbers each, on the device.
template <class View>
View to_device(space_type const& space, std::string const& label, double const* rows, std::size_t n,
               std::size_t width) {
  View result;
  if constexpr (View::rank_dynamic == 1)
    result = View(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, label), n);
  else result = View(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, label), n, width);
  using host = Kokkos::View<double const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  using flat = Kokkos::View<double*, memory_space, Kokkos::MemoryUnmanaged>;
  Kokkos::deep_copy(space, flat(result.data(), n * width), host(rows, n * width));
  return result;
}

}  // namespace

results run(space_type const& space, problem const& p, method wanted, double radius, apps::phase_times& times) {
  auto const points = to_device<vectors>(space, "upsweep-interpolate::points", p.points.data(), p.points.size() / 3, 3);
  auto const values =
      to_device<fields>(space, "upsweep-interpolate::values", p.values.data(), p.points.size() / 3, p.fields);
  results result;
  upsweep::require_memory(Kokkos::DefaultHostExecutionSpace(), p.target_count() * p.fields * sizeof(double), "--output",
                          "the values at targets");
  result.values.resize(p.target_count() * p.fields);
  for (std::size_t first = 0; first < p.target_count(); first += targets_at_a_time) {
    std::size_t const count = std::min(targets_at_a_time, p.target_count() - first);
    auto const targets =
        to_device<vectors>(space, "upsweep-interpolate::targets", p.targets.data() + 3 * first, count, 3);
    auto const w = times.time(space, "weights",
                              [&] { return weights(space, wanted, p.dimensions, points, targets, p.domain, radius); });
    fields const out(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "upsweep-interpolate::out"), count,
                     p.fields);
    times.time(space, "apply", [&] { w.apply(space, values, out); });
    Kokkos::deep_copy(space,
                      Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                          result.values.data() + first * p.fields, count, p.fields),
                      out);
    space.fence("upsweep-interpolate::run");
    result.degrees = result.degrees + w.degrees();
    result.pairs += w.pairs();
    std::size_t const done = first + count;
    times.advance(static_cast<double>(done) / static_cast<double>(p.target_count()),
                  [&](double) { return "target " + std::to_string(done) + " of " + std::to_string(p.target_count()); });
  }
  return result;
}

}  // namespace interpolate

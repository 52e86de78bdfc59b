// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "inputs.hpp"

#include "../support/points/npy_numbers.hpp"
#include "../support/points/points_outside.hpp"
#include "../support/points/read_points.hpp"
#include "density.hpp"

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/printable.hpp>
#include <upsweep/io/npy.hpp>
#include <upsweep/scan/reduce.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace surface {
namespace {

template <class Real, class T>
field<Real> to_field(space_type const& space, grid const& g, std::vector<T> const& values) {
  upsweep::require_memory(space, values.size() * sizeof(Real), "upsweep-surface", "the field");
  auto const device = make<array<Real>>(space, "upsweep-surface::values", values.size());
  std::vector<Real> converted;
  Real const* data;
  if constexpr (std::is_same_v<Real, T>) {
    data = values.data();
  } else {
    converted.assign(values.begin(), values.end());
    data = converted.data();
  }
  Kokkos::deep_copy(space, device,
                    Kokkos::View<Real const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(data, values.size()));
  space.fence("upsweep-surface::to_field");  // values may be gone after the call
  return {g, device};
}

template <class Real>
struct ranges {
  Real least, most;
  std::int64_t bad;  ///< the first value that is not finite, or the number of values
};

template <class Real>
struct join_ranges {
  using value_type = ranges<Real>;
  std::int64_t none;
  KOKKOS_FUNCTION value_type identity() const {
    return {Kokkos::Experimental::infinity_v<Real>, -Kokkos::Experimental::infinity_v<Real>, none};
  }
  KOKKOS_FUNCTION value_type operator()(value_type const& a, value_type const& b) const {
    return {a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most, a.bad < b.bad ? a.bad : b.bad};
  }
};

template <class Real>
struct range_of_value {
  Real const* values;
  std::int64_t none;
  KOKKOS_FUNCTION ranges<Real> operator()(std::size_t n) const {
    Real const v = values[n];
    return {v, v, Kokkos::isfinite(v) ? none : std::int64_t(n)};
  }
};

}  // namespace

any_field read_field(space_type const& space, options const& o) {
  auto const data = upsweep::read_npy(o.field);
  if (data.shape.size() != 3)
    throw upsweep::input_error(o.field + ": an array of shape " + apps::text_of(data.shape) +
                               " (expected three dimensions)");
  grid g;
  for (std::size_t d = 0; d < 3; ++d) {
    g.points[d] = static_cast<std::int64_t>(data.shape[d]);
    g.origin[d] = o.origin[d];
    g.step[d][d] = o.spacing ? (*o.spacing)[d] : 1;
    if (data.shape[d] < 2)
      throw upsweep::input_error(o.field + ": an array of shape " + apps::text_of(data.shape) +
                                 " (expected two points or more each way)");
  }
  auto const is = [&]<class T>(T) { return data.descr == upsweep::npy_descr<T>(); };
  if (is(float())) return to_field<float>(space, g, data.as<float>());
  if (is(double())) return to_field<double>(space, g, data.as<double>());
  if (is(std::uint8_t())) return to_field<float>(space, g, data.as<std::uint8_t>());
  if (is(std::int8_t())) return to_field<float>(space, g, data.as<std::int8_t>());
  if (is(std::uint16_t())) return to_field<float>(space, g, data.as<std::uint16_t>());
  if (is(std::int16_t())) return to_field<float>(space, g, data.as<std::int16_t>());
  if (is(std::uint32_t())) return to_field<double>(space, g, data.as<std::uint32_t>());
  if (is(std::int32_t())) return to_field<double>(space, g, data.as<std::int32_t>());
  throw upsweep::input_error(o.field + ": an array of " + upsweep::quote(data.descr) +
                             " (expected '<f4', '<f8', or integers of up to 32 bits)");
}

any_field read_particles(space_type const& space, options const& o) {
  auto const data = apps::read_points(o);
  auto const box = apps::box_of_points(o.input, data);
  apps::note_points_outside("upsweep-surface", o, data.positions, box);
  bool const leans = box.is_triclinic(), is_open = !box.periodic(0) && !box.periodic(1) && !box.periodic(2);
  if (leans && !is_open && !(box.periodic(0) && box.periodic(1) && box.periodic(2)))
    throw upsweep::input_error(o.input +
                               ": the box leans, and is open in some directions (expected one without tilts, or open "
                               "in all directions or none)");
  try {
    return density(space, data.positions, box, o.radius, o.spacing ? (*o.spacing)[0] : o.radius / 4);
  } catch (upsweep::precondition_error const& e) {
    // Of positions that are too far away.
    throw upsweep::input_error(o.input + ": " + e.what());
  }
}

template <class Real>
value_range range_of(space_type const& space, field<Real> const& f, std::string const& name) {
  auto const n = static_cast<std::int64_t>(f.values.extent(0));
  auto const r = upsweep::reduce<ranges<Real>>(space, f.values.extent(0), range_of_value<Real>{f.values.data(), n},
                                               join_ranges<Real>{n});
  if (r.bad < n) {
    auto const& p = f.grid.points;
    throw upsweep::input_error(name + ": the value at [" + std::to_string(r.bad / p[2] / p[1]) + ", " +
                               std::to_string(r.bad / p[2] % p[1]) + ", " + std::to_string(r.bad % p[2]) +
                               "] is no finite number");
  }
  return {double(r.least), double(r.most)};
}

template value_range range_of(space_type const&, field<float> const&, std::string const&);
template value_range range_of(space_type const&, field<double> const&, std::string const&);

}  // namespace surface

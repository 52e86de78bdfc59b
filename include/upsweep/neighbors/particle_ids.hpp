// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/optional_view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep {

/// Ids of particles that an option may leave out, of 64 bits or of 32: `{.ids = tags}` with a View of std::int64_t or
/// of std::int32_t (the tagint of LAMMPS). Lists copy those of 32 bits at each build: one launch, and 8 bytes per
/// particle.
class particle_ids {
 public:
  template <class T>
  using view = Kokkos::View<T const*, Kokkos::AnonymousSpace>;

  particle_ids() = default;
  /// From any View that converts to one of these; of another integer there is no conversion.
  template <view_argument Other>
    requires(std::is_convertible_v<Other const&, view<std::int64_t>>)
  particle_ids(Other const& ids) : wide_(ids) {}
  template <view_argument Other>
    requires(std::is_convertible_v<Other const&, view<std::int32_t>>)
  particle_ids(Other const& ids) : narrow_(ids) {}
  template <class Other>
    requires(std::is_convertible_v<Other const&, view<std::int64_t>>)
  particle_ids(optional_view<Other> const& ids) : wide_(ids) {}
  template <class Other>
    requires(std::is_convertible_v<Other const&, view<std::int32_t>>)
  particle_ids(optional_view<Other> const& ids) : narrow_(ids) {}

  bool given() const { return wide_.given() || narrow_.given(); }
  std::size_t extent(int dimension) const {
    return narrow_.given() ? narrow_.extent(dimension) : wide_.extent(dimension);
  }
  /// Those of 64 bits, and those of 32. One of them at most is given.
  optional_view<view<std::int64_t>> const& wide() const { return wide_; }
  optional_view<view<std::int32_t>> const& narrow() const { return narrow_; }

 private:
  optional_view<view<std::int64_t>> wide_;
  optional_view<view<std::int32_t>> narrow_;
};

}  // namespace upsweep

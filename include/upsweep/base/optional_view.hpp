// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/memory_reach.hpp>
#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <type_traits>

namespace upsweep {

/// A View that an option may leave out: `options.types = types;` or `{.types = types}` gives one, even an empty one;
/// `{}` and an option that nobody sets give none. A View alone cannot express the difference: without elements it has a
/// null pointer, too. Remembers whose kernels can read a View that becomes one of AnonymousSpace.
template <class View>
class optional_view {
  static_assert(Kokkos::is_view_v<View>, "upsweep::optional_view: of a Kokkos::View.");

 public:
  optional_view() = default;
  /// From any View that converts to the option's type.
  template <view_argument Other>
    requires(std::is_convertible_v<Other const&, View>)
  optional_view(Other const& view)
      : view_(view), reach_(internal::memory_reach::of<typename Other::memory_space>()), given_(true) {}
  /// The same of one that may be missing.
  template <class Other>
    requires(std::is_convertible_v<Other const&, View>)
  optional_view(optional_view<Other> const& other) : view_(other.view()), reach_(other.reach_), given_(other.given()) {}

  bool given() const { return given_; }
  /// Whether kernels of an execution space can read it; so they can where none is given, and where a View was of
  /// AnonymousSpace already.
  template <class ExecutionSpace>
  bool reachable_by() const {
    return reach_.by<ExecutionSpace>();
  }
  /// An empty one where none is given.
  View const& view() const { return view_; }
  /// Null and 0 where no View is given.
  typename View::pointer_type data() const { return view_.data(); }
  std::size_t extent(int dimension) const { return view_.extent(dimension); }

 private:
  template <class Other>
  friend class optional_view;

  View view_;
  internal::memory_reach reach_;
  bool given_ = false;
};

}  // namespace upsweep

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/image.hpp>

#include <concepts>
#include <type_traits>

namespace upsweep::neighbors::detail {

/// Hands pairs to a user's functor, which takes their image or does not ask for it.
template <class Functor>
struct pair_visitor {
  Functor functor;

  static constexpr bool takes_image = std::is_invocable_v<Functor const&, int, int, image>;
  static_assert(takes_image || std::is_invocable_v<Functor const&, int, int>,
                "upsweep::for_each_pair: the functor is called with (int i, int j) or (int i, int j, upsweep::image).");

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, image shift) const {
    if constexpr (takes_image) functor(i, j, shift);
    else functor(i, j);
  }
};

/// Of kernels that count pairs and visit none.
struct no_visitor {
  static constexpr bool takes_image = false;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int, int, image) const {}
};
template <class Visitor>
concept visits_pairs = !std::same_as<Visitor, no_visitor>;

}  // namespace upsweep::neighbors::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>

#include <type_traits>

namespace upsweep {

/// Marks a View as flags, one per element: the elements whose flag is not 0 are chosen, as in
/// `compact(space, in, flagged{flags}, out)`. So flags and an output cannot take each other's place.
template <class Flags>
struct flagged {
  static_assert(view_of_rank_1<Flags> && std::is_integral_v<typename Flags::value_type>,
                "upsweep::flagged: flags are a View of rank 1 of an integer type or bool.");
  Flags view;
  explicit flagged(Flags const& flags) : view(flags) {}
};

}  // namespace upsweep

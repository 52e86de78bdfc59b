// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/sequence.hpp>

#include <type_traits>

namespace upsweep {

/// Marks flags, a View of rank 1 or a functor of the index: element i starts a segment where flags(i) is not 0. The
/// first element starts one whatever its flag says.
template <class Flags>
struct head_flags {
  static_assert(sequence_argument<Flags> && std::is_integral_v<internal::sequence_value_t<Flags>>,
                "upsweep::head_flags: flags are a View of rank 1 or a functor of the index, of an integer type or "
                "bool.");
  Flags flags;
  explicit head_flags(Flags const& given) : flags(given) {}
};

/// Marks a View as segment offsets (CRS): segment s holds elements offsets(s) ... offsets(s+1)-1, and may be empty.
/// There is one offset more than segments; the first is 0, the last the number of elements.
template <class Offsets>
struct segment_offsets {
  static_assert(view_of_rank_1<Offsets> && std::is_integral_v<typename Offsets::value_type>,
                "upsweep::segment_offsets: offsets are a View of rank 1 of an integer type.");
  Offsets view;
  explicit segment_offsets(Offsets const& offsets) : view(offsets) {}
};

}  // namespace upsweep

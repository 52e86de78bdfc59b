// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/detail/histogram/equalize_kernel.hpp>
#include <upsweep/pack/detail/lists/pack_arguments.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace upsweep {

/// The levels that spread a histogram evenly over 0 ... largest (histogram equalisation), from the offsets of its bins:
/// levels(b) = round((cdf(b) - cdf_min) / (n - cdf_min) * largest), where cdf(b) = offsets(b+1) elements are in bins 0
/// ... b, cdf_min is the first of those that is not 0, and n the last. Offsets 0 1 4 4 5 give 0 191 191 255. A pixel of
/// bin b becomes levels(b).
///
/// Pre: offsets, of an integer type, are those of histogram: ascending from 0, one more than there are bins. levels, a
///   View of integers with other memory, has an entry for each bin.
/// Cost: one launch; log2(bins) reads and one write per bin.
/// Order: exact, in integers; halves are rounded up. Bins up to the first one with elements become 0, and all where
/// only one has. Sync: asynchronous with a workspace, which is not touched; without one it waits. Aliasing: none;
/// contiguous ranges that overlap are refused. Throws: precondition_error (extents, overlap, workspace of another
/// instance), overflow_error where levels' type cannot hold largest. Source: *Parallel prefix sum and reduction: the
/// core parallel primitives*: histogram equalization.
template <execution_space_argument ExecutionSpace, view_of_rank_1 Offsets, view_of_rank_1 Levels>
void equalize(ExecutionSpace const& space, Offsets const& offsets, Levels const& levels, std::uint32_t largest = 255,
              call_options const& options = {}) {
  static constexpr char const* function = "equalize";
  pack::detail::require_offsets_and_output<ExecutionSpace, Offsets, Levels>();
  internal::narrow<typename Levels::value_type>(largest, function, "largest");
  std::size_t const bins = levels.extent(0);
  internal::require(offsets.extent(0) == bins + 1, function, [&] {
    return "levels has " + std::to_string(bins) + " bins, offsets has " + std::to_string(offsets.extent(0)) +
           " entries; it needs one more";
  });
  internal::require_apart(offsets, levels, function, "offsets", "levels");
  if (options.workspace != nullptr) internal::access::require_same_instance(*options.workspace, space);
  auto const from = internal::make_sequence(offsets);
  auto const to = internal::make_output_sequence(levels);
  using kernel = pack::detail::equalize_kernel<std::remove_const_t<decltype(from)>, std::remove_const_t<decltype(to)>>;
  if (bins > 0)
    internal::for_each_index(
        space, [&] { return internal::label(function, "levels", options.label); }, bins,
        kernel{from, to, bins, largest});
  if (options.workspace == nullptr) space.fence(internal::label(function, "fence"));
}

UPSWEEP_WITHOUT_SPACE(equalize)

}  // namespace upsweep

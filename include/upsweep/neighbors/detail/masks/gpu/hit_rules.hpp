// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

namespace upsweep::neighbors::detail {

/// What a kernel has to look at beside distances. Each kind is a kernel of its own: what it does not look at takes no
/// registers, of which a count has none to spare.
enum class hit_rules {
  none,       ///< candidates are all particles, in the images of their runs
  images,     ///< particles have images
  ids,        ///< as images, and pairs have rules about ids: half lists, exclusions
  distances,  ///< as none, and pairs have rules about distances: types, radii
  all,        ///< everything
  classes     ///< as all, and particles, in a batch of some systems, have size classes
};

constexpr bool look_at_ids(hit_rules rules) { return rules == hit_rules::ids || rules >= hit_rules::all; }
constexpr bool look_at_distances(hit_rules rules) { return rules >= hit_rules::distances; }

}  // namespace upsweep::neighbors::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/call_options.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/require_reachable.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/neighbors/detail/options/type_cutoff_table.hpp>
#include <upsweep/neighbors/detail/rules/pair_rules.hpp>
#include <upsweep/neighbors/detail/rules/placed_rules.hpp>
#include <upsweep/neighbors/options.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace upsweep::neighbors::detail {

/// What is wrong with the rules of a particle or row: the largest value names the first one; 0 where all is well.
struct bad_rule {
  int const* types;
  int type_count;
  double const* radii;
  std::int64_t particles;
  std::size_t const* offsets;
  std::int64_t rows;
  std::size_t excluded;
  int const* excluded_rows;  ///< as in pair_rules

  enum kind : std::uint64_t { none, type, radius, offset };

  KOKKOS_FUNCTION std::uint64_t operator()(std::size_t i) const {
    auto const k = static_cast<std::int64_t>(i);
    std::uint64_t what = none;
    if (types != nullptr && k < particles && (types[i] < 0 || types[i] >= type_count)) what = type;
    else if (radii != nullptr && k < particles && !(radii[i] >= 0 && Kokkos::isfinite(radii[i]))) what = radius;
    else if (offsets != nullptr && k < rows && !is_good_row(excluded_rows == nullptr ? k : excluded_rows[i]))
      what = offset;
    return what == none ? 0 : ~(static_cast<std::uint64_t>(i) << 2 | what);
  }
  KOKKOS_FUNCTION bool is_good_row(std::int64_t row) const {
    return offsets[row] <= offsets[row + 1] && offsets[row + 1] <= excluded;
  }
};

/// How many of n particles have rows. Throws precondition_error for a negative number.
inline std::int64_t rows_of(neighbor_options const& options, std::int64_t n, char const* function) {
  return options.rows ? static_cast<std::int64_t>(internal::checked_size(*options.rows, function, "rows")) : n;
}

/// Throws precondition_error, in the name of `function`, where options are given that do not go together. Looks at no
/// data.
inline void check_combinations(neighbor_options const& options, char const* function) {
  internal::require(options.types.given() == options.type_cutoffs.given(), function,
                    "types and type_cutoffs are given together or not at all");
  internal::require(options.exclusions.offsets.given() || !options.exclusions.ids.given(), function,
                    "exclusions.ids are given without exclusions.offsets");
  // Without ids, a ghost and its owner are two particles for these.
  bool const named = options.ids.given() || !options.images.given();
  internal::require(options.newton || options.half, function,
                    "newton = false says where half lists have pairs with ghosts; give half = true, too");
  internal::require(named || !options.half || !options.newton, function,
                    "half with images needs ids: give each ghost the id of its owner; or newton = false");
  internal::require(named || !options.exclusions.offsets.given(), function,
                    "exclusions with images need ids: give each ghost the id of its owner");
  if (!options.max_neighbors) return;
  auto const most = static_cast<std::int64_t>(*options.max_neighbors);
  internal::require(most > 0, function,
                    [&] { return "max_neighbors = " + std::to_string(most) + "; it must be positive"; });
  internal::require(named, function, "max_neighbors with images needs ids: give each ghost the id of its owner");
  internal::require(!options.half, function,
                    "max_neighbors with half: of two particles one may be among the nearest of the other, and not the "
                    "other way round; build a full list");
}

/// Throws precondition_error where a half list would lose pairs with ghosts: those that it leaves to the owner, whom
/// the index of a ghost does not name.
inline void check_half_of_rows(neighbor_options const& options, std::int64_t n, std::int64_t rows,
                               char const* function) {
  internal::require(rows >= n || !options.half || !options.newton || options.ids.given(), function, [&] {
    return "half with rows = " + std::to_string(rows) + " of " + std::to_string(n) +
           " particles needs ids: give each ghost the id of its owner; or newton = false, which has each "
           "pair with a ghost in the row of the other particle";
  });
}

/// Throws precondition_error where options are given that two sets cannot have.
inline void check_two_sets(neighbor_options const& options, char const* function) {
  internal::require(!options.half && !options.rows && !options.images.given(), function,
                    "lists of two sets have no half, rows or images");
}

/// The rules that a neighbour list's options ask for. Keeps the table of cutoffs in the type of the positions.
template <class ExecutionSpace, class Real>
class list_rules {
 public:
  using memory_space = typename ExecutionSpace::memory_space;

  /// Throws precondition_error naming the option, and the first particle or row, that cannot be used. Waits for the
  /// instance when there is something to check. Pre: check_combinations passes.
  template <class Systems>
  pair_rules<Real> make(ExecutionSpace const& space, binned_particles<Real, Systems> const& particles, Real cutoff,
                        neighbor_options const& options, call_options const& scan) {
    constexpr char const* function = Systems::function;
    std::int64_t const rows = particles.rows;
    pair_rules<Real> rules;
    rules.half = options.half;
    if (!options.newton) rules.first_kept = static_cast<int>(rows);
    if (options.half && options.newton && rows < particles.places && particles.images == nullptr) {
      rules.x = particles.x;
      rules.y = particles.y;
      rules.z = particles.z;
    }
    if (options.types.given()) {
      type_cutoffs_.set(space, options.type_cutoffs, cutoff, options.include_cutoff, function);
      rules.type_cutoffs_squared = type_cutoffs_.squared();
      rules.type_count = type_cutoffs_.types();
    }
    rules.include_cutoff = options.include_cutoff;
    if (options.max_neighbors) rules.most_in_row = *options.max_neighbors;
    if (options.exclusions.offsets.given()) {
      internal::require_reachable<ExecutionSpace>(options.exclusions.offsets, function, "exclusions.offsets");
      internal::require_reachable<ExecutionSpace>(options.exclusions.ids, function, "exclusions.ids");
      std::int64_t const given_rows = particles.given_particles(rows);
      internal::require(options.exclusions.offsets.extent(0) == static_cast<std::size_t>(given_rows) + 1, function,
                        [&] {
                          return "exclusions.offsets has " + std::to_string(options.exclusions.offsets.extent(0)) +
                                 " entries for " + std::to_string(given_rows) + " rows; it needs one more than rows";
                        });
      rules.excluded_offsets = options.exclusions.offsets.data();
      rules.excluded = options.exclusions.ids.data();
      rules.excluded_rows = particles.given_numbers();
    }
    check(space, particles, rules, options, scan);
    placed_.place(space, particles, options, rules);
    return rules;
  }

  /// Whether make() has something to check for these options.
  static bool waits(neighbor_options const& options) {
    return options.types.given() || options.radii.given() || options.exclusions.offsets.given();
  }

  /// Device memory held.
  std::size_t bytes() const { return placed_.bytes() + type_cutoffs_.bytes(); }

 private:
  template <class Systems>
  static void check(ExecutionSpace const& space, binned_particles<Real, Systems> const& particles,
                    pair_rules<Real> const& rules, neighbor_options const& options, call_options const& scan) {
    std::int64_t const n = particles.places, rows = particles.rows;
    if (!waits(options)) return;
    std::uint64_t const found =
        reduce(space, static_cast<std::size_t>(n > rows ? n : rows),
               bad_rule{options.types.data(), rules.type_count, options.radii.data(), n, rules.excluded_offsets, rows,
                        options.exclusions.ids.extent(0), rules.excluded_rows},
               max<>{}, scan);
    if (found == 0) return;
    auto const at = static_cast<std::int64_t>(~found >> 2);
    auto const i = std::to_string(particles.number_of(space, at)), error = particles.error_of(space, at);
    switch (~found & 3) {
      case bad_rule::type:
        throw precondition_error(
            error + "particle " + i + " has type " +
            std::to_string(internal::fetch_one(space, options.types.data() + at, "neighbor_list")) +
            "; types start at 0, and type_cutoffs has " + std::to_string(rules.type_count) + " of them");
      case bad_rule::radius:
        throw precondition_error(error + "the radius of particle " + i + " is negative or not finite");
      default:
        throw precondition_error(error + "exclusions.offsets(" + i +
                                 ") is more than the one behind it, or that is more than the " +
                                 std::to_string(options.exclusions.ids.extent(0)) + " exclusions.ids");
    }
  }

  type_cutoff_table<ExecutionSpace, Real> type_cutoffs_;
  placed_rules<ExecutionSpace, Real> placed_;
};

}  // namespace upsweep::neighbors::detail

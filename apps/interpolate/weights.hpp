// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "method.hpp"

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <cstddef>
#include <cstdint>

namespace interpolate {

using space_type = Kokkos::DefaultExecutionSpace;
using memory_space = space_type::memory_space;
using box = upsweep::box<double>;
using vector = box::vector;
using vectors = Kokkos::View<double* [3], Kokkos::LayoutRight, memory_space>;
/// Values of one field after the other behind each point.
using fields = Kokkos::View<double**, Kokkos::LayoutRight, memory_space>;

/// How many targets have which degree; those without points have none.
struct degree_counts {
  std::int64_t none = 0, constant = 0, linear = 0, quadratic = 0;
  KOKKOS_FUNCTION friend degree_counts operator+(degree_counts const& a, degree_counts const& b) {
    return {a.none + b.none, a.constant + b.constant, a.linear + b.linear, a.quadratic + b.quadratic};
  }
};

/// Weights by which values at scattered points become values at targets: the rows of a sparse matrix, in the memory of
/// a neighbour list from targets to points. Once made, they serve any number of fields.
///
/// A target is fitted by the points within `radius`, in `dimensions` (2 or 3) variables; points farther than it in a
/// periodic box count by each of their images. Where there are too few points for the degree, or they lie so that
/// monomials are dependent (on a line, in a plane), the degree drops by one; degree 0 is the weighted mean.
/// Polynomials of a target's degree are reproduced except for rounding.
/// Cost: the list, 8 bytes for each pair of it more, and three passes over the pairs for each degree that is tried.
class weights {
 public:
  /// Throws: precondition_error for positions that are not finite or, in an open direction, outside of the box;
  /// out_of_memory_error, overflow_error as neighbor_list.
  weights(space_type const& space, method wanted, int dimensions, vectors const& points, vectors const& targets,
          box const& domain, double radius);

  /// out(i, f) is the value of field f at target i, of those at the points, in(j, f); NaN where a target has no points.
  void apply(space_type const& space, fields const& in, fields const& out) const;

  degree_counts const& degrees() const { return counts_; }
  std::size_t pairs() const { return list_.pairs(); }

 private:
  upsweep::neighbor_list<space_type, double> list_;
  Kokkos::View<double*, memory_space> values_;
  Kokkos::View<signed char*, memory_space> degrees_;  ///< of each target, -1: none
  degree_counts counts_;
  int points_;
};

}  // namespace interpolate

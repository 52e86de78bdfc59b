// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../support/phase_times.hpp"
#include "types.hpp"

#include <upsweep/base/workspace.hpp>

namespace surface {

/// The surface where a field, linear in each tetrahedron of the Kuhn subdivision (tetrahedra.hpp), is `iso`. A point
/// whose value is iso or above is inside; triangles are counter-clockwise as seen from outside, where values are below.
/// Each crossed edge of a tetrahedron has one vertex, so triangles that meet share it. A value of exactly iso puts the
/// vertices of several edges at its point: triangles of no area, and no gaps.
///
/// Order: vertices by word of 64 points along k (corner_words.hpp), direction of their edge and point; triangles by
/// word, tetrahedron, and first those of one corner inside or outside, then by cell: the same in each run and backend.
/// Cost: reads values once for the inside bits and twice for each vertex; 0.6 bytes of memory a point beside the mesh.
/// Pre: values are finite. The times of its phases - mark, count, emit - are added to `times`.
/// Throws: input_error for a grid of less than two points in a direction, and for more vertices than 2^31 - 1;
/// out_of_memory_error.
template <class Real>
mesh<Real> extract(space_type const& space, upsweep::workspace& workspace, field<Real> const& f, Real iso,
                   apps::phase_times& times);

extern template mesh<float> extract(space_type const&, upsweep::workspace&, field<float> const&, float,
                                    apps::phase_times&);
extern template mesh<double> extract(space_type const&, upsweep::workspace&, field<double> const&, double,
                                     apps::phase_times&);

}  // namespace surface

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "options.hpp"
#include "types.hpp"

#include <limits>
#include <string>
#include <variant>

namespace surface {

/// float for files of float and of integers of 8 or 16 bits, double for all others: values are exact.
using any_field = std::variant<field<float>, field<double>>;

/// The array of options.field. Its values may be infinite or no numbers, which range_of() refuses.
/// Throws: input_error naming the file, for what is no array a[i, j, k] of numbers with two points or more each way.
any_field read_field(space_type const& space, options const& o);

/// The density of options.input on a grid (density.hpp). Throws: input_error naming the file.
any_field read_particles(space_type const& space, options const& o);

/// The smallest and the largest value.
struct value_range {
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
};

/// Throws: input_error for a value that is not finite, with `name` and the value's place.
template <class Real>
value_range range_of(space_type const& space, field<Real> const& f, std::string const& name);

extern template value_range range_of(space_type const&, field<float> const&, std::string const&);
extern template value_range range_of(space_type const&, field<double> const&, std::string const&);

}  // namespace surface

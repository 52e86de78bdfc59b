// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "npy_numbers.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/npy.hpp>

#include <cmath>

namespace apps {

std::string text_of(std::vector<std::uint64_t> const& shape) {
  std::string text = "(";
  for (std::size_t d = 0; d < shape.size(); ++d) text += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
  return text + ")";
}

npy_numbers read_npy_numbers(std::string const& path) {
  auto const data = upsweep::read_npy(path);
  if (data.descr == upsweep::npy_descr<double>()) return {data.shape, data.as<double>()};
  if (data.descr != upsweep::npy_descr<float>())
    throw upsweep::input_error(path + ": an array of '" + data.descr + "' (expected '" + upsweep::npy_descr<float>() +
                               "' or '" + upsweep::npy_descr<double>() + "')");
  auto const values = data.as<float>();
  return {data.shape, {values.begin(), values.end()}};
}

void require_finite(std::string const& path, npy_numbers const& numbers) {
  for (std::size_t n = 0; n < numbers.values.size(); ++n) {
    if (std::isfinite(numbers.values[n])) continue;
    std::string place = "]";
    std::size_t rest = n;
    for (std::size_t d = numbers.shape.size(); d-- > 0;) {
      place = (d == 0 ? "[" : ", ") + std::to_string(rest % numbers.shape[d]) + place;
      rest /= numbers.shape[d];
    }
    throw upsweep::input_error(path + ": the value at " + place + " is no finite number");
  }
}

}  // namespace apps

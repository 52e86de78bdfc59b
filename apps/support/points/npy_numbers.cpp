// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "npy_numbers.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/printable.hpp>
#include <upsweep/io/npy.hpp>

#include <cmath>
#include <cstddef>
#include <utility>

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
    throw upsweep::input_error(path + ": an array of " + upsweep::quote(data.descr) + " (expected '" +
                               upsweep::npy_descr<float>() + "' or '" + upsweep::npy_descr<double>() + "')");
  auto const values = data.as<float>();
  return {data.shape, {values.begin(), values.end()}};
}

std::vector<double> read_npy_vectors(std::string const& path) {
  auto numbers = read_npy_numbers(path);
  if (numbers.shape.size() != 2 || numbers.shape[1] != 3)
    throw upsweep::input_error(path + ": an array " + text_of(numbers.shape) + " (expected (n, 3))");
  require_finite(path, numbers);
  return std::move(numbers.values);
}

namespace {

/// Takes the array if it is of this type.
template <class Integer>
bool take(std::string const& path, upsweep::npy_array const& data, npy_integers& into) {
  if (data.descr != upsweep::npy_descr<Integer>()) return false;
  auto const values = data.as<Integer>();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::in_range<std::int64_t>(values[i]))
      throw upsweep::input_error(path + ": the value of number " + std::to_string(i) + " is " +
                                 std::to_string(values[i]) + " (expected less than 2^63)");
  into = {data.shape, {values.begin(), values.end()}};
  return true;
}

template <class... Integers>
npy_integers read_one_of(std::string const& path) {
  auto const data = upsweep::read_npy(path);
  npy_integers result;
  if (!(take<Integers>(path, data, result) || ...))
    throw upsweep::input_error(path + ": an array of " + upsweep::quote(data.descr) + " (expected integers)");
  return result;
}

}  // namespace

npy_integers read_npy_integers(std::string const& path) {
  return read_one_of<std::int64_t, std::int32_t, std::int16_t, std::int8_t, std::uint64_t, std::uint32_t, std::uint16_t,
                     std::uint8_t>(path);
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

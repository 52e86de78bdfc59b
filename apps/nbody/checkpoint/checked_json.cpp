// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "checked_json.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/printable.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace nbody {

checked_json::checked_json(json const& object, std::string place) : object_(object), place_(std::move(place)) {
  if (!object_.is_object()) fail("an object of JSON");
}

checked_json::json const& checked_json::member(std::string const& key, char const* expected) const {
  auto const found = object_.find(key);
  if (found == object_.end()) fail("'" + key + "', " + expected);
  seen_.insert(key);
  return *found;
}

checked_json checked_json::object(std::string const& key) const {
  return {member(key, "an object"), place_ + ", " + key};
}

template <class Number>
Number checked_json::number(std::string const& key, Number least) const {
  auto const& value = member(key, "a number");
  bool good = std::is_floating_point_v<Number> ? value.is_number() : value.is_number_integer();
  // The JSON library keeps integers above 2^63 as unsigned, and those below 0 as signed.
  if constexpr (std::is_unsigned_v<Number>) good = good && (value.is_number_unsigned() || value >= 0);
  else if constexpr (std::is_integral_v<Number>) good = good && (!value.is_number_unsigned() || value <= INT64_MAX);
  Number const result = good ? value.get<Number>() : Number{};
  if constexpr (std::is_floating_point_v<Number>) good = good && std::isfinite(result);
  if (!good || result < least) fail("'" + key + "' " + std::to_string(least) + " or more");
  return result;
}
template double checked_json::number(std::string const&, double) const;
template std::int64_t checked_json::number(std::string const&, std::int64_t) const;
template std::uint64_t checked_json::number(std::string const&, std::uint64_t) const;

double checked_json::number_or_nan(std::string const& key) const {
  auto const& value = member(key, "a number or null");
  if (value.is_null()) return std::nan("");
  if (!value.is_number()) fail("'" + key + "', a number or null");
  return value.get<double>();
}

std::string checked_json::text(std::string const& key) const {
  auto const& value = member(key, "a text");
  if (!value.is_string()) fail("'" + key + "', a text");
  return value.get<std::string>();
}

bool checked_json::boolean(std::string const& key) const {
  auto const& value = member(key, "true or false");
  if (!value.is_boolean()) fail("'" + key + "', true or false");
  return value.get<bool>();
}

checked_json::json const& checked_json::array(std::string const& key) const {
  auto const& value = member(key, "an array");
  if (!value.is_array()) fail("'" + key + "', an array");
  return value;
}

std::vector<double> checked_json::numbers(std::string const& key) const {
  std::vector<double> result;
  for (auto const& value : array(key)) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) fail("'" + key + "', finite numbers");
    result.push_back(value.get<double>());
  }
  return result;
}

bool checked_json::has(std::string const& key) const { return object_.contains(key); }

void checked_json::require_no_others() const {
  for (auto const& [key, value] : object_.items())
    if (!seen_.contains(key)) throw upsweep::input_error(place_ + ": unknown key " + upsweep::quote(key));
}

void checked_json::fail(std::string const& expected) const {
  throw upsweep::input_error(place_ + ": damaged (expected " + expected + ")");
}

}  // namespace nbody

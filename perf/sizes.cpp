// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "sizes.hpp"

#include <charconv>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace perf {
namespace {

constexpr std::size_t largest = std::size_t(1) << 40;

[[noreturn]] void refuse(std::string const& text) {
  throw std::invalid_argument("'" + text + "' is no size; sizes are like 1000,2^20 or 2^10..2^30 or 2^10..2^30*2");
}

std::size_t number(std::string const& text, std::string const& whole) {
  std::size_t value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value > largest) refuse(whole);
  return value;
}

std::size_t size(std::string const& text, std::string const& whole) {
  bool const power = text.starts_with("2^");
  std::size_t const value = number(power ? text.substr(2) : text, whole);
  if (power && value > 40) refuse(whole);
  std::size_t const n = power ? std::size_t(1) << value : value;
  if (n == 0) refuse(whole);
  return n;
}

}  // namespace

std::vector<std::size_t> parse_sizes(std::string const& text) {
  std::vector<std::size_t> sizes;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    auto const dots = part.find("..");
    if (dots == std::string::npos) {
      sizes.push_back(size(part, part));
      continue;
    }
    auto const star = part.find('*', dots);
    std::size_t const last = size(part.substr(dots + 2, star == std::string::npos ? star : star - dots - 2), part);
    std::size_t const factor = star == std::string::npos ? 4 : number(part.substr(star + 1), part);
    std::size_t n = size(part.substr(0, dots), part);
    if (factor < 2 || n > last) refuse(part);
    for (; n <= last; n *= factor) sizes.push_back(n);
  }
  if (sizes.empty() || text.ends_with(',')) refuse(text);
  return sizes;
}

}  // namespace perf

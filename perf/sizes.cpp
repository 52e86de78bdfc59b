// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "sizes.hpp"

#include "../apps/support/options/options.hpp"

namespace perf {
namespace {

constexpr std::size_t largest = std::size_t(1) << 40;

[[noreturn]] void refuse(std::string_view text) {
  throw apps::bad_option("--sizes", std::string(text), "sizes like 1000,2^20 or 2^10..2^30 or 2^10..2^30*2");
}

std::size_t number(std::string_view text, std::string_view whole) {
  auto const value = apps::read_number<std::size_t>(text);
  if (!value || *value > largest) refuse(whole);
  return *value;
}

std::size_t size(std::string_view text, std::string_view whole) {
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
  for (auto const part : apps::split(text, ',')) {
    auto const dots = part.find("..");
    if (dots == std::string_view::npos) {
      sizes.push_back(size(part, part));
      continue;
    }
    auto const star = part.find('*', dots);
    std::size_t const last = size(part.substr(dots + 2, star == std::string_view::npos ? star : star - dots - 2), part);
    std::size_t const factor = star == std::string_view::npos ? 4 : number(part.substr(star + 1), part);
    std::size_t n = size(part.substr(0, dots), part);
    if (factor < 2 || n > last) refuse(part);
    sizes.push_back(n);
    // A product is computed only where it does not pass the end, so it cannot wrap to 0.
    for (; n <= last / factor; sizes.push_back(n)) n *= factor;
  }
  return sizes;
}

}  // namespace perf

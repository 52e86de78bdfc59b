// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Addition of long numbers: what a digit does to a carry can be scanned. This is how carry-lookahead adders work, from
// which Kogge and Stone, and Brent and Kung, have their names in books about scans.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/scan/exclusive_scan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

/// A digit ends a carry, makes one, or passes it on.
enum class carry : unsigned char { ends, made, passed };

/// The digit to the right, which is the higher one, decides, unless it passes on what comes to it.
struct carry_scan {
  using value_type = carry;
  KOKKOS_FUNCTION carry identity() const { return carry::passed; }
  KOKKOS_FUNCTION carry operator()(carry left, carry right) const { return right == carry::passed ? left : right; }
  /// Nothing comes to the lowest digit.
  KOKKOS_FUNCTION int lower(carry c) const { return c == carry::made ? 1 : 0; }
};

using digits = std::vector<std::uint32_t>;  // the lowest digit first

/// The sum of two numbers with equally many digits to some base up to 2^32; it has one digit more.
digits add(digits const& first, digits const& second, std::uint64_t base) {
  Kokkos::DefaultExecutionSpace const space;
  std::size_t const n = first.size();
  auto const a = example::to_device(first), b = example::to_device(second);
  Kokkos::View<int*> const carries("carries", n);
  int last = 0;
  upsweep::exclusive_scan(
      space,
      KOKKOS_LAMBDA(std::size_t i) {
        std::uint64_t const sum = std::uint64_t(a(i)) + b(i);
        return sum >= base ? carry::made : sum == base - 1 ? carry::passed : carry::ends;
      },
      carries, upsweep::into{last}, carry::passed, carry_scan{});
  Kokkos::parallel_for(
      "add", Kokkos::RangePolicy<>(space, 0, n), KOKKOS_LAMBDA(std::size_t i) {
        a(i) = static_cast<std::uint32_t>((std::uint64_t(a(i)) + b(i) + carries(i)) % base);
      });
  auto result = upsweep::to_host(space, a);
  result.push_back(static_cast<std::uint32_t>(last));
  return result;
}

digits serial_add(digits const& a, digits const& b, std::uint64_t base) {
  digits result;
  std::uint64_t carried = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::uint64_t const sum = carried + a[i] + b[i];
    result.push_back(static_cast<std::uint32_t>(sum % base));
    carried = sum / base;
  }
  result.push_back(static_cast<std::uint32_t>(carried));
  return result;
}

std::string decimal_sum(std::string const& a, std::string const& b) {
  auto const digits_of = [](std::string const& text) {
    digits d;
    for (char c : text) d.insert(d.begin(), static_cast<std::uint32_t>(c - '0'));
    return d;
  };
  std::string text;
  for (auto d : add(digits_of(a), digits_of(b), 10)) text.insert(text.begin(), static_cast<char>('0' + d));
  return text;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);

  example::expect("123456789 + 987654321", decimal_sum("123456789", "987654321"), "1111111110");
  example::expect("999999999 + 000000001", decimal_sum("999999999", "000000001"), "1000000000");

  // 100,000 digits to the base 2^32. A carry goes through a third of them at once.
  std::uint64_t const base = std::uint64_t(1) << 32;
  std::mt19937 random(1);
  digits a(100'000), b(a.size());
  std::generate(a.begin(), a.end(), [&] { return static_cast<std::uint32_t>(random()); });
  std::generate(b.begin(), b.end(), [&] { return static_cast<std::uint32_t>(random()); });
  for (std::size_t i = 20'000; i < 50'000; ++i) b[i] = ~a[i];
  a[19'999] = b[19'999] = 0x80000000u;
  auto const sum = add(a, b, base);
  example::expect("digits that a carry goes through", std::count(sum.begin() + 20'000, sum.begin() + 50'000, 0u),
                  30'000);
  example::confirm("the sum is that of a loop", sum == serial_add(a, b, base));
  return example::exit_code();
}

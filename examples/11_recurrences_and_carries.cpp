// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Scans of functions: recurrences y(i) = a(i) y(i-1) + b(i), polynomials, and the carries of long numbers. One function
// behind the other is another of its kind. These monoids are not commutative.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using integer = std::int64_t;

/// y -> factor * y + term.
struct affine {
  integer factor, term;
};

/// First the left function, then the right one; what a scan stores is the value that they make of `start`. All numbers
/// are taken modulo a prime, so that long products fit.
struct composition {
  using value_type = affine;
  static constexpr integer prime = 1'000'000'007;
  integer start = 0;

  KOKKOS_FUNCTION affine identity() const { return {1, 0}; }
  KOKKOS_FUNCTION affine operator()(affine const& left, affine const& right) const {
    return {left.factor * right.factor % prime, (left.term * right.factor + right.term) % prime};
  }
  KOKKOS_FUNCTION integer lower(affine const& f) const { return (f.factor * start + f.term) % prime; }
};

/// What a digit does to a carry is a function, too: it ends it, makes one, or passes it on. Carry-lookahead adders work
/// so, from which Kogge and Stone, and Brent and Kung, have their names in books about scans.
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
  Kokkos::DefaultExecutionSpace const space;

  // The loop of the lecture, out[j] = out[j-1] + f(j), is a scan of f; here f(j) = j * j.
  Kokkos::View<integer*> const out("out", 8);
  upsweep::inclusive_scan(space, KOKKOS_LAMBDA(std::size_t j) { return static_cast<integer>(j * j); }, out);
  example::expect("out[j] = out[j-1] + j^2", upsweep::to_host(space, out), {0, 1, 5, 14, 30, 55, 91, 140});

  // y(i) = 2 y(i-1) + 1 from y = 0.
  upsweep::inclusive_scan(space, KOKKOS_LAMBDA(std::size_t) { return affine{2, 1}; }, out, composition{});
  example::expect("y(i) = 2 y(i-1) + 1", upsweep::to_host(space, out), {1, 3, 7, 15, 31, 63, 127, 255});

  // Horner's rule evaluates a polynomial by y -> x y + c for its coefficients c, the highest first:
  // 2 x^3 - 6 x^2 + 2 x - 1 at x = 3. A reduction is enough.
  auto const coefficients = example::to_device<integer>({2, -6, 2, -1});
  auto const value = upsweep::reduce<integer>(
      space, coefficients.extent(0), KOKKOS_LAMBDA(std::size_t k) { return affine{3, coefficients(k)}; },
      composition{});
  example::expect("2 x^3 - 6 x^2 + 2 x - 1 at x = 3", value, 5);

  // A recurrence of 200,000 steps with other factors in each.
  std::size_t const n = 200'000;
  Kokkos::View<integer*> const y("y", n);
  upsweep::inclusive_scan(
      space,
      KOKKOS_LAMBDA(std::size_t i) {
        auto const k = static_cast<integer>(i);
        return affine{3 * k + 1, 7 * k + 2};
      },
      y, composition{5});
  std::vector<integer> expected;
  integer last = 5;
  for (integer k = 0; k < static_cast<integer>(n); ++k)
    expected.push_back(last = ((3 * k + 1) * last + 7 * k + 2) % composition::prime);
  example::confirm("200,000 steps are those of a loop", upsweep::to_host(space, y) == expected);

  example::expect("123456789 + 987654321", decimal_sum("123456789", "987654321"), "1111111110");
  example::expect("999999999 + 000000001", decimal_sum("999999999", "000000001"), "1000000000");

  // 100,000 digits to the base 2^32, of which the second number has the complement of the first: 1 more, and a carry
  // goes through all of them.
  std::mt19937 random(1);
  digits a(100'000), b;
  for (auto& digit : a) b.push_back(~(digit = static_cast<std::uint32_t>(random())));
  ++b[0];
  digits power(a.size() + 1);
  power.back() = 1;
  example::confirm("a carry goes through 100,000 digits", add(a, b, std::uint64_t(1) << 32) == power);
  return example::exit_code();
}

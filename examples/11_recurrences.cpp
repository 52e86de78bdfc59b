// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Recurrences y(i) = a(i) y(i-1) + b(i), and polynomials, by scanning functions: one y -> a y + b behind the other is
// another such function. This monoid is not commutative.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/reduce.hpp>

#include <cstddef>
#include <cstdint>
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
  return example::exit_code();
}

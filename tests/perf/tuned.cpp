// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Scans with the constants of the header that this is compiled with are right.

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/reduce.hpp>
#include <upsweep/scan/study/engine_name.hpp>

#include <cstdint>
#include <cstdio>

namespace {

using space = Kokkos::DefaultExecutionSpace;
using upsweep::study::engine_name;

#if !defined(UPSWEEP_TUNING_HEADER)
#error "no tuning header"
#endif
#if defined(EXPECT_ODD_TUNING)
static_assert(upsweep::detail::tuning<space>::max_blocks == 7);
#endif

/// No built-in type, and an operator that is not commutative: 2x2 matrices of determinant 1, modulo 2^32.
struct matrix {
  std::uint32_t a, b, c, d;
  KOKKOS_FUNCTION friend bool operator==(matrix const& l, matrix const& r) {
    return l.a == r.a && l.b == r.b && l.c == r.c && l.d == r.d;
  }
};
struct multiply {
  using value_type = matrix;
  KOKKOS_FUNCTION matrix identity() const { return {1, 0, 0, 1}; }
  KOKKOS_FUNCTION matrix operator()(matrix const& l, matrix const& r) const {
    return {l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c, l.c * r.b + l.d * r.d};
  }
};

template <class T>
T element(std::uint32_t i) {
  i = i * 2654435761u ^ i >> 3;
  if constexpr (std::is_same_v<T, matrix>) return {1 + i * 7, i, 7, 1};
  else return static_cast<T>(static_cast<int>(i % 19) - 9);
}

int wrong = 0;

template <class T, class Monoid, class... Engines>
void check(char const* type, Monoid const& monoid, Engines const&... engines) {
  space const instance;
  for (std::size_t n : {1, 999, 1000, 1001, 7001, 25001, 40000, 300007}) {
    Kokkos::View<T*, space> const in("in", n), out("out", n);
    auto const values = Kokkos::create_mirror_view(in);
    auto const right = Kokkos::create_mirror(out);
    T running = monoid.identity();
    for (std::size_t i = 0; i < n; ++i) {
      values(i) = element<T>(static_cast<std::uint32_t>(i));
      right(i) = running;
      running = monoid(running, values(i));
    }
    Kokkos::deep_copy(in, values);
    auto const expect = [&](bool holds, char const* what) {
      if (holds) return;
      ++wrong;
      std::fprintf(stderr, "%s of %zu %s is wrong\n", what, n, type);
    };
    auto const all_right = [&] {
      auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
      for (std::size_t i = 0; i < n; ++i)
        if (!(found(i) == right(i))) return false;
      return true;
    };
    auto const scan = [&]<class Engine>(Engine const& which) {
      Kokkos::View<T, space> const total("total");
      upsweep::exclusive_scan(instance, in, out, total, monoid.identity(), monoid, upsweep::basic_scan_options<Engine>{.engine = which});
      T found{};
      Kokkos::deep_copy(found, total);
      expect(all_right() && found == running, "exclusive_scan");
    };
    (scan(engines), ...);
    expect(upsweep::reduce(instance, in, monoid) == running, "reduce");
  }
}

}  // namespace

int main() {
  Kokkos::ScopeGuard const guard;
  check<std::int32_t>("int32", upsweep::plus<std::int32_t>(), engine_name::automatic, engine_name::two_level,
                      engine_name::reduce_then_scan, engine_name::look_back);
  using namespace upsweep::engine;
  check<matrix>("matrices", multiply(), automatic{}, two_level{}, look_back{});
  return wrong == 0 ? 0 : 1;
}

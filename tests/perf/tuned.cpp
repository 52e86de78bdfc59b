// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Scans with the constants of the header that this is compiled with are right.

#include "../oracle/monoids.hpp"

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/reduce.hpp>
#include <upsweep/scan/study/engines.hpp>

#include <cstdint>
#include <cstdio>

namespace {

using space = Kokkos::DefaultExecutionSpace;

#if !defined(UPSWEEP_TUNING_HEADER)
#error "no tuning header"
#endif
#if defined(EXPECT_ODD_TUNING)
static_assert(upsweep::engine::tuning<space>::max_blocks == 7);
#endif

template <class T>
T element(std::uint32_t i) {
  i = i * 2654435761u ^ i >> 3;
  if constexpr (std::is_same_v<T, oracle::matrix>) return oracle::matrix_product{}.lift(static_cast<int>(i));
  else return static_cast<T>(static_cast<int>(i % 19) - 9);
}

int wrong = 0;

template <class T, class... Engines, class Monoid>
void check(char const* type, Monoid const& monoid) {
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
    auto const scan = [&]<class Engine>() {
      Kokkos::View<T, space> const total("total");
      upsweep::exclusive_scan(instance, in, out, upsweep::into{total}, monoid.identity(), monoid,
                              upsweep::basic_scan_options<Engine>{});
      T found{};
      Kokkos::deep_copy(found, total);
      expect(all_right() && found == running, "exclusive_scan");
    };
    (scan.template operator()<Engines>(), ...);
    expect(upsweep::reduce(instance, in, monoid) == running, "reduce");
  }
}

}  // namespace

int main() {
  Kokkos::ScopeGuard const guard;
  using upsweep::engine::automatic, upsweep::engine::two_level;
  using look_back = std::conditional_t<upsweep::compat::is_gpu<space>, upsweep::engine::look_back,
                                       upsweep::study::one_lane_look_back>;
  check<std::int32_t, automatic, two_level, upsweep::study::reduce_then_scan, look_back>("int32",
                                                                                         upsweep::plus<std::int32_t>());
  // No built-in type, and an operator that is not commutative.
  check<oracle::matrix, automatic, two_level, look_back>("matrices", oracle::matrix_product());
  return wrong == 0 ? 0 : 1;
}

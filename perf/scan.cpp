// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "measure.hpp"

#include <upsweep/scan/exclusive_scan.hpp>

#include <cstdint>

namespace perf {
namespace {

// Values 0, 1, -1, 0 at random: sums stay so small that they are exact in every type, float too.
template <class T>
struct fill {
  T* out;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    auto const bits = (i * 2654435761u >> 7) & 3;
    out[i] = bits == 1 ? T(1) : bits == 2 ? T(-1) : T(0);
  }
};

template <class T>
struct kokkos_scan {
  Kokkos::View<T const*, memory> in;
  Kokkos::View<T*, memory> out;
  KOKKOS_FUNCTION void operator()(std::size_t i, T& sum, bool final) const {
    T const value = in(i);
    if (final) out(i) = sum;
    sum += value;
  }
};

/// Whether out is the exclusive scan of in, element by element against a serial loop on the host.
template <class T>
bool right(Kokkos::View<T*, memory> const& in, Kokkos::View<T*, memory> const& out) {
  auto const a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), in);
  auto const b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  T sum = 0;
  for (std::size_t i = 0; i < a.extent(0); ++i) {
    if (b(i) != sum) return false;
    sum += a(i);
  }
  return true;
}

template <class T>
struct buffers {
  Kokkos::View<T*, memory> in, out;
  explicit buffers(std::size_t n)
      : in(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::in"), n),
        out(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::out"), n) {
    space const instance;
    Kokkos::parallel_for("upsweep::perf::fill", Kokkos::RangePolicy<space, Kokkos::IndexType<std::size_t>>(instance, 0, n),
                         fill<T>{in.data()});
    Kokkos::deep_copy(instance, out, T(-1));
    instance.fence("upsweep::perf::fill");
  }
};

/// Runs one implementation: verified first, then timed.
template <class T, class Call>
void run(benchmark::State& state, std::size_t n, bool scans, Call const& call) {
  space const instance;
  buffers<T> const data(n);
  call(instance, data.in, data.out);
  instance.fence("upsweep::perf::verify");
  if (scans && !right(data.in, data.out)) {
    state.SkipWithError("wrong result");
    return;
  }
  // Small calls are timed by the batch, so that the clock and the fence weigh little.
  int const batch = n <= (std::size_t(1) << 18) ? 20 : 1;
  time_calls(state, batch, [&] { call(instance, data.in, data.out); });
  state.counters["bytes"] = 2.0 * static_cast<double>(n) * sizeof(T);
}

template <class T>
void add_type(std::size_t n) {
  int const measurements = n <= (std::size_t(1) << 24) ? 51 : 15;
  add(key("scan", "copy", "copy", type_name<T>(), n), measurements, [n](benchmark::State& state) {
    run<T>(state, n, false, [](space const& s, auto const& in, auto const& out) { copy(s, in, out); });
  });
  add(key("scan", "upsweep", "exclusive_scan", type_name<T>(), n), measurements, [n](benchmark::State& state) {
    upsweep::workspace ws{space{}};
    run<T>(state, n, true, [&](space const& s, auto const& in, auto const& out) {
      upsweep::exclusive_scan(s, in, out, upsweep::plus<>{}, {.workspace = &ws});
    });
  });
  add(key("scan", "kokkos", "exclusive_scan", type_name<T>(), n), measurements, [n](benchmark::State& state) {
    run<T>(state, n, true, [n](space const& s, auto const& in, auto const& out) {
      Kokkos::parallel_scan("upsweep::perf::kokkos", Kokkos::RangePolicy<space, Kokkos::IndexType<std::size_t>>(s, 0, n), kokkos_scan<T>{in, out});
    });
  });
}

}  // namespace

void add_scans(std::size_t largest) {
  for (std::size_t n = std::size_t(1) << 10; n <= largest; n <<= 4) {
    add_type<int>(n);
    add_type<std::int64_t>(n);
    add_type<float>(n);
    add_type<double>(n);
  }
}

}  // namespace perf

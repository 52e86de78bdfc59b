// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../contracts/tools.hpp"
#include "../oracle/engines.hpp"
#include "../oracle/forks.hpp"
#include "../oracle/instances.hpp"
#include "../oracle/monoids.hpp"
#include "../oracle/views.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/exclusive_scan_for_each.hpp>
#include <upsweep/scan/inclusive_scan_for_each.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

namespace {

/// Keeps what it is called with, and how often.
template <class Prefix, class Element>
struct keep {
  Kokkos::View<Prefix*, oracle::memory> prefixes;
  Kokkos::View<Element*, oracle::memory> elements;
  Kokkos::View<int*, oracle::memory> calls;

  explicit keep(std::size_t n) : prefixes("prefixes", n), elements("elements", n), calls("calls", n) {}
  KOKKOS_FUNCTION void operator()(std::size_t i, Prefix const& prefix, Element const& x) const {
    prefixes(i) = prefix;
    elements(i) = x;
    Kokkos::atomic_inc(&calls(i));
  }
};

template <class Monoid, class T, class Prefix>
std::vector<Prefix> prefixes_of(std::vector<T> const& values, Monoid const& op, Prefix running, bool inclusive) {
  std::vector<Prefix> all(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    Prefix const next = op(running, upsweep::internal::lift(op, values[i]));
    all[i] = inclusive ? next : running;
    running = next;
  }
  return all;
}

template <class Prefix, class T>
void expect_calls(keep<Prefix, T> const& kept, std::vector<Prefix> const& prefixes, std::vector<T> const& values,
                  char const* what) {
  ASSERT_EQ(oracle::to_host(kept.prefixes), prefixes) << what << ", n = " << values.size();
  ASSERT_EQ(oracle::to_host(kept.elements), values) << what;
  ASSERT_EQ(oracle::to_host(kept.calls), std::vector<int>(values.size(), 1)) << what;
}

/// Both scans of values behind init, with the total on the host.
template <class Monoid, class T, class Prefix, class Engine>
void check(std::vector<T> const& values, Monoid const& op, Prefix const& init,
           upsweep::basic_scan_options<Engine> const& options, char const* what) {
  oracle::space const space;
  auto const in = oracle::to_device(values);
  std::size_t const n = values.size();
  auto const expected = prefixes_of(values, op, init, true);
  Prefix total{};
  keep<Prefix, T> const exclusive(n), inclusive(n);
  upsweep::exclusive_scan_for_each<Prefix>(space, in, exclusive, upsweep::into{total}, init, op, options);
  expect_calls(exclusive, prefixes_of(values, op, init, false), values, what);
  EXPECT_EQ(total, n == 0 ? init : expected.back()) << what;
  total = Prefix{};
  upsweep::inclusive_scan_for_each<Prefix>(space, in, inclusive, upsweep::into{total}, init, op, options);
  expect_calls(inclusive, expected, values, what);
  EXPECT_EQ(total, n == 0 ? init : expected.back()) << what;
}

TEST(scan_for_each, sums_by_the_default_engine) {
  upsweep::workspace ws(oracle::space{});
  for (std::size_t n : oracle::sizes())
    check(oracle::random_values<int>(n, 0, 9, unsigned(n)), upsweep::plus<std::int64_t>{}, std::int64_t(5),
          upsweep::scan_options{.workspace = n % 2 == 0 ? &ws : nullptr}, "automatic");
}

TEST(scan_for_each, matrices_by_all_engines) {  // operands that do not commute, and a state that is not the input
  upsweep::workspace ws(oracle::space{});
  oracle::for_all_engines([&]<class Engine>() {
    for (std::size_t n : {0, 1, 33, 256, 4096, 4097, 65537})
      check(oracle::random_values<int>(n, 0, 1000), oracle::matrix_product{}, oracle::matrix{2, 1, 1, 1},
            upsweep::basic_scan_options<Engine>{.workspace = &ws}, oracle::name_of<Engine>());
  });
}

struct odd_numbers {
  KOKKOS_FUNCTION std::int64_t operator()(std::size_t i) const { return 2 * static_cast<std::int64_t>(i) + 1; }
};

// CPUs sum built-in numbers by vectors, whose results lie on the stack until the functor gets them.
template <class T>
void check_in_memory(std::vector<T> const& values, T const& init) {
  check(values, upsweep::plus<T>{}, init, upsweep::scan_options{}, "in memory");
  auto const in = oracle::to_device(values);
  for (bool inclusive : {false, true}) {
    std::vector<T> first;
    for (int run = 0; run < 3; ++run) {
      std::optional<oracle::no_forks> alone;
      if (run == 2) alone.emplace();
      keep<T, T> const kept(values.size());
      T total{};
      if (inclusive)
        upsweep::inclusive_scan_for_each(oracle::space{}, in, kept, upsweep::into{total}, init, upsweep::plus<T>{});
      else upsweep::exclusive_scan_for_each(oracle::space{}, in, kept, upsweep::into{total}, init, upsweep::plus<T>{});
      auto found = oracle::to_host(kept.prefixes);
      found.push_back(total);
      if (run == 0) first = found;
      ASSERT_EQ(std::memcmp(found.data(), first.data(), found.size() * sizeof(T)), 0) << values.size();
    }
  }
}
TEST(scan_for_each, numbers_in_memory_give_the_same_bits_on_any_threads) {
  for (std::size_t n : {1u, 2u, 1023u, 1024u, 1025u, 2048u, 20000u, 300000u}) {
    check_in_memory(oracle::random_values<std::int32_t>(n, -9, 9), 5);
    auto const integers = oracle::random_values<int>(n, 0, 1 << 20);
    check_in_memory(std::vector<double>(integers.begin(), integers.end()), 3.0);  // exact in any order
  }
  std::vector<double> rounded(300000);
  for (std::size_t i = 0; i < rounded.size(); ++i) rounded[i] = 1.0 / double(i + 1);
  auto const in = oracle::to_device(rounded);
  std::vector<double> bits[2];
  for (auto& found : bits) {
    std::optional<oracle::no_forks> alone;
    if (&found == bits) alone.emplace();
    keep<double, double> const kept(rounded.size());
    upsweep::exclusive_scan_for_each(oracle::space{}, in, kept);
    found = oracle::to_host(kept.prefixes);
  }
  EXPECT_EQ(bits[0], bits[1]);
}

TEST(scan_for_each, functor_inputs_and_totals_on_the_device) {
  oracle::space const space;
  for (std::size_t n : {0, 1, 2, 1000, 100003}) {
    std::vector<std::int64_t> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = odd_numbers{}(i);
    upsweep::plus<std::int64_t> const op;
    keep<std::int64_t, std::int64_t> const plain(n), behind(n), inclusive(n);
    Kokkos::View<std::int64_t, oracle::memory> const total("total");
    upsweep::exclusive_scan_for_each(space, n, odd_numbers{}, plain);
    expect_calls(plain, prefixes_of(values, op, std::int64_t(0), false), values, "exclusive");
    upsweep::exclusive_scan_for_each(space, n, odd_numbers{}, behind, upsweep::into{total}, 3, upsweep::plus<>{});
    expect_calls(behind, prefixes_of(values, op, std::int64_t(3), false), values, "behind 3");
    auto const found = oracle::value_of(total);
    EXPECT_EQ(found, 3 + std::int64_t(n * n));
    upsweep::inclusive_scan_for_each(space, n, odd_numbers{}, inclusive);
    expect_calls(inclusive, prefixes_of(values, op, std::int64_t(0), true), values, "inclusive");
  }
}

/// Writes the prefix over the element.
struct overwrite {
  Kokkos::View<std::int64_t*, oracle::memory> data;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::int64_t prefix, std::int64_t) const { data(i) = prefix; }
};

TEST(scan_for_each, the_functor_may_write_its_own_element) {
  oracle::space const space;
  oracle::for_production_engines([&]<class Engine>() {
    for (std::size_t n : {1, 4096, 200003}) {
      auto const values = oracle::random_values<std::int64_t>(n, -9, 9);
      auto const data = oracle::to_device(values);
      upsweep::exclusive_scan_for_each(space, data, overwrite{data}, upsweep::plus<>{},
                                       upsweep::basic_scan_options<Engine>{});
      ASSERT_EQ(oracle::to_host(data), prefixes_of(values, upsweep::plus<std::int64_t>{}, std::int64_t(0), false))
          << oracle::name_of<Engine>();
    }
  });
}

/// The prefix's type if the caller names none: of plus<> the input's, of a monoid with lower() what that gives,
/// else the state.
template <class Expected>
struct takes_only {
  Kokkos::View<int, oracle::memory> calls;
  template <class Prefix, class Element>
  KOKKOS_FUNCTION void operator()(std::size_t, Prefix const&, Element const&) const {
    static_assert(std::is_same_v<Prefix, Expected>);
    Kokkos::atomic_inc(&calls());
  }
};

TEST(scan_for_each, types_of_prefixes) {
  oracle::space const space;
  Kokkos::View<int, oracle::memory> const calls("calls");
  auto const small = oracle::to_device(std::vector<std::int16_t>(10, 1));
  auto const numbers = oracle::to_device(std::vector<std::uint64_t>(10, 1));
  upsweep::inclusive_scan_for_each(space, small, takes_only<std::int16_t>{calls});
  upsweep::inclusive_scan_for_each<double>(space, small, takes_only<double>{calls});
  upsweep::inclusive_scan_for_each(space, small, takes_only<std::int64_t>{calls}, upsweep::plus<std::int64_t>{});
  upsweep::inclusive_scan_for_each(space, numbers, takes_only<std::uint64_t>{calls}, oracle::affine_composition{});
  upsweep::inclusive_scan_for_each(space, small, takes_only<oracle::matrix>{calls}, oracle::matrix_product{});
  auto const found = oracle::value_of(calls);
  EXPECT_EQ(found, 50);
}

TEST(scan_for_each, asynchronous_with_a_workspace) {
  oracle::space const space;
  upsweep::workspace ws(space);
  auto const in = oracle::to_device(oracle::random_values<int>(100000, 0, 9));
  keep<int, int> const kept(100000);
  Kokkos::View<int, oracle::memory> const total("total");
  upsweep::scan_options const options{.workspace = &ws, .label = "mine"};
  auto const call = [&] {
    upsweep::exclusive_scan_for_each(space, in, kept, upsweep::into{total}, 0, upsweep::plus<>{}, options);
  };
  contracts::expect_quiet(space, call);
  ASSERT_FALSE(contracts::recorder::kernels().empty());
  for (auto const& k : contracts::recorder::kernels())
    EXPECT_EQ(k.label.rfind("upsweep::exclusive_scan_for_each::", 0), 0u) << k.label;
}

TEST(scan_for_each, bad_arguments) {
  oracle::space const space;
  auto const in = oracle::to_device(std::vector<int>(10, 1));
  keep<int, int> const kept(10);
  EXPECT_THROW(upsweep::exclusive_scan_for_each(space, in, kept, std::int64_t(1) << 40, upsweep::plus<>{}),
               upsweep::precondition_error);
  if constexpr (oracle::has_instances<oracle::space>) {
    auto const others = oracle::instances<oracle::space>(2);
    upsweep::workspace ws(others[0]);
    EXPECT_THROW(upsweep::inclusive_scan_for_each(others[1], in, kept, upsweep::plus<>{}, {.workspace = &ws}),
                 upsweep::precondition_error);
  }
  EXPECT_EQ(oracle::to_host(kept.calls), std::vector<int>(10, 0));
}

/// States of 16 KB: as many of them as of small ones do not go on a thread's stack.
struct wide {
  static constexpr int numbers = 4096;
  int at[numbers];
};
struct add_wide {
  using value_type = wide;
  KOKKOS_FUNCTION wide identity() const { return {}; }
  KOKKOS_FUNCTION wide operator()(wide const& a, wide const& b) const {
    wide sum;
    for (int k = 0; k < wide::numbers; ++k) sum.at[k] = a.at[k] + b.at[k];
    return sum;
  }
};
TEST(scan_for_each, states_of_16_kilobytes) {
  constexpr std::size_t n = 2000;
  Kokkos::DefaultHostExecutionSpace const space;
  Kokkos::View<int*, Kokkos::HostSpace> const first("first", n), last("last", n);
  auto const made = [](std::size_t i) {
    wide x{};
    x.at[0] = 1;
    x.at[wide::numbers - 1] = static_cast<int>(i);
    return x;
  };
  auto const look = [=](std::size_t i, wide const& prefix, wide const&) {
    first(i) = prefix.at[0];
    last(i) = prefix.at[wide::numbers - 1];
  };
  upsweep::exclusive_scan_for_each(space, n, made, look, add_wide{});
  space.fence();
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(first(i), static_cast<int>(i));
    ASSERT_EQ(last(i), i == 0 ? 0 : static_cast<int>(i * (i - 1) / 2));
  }
}

}  // namespace

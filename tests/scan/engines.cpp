// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Every engine against the standard library. A covering set: each engine meets each monoid class and kind of size;
// only plus on int and double is run over all of them. Types that only the engines of production are asked for
// compile those alone.

#include "../oracle/engines.hpp"
#include "../oracle/load.hpp"
#include "../oracle/monoids.hpp"
#include "../oracle/views.hpp"

#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using upsweep::basic_scan_options;

class engines : public testing::TestWithParam<std::string> {
 protected:
  /// Calls f with the engine that is the test's parameter.
  template <class F>
  static void with_engine(F const& f) {
    EXPECT_TRUE(upsweep::study::with_engine(GetParam(), f));
  }
};

std::string name_of(testing::TestParamInfo<std::string> const& info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(all, engines, testing::ValuesIn(oracle::names_of_engines()), name_of);

/// The sequential engine is for tiny inputs: on a GPU one thread would need minutes for the largest.
template <class Engine>
constexpr bool is_sequential = std::is_same_v<Engine, upsweep::study::sequential>;
template <class Engine>
std::vector<std::size_t> sizes_for(Engine) {
  auto sizes = oracle::sizes();
  if (is_sequential<Engine>) std::erase_if(sizes, [](std::size_t n) { return n > 100000; });
  return sizes;
}

/// Exclusive out of place and inclusive in place, both with a total, against a loop.
template <class Out, class Engine, class Monoid, class In>
void check(Engine, Monoid const& op, std::vector<In> const& values, Out init_out, typename Monoid::value_type init) {
  oracle::space const space;
  upsweep::workspace ws(space);
  basic_scan_options<Engine> const options{.workspace = &ws};
  std::size_t const n = values.size();
  std::vector<Out> exclusive(n), inclusive(n);
  auto running = init;
  for (std::size_t i = 0; i < n; ++i) {
    exclusive[i] = upsweep::internal::lower<Out>(op, running);
    running = op(running, upsweep::internal::lift(op, values[i]));
    inclusive[i] = upsweep::internal::lower<Out>(op, running);
  }
  auto const in = oracle::to_device(values);
  Kokkos::View<Out*, oracle::memory> const guarded("guarded", n + 2);
  oracle::fill(guarded, init_out);
  // One element in: not aligned to more than an element.
  auto const out = Kokkos::subview(guarded, std::make_pair(std::size_t(1), n + 1));
  Kokkos::View<Out, oracle::memory> const total("total");
  upsweep::exclusive_scan(space, in, out, upsweep::into{total}, init, op, options);
  space.fence();
  ASSERT_EQ(oracle::to_host(out), exclusive) << "exclusive, n = " << n;
  Out host_total = oracle::value_of(total);
  EXPECT_EQ(host_total, upsweep::internal::lower<Out>(op, running)) << "total, n = " << n;
  if constexpr (std::is_same_v<In, Out>) {
    upsweep::inclusive_scan(space, in, in, upsweep::into{host_total}, init, op, options);
    EXPECT_EQ(host_total, upsweep::internal::lower<Out>(op, running)) << "total on the host, n = " << n;
    ASSERT_EQ(oracle::to_host(in), inclusive) << "inclusive in place, n = " << n;
  }
  auto const all = oracle::to_host(guarded);
  EXPECT_EQ(all.front(), init_out);
  EXPECT_EQ(all.back(), init_out);
}

TEST_P(engines, plus_int) {
  with_engine([](auto engine) {
    for (auto n : sizes_for(engine))
      check<int>(engine, upsweep::plus<int>{}, oracle::random_values<int>(n, -9, 9, unsigned(n)), 77, 5);
  });
}

TEST_P(engines, plus_double) {
  with_engine([](auto engine) {
    for (auto n : sizes_for(engine))
      check<double>(engine, upsweep::plus<double>{}, oracle::random_values<double>(n, -9, 9, unsigned(n)), 0.5, 3.0);
  });
}

TEST(production_engines, max_of_bytes) {
  oracle::for_production_engines([]<class Engine>() {
    for (std::size_t n : {1, 300, 20011, 70001}) {
      SCOPED_TRACE(oracle::name_of<Engine>());
      check<std::int8_t>(Engine{}, upsweep::max<std::int8_t>{}, oracle::random_values<std::int8_t>(n, -100, 100),
                         std::int8_t(7), std::int8_t(-128));
    }
  });
}

TEST_P(engines, adjacent_operands_of_16_bytes) {
  for (std::size_t n : {2, 4097, 50021}) {
    std::vector<oracle::run> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = {std::int64_t(i) + 1, std::int64_t(i) + 2};
    with_engine([&](auto engine) {
      check<oracle::run>(engine, oracle::adjacent_only{}, values, oracle::run{-7, -7}, oracle::run{0, 1});
    });
  }
}

TEST_P(engines, matrices) {
  with_engine([](auto engine) {
    for (std::size_t n : {1, 8193, 60013})
      check<oracle::matrix>(engine, oracle::matrix_product{}, oracle::random_values<int>(n, 0, 1000),
                            oracle::matrix{9, 9, 9, 9}, oracle::matrix{2, 1, 1, 1});
  });
}

TEST_P(engines, recurrence_with_lift_and_lower) {
  with_engine([](auto engine) {
    for (std::size_t n : {3, 40009})
      check<std::uint64_t>(engine, oracle::affine_composition{}, oracle::random_values<std::uint64_t>(n, 0, 1 << 20),
                           std::uint64_t(7), oracle::affine{1, 3});
  });
}

/// The same bits in a hundred runs under load as in a quiet one.
template <class Real, class Engine>
void check_bits(Engine, std::size_t n) {
  oracle::space const space;
  upsweep::workspace ws(space);
  basic_scan_options<Engine> const options{.workspace = &ws};
  std::vector<Real> values(n);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = (i % 2 == 0 ? Real(1) : Real(-1)) / static_cast<Real>(i % 1013 + 1);
  // Another association would be seen.
  Real fold = 0, fold_of_blocks = 0;
  for (std::size_t at = 0; at < values.size(); at += 100) {
    Real block = 0;
    for (std::size_t i = at; i < at + 100; ++i) {
      fold += values[i];
      block += values[i];
    }
    fold_of_blocks += block;
  }
  ASSERT_NE(fold, fold_of_blocks);

  auto const in = oracle::to_device(values);
  Kokkos::View<Real*, oracle::memory> const out("out", values.size());
  auto const scan = [&] {
    upsweep::exclusive_scan(space, in, out, upsweep::plus<>{}, options);
    return oracle::to_host(out);
  };
  auto const quiet = scan();
  // A hundred runs at least, and as many more as a hundred bursts of the load take.
  oracle::load<oracle::space> const load;
  auto const wanted = load.bursts() + 100;
  for (int run = 0; run < 100 || (load.bursts() < wanted && run < 100000); ++run) {
    auto const got = scan();
    ASSERT_EQ(std::memcmp(got.data(), quiet.data(), sizeof(Real) * quiet.size()), 0) << "run " << run;
  }
  EXPECT_GE(load.bursts(), wanted);
}

TEST_P(engines, same_bits_under_load_double) {
  with_engine([]<class Engine>(Engine engine) { check_bits<double>(engine, is_sequential<Engine> ? 5000 : 400000); });
}
TEST(production_engines, same_bits_under_load_float) {
  oracle::for_production_engines([]<class Engine>() {
    SCOPED_TRACE(oracle::name_of<Engine>());
    check_bits<float>(Engine{}, 400000);
  });
}

class long_engines : public engines {};
INSTANTIATE_TEST_SUITE_P(long_all, long_engines, testing::ValuesIn([] {
                           auto names = oracle::names_of_engines();
                           std::erase(names, "sequential");
                           return names;
                         }()),
                         name_of);

TEST_P(long_engines, sixteen_million) {
  std::size_t const n = (std::size_t(1) << 24) + 3;
  with_engine([n](auto engine) {
    check<int>(engine, upsweep::plus<int>{}, oracle::random_values<int>(n, -9, 9), 77, 5);
    check<oracle::matrix>(engine, oracle::matrix_product{}, oracle::random_values<int>(n / 4, 0, 1000),
                          oracle::matrix{9, 9, 9, 9}, oracle::matrix{2, 1, 1, 1});
  });
}

TEST_P(engines, nothing_is_touched_for_no_elements) {
  oracle::space const space;
  Kokkos::View<int*, oracle::memory> const none;
  Kokkos::View<int, oracle::memory> const total("total");
  with_engine([&]<class Engine>(Engine) {
    basic_scan_options<Engine> const options;
    upsweep::exclusive_scan(space, none, none, upsweep::into{total}, 42, upsweep::plus<>{}, options);
    int host = oracle::value_of(total);
    EXPECT_EQ(host, 42);
    upsweep::inclusive_scan(space, none, none, upsweep::into{host}, 43, upsweep::plus<>{}, options);
    EXPECT_EQ(host, 43);
  });
}

}  // namespace

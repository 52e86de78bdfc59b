// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The protocol of look-back where it is hard: stalled tiles, stamps that run out, many types in one region. On GPUs by
// engine::look_back, which pipelined.cpp tests, too; on CPUs by the engine for study that has the same protocol.

#include "../oracle/engines.hpp"
#include "../oracle/monoids.hpp"
#include "../oracle/views.hpp"
#include "protocol_region.hpp"

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/scan/exclusive_scan.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

namespace detail = upsweep::scan::detail;

using protocol::region;
using protocol::stalling_input;

using look_back = detail::engine_class<oracle::look_back, oracle::space>::type;

template <class Problem>
std::size_t region_bytes(Problem const& problem) {
  return look_back::region_bytes<oracle::space, Problem>(problem.n);
}

template <class Problem>
void run(Problem const& problem, region const& r, std::uint32_t epoch_limit = detail::largest_epoch, int polls = 0) {
  oracle::space const space;
  look_back::scan(space, problem, r.with(epoch_limit, polls), {"test", {}});
  space.fence();
}

template <class In, class Out, class Monoid>
auto problem_of(In const& in, Out const& out, Monoid const& monoid, typename Monoid::value_type init) {
  return detail::make_problem<false>(upsweep::internal::make_sequence(in), upsweep::internal::make_output_sequence(out),
                                     monoid, detail::initial_value<typename Monoid::value_type>{init}, out.extent(0));
}

std::vector<oracle::run> runs(std::size_t n) {
  std::vector<oracle::run> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = {std::int64_t(i) + 1, std::int64_t(i) + 2};
  return values;
}

TEST(look_back, the_operator_tells_every_wrong_neighbour) {
  std::size_t const n = 400009;
  auto const in = oracle::to_device(runs(n));
  Kokkos::View<oracle::run*, oracle::memory> const out("out", n);
  auto const problem = problem_of(in, out, oracle::adjacent_only{}, oracle::run{0, 1});
  region const r(region_bytes(problem));
  for (int rep = 0; rep < 5; ++rep) {
    run(problem, r);
    auto const got = oracle::to_host(out);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(got[i], (oracle::run{0, std::int64_t(i) + 1})) << i;
  }
}

TEST(look_back, stamps_of_four_bits_over_a_hundred_calls) {
  Kokkos::View<int*, oracle::memory> const most("most", 300000);
  region const r(region_bytes(problem_of(most, most, upsweep::plus<int>{}, 0)));
  // Never a lone tile: GPUs need no epoch for it.
  auto const size = [](std::size_t call) { return 17000 + call * 7919 % 280000; };
  protocol::check_hundred_calls(r, size, [&](auto const& in, auto const& out, std::uint32_t epoch_limit) {
    run(problem_of(in, out, upsweep::plus<int>{}, 0), r, epoch_limit);
  });
}

TEST(look_back, one_workspace_serves_all_types_in_turn) {
  oracle::space const space;
  upsweep::workspace ws(space);
  upsweep::basic_scan_options<oracle::look_back> const options{.workspace = &ws};
  for (int rep = 0; rep < 6; ++rep) {
    std::size_t const n = 100003 + static_cast<std::size_t>(rep) * 7;
    auto const small = oracle::random_values<std::int16_t>(n, 0, 0, unsigned(rep));
    auto const a = oracle::to_device(small);
    upsweep::exclusive_scan(space, a, a, std::int16_t(rep), upsweep::plus<>{}, options);
    ASSERT_EQ(oracle::to_host(a), std::vector<std::int16_t>(n, std::int16_t(rep)));
    auto const values = oracle::random_values<double>(n, 0, 9, unsigned(rep));
    auto const b = oracle::to_device(values);
    upsweep::exclusive_scan(space, b, b, upsweep::plus<>{}, options);
    std::vector<double> expected(n);
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0.0);
    ASSERT_EQ(oracle::to_host(b), expected);
    auto const c = oracle::to_device(runs(n));
    upsweep::exclusive_scan(space, c, c, oracle::run{0, 1}, oracle::adjacent_only{}, options);
    ASSERT_EQ(oracle::to_host(c).back(), (oracle::run{0, std::int64_t(n)}));
  }
}

/// 5 and then zeros, of which element 0 lies in memory that the scan overwrites. Its owner is stalled until a fallback
/// asks for the element, too; the fallback reads it when the owner has stored its result there. Both give up after a
/// while.
struct overwritten_input {
  using value_type = std::int64_t;
  std::int64_t* first;
  int* asked;
  KOKKOS_FUNCTION std::int64_t operator()(std::size_t i) const {
    if (i != 0) return 0;
    if (Kokkos::atomic_fetch_add(asked, 1) == 0) {
      for (int k = 0; k < 20000000 && Kokkos::atomic_load(asked) < 2; ++k) upsweep::compat::pause();
    } else {
      for (int k = 0; k < 20000000 && Kokkos::atomic_load(first) == 5; ++k) upsweep::compat::pause();
    }
    return Kokkos::atomic_load(first);
  }
};

/// Whether memory holds these 32 bits at any place where a word can begin.
bool holds(Kokkos::View<std::uint32_t*, oracle::memory> const& memory, std::uint32_t bits) {
  auto const words = oracle::to_host(memory);
  return std::find(words.begin(), words.end(), bits) != words.end();
}

TEST(look_back, in_place_what_a_helper_read_too_late_is_not_published) {
  if (oracle::space().concurrency() < 2) GTEST_SKIP() << "one thread cannot wait for another";
  oracle::space const space;
  upsweep::workspace ws(space);
  std::size_t const n = 200000;
  Kokkos::View<std::int64_t*, oracle::memory> const data("data", n);
  oracle::fill(Kokkos::subview(data, 0), 5);
  Kokkos::View<int, oracle::memory> const asked("asked");
  // The sum that the fallback makes of tile 0 is `init`, which no tile publishes: all prefixes are init + 5.
  std::int64_t const init = 0x0102030405060708;
  upsweep::exclusive_scan(space, overwritten_input{data.data(), asked.data()}, data, init, upsweep::plus<>{},
                          upsweep::basic_scan_options<oracle::look_back>{.workspace = &ws});
  auto const found = oracle::to_host(data);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(found[i], i == 0 ? init : init + 5) << i;
  ASSERT_GE(oracle::value_of(asked), 2) << "no fallback";
  Kokkos::View<std::uint32_t*, oracle::memory, Kokkos::MemoryUnmanaged> const words(
      reinterpret_cast<std::uint32_t*>(upsweep::internal::access::reserve_protocol(ws, space, 0)),
      upsweep::internal::access::protocol_bytes(ws) / sizeof(std::uint32_t));
  EXPECT_TRUE(holds(words, static_cast<std::uint32_t>(init + 5)));
  EXPECT_FALSE(holds(words, static_cast<std::uint32_t>(init)))
      << "a third team may take it for the aggregate of tile 0";
}

/// run(input, out, n) scans. Early elements are slow: when a thread stalls there, the other threads of a CPU have most
/// of their teams still to run.
template <class Run>
void check_stalled(bool in_place, Run const& run) {
  std::size_t const n = 170017;
  auto const values = oracle::random_values<int>(n, 0, 9);
  std::vector<int> expected(n);
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0);
  for (std::size_t slow : {0, 4096, 14000}) {
    auto const in = oracle::to_device(values);
    auto const out = in_place ? in : Kokkos::View<int*, oracle::memory>("out", n);
    Kokkos::View<int, oracle::memory> const asked("asked");
    run(stalling_input{in.data(), slow, asked.data()}, out, n);
    ASSERT_EQ(oracle::to_host(out), expected) << "slow element " << slow;
    EXPECT_GE(oracle::value_of(asked), 2) << "no fallback, slow element " << slow;
  }
}

TEST(look_back, a_stalled_tile_is_helped) {
  if (oracle::space().concurrency() < 2) GTEST_SKIP() << "one thread cannot wait for another";
  auto const check = []<class Engine>() {
    for (bool in_place : {false, true})
      check_stalled(in_place, [](auto const& input, auto const& out, std::size_t) {
        upsweep::exclusive_scan(oracle::space(), input, out, upsweep::plus<>{}, upsweep::basic_scan_options<Engine>{});
      });
  };
  if constexpr (upsweep::compat::is_gpu<oracle::space>)
    oracle::for_engines<upsweep::engine::look_back, upsweep::engine::pipelined>(check);
  else oracle::for_engines<oracle::look_back>(check);
}

TEST(look_back, help_is_counted) {
  if (oracle::space().concurrency() < 2) GTEST_SKIP() << "one thread cannot wait for another";
  for (bool in_place : {false, true})
    check_stalled(in_place, [&](auto const& input, auto const& out, std::size_t n) {
      auto const problem = detail::make_problem<false>(input, upsweep::internal::make_output_sequence(out),
                                                       upsweep::plus<int>{}, detail::initial_value<int>{0}, n);
      region const r(region_bytes(problem));
      run(problem, r, detail::largest_epoch, 50);
      EXPECT_GE(r.control().fallbacks, 1u);
    });
}

}  // namespace

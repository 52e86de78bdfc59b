// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A functor that throws on a CPU: where the exception reaches the caller, the workspace of the call may be used again.
// On threads of OpenMP an exception ends the program, so that there the tests throw on the calling thread, or leave a
// workspace as an exception leaves it.

#include "../oracle/engines.hpp"
#include "../oracle/views.hpp"

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <vector>

#if !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP) && !defined(KOKKOS_ENABLE_SYCL)

namespace {

using oracle::space;

struct thrown_by_functor : std::runtime_error {
  thrown_by_functor() : std::runtime_error("by a functor") {}
};

/// Ones, of which the first is negative, and one that throws.
struct throwing_input {
  std::size_t bad;
  int operator()(std::size_t i) const {
    if (i == bad) throw thrown_by_functor();
    return i == 0 ? -1 : 1;
  }
};

/// Whether a scan with this workspace is right.
template <class Engine, class Space>
void expect_right(Space const& instance, upsweep::workspace& ws, std::size_t n) {
  auto const values = oracle::random_values<int>(n, 0, 9);
  Kokkos::View<int*, Kokkos::HostSpace> const out("out", n);
  Kokkos::View<int const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const in(values.data(), n);
  upsweep::exclusive_scan(instance, in, out, upsweep::plus<>{}, upsweep::basic_scan_options<Engine>{.workspace = &ws});
  instance.fence();
  std::vector<int> expected(n);
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0);
  EXPECT_EQ(std::vector<int>(out.data(), out.data() + n), expected);
}

TEST(throwing_functor, on_the_calling_thread_reaches_the_caller_and_spoils_no_later_call) {
  space const s;
  upsweep::workspace ws(s);
  std::size_t const n = 100;
  Kokkos::View<int*, oracle::memory> const out("out", n), offsets("offsets", n + 1);
  EXPECT_THROW(upsweep::exclusive_scan(s, throwing_input{50}, out, upsweep::plus<>{}, {.workspace = &ws}),
               thrown_by_functor);
  expect_right<upsweep::engine::automatic>(s, ws, n);
  // The negative count was reported before the exception came.
  std::size_t total = 0;
  EXPECT_THROW(upsweep::counts_to_offsets(s, throwing_input{50}, offsets, upsweep::into{total}, {.workspace = &ws}),
               thrown_by_functor);
  auto const counts = oracle::to_device(std::vector<int>(n, 2));
  EXPECT_NO_THROW(upsweep::counts_to_offsets(s, counts, offsets, upsweep::into{total}, {.workspace = &ws}));
  EXPECT_EQ(total, 2 * n);
}

TEST(throwing_functor, what_it_leaves_in_a_workspace_is_cleared) {
  space const s;
  std::size_t const n = 50000;
  oracle::for_engines<upsweep::study::chained, oracle::look_back>([&]<class Engine>() {
    SCOPED_TRACE(oracle::name_of<Engine>());
    upsweep::workspace ws(s);
    expect_right<Engine>(s, ws, n);
    std::size_t const bytes = upsweep::internal::access::protocol_bytes(ws);
    ASSERT_GT(bytes, 0u);
    // Tickets taken, tiles unfinished, statuses of the current epoch.
    Kokkos::deep_copy(Kokkos::View<std::byte*, oracle::memory, Kokkos::MemoryUnmanaged>(
                          upsweep::internal::access::begin_protocol(ws, s, bytes), bytes),
                      std::byte{1});
    expect_right<Engine>(s, ws, n);
    expect_right<Engine>(s, ws, n);
  });
}

#if defined(KOKKOS_ENABLE_SERIAL)
TEST(throwing_functor, on_serial_reaches_the_caller_and_spoils_no_later_call) {
  Kokkos::Serial const s;
  std::size_t const n = 50000;
  Kokkos::View<int*, Kokkos::HostSpace> const out("out", n);
  oracle::for_production_engines([&]<class Engine>() {
    SCOPED_TRACE(oracle::name_of<Engine>());
    upsweep::workspace ws(s);
    for (std::size_t bad : {std::size_t(0), n / 2, n - 1}) {
      EXPECT_THROW(upsweep::inclusive_scan(s, throwing_input{bad}, out, upsweep::plus<>{},
                                           upsweep::basic_scan_options<Engine>{.workspace = &ws}),
                   thrown_by_functor);
      expect_right<Engine>(s, ws, n);
    }
  });
}
#endif

}  // namespace

#endif

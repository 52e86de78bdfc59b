// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Workspace and label of scans and reductions.

#include "options.hpp"

#include <upsweep/scan/batched_scan.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/exclusive_scan_for_each.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan_for_each.hpp>
#include <upsweep/scan/reduce.hpp>
#include <upsweep/scan/scan_by_key.hpp>
#include <upsweep/scan/segmented_reduce.hpp>
#include <upsweep/scan/segmented_scan.hpp>

#include <type_traits>
#include <vector>

namespace {

using contracts::promise;
using options = upsweep::call_options const&;
using space = oracle::space const&;

/// Options that choose no engine, of those that may.
upsweep::scan_options engine_of_choice(options o) { return {.workspace = o.workspace, .label = o.label}; }

struct store_prefix {
  Kokkos::View<int*, oracle::memory> out;
  KOKKOS_FUNCTION void operator()(std::size_t i, int prefix, int) const { out(i) = prefix; }
};

std::vector<contracts::call> scans() {
  using upsweep::plus;
  std::size_t const n = 300007, rows = 1000;
  auto const o = engine_of_choice;
  auto const in = oracle::to_device(oracle::random_values<int>(n, 0, 9));
  auto const flags = oracle::to_device(oracle::random_values<int>(n, 0, 1));
  std::vector<int> ends(rows + 1);
  for (std::size_t k = 0; k <= rows; ++k) ends[k] = int(k * n / rows);
  auto const offsets = upsweep::segment_offsets{oracle::to_device(ends)};
  Kokkos::View<int*, oracle::memory> const out("out", n), out_offsets("offsets", n + 1), sums("sums", rows);
  Kokkos::View<int, oracle::memory> const total("total");
  Kokkos::View<int const**, Kokkos::LayoutRight, oracle::memory> const matrix(in.data(), 300, 1000);
  Kokkos::View<int**, Kokkos::LayoutRight, oracle::memory> const matrix_out(out.data(), 300, 1000);
  return {
      {"exclusive_scan", promise::asynchronous,
       [=](space s, options p) { upsweep::exclusive_scan(s, in, out, plus<>{}, o(p)); }},
      {"inclusive_scan", promise::asynchronous,
       [=](space s, options p) { upsweep::inclusive_scan(s, in, out, plus<>{}, o(p)); }},
      {"exclusive_scan with a total", promise::asynchronous,
       [=](space s, options p) { upsweep::exclusive_scan(s, in, out, upsweep::into{total}, 3, plus<>{}, o(p)); }},
      {"exclusive_scan with a total of the host", promise::waits,
       [=](space s, options p) {
         int here = 0;
         upsweep::exclusive_scan(s, in, out, upsweep::into{here}, 3, plus<>{}, o(p));
       }},
      {"counts_to_offsets", promise::asynchronous,
       [=](space s, options p) { upsweep::counts_to_offsets(s, in, out_offsets, o(p)); }},
      {"counts_to_offsets with a total", promise::waits,
       [=](space s, options p) {
         std::size_t here = 0;
         upsweep::counts_to_offsets(s, in, out_offsets, upsweep::into{here}, o(p));
       }},
      {"exclusive_scan_for_each", promise::asynchronous,
       [=](space s, options p) { upsweep::exclusive_scan_for_each(s, in, store_prefix{out}, plus<>{}, o(p)); }},
      {"inclusive_scan_for_each", promise::asynchronous,
       [=](space s, options p) { upsweep::inclusive_scan_for_each(s, in, store_prefix{out}, plus<>{}, o(p)); }},
      {"reduce", promise::waits, [=](space s, options p) { upsweep::reduce(s, in, plus<>{}, p); }},
      {"reduce to a View", promise::asynchronous,
       [=](space s, options p) { upsweep::reduce(s, in, upsweep::into{total}, plus<>{}, p); }},
      {"segmented_inclusive_scan", promise::asynchronous,
       [=](space s, options p) {
         upsweep::segmented_inclusive_scan(s, in, upsweep::head_flags{flags}, out, plus<>{}, o(p));
       }},
      {"segmented_exclusive_scan with offsets", promise::asynchronous,
       [=](space s, options p) { upsweep::segmented_exclusive_scan(s, in, offsets, out, plus<>{}, o(p)); }},
      {"segmented_exclusive_scan with offsets, two_level", promise::asynchronous,
       [=](space s, options p) {
         using two_level = upsweep::basic_scan_options<upsweep::engine::two_level>;
         upsweep::segmented_exclusive_scan(s, in, offsets, out, plus<>{},
                                           two_level{.workspace = p.workspace, .label = p.label});
       }},
      {"inclusive_scan_by_key", promise::asynchronous,
       [=](space s, options p) { upsweep::inclusive_scan_by_key(s, flags, in, out, plus<>{}, o(p)); }},
      {"segmented_reduce", promise::asynchronous,
       [=](space s, options p) { upsweep::segmented_reduce(s, in, offsets, sums, plus<>{}, p); }},
      {"batched_exclusive_scan", promise::asynchronous,
       [=](space s, options p) { upsweep::batched_exclusive_scan(s, matrix, matrix_out, plus<>{}, o(p)); }},
  };
}

// Options that name an engine do not convert: a call without engines would ignore it.
static_assert(std::is_convertible_v<upsweep::scan_options, upsweep::call_options>);
static_assert(!std::is_convertible_v<upsweep::basic_scan_options<upsweep::engine::look_back>, upsweep::call_options>);

}  // namespace

namespace contracts {
INSTANTIATE_TYPED_TEST_SUITE_P(scans, options_of, calls_of<scans>);
}

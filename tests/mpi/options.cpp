// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What workspace and label do, for calls across ranks; all ranks make the calls alike.

#include "../contracts/options.hpp"
#include "testing.hpp"

#include <upsweep/mpi/compact.hpp>
#include <upsweep/mpi/counts_to_offsets.hpp>
#include <upsweep/mpi/exclusive_scan.hpp>
#include <upsweep/mpi/histogram.hpp>
#include <upsweep/mpi/pack_lists.hpp>
#include <upsweep/mpi/partition.hpp>
#include <upsweep/mpi/reduce_by_key.hpp>
#include <upsweep/mpi/scan_by_key.hpp>
#include <upsweep/mpi/segmented_scan.hpp>
#include <upsweep/mpi/sort.hpp>
#include <upsweep/mpi/unique.hpp>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

constexpr std::size_t n = 20003;

struct is_zero {
  KOKKOS_FUNCTION bool operator()(std::int64_t x) const { return x == 0; }
};
struct one_record {
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<std::int64_t> const& emit) const { emit(i); }
};

upsweep::scan_options scans(upsweep::call_options const& p) { return {.workspace = p.workspace, .label = p.label}; }
upsweep::sort_options sorts(upsweep::call_options const& p) { return {.workspace = p.workspace, .label = p.label}; }
upsweep::pack_options packs(upsweep::call_options const& p) { return {.workspace = p.workspace, .label = p.label}; }

std::vector<contracts::call> calls_across_ranks() {
  using contracts::promise;
  view<std::int64_t> const in("in", n), out("out", n);
  view<int> const flags("flags", n), counts("counts", 100), out_keys("out_keys", n);
  view<std::int64_t> const offsets("offsets", n + 1), bin_offsets("bin_offsets", 101);
  upsweep::plus<> const plus;
  return {
      {"mpi::exclusive_scan", promise::waits,
       [=](auto const& s, auto const& p) { mpi::exclusive_scan(world(), s, in, out, plus, scans(p)); }},
      {"mpi::segmented_inclusive_scan", promise::waits,
       [=](auto const& s, auto const& p) {
         mpi::segmented_inclusive_scan(world(), s, in, upsweep::head_flags{flags}, out, plus, scans(p));
       }},
      {"mpi::exclusive_scan_by_key", promise::waits,
       [=](auto const& s, auto const& p) { mpi::exclusive_scan_by_key(world(), s, flags, in, out, plus, scans(p)); }},
      {"mpi::compact", promise::waits,
       [=](auto const& s, auto const& p) { mpi::compact(world(), s, in, out, is_zero{}, p); }},
      {"mpi::compact_indices", promise::waits,
       [=](auto const& s, auto const& p) { mpi::compact_indices(world(), s, n, out, is_zero{}, p); }},
      {"mpi::partition", promise::waits,
       [=](auto const& s, auto const& p) { mpi::partition(world(), s, in, upsweep::flagged{flags}, out, p); }},
      {"mpi::partition_three_way", promise::waits,
       [=](auto const& s, auto const& p) { mpi::partition_three_way(world(), s, in, out, is_zero{}, is_zero{}, p); }},
      {"mpi::counts_to_offsets", promise::waits,
       [=](auto const& s, auto const& p) { mpi::counts_to_offsets(world(), s, flags, offsets, scans(p)); }},
      {"mpi::histogram", promise::waits,
       [=](auto const& s, auto const& p) { mpi::histogram(world(), s, flags, counts, p); }},
      {"mpi::histogram with offsets", promise::waits,
       [=](auto const& s, auto const& p) { mpi::histogram(world(), s, flags, counts, bin_offsets, p); }},
      {"mpi::unique", promise::waits,
       [=](auto const& s, auto const& p) { mpi::unique(world(), s, in, out, upsweep::equal_keys{}, p); }},
      {"mpi::reduce_by_key", promise::waits,
       [=](auto const& s, auto const& p) {
         mpi::reduce_by_key(world(), s, flags, in, out_keys, out, plus, upsweep::equal_keys{}, p);
       }},
      {"mpi::pack_lists", promise::allocates_results,
       [](auto const& s, auto const& p) { mpi::pack_lists<std::int64_t>(world(), s, 1000, one_record{}, packs(p)); }},
      {"mpi::sort_by_key", promise::allocates_results, [](auto const& s, auto const& p) {
         view<int> keys("keys", n);
         view<std::int64_t> values("values", n);
         mpi::sort_by_key(world(), s, keys, values, sorts(p));
       }}};
}

}  // namespace

namespace contracts {
INSTANTIATE_TYPED_TEST_SUITE_P(AcrossRanks, options_of, calls_of<calls_across_ranks>);
}

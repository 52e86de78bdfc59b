// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Workspace and label of what moves elements, and of lists.

#include "options.hpp"

#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/equalize.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/load_balance.hpp>
#include <upsweep/pack/pack_lists.hpp>
#include <upsweep/pack/pack_unique_rows.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/partition_copy.hpp>
#include <upsweep/pack/permute.hpp>
#include <upsweep/pack/reduce_by_key.hpp>
#include <upsweep/pack/run_length.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/pack/sort_and_unique_rows.hpp>
#include <upsweep/pack/sort_permutation.hpp>
#include <upsweep/pack/unique.hpp>

#include <cstdint>
#include <vector>

namespace {

using contracts::promise;
using options = upsweep::call_options const&;
using space = oracle::space const&;
using upsweep::equal_keys;

std::size_t const n = 300007;

struct less_than {
  int bound;
  KOKKOS_FUNCTION bool operator()(int x) const { return x < bound; }
};
struct odd_index {
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return i % 2 != 0; }
};

std::vector<contracts::call> selections() {
  auto const in = oracle::to_device(oracle::random_values<int>(n, 0, 9));
  auto const flags = oracle::to_device(oracle::random_values<int>(n, 0, 1));
  Kokkos::View<int*, oracle::memory> const out("out", n), second("second", n), third("third", n), data("data", n);
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  Kokkos::View<std::uint64_t[2], oracle::memory> const counts("counts");
  Kokkos::View<std::uint64_t[3], oracle::memory> const three("three");
  less_than const four{4}, six{6};
  return {
      {"compact", promise::asynchronous, [=](space s, options p) { upsweep::compact(s, in, out, count, four, p); }},
      {"compact to the host", promise::waits, [=](space s, options p) { upsweep::compact(s, in, out, four, p); }},
      {"compact with flags", promise::asynchronous,
       [=](space s, options p) { upsweep::compact(s, in, upsweep::flagged{flags}, out, count, p); }},
      {"compact_in_place", promise::asynchronous,
       [=](space s, options p) { upsweep::compact_in_place(s, data, count, four, p); }},
      {"compact_indices", promise::asynchronous,
       [=](space s, options p) { upsweep::compact_indices(s, n, out, count, odd_index{}, p); }},
      {"unique", promise::asynchronous,
       [=](space s, options p) { upsweep::unique(s, in, out, count, equal_keys{}, p); }},
      {"unique_in_place", promise::asynchronous,
       [=](space s, options p) { upsweep::unique_in_place(s, data, count, equal_keys{}, p); }},
      {"partition", promise::asynchronous,
       [=](space s, options p) { upsweep::partition(s, in, out, counts, four, p); }},
      {"partition_in_place", promise::asynchronous,
       [=](space s, options p) { upsweep::partition_in_place(s, data, counts, four, p); }},
      {"partition_rest_reversed", promise::asynchronous,
       [=](space s, options p) { upsweep::partition_rest_reversed(s, in, out, counts, four, p); }},
      {"partition_three_way", promise::asynchronous,
       [=](space s, options p) { upsweep::partition_three_way(s, in, out, three, four, six, p); }},
      {"partition_copy", promise::asynchronous,
       [=](space s, options p) { upsweep::partition_copy(s, in, out, second, counts, four, p); }},
      {"partition_copy of three parts", promise::asynchronous,
       [=](space s, options p) { upsweep::partition_copy(s, in, out, second, third, three, four, six, p); }},
  };
}

std::vector<contracts::call> runs_sorts_and_histograms() {
  std::size_t const bins = 100000;
  auto const in = oracle::to_device(oracle::random_values<int>(n, 0, 1));
  auto const some = oracle::to_device(oracle::random_values<int>(n, 0, int(bins) - 1));
  Kokkos::View<int*, oracle::memory> const keys("keys", n), out("out", n), lengths("lengths", n),
      of_bin("counts", bins), starts("starts", bins + 1), levels("levels", bins);
  Kokkos::View<double* [3], oracle::memory> const table("table", n), rows("rows", n);
  auto const offsets = oracle::to_device<int>({0, 10, 10, int(n)});
  Kokkos::View<std::size_t, oracle::memory> const count("count");
  auto const sort = [](options p) { return upsweep::sort_options{.workspace = p.workspace, .label = p.label}; };
  return {
      {"run_length", promise::asynchronous,
       [=](space s, options p) { upsweep::run_length(s, in, out, lengths, count, equal_keys{}, p); }},
      {"reduce_by_key", promise::asynchronous,
       [=](space s, options p) {
         upsweep::reduce_by_key(s, in, some, out, lengths, count, upsweep::plus<>{}, equal_keys{}, p);
       }},
      {"sort", promise::asynchronous, [=](space s, options p) { upsweep::sort(s, keys, sort(p)); }},
      {"sort_by_key", promise::asynchronous, [=](space s, options p) { upsweep::sort_by_key(s, keys, out, sort(p)); }},
      {"sort_permutation", promise::asynchronous,
       [=](space s, options p) { upsweep::sort_permutation(s, some, lengths, sort(p)); }},
      {"permute", promise::asynchronous, [=](space s, options p) { upsweep::permute(s, in, table, rows, p); }},
      {"permute_in_place", promise::asynchronous,
       [=](space s, options p) { upsweep::permute_in_place(s, in, table, p); }},
      {"histogram", promise::asynchronous, [=](space s, options p) { upsweep::histogram(s, some, of_bin, p); }},
      {"histogram with offsets", promise::asynchronous,
       [=](space s, options p) { upsweep::histogram(s, some, of_bin, starts, p); }},
      {"equalize", promise::asynchronous, [=](space s, options p) { upsweep::equalize(s, starts, levels, 255, p); }},
      {"load_balance", promise::asynchronous,
       [=](space s, options p) { upsweep::load_balance(s, offsets, lengths, p); }},
  };
}

/// Row i has i % 4 records.
struct some_records {
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    for (int k = 0; k < static_cast<int>(i % 4); ++k) emit(k);
  }
};

std::vector<contracts::call> lists() {
  using upsweep::pack_strategy;
  std::int64_t const rows = 20000;
  std::size_t const total = 30000;
  std::vector<int> backwards(rows);
  for (int i = 0; i < rows; ++i) backwards[std::size_t(i)] = int(rows) - 1 - i;
  auto const visit = oracle::to_device(backwards);
  some_records const functor;
  auto const with = [=](options p) {
    return upsweep::plan_options{.workspace = p.workspace, .label = p.label, .visit = visit};
  };
  auto const by = [=](options p, pack_strategy strategy) {
    upsweep::pack_options o{.workspace = p.workspace, .label = p.label, .strategy = strategy};
    if (strategy == pack_strategy::fused) o.upper_bound = total;
    return o;
  };
  auto const plan = upsweep::count_lists<int>(oracle::space{}, rows, functor);
  upsweep::list_plan<int, oracle::memory> kept;
  Kokkos::View<int*, oracle::memory> const values("values", total);
  Kokkos::View<std::size_t*, oracle::memory> const offsets("offsets", std::size_t(rows) + 1);
  std::vector<contracts::call> all{
      {"count_lists", promise::allocates_results,
       [=](space s, options p) { upsweep::count_lists<int>(s, rows, functor, with(p)); }},
      {"count_lists_into", promise::waits,
       [=](space s, options p) mutable { upsweep::count_lists_into(s, rows, kept, functor, with(p)); }},
      {"emit_lists", promise::allocates_results,
       [=](space s, options p) { upsweep::emit_lists(s, plan, functor, with(p)); }},
      {"emit_lists_into of some rows", promise::waits,
       [=](space s, options p) { upsweep::emit_lists_into(s, plan, 7, 10000, values, functor, with(p)); }},
      {"emit_lists_into", promise::waits,
       [=](space s, options p) { upsweep::emit_lists_into(s, plan, values, functor, with(p)); }},
  };
  for (auto const strategy : {pack_strategy::two_pass, pack_strategy::fused}) {
    all.push_back({"pack_lists_into", promise::waits, [=](space s, options p) {
                     upsweep::pack_lists_into(s, rows, offsets, values, functor, by(p, strategy));
                   }});
    all.push_back({"pack_lists", promise::allocates_results,
                   [=](space s, options p) { upsweep::pack_lists<int>(s, rows, functor, by(p, strategy)); }});
  }
  return all;
}

/// Row i has i % 4 records, which are all equal, or as many more as `more` says for row 7.
struct repeated_records {
  int more;
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    for (int k = 0; k < static_cast<int>(i % 4) + (i == 7 ? more : 0); ++k) emit(3);
  }
};

std::vector<contracts::call> unique_rows() {
  auto const o = [](options p) { return upsweep::unique_rows_options{.workspace = p.workspace, .label = p.label}; };
  std::int64_t const rows = 20000;
  repeated_records const functor{0}, with_long_row{150000};
  auto const table = upsweep::pack_lists<int>(oracle::space{}, rows, functor);
  auto const table_with_long_row = upsweep::pack_lists<int>(oracle::space{}, rows, repeated_records{10000});
  Kokkos::View<int*, oracle::memory> const values("values", 20000);
  Kokkos::View<std::size_t*, oracle::memory> const offsets("offsets", std::size_t(rows) + 1);
  return {
      {"sort_and_unique_rows", promise::allocates_results,
       [=](space s, options p) { upsweep::sort_and_unique_rows(s, table, o(p)); }},
      {"sort_and_unique_rows with a long row", promise::allocates_results,
       [=](space s, options p) { upsweep::sort_and_unique_rows(s, table_with_long_row, o(p)); }},
      {"sort_and_unique_rows_into", promise::waits,
       [=](space s, options p) {
         upsweep::sort_and_unique_rows_into(s, table.offsets, table.values, offsets, values, o(p));
       }},
      {"pack_unique_rows", promise::allocates_results,
       [=](space s, options p) { upsweep::pack_unique_rows<int>(s, rows, functor, o(p)); }},
      {"pack_unique_rows with a huge row", promise::allocates_results,
       [=](space s, options p) { upsweep::pack_unique_rows<int>(s, rows, with_long_row, o(p)); }},
      {"pack_unique_rows_into", promise::waits,
       [=](space s, options p) { upsweep::pack_unique_rows_into(s, rows, offsets, values, functor, o(p)); }},
  };
}

TEST(function_in_every_kernel, of_selections) { contracts::expect_function_in_every_kernel(selections()); }
TEST(function_in_every_kernel, of_runs) { contracts::expect_function_in_every_kernel(runs_sorts_and_histograms()); }

}  // namespace

namespace contracts {
INSTANTIATE_TYPED_TEST_SUITE_P(selections, options_of, calls_of<selections>);
INSTANTIATE_TYPED_TEST_SUITE_P(runs, options_of, calls_of<runs_sorts_and_histograms>);
INSTANTIATE_TYPED_TEST_SUITE_P(lists, options_of, calls_of<lists>);
INSTANTIATE_TYPED_TEST_SUITE_P(unique_rows, options_of, calls_of<unique_rows>);
}  // namespace contracts

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Runs of equal elements, found by the selection of GPUs on a CPU.

#include "lockstep_selection.hpp"

namespace {

using namespace selections;

template <class Configuration>
struct lockstep_runs : testing::Test {};
TYPED_TEST_SUITE(lockstep_runs, configurations);

TYPED_TEST(lockstep_runs, around_tiles) {
  using T = record<TypeParam::bytes>;
  engine<typename TypeParam::lanes, typename TypeParam::shape> machine(2, 3);
  auto around_tiles = sizes<TypeParam>();
  around_tiles.push_back(TypeParam::lanes::size * TypeParam::tile + 9);
  for_patterns(around_tiles, [&](std::size_t n, pattern which) {
    std::vector<T> in(n), values(n), first;
    std::vector<std::size_t> lengths(n), expected;
    for (std::size_t i = 0; i < n; ++i) {
      in[i] = record_at<TypeParam::bytes>(i);
      if (i == 0 || is_chosen(which, i, n)) {
        first.push_back(in[i]);
        expected.push_back(0);
      }
      ++expected.back();
    }
    std::vector<int> calls(n), begun(n), ended(n);
    std::vector<std::uint64_t> counts(2);
    int wrong = 0;
    run_outputs<T, std::size_t> const out{{values.data(), begun.data()}, {lengths.data(), ended.data()}, counts.data()};
    using problem = selection_problem<contiguous_sequence<T const>, counting_starts<T>, run_outputs<T, std::size_t>>;
    machine.find_runs(problem{{in.data()}, {{which, n, calls.data(), &wrong}}, out, n, {}});
    std::size_t const runs = expected.size();
    ASSERT_EQ(counts, (std::vector<std::uint64_t>{runs, 1}));
    ASSERT_EQ(wrong, 0);
    std::vector<int> once(n, 1);
    once[0] = 0;
    ASSERT_EQ(calls, once);
    values.resize(runs);
    lengths.resize(runs);
    ASSERT_EQ(values, first);
    ASSERT_EQ(lengths, expected);
    for (std::size_t r = 0; r < n; ++r) {
      ASSERT_EQ(begun[r], r < runs ? 1 : 0) << r;
      ASSERT_EQ(ended[r], r < runs ? 1 : 0) << r;
    }
  });
}

}  // namespace

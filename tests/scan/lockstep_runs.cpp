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
  constexpr std::size_t tile = TypeParam::tile, lanes = TypeParam::lanes::size;
  engine<typename TypeParam::lanes, typename TypeParam::shape> machine(2, 3);
  for (std::size_t n : {std::size_t(1), lanes - 1, lanes + 1, tile - 1, tile, tile + 1, 4 * tile + lanes + 3, lanes * tile + 9})
    for (pattern which : patterns) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", pattern " << static_cast<int>(which));
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
      std::vector<int> calls(n), stores(n);
      std::vector<std::uint64_t> counts(2);
      int wrong = 0;
      machine.find_runs(selection_problem<contiguous_sequence<T const>, counting_starts<T>, run_outputs<T>>{
          {in.data()}, {{which, n, calls.data(), &wrong}}, {values.data(), lengths.data(), stores.data(), counts.data()}, n, {}});
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
      for (std::size_t r = 0; r < n; ++r) ASSERT_EQ(stores[r], r < runs ? 2 : 0) << r;
    }
}

}  // namespace

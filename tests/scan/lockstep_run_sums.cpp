// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Reductions of runs on GPUs, whole, on a CPU: the kernel with lockstep lanes, for warps of 32 and for
// wavefronts of 64.

#include "lockstep.hpp"

#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/scan/detail/one_pass/run_sum_work.hpp>
#include <upsweep/scan/scan_by_key.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace lockstep;

template <class Lanes, class Key, class Monoid>
struct keyed_configuration : configuration<Lanes, Monoid> {
  using key = Key;
};
template <class Configuration>
struct lockstep_run_sums : testing::Test {
  using lanes = typename Configuration::lanes;
  using K = typename Configuration::key;
  using monoid = typename Configuration::monoid;
  using T = typename monoid::value_type;
  using shape = upsweep::engine::striped_shape<3, 48, 2>;
  template <class Keys, class Values>
  using problem = run_sum_problem<key_heads<Keys, upsweep::equal_keys>, Values, run_outputs<K, T>, monoid>;
  using plain = problem<contiguous_sequence<K const>, contiguous_sequence<T const>>;
  static constexpr std::size_t tile = run_sum_work<plain, shape, lanes>::size;

  std::vector<K> keys;
  std::vector<T> values;
  lockstep_league league{1 << 15, 1};
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(control_words);

  /// Values whose sums are exact, and a run in `length` elements on average.
  void fill(std::size_t n, unsigned length) {
    std::mt19937 random(static_cast<unsigned>(n) + length);
    keys.assign(n + 1, K(0));
    values.assign(n + 1, T{});
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = oracle::exact_value<T>(random);
      if (i > 0) keys[i] = static_cast<K>(keys[i - 1] + (random() % length == 0 ? 1 : 0));
    }
  }

  template <class Keys, class Values>
  void check(Keys const& from, Values const& in, std::size_t n, K const* key, T const* value) {
    monoid const op;
    std::vector<K> expected_keys;
    std::vector<T> expected;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == 0 || key[i] != key[i - 1]) {
        expected_keys.push_back(key[i]);
        expected.push_back(value[i]);
      } else {
        expected.back() = op(expected.back(), value[i]);
      }
    }
    std::size_t const count = expected.size();
    std::vector<K> out_keys(n);
    std::vector<T> out(n);
    std::vector<int> begun(n), ended(n);
    std::uint64_t counts[2] = {};
    using heads = key_heads<Keys, upsweep::equal_keys>;
    using work = run_sum_work<problem<Keys, Values>, shape, lanes>;
    run_sums<monoid> const states{op};
    problem<Keys, Values> const p{
        {heads{from, {}}, in},
        {heads{from, {}}, {{out_keys.data(), begun.data()}, {out.data(), ended.data()}, counts}, op},
        states,
        {states.identity()},
        n,
        {}};
    using kernel = one_pass_kernel<work>;
    std::size_t const tiles = upsweep::internal::divide_up<std::size_t>(n, work::size);
    words.resize(std::max(words.size(), control_words + kernel::prefixes_type::words(tiles)));
    auto& control = *reinterpret_cast<look_back_control*>(words.data());
    typename kernel::prefixes_type const prefixes{
        &control, words.data() + control_words, tiles, words.size() - control_words, 5, 1, false};
    kernel const k{work{p, work::goes_by_chunks(p)}, prefixes};
    league.run(static_cast<int>(tiles), kernel::team_size,
               [&](lockstep_league_member const& m) { k(typename kernel::scan{}, m); });
    ASSERT_EQ(counts[0], count) << n;
    ASSERT_EQ(counts[1], 1u);
    for (std::size_t r = 0; r < count; ++r) {
      ASSERT_EQ(begun[r], 1) << "n = " << n << ", run " << r;
      ASSERT_EQ(ended[r], 1) << "n = " << n << ", run " << r;
      ASSERT_EQ(out_keys[r], expected_keys[r]) << "n = " << n << ", run " << r;
      ASSERT_TRUE(out[r] == expected[r]) << "n = " << n << ", run " << r;
    }
    ASSERT_EQ(std::count(begun.begin(), begun.end(), 1), static_cast<std::ptrdiff_t>(count));
    ASSERT_EQ(control.ticket, 0u);
  }
  void check() {
    check(contiguous_sequence<K const>{keys.data()}, contiguous_sequence<T const>{values.data()}, keys.size() - 1,
          keys.data(), values.data());
  }
};

using configurations = testing::Types<keyed_configuration<warps, std::int32_t, upsweep::plus<std::int32_t>>,
                                      keyed_configuration<wavefronts, std::int32_t, upsweep::plus<double>>,
                                      keyed_configuration<warps, std::int64_t, oracle::affine_maps>>;
TYPED_TEST_SUITE(lockstep_run_sums, configurations);

TYPED_TEST(lockstep_run_sums, runs_of_any_length) {
  std::size_t const tile = this->tile;
  for (std::size_t n :
       {std::size_t(1), std::size_t(TypeParam::lanes::size + 1), tile - 1, tile, tile + 1, 5 * tile + 17})
    for (unsigned length : {1u, 3u, 40u, 1000u, 1000000u}) {
      SCOPED_TRACE(testing::Message() << "runs of " << length);
      this->fill(n, length);
      ASSERT_NO_FATAL_FAILURE(this->check());
    }
}

TYPED_TEST(lockstep_run_sums, a_run_that_begins_anywhere_in_a_tile_and_behind_it) {
  std::size_t const n = 2 * this->tile + 5;
  for (std::size_t begin = 0; begin < n; begin += 1 + begin / 40) {
    this->fill(n, 1000000);
    for (std::size_t i = 0; i < n; ++i) this->keys[i] = i < begin ? 1 : 2;
    ASSERT_NO_FATAL_FAILURE(this->check()) << begin;
  }
}

// What is not aligned, and what a functor computes, is loaded one by one.
TYPED_TEST(lockstep_run_sums, every_way_from_memory) {
  using K = typename TestFixture::K;
  using T = typename TestFixture::T;
  std::size_t const n = 3 * this->tile + 17;
  for (unsigned length : {2u, 300u}) {
    this->fill(n, length);
    contiguous_sequence<K const> const shifted{this->keys.data() + 1};
    contiguous_sequence<T const> const values{this->values.data()};
    ASSERT_NO_FATAL_FAILURE(this->check(shifted, values, n - 1, this->keys.data() + 1, this->values.data()));
    functor_sequence<value_at<T>> const computed{{this->values.data()}};
    ASSERT_NO_FATAL_FAILURE(this->check(shifted, computed, n - 1, this->keys.data() + 1, this->values.data()));
  }
}

}  // namespace

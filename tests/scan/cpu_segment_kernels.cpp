// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The compiled kernels of segmented scans, of every instruction set that this processor has, against loops, bit by bit.

#include "../oracle/instruction_sets.hpp"
#include "../oracle/segment_windows.hpp"

#include <upsweep/scan/detail/cpu/cpu_segment_kernels.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#if defined(UPSWEEP_CPU_KERNELS)
namespace {

namespace detail = upsweep::scan::detail;
using detail::cpu_operation;

std::vector<bool> random_heads(std::size_t n, unsigned distance) {
  std::mt19937 random(distance + static_cast<unsigned>(n));
  std::vector<bool> heads(n);
  for (std::size_t i = 0; i < n; ++i) heads[i] = random() % distance == 0;
  return heads;
}
/// As the kernels get them: bits of no element are 1, and two words follow.
std::vector<std::uint64_t> to_words(std::vector<bool> const& heads) {
  std::vector<std::uint64_t> words(heads.size() / 64 + 3, ~std::uint64_t(0));
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (!heads[i]) words[i / 64] &= ~(std::uint64_t(1) << (i % 64));
  return words;
}

template <cpu_operation Operation, class T>
T combine(T a, T b) {
  if constexpr (Operation == cpu_operation::min) return std::min(a, b);
  else if constexpr (Operation == cpu_operation::max) return std::max(a, b);
  else return a + b;
}
template <cpu_operation Operation, class T>
T identity() {
  if constexpr (Operation == cpu_operation::min) return std::numeric_limits<T>::max();
  else if constexpr (Operation == cpu_operation::max) return std::numeric_limits<T>::lowest();
  else return T(0);
}
/// Replaces elements by their scan; returns the fold since the last head.
template <cpu_operation Operation, class T>
T scan_in_a_loop(bool inclusive, T* x, std::size_t n, T running, std::vector<bool> const& heads) {
  for (std::size_t i = 0; i < n; ++i) {
    bool const head = heads[i];
    T const next = head ? x[i] : combine<Operation>(running, x[i]);
    x[i] = inclusive ? next : head ? identity<Operation, T>() : running;
    running = next;
  }
  return running;
}

std::size_t const sizes[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 1000, 4099};
unsigned const distances[] = {1, 2, 5, 20, 100, 100000};

template <class T, cpu_operation Operation>
void check_integers(upsweep::internal::instruction_set which) {
  auto const& kernels = detail::segment_kernels_for<T, Operation>(which);
  for (std::size_t n : sizes)
    for (unsigned distance : distances)
      for (bool inclusive : {false, true}) {
        SCOPED_TRACE(testing::Message() << sizeof(T) << " bytes, operation " << int(Operation) << ", n = " << n
                                        << ", a head in " << distance << (inclusive ? ", inclusive" : ", exclusive"));
        std::mt19937_64 random(n);
        std::vector<T> in(n + 1), out(n + 1, T(77));
        for (T& x : in) x = static_cast<T>(random());
        auto const heads = random_heads(n, distance);
        auto const words = to_words(heads);
        auto expected = in;
        T const prefix = T(41), fold = scan_in_a_loop<Operation>(inclusive, expected.data(), n, prefix, heads);
        EXPECT_EQ(kernels.scan[inclusive](in.data(), out.data(), n, prefix, words.data()), fold);
        EXPECT_EQ(out[n], T(77));
        EXPECT_TRUE(std::equal(out.begin(), out.end() - 1, expected.begin()));
        EXPECT_EQ(kernels.scan[inclusive](in.data(), in.data(), n, prefix, words.data()), fold);
        EXPECT_EQ(in, expected);
      }
}

class cpu_segment_kernels : public oracle::instruction_set_test {};
INSTANTIATE_TEST_SUITE_P(all, cpu_segment_kernels, oracle::all_instruction_sets(), oracle::name_of_instruction_set);
class cpu_head_kernels : public oracle::instruction_set_test {};
INSTANTIATE_TEST_SUITE_P(all, cpu_head_kernels, oracle::vector_instruction_sets(), oracle::name_of_instruction_set);

TEST_P(cpu_segment_kernels, plus) {
  check_integers<std::uint32_t, cpu_operation::plus>(GetParam());
  check_integers<std::uint64_t, cpu_operation::plus>(GetParam());
}
TEST_P(cpu_segment_kernels, min_and_max) {
  check_integers<std::int32_t, cpu_operation::min>(GetParam());
  check_integers<std::int64_t, cpu_operation::max>(GetParam());
  check_integers<std::uint32_t, cpu_operation::max>(GetParam());
  check_integers<std::uint64_t, cpu_operation::min>(GetParam());
}

template <class T>
void check_sums(upsweep::internal::instruction_set which) {
  auto const& kernels = detail::segment_kernels_for<T, cpu_operation::plus>(which);
  for (std::size_t n : sizes)
    for (unsigned distance : distances) {
      SCOPED_TRACE(testing::Message() << sizeof(T) << " bytes, n = " << n << ", a head in " << distance);
      std::mt19937 random(distance);
      std::vector<T> in(n);
      for (T& x : in) x = random() % 8 == 0 ? T(-0.0) : std::uniform_real_distribution<T>(-1, 1)(random);
      if (n > 40) in[n / 3] = std::numeric_limits<T>::infinity();  // no other segment may see it
      auto const heads = random_heads(n, distance);
      T const prefix = T(0.3);
      auto const expected = oracle::scan_by_windows(in, heads, prefix);
      auto const words = to_words(heads);
      auto out = in;
      T const fold = kernels.scan[true](out.data(), out.data(), n, prefix, words.data());
      EXPECT_EQ(std::memcmp(out.data(), expected.data(), n * sizeof(T)), 0);
      EXPECT_TRUE(n % 32 != 0 || std::memcmp(&fold, &expected.back(), sizeof fold) == 0);
      kernels.scan[false](in.data(), out.data(), n, prefix, words.data());
      for (std::size_t i = 0; i < n; ++i) {
        T const before = heads[i] ? T(0) : i == 0 ? prefix : expected[i - 1];
        ASSERT_EQ(std::memcmp(&out[i], &before, sizeof before), 0) << i;
      }
    }
}

TEST_P(cpu_segment_kernels, sums_of_windows) {
  check_sums<float>(GetParam());
  check_sums<double>(GetParam());
}

template <class Mark>
void check_heads(upsweep::internal::instruction_set which) {
  auto const* const kernels = detail::head_kernels_for<Mark>(which);
  ASSERT_NE(kernels, nullptr);
  for (std::size_t n : sizes)
    for (unsigned distance : distances) {
      SCOPED_TRACE(testing::Message() << sizeof(Mark) << " bytes, n = " << n << ", a head in " << distance);
      auto const heads = random_heads(n, distance);
      // A change of the highest bit alone is one, too.
      Mark const high = static_cast<Mark>(Mark(1) << (8 * sizeof(Mark) - 1));
      std::vector<Mark> flags(n), keys(n + 1);
      for (std::size_t i = 0; i < n; ++i) {
        flags[i] = heads[i] ? high : Mark(0);
        keys[i + 1] = heads[i] ? static_cast<Mark>(keys[i] ^ high) : keys[i];
      }
      auto const is_right = [&](std::vector<std::uint64_t> const& words) {
        for (std::size_t i = 0; i < n; ++i)
          if ((words[i / 64] >> (i % 64) & 1) != heads[i]) return false;
        return words[(n + 63) / 64] == 55;
      };
      std::vector<std::uint64_t> words((n + 63) / 64 + 1, 55);
      kernels->of_flags(flags.data(), n, words.data());
      EXPECT_TRUE(is_right(words)) << "flags";
      if constexpr (sizeof(Mark) > 1) {
        std::fill(words.begin(), words.end(), 55);
        kernels->of_keys(keys.data() + 1, n, keys[0], words.data());
        EXPECT_TRUE(is_right(words)) << "keys";
      }
    }
}

TEST_P(cpu_head_kernels, flags_and_keys) {
  check_heads<std::uint8_t>(GetParam());
  check_heads<std::uint32_t>(GetParam());
  check_heads<std::uint64_t>(GetParam());
}

}  // namespace
#endif

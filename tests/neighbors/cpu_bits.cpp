// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The compiled loops that turn the hits of lists into rows, of every instruction set that this processor has, against
// what they promise.

#include "../oracle/instruction_sets.hpp"

#include <upsweep/neighbors/detail/masks/hits.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#if defined(UPSWEEP_CPU_KERNELS)
namespace {

namespace detail = upsweep::neighbors::detail;

class cpu_bits : public oracle::instruction_set_test {};
INSTANTIATE_TEST_SUITE_P(all, cpu_bits, oracle::all_instruction_sets(), oracle::name_of_instruction_set);

std::vector<std::uint32_t> random_words(std::size_t n, std::mt19937_64& random) {
  std::vector<std::uint32_t> words(n);
  for (auto& word : words) word = static_cast<std::uint32_t>(random() & random());
  return words;
}

TEST_P(cpu_bits, marks_become_bits_once) {
  auto const& kernels = detail::cpu_hits<double>(GetParam());
  std::mt19937_64 random(4);
  for (int n : {32, 96, 512}) {
    std::vector<unsigned char> marks(static_cast<std::size_t>(n) + 1, 0);
    auto const none = marks;
    std::vector<std::uint32_t> words(static_cast<std::size_t>(n) / 32, 7);
    for (int k = 0; k < n; ++k) marks[static_cast<std::size_t>(k)] = static_cast<unsigned char>(random() % 3);
    auto before = marks;
    kernels.take_marks(marks.data(), n, words.data());
    for (int k = 0; k < n; ++k)
      ASSERT_EQ(words[static_cast<std::size_t>(k) / 32] >> k % 32 & 1,
                before[static_cast<std::size_t>(k)] != 0 ? 1u : 0u);
    EXPECT_EQ(marks, none);
  }
}

/// Words of which those bits are random that are not below `low`: these count.
template <class Word>
std::vector<Word> numbered_words(int n, int low, std::uint64_t most, std::mt19937_64& random) {
  std::vector<Word> words;
  for (int k = 0; k < n; ++k) words.push_back(static_cast<Word>((random() & most) << low | static_cast<unsigned>(k)));
  return words;
}

template <class Word, class Sort>
void sort_words(Sort const& sort) {
  std::mt19937_64 random(6);
  for (int n : {1, 2, 15, 16, 17, 100, 127, 128, 129, 500, 513, 1000, 1500, 4001})
    for (std::uint64_t most : {std::uint64_t(0), std::uint64_t(1), std::uint64_t(0xffff), ~std::uint64_t(0)}) {
      auto words = numbered_words<Word>(n, 12, most, random);
      words[words.size() / 2] |= ~Word(0) << 12;
      auto expected = words;
      std::sort(expected.begin(), expected.end());
      auto const size = static_cast<std::size_t>(detail::padded_words(n));
      words.resize(size + 1, 5);
      std::vector<Word> other(size + 1, 6);
      sort(words.data(), n, 12, other.data());
      ASSERT_EQ(words.back(), 5);
      ASSERT_EQ(other.back(), 6);
      words.resize(expected.size());
      ASSERT_EQ(words, expected) << n << " " << most;
    }
}

TEST_P(cpu_bits, words_are_sorted) {
  auto const& kernels = detail::cpu_hits<double>(GetParam());
  sort_words<std::uint32_t>(kernels.sort);
  sort_words<std::uint64_t>(kernels.sort_wide);
}

TEST_P(cpu_bits, rows_of_bits_become_columns) {
  auto const& kernels = detail::cpu_hits<float>(GetParam());
  std::mt19937_64 random(7);
  for (int rows : {1, 7, 18, 31, 32})
    for (int n : {1, 2, 15, 16, 17, 48, detail::bit_column - 16}) {
      int const stride = n + rows % 3;
      // No word behind the last row's is read: sanitizers see it.
      auto const in = random_words(static_cast<std::size_t>((rows - 1) * stride + n), random);
      std::vector<std::uint32_t> out(32 * detail::bit_column, 9);
      kernels.transpose(in.data(), rows, stride, n, out.data());
      for (int k = 0; k < 32; ++k)
        for (int w = 0; w < n; ++w) {
          std::uint32_t expected = 0;
          for (int i = 0; i < rows; ++i) expected |= (in[static_cast<std::size_t>(i * stride + w)] >> k & 1) << i;
          ASSERT_EQ(out[static_cast<std::size_t>(k * detail::bit_column + w)], expected) << rows << " " << n;
        }
    }
}

}  // namespace
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The compiled kernels that move marked elements, of every instruction set that this processor has, against a loop:
// what they write, and that they write nothing else.

#include "../oracle/instruction_sets.hpp"

#include <upsweep/pack/detail/moving/cpu_moves.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#if defined(UPSWEEP_CPU_KERNELS)
namespace {

namespace detail = upsweep::pack::detail;

/// Elements, and which `percent` of them are chosen. Bits of no element are 1.
template <class Word>
struct marked {
  std::vector<Word> in, chosen, rest;
  std::vector<std::uint64_t> words;

  marked(std::size_t n, unsigned percent) : in(n), words(n / 64 + 1, ~std::uint64_t(0)) {
    std::mt19937_64 random(n + percent);
    for (std::size_t i = 0; i < n; ++i) {
      in[i] = static_cast<Word>(random());
      bool const choose = random() % 100 < percent;
      if (!choose) words[i / 64] &= ~(std::uint64_t(1) << (i % 64));
      (choose ? chosen : rest).push_back(in[i]);
    }
  }
};

constexpr std::size_t guards = 40;

/// Memory of `size` elements that begins `at` elements behind a guard, and has another one behind its end.
template <class Word>
struct guarded {
  static constexpr Word guard = static_cast<Word>(0xabcdef0123456789u);
  std::size_t at, size;
  std::vector<Word> memory;

  guarded(std::size_t begin, std::size_t n) : at(guards + begin), size(n), memory(at + n + guards, guard) {}
  Word* data() { return memory.data() + at; }
  std::vector<Word> content() const {
    return {memory.begin() + std::ptrdiff_t(at), memory.begin() + std::ptrdiff_t(at + size)};
  }
  bool is_whole() const {
    auto const is_guard = [](Word x) { return x == guard; };
    auto const end = memory.begin() + std::ptrdiff_t(at + size);
    return std::all_of(memory.begin(), memory.begin() + std::ptrdiff_t(at), is_guard) &&
           std::all_of(end, memory.end(), is_guard);
  }
};

template <class Word>
void check(upsweep::internal::instruction_set which, std::size_t n, unsigned percent) {
  auto const* const kernels = detail::move_kernels_for<Word>(which);
  ASSERT_NE(kernels, nullptr);
  marked<Word> const m(n, percent);
  for (std::size_t shift : {0u, 1u, 3u}) {
    guarded<Word> chosen(shift, m.chosen.size()), rest(2 * shift, m.rest.size());
    kernels->split(m.in.data(), n, m.words.data(), chosen.data(), rest.data());
    ASSERT_EQ(chosen.content(), m.chosen) << n << " " << percent;
    ASSERT_EQ(rest.content(), m.rest) << n << " " << percent;
    ASSERT_TRUE(chosen.is_whole() && rest.is_whole()) << n << " " << percent;
    guarded<Word> alone(shift, m.chosen.size());
    kernels->choose(m.in.data(), n, m.words.data(), alone.data());
    ASSERT_EQ(alone.content(), m.chosen) << n << " " << percent;
    ASSERT_TRUE(alone.is_whole()) << n << " " << percent;
  }
  // In three: of what is not chosen every third bit is the second part.
  std::vector<std::uint64_t> others(m.words.size());
  for (std::size_t w = 0; w < others.size(); ++w) others[w] = ~m.words[w] & 0x9249249249249249u;
  std::vector<Word> second, third;
  for (std::size_t i = 0; i < n; ++i)
    if ((m.words[i / 64] >> (i % 64) & 1) == 0)
      ((others[i / 64] >> (i % 64) & 1) != 0 ? second : third).push_back(m.in[i]);
  for (std::size_t shift : {0u, 1u, 3u}) {
    guarded<Word> a(shift, m.chosen.size()), b(0, second.size()), c(2 * shift, third.size());
    kernels->divide(m.in.data(), n, m.words.data(), others.data(), a.data(), b.data(), c.data());
    ASSERT_EQ(a.content(), m.chosen) << n << " " << percent;
    ASSERT_EQ(b.content(), second) << n << " " << percent;
    ASSERT_EQ(c.content(), third) << n << " " << percent;
    ASSERT_TRUE(a.is_whole() && b.is_whole() && c.is_whole()) << n << " " << percent;
  }
  // Chosen elements within the input.
  std::vector<Word> in = m.in, both = m.in;
  guarded<Word> rest(0, m.rest.size());
  kernels->choose(in.data(), n, m.words.data(), in.data());
  kernels->split(both.data(), n, m.words.data(), both.data(), rest.data());
  in.resize(m.chosen.size());
  both.resize(m.chosen.size());
  ASSERT_EQ(in, m.chosen) << n << " " << percent;
  ASSERT_EQ(both, m.chosen) << n << " " << percent;
  ASSERT_EQ(rest.content(), m.rest) << n << " " << percent;
}

class cpu_moves : public oracle::instruction_set_test {};
INSTANTIATE_TEST_SUITE_P(all, cpu_moves, oracle::vector_instruction_sets(), oracle::name_of_instruction_set);

TEST_P(cpu_moves, elements_find_their_parts) {
  std::vector<std::size_t> sizes(200);
  for (std::size_t n = 0; n < sizes.size(); ++n) sizes[n] = n;
  sizes.insert(sizes.end(), {1023, 1024, 1025, 4096 + 7});
  for (std::size_t const n : sizes)
    for (unsigned const percent : {0u, 10u, 50u, 90u, 100u}) {
      check<std::uint32_t>(GetParam(), n, percent);
      check<std::uint64_t>(GetParam(), n, percent);
    }
}

}  // namespace
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace mutate {

/// Words that have been misread by some parser of options.
inline std::vector<std::string> const& hostile_words() {
  static std::vector<std::string> const words{"",
                                              " ",
                                              "-",
                                              "--",
                                              "---",
                                              "=",
                                              "0",
                                              "00",
                                              "010",
                                              "08",
                                              "-0",
                                              "-1",
                                              "+1",
                                              " 1",
                                              "1 ",
                                              "1\n",
                                              "0x10",
                                              "0b1",
                                              "0o7",
                                              "1_000",
                                              "1'000",
                                              "1,5",
                                              "0,005",
                                              "0.005",
                                              ".5",
                                              "5.",
                                              "1e3",
                                              "1e999",
                                              "1e-999",
                                              "-1e999",
                                              "nan",
                                              "NaN",
                                              "nan(1)",
                                              "inf",
                                              "-inf",
                                              "infinity",
                                              "true",
                                              "false",
                                              "99999999999999999999",
                                              "18446744073709551615",
                                              "18446744073709551616",
                                              "9223372036854775807",
                                              "9223372036854775808",
                                              "-9223372036854775808",
                                              "1,2,3",
                                              "1,2",
                                              "1,2,3,4",
                                              ",,",
                                              "1,,3",
                                              "[1,2]",
                                              "{}",
                                              "\"1\"",
                                              "'1'",
                                              "\xff\xfe",
                                              "%s%n",
                                              "2^20",
                                              "2^^3",
                                              "2^41",
                                              "2^10..2^20*0",
                                              "2^10..2^40*1099511627776",
                                              "1..",
                                              "..",
                                              "*",
                                              "@file",
                                              "/dev/stdout",
                                              "fcc",
                                              "a b"};
  return words;
}

/// A command line made of the given options and hostile words, its words then changed here and there. The same seed
/// gives the same words everywhere.
inline std::vector<std::string> command_line(std::vector<std::string> const& options, unsigned seed) {
  std::mt19937 random(seed);
  auto const below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  auto const& words = hostile_words();
  std::vector<std::string> line;
  for (std::size_t k = below(7); k > 0; --k) {
    auto const& option = options[below(options.size())];
    auto const& word = words[below(words.size())];
    switch (below(8)) {
      case 0: line.push_back(option); break;
      case 1: line.push_back(word); break;
      case 2: line.push_back(option + "=" + word); break;
      default: line.push_back(option); line.push_back(word);
    }
  }
  for (std::size_t k = below(3); k > 0 && !line.empty(); --k) {
    auto& word = line[below(line.size())];
    // No zero byte: the system ends a word there.
    char const c = static_cast<char>(1 + below(255));
    if (word.empty() || below(2) == 0)
      word.insert(word.begin() + static_cast<std::ptrdiff_t>(below(word.size() + 1)), c);
    else if (below(2) == 0) word[below(word.size())] = c;
    else word.erase(below(word.size()));
  }
  return line;
}

/// Command lines of these options, one for each seed, are read, or refused with a text.
template <class Parse>
void expect_read_or_refused(std::vector<std::string> const& options, unsigned seeds, Parse const& parse) {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    auto const line = parse(command_line(options, seed));
    if (line.proceed || line.exit_code == 0) continue;
    EXPECT_EQ(line.exit_code, 2);
    EXPECT_FALSE(line.text.empty());
  }
}

}  // namespace mutate

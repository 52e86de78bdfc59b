// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "data_file.hpp"

#include <upsweep/io/npy.hpp>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale>
#include <sstream>
#include <vector>

namespace {

using upsweep_test::error_of;
using upsweep_test::pieces;
using upsweep_test::read_text;

/// glibc's file of LC_NUMERIC for a locale with a decimal comma. Made here, since a machine need not have such a
/// locale.
std::string comma_locale_file() {
  std::string const strings[] = {{',', '\0'},
                                 {'.', '\0'},
                                 {'\3', '\0'},
                                 {',', '\0', '\0', '\0'},
                                 {'.', '\0', '\0', '\0'},
                                 std::string("UTF-8\0", 6)};
  constexpr std::uint32_t numeric = 1, magic = 0x20031115;
  std::vector<std::uint32_t> head{magic ^ numeric, std::size(strings)};
  std::string body;
  for (auto const& text : strings) {
    head.push_back(static_cast<std::uint32_t>(4 * (2 + std::size(strings)) + body.size()));
    body += text;
    while (body.size() % 4 != 0) body += '\0';
  }
  return std::string(reinterpret_cast<char const*>(head.data()), 4 * head.size()) + body;
}

struct comma_and_groups : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// A caller whose program writes numbers as "1.234,5", for C functions and for streams.
class locales : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_ / "comma");
    upsweep_test::write_file(folder_ / "comma/LC_NUMERIC", comma_locale_file());
    ::setenv("LOCPATH", folder_.path().c_str(), 1);
    has_c_locale_ = std::setlocale(LC_NUMERIC, "comma") != nullptr;
    old_ = std::locale::global(std::locale(std::locale::classic(), new comma_and_groups));
    // The line before set the C locale back.
    if (has_c_locale_) std::setlocale(LC_NUMERIC, "comma");
  }
  void TearDown() override {
    std::locale::global(old_);
    std::setlocale(LC_NUMERIC, "C");
    ::unsetenv("LOCPATH");
  }

  upsweep_test::temporary_folder folder_;
  std::locale old_;
  bool has_c_locale_ = false;
};

TEST_F(locales, the_locale_of_these_tests_has_a_comma) {
  char text[16] = {};
  std::snprintf(text, sizeof text, "%.1f", 0.5);
#ifdef __GLIBC__
  EXPECT_STREQ(text, "0,5");
#endif
  std::ostringstream stream;
  stream << 1234.5;
  EXPECT_EQ(stream.str(), "1.234,5");
}

TEST_F(locales, numbers_are_read_with_a_point) {
  auto const p = read_text(pieces{.masses = "1 1.5"});
  EXPECT_EQ(p.masses, std::vector<double>{1.5});
  EXPECT_EQ(p.velocities, (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}));
  auto const small = read_text(pieces{.atom_1 = "1 1 1.5e-400 -0.00001e-999999999999999999999 0.0e999"});
  EXPECT_EQ(small.positions[0], 0.0);
  EXPECT_EQ(small.positions[1], 0.0);
  EXPECT_EQ(small.positions[2], 0.0);
}

/// A file with this word as a coordinate is refused, and its message says what was expected.
void expect_refused_coordinate(std::string const& word, std::string const& expected) {
  auto const message = error_of(pieces{.atom_1 = "1 1 " + word + " 2 3"});
  EXPECT_TRUE(message.starts_with("test.data:15: coordinate is '" + word + "' (expected " + expected)) << message;
}

TEST_F(locales, numbers_out_of_range_are_refused) {
  for (std::string const word : {"0.5e999", "1e999", "0.0001e400", "-1e309", "1e99999999999999999999", "1.0e+400"})
    expect_refused_coordinate(word, "a finite");
}

TEST_F(locales, words_that_are_no_numbers_are_refused) {
  for (std::string const word :
       {"0,005", "1.234,5", "0x10", "0x1p3", "1d5", "1e", "1e+", ".", "+", "-", "+-1", "--1", "1.2.3", "1_0"})
    expect_refused_coordinate(word, "a number)");
  for (std::string const word : {"nan", "-nan", "inf", "INF", "-infinity", "nan(1)"})
    expect_refused_coordinate(word, "a finite number)");
}

TEST_F(locales, messages_and_headers_are_the_same) {
  EXPECT_NE(error_of(pieces{.masses = "1 -0.5"}).find("mass -0.5 of type 1"), std::string::npos);
  EXPECT_NE(error_of(pieces{.types = "1234 atom types"}).find("(expected 1234, from"), std::string::npos);
  std::vector<std::int8_t> const values(12345);
  upsweep::write_npy(folder_ / "x.npy", std::span(values), {12345});
  EXPECT_NE(upsweep_test::file_contents(folder_ / "x.npy").find("'shape': (12345,)"), std::string::npos);
  EXPECT_EQ(upsweep::read_npy(folder_ / "x.npy").shape, std::vector<std::uint64_t>{12345});
}

}  // namespace

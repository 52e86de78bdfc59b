// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/error.hpp>
#include <upsweep/base/printable.hpp>

#include <gtest/gtest.h>

#include <string>

using upsweep::printable;
using upsweep::quote;

namespace {

TEST(printable, text_stays) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable(" in.data:3: 'x' ~"), " in.data:3: 'x' ~");
  EXPECT_EQ(printable("\u00e4\u00a0\u03c3\u20ac\U0001f600.npy"), "\u00e4\u00a0\u03c3\u20ac\U0001f600.npy");
}

TEST(printable, control_characters_do_not) {
  EXPECT_EQ(printable("\x1b[31mred\a"), "?[31mred?");
  EXPECT_EQ(printable("a\nb\tc\rd\x7f"), "a?b?c?d?");
  EXPECT_EQ(printable(std::string(1, '\0')), "?");
  EXPECT_EQ(printable("\u0080\u009b\u009f"), "??????") << "U+009B starts commands of terminals as ESC [ does";
}

TEST(printable, bytes_that_are_no_utf8_do_not) {
  EXPECT_EQ(printable("\x9b"
                      "31m\xff"),
            "?31m?");
  EXPECT_EQ(printable("\xc3"), "?") << "cut short";
  EXPECT_EQ(printable("\xc3\x28"), "?(");
  EXPECT_EQ(printable("\xe2\x82"), "??");
  EXPECT_EQ(printable("\xc1\x9b\xe0\x80\x9b\xf0\x80\x80\x9b"), "?????????") << "more bytes than the code needs";
  EXPECT_EQ(printable("\xed\xa0\x80"), "???") << "half of a pair of UTF-16";
  EXPECT_EQ(printable("\xf4\x90\x80\x80\xf8\x88\x80\x80\x80"), "?????????") << "above U+10FFFF";
}

// Every text of three bytes from those at which the rules change: what is left is printable, and stays as it is.
TEST(printable, once_is_enough) {
  std::string const bytes("\0\x1b a\x7f\x80\x9b\x9f\xa0\xbf\xc2\xc3\xe0\xed\xef\xf0\xf4\xff", 18);
  for (char const a : bytes)
    for (char const b : bytes)
      for (char const c : bytes) {
        auto const once = printable(std::string{a, b, c});
        ASSERT_EQ(printable(once), once);
        for (unsigned char const left : once) ASSERT_TRUE(left >= ' ' && left != 0x7f);
        ASSERT_EQ(once.find("\xc2\x9b"), std::string::npos);
      }
}

TEST(printable, quoted_pieces_are_short) {
  EXPECT_EQ(quote("moon"), "'moon'");
  EXPECT_EQ(quote("\x1b[2J"), "'?[2J'");
  EXPECT_EQ(quote(std::string(40, 'x')), "'" + std::string(40, 'x') + "'");
  EXPECT_EQ(quote(std::string(41, 'x')), "'" + std::string(40, 'x') + "...'");
  EXPECT_EQ(quote(std::string(39, 'x') + "\u00e4"), "'" + std::string(39, 'x') + "?...'") << "cut in a character";
}

TEST(printable, exceptions_are) {
  EXPECT_STREQ(upsweep::input_error("\x1b]0;title\a: no file\n").what(), "?]0;title?: no file?");
}

}  // namespace

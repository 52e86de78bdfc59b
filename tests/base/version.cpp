// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/version.hpp>

#include <gtest/gtest.h>

#include <string>

TEST(version, header_and_library_agree) {
  EXPECT_EQ(upsweep::library_version(), UPSWEEP_VERSION);
  EXPECT_STREQ(upsweep::library_version_string(), UPSWEEP_VERSION_STRING);
}

TEST(version, string_is_built_from_the_numbers) {
  auto const expected = std::to_string(UPSWEEP_VERSION_MAJOR) + "." + std::to_string(UPSWEEP_VERSION_MINOR) + "." +
                        std::to_string(UPSWEEP_VERSION_PATCH);
  EXPECT_EQ(expected, UPSWEEP_VERSION_STRING);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/support/progress.hpp"

#include "../../apps/support/phase_times.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace {

/// A stream and what was written there.
struct stream {
  std::FILE* file = std::tmpfile();
  ~stream() { std::fclose(file); }
  std::string text() const {
    std::string all(4096, '\0');
    std::rewind(file);
    all.resize(std::fread(all.data(), 1, all.size(), file));
    return all;
  }
};

constexpr std::chrono::nanoseconds always{0};
constexpr std::chrono::hours later{1};

auto const half = [](double) { return std::string("step 5 of 10"); };

TEST(progress, lines_where_there_is_no_terminal) {
  stream out;
  {
    apps::progress shown(out.file, false, always);
    shown.advance(0.5, half);
    shown.enter("link");
  }
  EXPECT_EQ(out.text(), "step 5 of 10, 50 %, 1 s left\nlink, after 0 s\n");
}

TEST(progress, nothing_before_it_is_time) {
  stream out;
  {
    apps::progress shown(out.file, false, later);
    shown.advance(0.5, half);
    shown.enter("link");
  }
  EXPECT_EQ(out.text(), "");
}

TEST(progress, a_bar_on_a_terminal_that_goes_away) {
  stream out;
  {
    apps::progress shown(out.file, true, always);
    shown.advance(0.5, half);
  }
  EXPECT_EQ(out.text(), "\r\033[K[===============               ] step 5 of 10, 50 %, 1 s left\r\033[K");
}

TEST(progress, phases_are_shown_on_a_terminal_at_once) {
  stream out;
  {
    apps::progress shown(out.file, true, later);
    apps::phase_times times(&shown);
    times.time(Kokkos::DefaultHostExecutionSpace(), "read", [] {});
    times.advance(0.5, half);
  }
  EXPECT_EQ(out.text(), "\r\033[Kread, after 0 s\r\033[K");
}

}  // namespace

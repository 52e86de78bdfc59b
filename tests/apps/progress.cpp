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

/// What is written while progress is shown, to its end: `use` gets it.
template <class Use>
std::string text_of(bool terminal, std::chrono::nanoseconds interval, Use const& use) {
  std::FILE* const file = std::tmpfile();
  {
    apps::progress shown(file, terminal, interval);
    use(shown);
  }
  std::string all(4096, '\0');
  std::rewind(file);
  all.resize(std::fread(all.data(), 1, all.size(), file));
  std::fclose(file);
  return all;
}

constexpr std::chrono::nanoseconds always{0};
constexpr std::chrono::hours later{1};

auto const half = [](double) { return std::string("step 5 of 10"); };

void advance_and_enter(apps::progress& shown) {
  shown.advance(0.5, half);
  shown.enter("link");
}

TEST(progress, lines_where_there_is_no_terminal) {
  EXPECT_EQ(text_of(false, always, advance_and_enter), "step 5 of 10, 50 %, 1 s left\nlink, after 0 s\n");
}

TEST(progress, nothing_before_it_is_time) { EXPECT_EQ(text_of(false, later, advance_and_enter), ""); }

TEST(progress, a_bar_on_a_terminal_that_goes_away) {
  EXPECT_EQ(text_of(true, always, [](apps::progress& shown) { shown.advance(0.5, half); }),
            "\r\033[K[===============               ] step 5 of 10, 50 %, 1 s left\r\033[K");
}

TEST(progress, phases_are_shown_on_a_terminal_at_once) {
  auto const phases = [](apps::progress& shown) {
    apps::phase_times times(&shown);
    times.time(Kokkos::DefaultHostExecutionSpace(), "read", [] {});
    times.advance(0.5, half);
  };
  EXPECT_EQ(text_of(true, later, phases), "\r\033[Kread, after 0 s\r\033[K");
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The command lines of upsweep-perf and upsweep-autotune.

#include "../../perf/autotune/options.hpp"
#include "../../perf/options.hpp"
#include "../../perf/revision.hpp"
#include "../../perf/sizes.hpp"
#include "../apps/mutate.hpp"

#include <gtest/gtest.h>

#include <limits>

// The program's own lists take its whole program to link; the test uses these instead.
namespace perf {
char const* revision() { return "none"; }
std::vector<std::string> scan_types() { return {"int32", "double"}; }
std::vector<std::string> scan_impls() { return {"copy", "upsweep"}; }
std::vector<std::string> scan_operations() { return {"exclusive_scan"}; }
namespace pack {
std::vector<std::string> pack_types() { return {"int32"}; }
std::vector<std::string> pack_impls() { return {"copy", "upsweep"}; }
std::vector<std::string> pack_operations() { return {"compact"}; }
}  // namespace pack
namespace neighbors {
std::vector<std::string> list_types() { return {"double"}; }
std::vector<std::string> list_impls() { return {"upsweep"}; }
std::vector<std::string> list_workloads() { return {"uniform"}; }
}  // namespace neighbors
namespace groups {
std::vector<std::string> group_types() { return {"double"}; }
std::vector<std::string> group_impls() { return {"upsweep", "arborx"}; }
std::vector<std::string> group_workloads() { return {"friends_uniform"}; }
}  // namespace groups
}  // namespace perf

namespace {

using words = std::vector<std::string>;

words const groups{"tiles", "engine"};

void expect_refused(apps::command_line const& line, std::string const& message) {
  EXPECT_FALSE(line.proceed);
  EXPECT_EQ(line.exit_code, 2);
  EXPECT_NE(line.text.find(message), std::string::npos) << line.text;
}

TEST(perf_options, numbers_are_whole_words_in_decimal) {
  EXPECT_EQ(perf::parse({"--measurements", "010"}).values.scans.measurements, 10);
  EXPECT_EQ(perf::parse({"--keep", "0.25"}).values.packs.keep, 0.25);
  EXPECT_EQ(perf::autotune::parse({"--measurements", "010"}, groups).values.measurements, 10);
  for (auto const* word : {"0x10", "1e3", " 5", "5 ", "0", "100001", ""}) {
    expect_refused(perf::parse({"--measurements", word}), "--measurements ");
    expect_refused(perf::autotune::parse({"--measurements", word}, groups), "--measurements ");
  }
  for (auto const* word : {"0,5", "1.5", "nan", "0x1p-1", "-0.1", ""})
    expect_refused(perf::parse({"--keep", word}), "--keep ");
}

TEST(perf_options, a_bound_of_the_spread_is_in_percent_and_takes_two_measurements) {
  EXPECT_EQ(perf::parse({"--spread", "12.5"}).values.spread, 0.125);
  EXPECT_EQ(perf::parse({}).values.spread, std::numeric_limits<double>::infinity());
  for (auto const* word : {"0", "-1", "10%", "nan"}) expect_refused(perf::parse({"--spread", word}), "--spread ");
  expect_refused(perf::parse({"--spread", "10", "--measurements", "1"}), "one measurement has no spread");
  EXPECT_EQ(perf::parse({"--spread", "10", "--measurements", "1", "--rounds", "2"}).values.rounds, 2);
}

TEST(perf_options, empty_words_are_refused) {
  for (auto const* option : {"--sizes", "--filter", "--csv", "--results", "--machine", "--git"})
    expect_refused(perf::parse({option, ""}), std::string(option) + " (empty)");
  for (auto const* option : {"--output", "--sizes", "--machine"})
    expect_refused(perf::autotune::parse({option, ""}, groups), std::string(option) + " (empty)");
}

TEST(perf_options, sizes) {
  EXPECT_EQ(perf::parse_sizes("1000,2^4"), (std::vector<std::size_t>{1000, 16}));
  EXPECT_EQ(perf::parse_sizes("2^4..2^8"), (std::vector<std::size_t>{16, 64, 256}));
  EXPECT_EQ(perf::parse_sizes("3..20*2"), (std::vector<std::size_t>{3, 6, 12}));
  for (auto const* text : {"", ",", "1,", ",1", "0", "2^41", "2^^3", "1..", "..2", "4..2", "1..4*1", "1..4*0", "1..4*",
                           "0x10", " 1", "1e3"})
    expect_refused(perf::parse({"--sizes", text}), "--sizes");
}

/// The next size is 2^64, which is 0 in 64 bits: the range had no end.
TEST(perf_options, a_range_whose_next_size_does_not_fit_64_bits_ends) {
  EXPECT_EQ(perf::parse_sizes("2^24..2^40*1099511627776"), (std::vector<std::size_t>{std::size_t(1) << 24}));
}

TEST(fuzz, options_of_perf_and_autotune) {
  words const of_perf{"--benchmarks", "--types", "--impls",        "--operations", "--workloads", "--engine",
                      "--sizes",      "--keep",  "--measurements", "--filter",     "--csv",       "--results",
                      "--machine",    "--git",   "--help",         "--version",    "--frob"};
  words const of_autotune{"--output",  "--sizes", "--measurements", "--groups",
                          "--machine", "--help",  "--version",      "--frob"};
  int taken = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    auto const p = perf::parse(mutate::command_line(of_perf, seed));
    auto const a = perf::autotune::parse(mutate::command_line(of_autotune, seed), groups);
    for (apps::command_line const* result :
         {static_cast<apps::command_line const*>(&p), static_cast<apps::command_line const*>(&a)}) {
      EXPECT_TRUE(result->exit_code == 0 || (result->exit_code == 2 && !result->proceed));
      EXPECT_EQ(result->text.empty(), result->proceed);
    }
    EXPECT_TRUE(p.values.packs.keep >= 0 && p.values.packs.keep <= 1);
    taken += p.proceed + a.proceed;
  }
  EXPECT_GT(taken, 100);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What upsweep-perf makes of measurements: medians and spreads over rounds, and rows that are too noisy.

#include "../../perf/measure.hpp"
#include "../../perf/results.hpp"
#include "../../perf/spread.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using names = std::vector<std::string>;

/// One round of one benchmark, which moves 8 bytes.
void report(perf::reporter& reporter, std::string const& name, std::vector<double> const& seconds) {
  perf::reporter::Run run;
  run.run_name.function_name = name;
  for (std::size_t k = 0; k < seconds.size(); ++k) run.counters[perf::seconds_counter(k)] = seconds[k];
  run.counters["bytes"] = 8;
  reporter.ReportRuns({run});
}

/// The rows that are written, without the columns up to the backend.
names rows_of(perf::reporter const& reporter) {
  auto const folder = std::filesystem::temp_directory_path() / "upsweep_test_perf_results";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  reporter.write_csv((folder / "made-up").string());
  names rows;
  std::ifstream file(folder / "made-up-scan.csv");
  for (std::string line; std::getline(file, line);)
    if (!line.starts_with("date,")) rows.push_back(line.substr(line.find("OpenMP") + 7));
  std::filesystem::remove_all(folder);
  return rows;
}

TEST(perf_results, a_spread_is_between_quartiles_and_one_measurement_has_none) {
  auto const even = perf::summarize({30, 9, 10, 11, 10});
  EXPECT_EQ(even.median, 10);
  EXPECT_DOUBLE_EQ(even.spread, 0.1);
  EXPECT_DOUBLE_EQ(perf::summarize({2, 3}).spread, 1.0 / 3);
  EXPECT_TRUE(std::isinf(perf::summarize({2}).spread));
}

TEST(perf_results, measurements_of_all_rounds_make_one_row) {
  perf::reporter reporter("m", "r");
  for (auto const& seconds : {std::vector<double>{1, 1, 1}, {4, 4, 4}, {2, 2, 2}})
    report(reporter, "scan/upsweep/reduce/int32/4", seconds);
  auto const rows = rows_of(reporter);
  ASSERT_EQ(rows.size(), 1u);
  // The middle of nine, and the distance of quartiles over it. There is no copy.
  EXPECT_NE(rows[0].find(",int32,4,2000000.000,0.000,,1.5000"), std::string::npos) << rows[0];
}

TEST(perf_results, noisy_rows_are_named_measured_again_and_not_written) {
  perf::reporter reporter("m", "r", 0.1);
  report(reporter, "scan/copy/copy/int32/4", {1, 1, 1});
  report(reporter, "scan/upsweep/reduce/int32/4", {2, 2, 3});
  report(reporter, "scan/std/reduce/int32/4", {5, 5, 5});
  EXPECT_EQ(reporter.noisy(), names{"scan/upsweep/reduce/int32/4"});
  EXPECT_EQ(rows_of(reporter).size(), 2u);
  // Another round, and the slow measurement is one of nine.
  report(reporter, "scan/upsweep/reduce/int32/4", {2, 2, 2, 2, 2, 2});
  EXPECT_EQ(reporter.noisy(), names{});
  EXPECT_EQ(rows_of(reporter).size(), 3u);
  EXPECT_EQ(reporter.left_out(), names{});
}

TEST(perf_results, rows_whose_copy_is_noisy_are_not_written) {
  perf::reporter reporter("m", "r", 0.1);
  // Each round is steady, and the machine was busy in one.
  for (double const seconds : {1.0, 1.4, 1.0}) {
    report(reporter, "scan/copy/copy/int32/4", {seconds, seconds, seconds});
    report(reporter, "scan/copy/copy/int32/8", {1, 1, 1});
    report(reporter, "scan/std/reduce/int32/4", {5, 5, 5});
    report(reporter, "scan/std/reduce/int32/8", {5, 5, 5});
  }
  auto const rows = rows_of(reporter);
  ASSERT_EQ(rows.size(), 2u);
  for (auto const& row : rows) EXPECT_NE(row.find(",int32,8,"), std::string::npos) << row;
  ASSERT_EQ(reporter.left_out().size(), 1u);
  EXPECT_EQ(reporter.left_out()[0],
            "scan/copy/copy/int32/4: 9 measurements spread 40.0 %; 1 rows are compared with it");
}

TEST(perf_results, lists_are_compared_with_the_copy_of_their_workload) {
  perf::reporter reporter("m", "r", 0.1);
  report(reporter, "neighbors/copy/uniform/float/4", {1, 2, 3});
  report(reporter, "neighbors/copy/plummer/float/4", {1, 1, 1});
  report(reporter, "neighbors/upsweep/uniform/float/4", {1, 1, 1});
  report(reporter, "neighbors/upsweep/plummer/float/4", {1, 1, 1});
  ASSERT_EQ(reporter.left_out().size(), 1u);
  EXPECT_NE(reporter.left_out()[0].find("; 1 rows"), std::string::npos);
}

TEST(perf_results, a_row_that_is_wrong_in_one_round_is_not_written) {
  perf::reporter reporter("m", "r");
  report(reporter, "scan/upsweep/reduce/int32/4", {1, 1});
  report(reporter, "scan/upsweep/reduce/int32/4", {});
  report(reporter, "scan/upsweep/reduce/int32/4", {1, 1});
  EXPECT_TRUE(reporter.failed());
  EXPECT_EQ(rows_of(reporter), names{});
}

}  // namespace

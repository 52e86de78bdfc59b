// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../apps/support/options/output_options.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace perf {

/// One finished benchmark.
struct result {
  std::string kind, impl, operation, type;
  std::size_t n;
  double median_s, bytes, pairs;
};

/// Finds out before the work whether the CSV files of these kinds of benchmarks can be written, whose names begin with
/// the prefix that the option gave: none is the file of --config. No prefix: no files. Throws output_error.
void prepare_csv(apps::config_files const& o, std::string const& option, std::string const& prefix,
                 std::vector<std::string> const& kinds);

/// Collects results while Google Benchmark runs, shows a table, and writes the CSV files.
class reporter : public benchmark::BenchmarkReporter {
 public:
  /// The machine's name, the processor's if it is empty, and the revision, both for the CSV.
  reporter(std::string machine, std::string git);

  bool ReportContext(Context const& context) override;
  void ReportRuns(std::vector<Run> const& runs) override;

  /// Whether one of our own benchmarks gave a wrong result. A peer's is reported only.
  bool failed() const { return failed_; }
  /// "<machine>-<date>", as a file name.
  std::string file_prefix() const;
  /// Writes <prefix>-scan.csv, <prefix>-pack.csv, <prefix>-neighbors.csv and so on, as far as there are results. Throws
  /// output_error.
  void write_csv(std::string const& prefix) const;

 private:
  /// What r reaches of the copy of as many elements that was measured in the same way: empty if there was none.
  std::string fraction_of_copy(result const& r, int digits) const;
  std::string common_columns(result const& r) const;
  void show(result const& r) const;

  std::string machine_, git_;
  std::vector<result> results_;
  /// Bytes a second.
  std::map<std::string, double> copies_;
  bool failed_ = false;
};

}  // namespace perf

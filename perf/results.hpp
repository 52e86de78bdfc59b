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

/// What one benchmark gave in all rounds.
struct result {
  std::string name, kind, impl, operation, type;
  std::size_t n;
  double bytes = 0, pairs = 0;
  std::vector<double> seconds{};
  bool wrong = false;
};

/// Finds out before the work whether the CSV files of these kinds of benchmarks can be written, whose names begin with
/// the prefix that the option gave: none is the file of --config. No prefix: no files. Throws output_error.
void prepare_csv(apps::config_files const& o, std::string const& option, std::string const& prefix,
                 std::vector<std::string> const& kinds);

/// Collects results while Google Benchmark runs, once or several times, shows a table, and writes the CSV files. The
/// median of a row, and its spread (spread.hpp), are of the measurements of all runs.
class reporter : public benchmark::BenchmarkReporter {
 public:
  /// The machine's name, the processor's if it is empty, and the revision, both for the CSV.
  reporter(std::string machine, std::string git);
  /// The same, but rows whose spread is above the bound are not written, nor rows whose copy's is.
  reporter(std::string machine, std::string git, double bound);

  bool ReportContext(Context const& context) override;
  void ReportRuns(std::vector<Run> const& runs) override;

  /// Whether one of our own benchmarks gave a wrong result. A peer's is reported only.
  bool failed() const { return failed_; }
  /// The benchmarks whose own measurements spread more than the bound.
  std::vector<std::string> noisy() const;
  /// A sentence for each of them, with how many steady ones are not written because they are compared with it.
  std::vector<std::string> left_out() const;
  /// "<machine>-<date>", as a file name.
  std::string file_prefix() const;
  /// Writes <prefix>-scan.csv, <prefix>-pack.csv, <prefix>-neighbors.csv and so on, as far as there are results. Throws
  /// output_error.
  void write_csv(std::string const& prefix) const;

 private:
  result& result_of(std::string const& name);
  /// The copy of as many elements that was measured in the same way; null if there was none.
  result const* copy_of(result const& r) const;
  /// What r reaches of that copy: empty if there was none.
  std::string fraction_of_copy(result const& r, int digits) const;
  bool is_noisy(result const& r) const;
  bool is_written(result const& r) const;
  std::string common_columns(result const& r) const;
  void show(result const& r) const;

  std::string machine_, git_;
  double bound_;
  std::vector<result> results_;
  /// Where each name, and the copy of each kind, type and size, is in results_.
  std::map<std::string, std::size_t> places_, copies_;
  bool has_header_ = false, failed_ = false;
};

}  // namespace perf

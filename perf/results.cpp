// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "results.hpp"
#include "measure.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace perf {

namespace {

std::vector<std::string> split(std::string const& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

double counter(benchmark::BenchmarkReporter::Run const& run, char const* name) {
  auto const found = run.counters.find(name);
  return found == run.counters.end() ? 0.0 : found->second.value;
}

void write_file(std::string const& path, std::string const& text) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  bool const good = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if ((file != nullptr && std::fclose(file) != 0) || !good) throw std::runtime_error("cannot write " + path);
  fmt::print("wrote {}\n", path);
}

}  // namespace

reporter::reporter(std::string machine) : machine_(std::move(machine)) {}

bool reporter::ReportContext(Context const&) {
  fmt::print("{}, Kokkos {}, {} threads, {}\n", space::name(), KOKKOS_VERSION, space().concurrency(), machine_);
  fmt::print("{:<10}{:<16}{:<8}{:>12}{:>14}{:>10}{:>9}\n", "impl", "operation", "type", "n", "median us", "GB/s", "of copy");
  return true;
}

void reporter::ReportRuns(std::vector<Run> const& runs) {
  for (auto const& run : runs) {
    auto const parts = split(run.run_name.function_name, '/');
    result const r{parts.at(1),          parts.at(2),          parts.at(3), std::stoul(parts.at(4)), counter(run, "median_s"),
                   counter(run, "bytes"), counter(run, "pairs")};
    if (r.median_s == 0) {
      fmt::print("{:<10}{:<16}{:<8}{:>12}  FAILED: wrong result\n", r.impl, r.operation, r.type, r.n);
      failed_ = true;
      continue;
    }
    bool const scan = parts[0] == "scan";
    if (scan && r.impl == "copy") copies_[r.type + "/" + parts[4]] = r.median_s;
    fmt::print("{:<10}{:<16}{:<8}{:>12}{:>14.1f}", r.impl, r.operation, r.type, r.n, r.median_s * 1e6);
    if (scan) fmt::print("{:>10.1f}{:>9.2f}\n", r.bytes / r.median_s * 1e-9, copy_seconds(r) / r.median_s);
    else fmt::print("  {:.3e} pairs/s\n", r.pairs / r.median_s);
    (scan ? scans_ : neighbors_).push_back(r);
  }
}

double reporter::copy_seconds(result const& r) const {
  auto const found = copies_.find(r.type + "/" + std::to_string(r.n));
  return found == copies_.end() ? 0.0 : found->second;
}

std::string reporter::common_columns(result const& r) const {
  return fmt::format("{:%Y-%m-%d},{},{},{},{},{},{},{}", fmt::gmtime(std::time(nullptr)), UPSWEEP_GIT_REVISION, machine_,
                     space::name(), r.impl, r.operation, r.type, r.n);
}

void reporter::write_csv(std::string const& prefix) const {
  if (!scans_.empty()) {
    std::string text = "date,git,machine,backend,impl,operation,type,n,median_us,gb_per_s,fraction_of_copy\n";
    for (auto const& r : scans_)
      text += fmt::format("{},{:.3f},{:.2f},{:.4f}\n", common_columns(r), r.median_s * 1e6, r.bytes / r.median_s * 1e-9,
                          copy_seconds(r) / r.median_s);
    write_file(prefix + "-scan.csv", text);
  }
  if (!neighbors_.empty()) {
    std::string text = "date,git,machine,backend,impl,workload,type,n,median_ms,pairs,pairs_per_s,bytes\n";
    for (auto const& r : neighbors_)
      text += fmt::format("{},{:.4f},{:.0f},{:.4e},{:.0f}\n", common_columns(r), r.median_s * 1e3, r.pairs, r.pairs / r.median_s, r.bytes);
    write_file(prefix + "-neighbors.csv", text);
  }
}

}  // namespace perf

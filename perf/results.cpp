// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../apps/support/outputs/output_paths.hpp"
#include "measure.hpp"
#include "results.hpp"

#include <upsweep/base/printable.hpp>
#include <upsweep/io/replace_file.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cctype>
#include <cstdio>
#include <ctime>
#include <set>
#include <sstream>
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

/// What is compared with the copy of as many elements that was timed in the same way.
std::string copy_key(result const& r) {
  return r.kind + "/" + r.type + "/" + std::to_string(r.n) + (r.operation.starts_with("latency") ? "/latency" : "");
}

// Google Benchmark 1.8 renamed these members.
template <class Run>
bool was_skipped(Run const& run) {
  if constexpr (requires { run.error_occurred; }) return run.error_occurred;
  else return run.skipped != decltype(run.skipped){};
}
template <class Run>
std::string message_of(Run const& run) {
  if constexpr (requires { run.error_message; }) return run.error_message;
  else return run.skip_message;
}

/// Of particles, and not of elements that move.
bool has_pairs(result const& r) { return r.kind == "neighbors" || r.kind == "force" || r.kind == "groups"; }

std::string csv_name(std::string const& prefix, std::string const& kind) { return prefix + "-" + kind + ".csv"; }

void write_file(std::string const& path, std::string const& text) {
  upsweep::replace_file(path, text);
  fmt::print("wrote {}\n", upsweep::printable(path));
}

}  // namespace

void prepare_csv(apps::config_files const& o, std::string const& option, std::string const& prefix,
                 std::vector<std::string> const& kinds) {
  if (prefix.empty()) return;
  std::vector<apps::place> outputs;
  for (auto const& kind : std::set<std::string>(kinds.begin(), kinds.end()))
    outputs.push_back({option, csv_name(prefix, kind)});
  apps::require_apart(apps::all_inputs(o, {}), outputs);
  for (auto const& output : outputs) upsweep::check_writable(output.path);
}

reporter::reporter(std::string machine, std::string git)
    : machine_(machine.empty() ? processor_name() : std::move(machine)), git_(std::move(git)) {
  std::erase(machine_, ',');
}

bool reporter::ReportContext(Context const&) {
  fmt::print("{}, Kokkos {}, {} threads, {}\n", space::name(), KOKKOS_VERSION, space().concurrency(), machine_);
  fmt::print("{:<26}{:<34}{:<10}{:>11}{:>13}{:>10}{:>9}\n", "impl", "operation", "type", "n", "median us", "GB/s",
             "of copy");
  return true;
}

void reporter::ReportRuns(std::vector<Run> const& runs) {
  for (auto const& run : runs) {
    auto const parts = split(run.run_name.function_name, '/');
    result const r{parts.at(0),
                   parts.at(1),
                   parts.at(2),
                   parts.at(3),
                   std::stoul(parts.at(4)),
                   counter(run, "median_s"),
                   counter(run, "bytes"),
                   counter(run, "pairs")};
    // Only a benchmark that went through to its end has a time, and only a right one that.
    if (was_skipped(run) || r.median_s == 0) {
      fmt::print("{:<26}{:<34}{:<10}{:>11}  WRONG RESULT, not timed: {}\n", r.impl, r.operation, r.type, r.n,
                 message_of(run));
      failed_ = failed_ || r.impl.starts_with("upsweep") || r.impl == "append";
      continue;
    }
    if (r.impl == "copy") copies_[copy_key(r)] = r.bytes / r.median_s;
    show(r);
    results_.push_back(r);
  }
}

void reporter::show(result const& r) const {
  fmt::print("{:<26}{:<34}{:<10}{:>11}{:>13.2f}", r.impl, r.operation, r.type, r.n, r.median_s * 1e6);
  if (has_pairs(r))
    fmt::print("  {:.3e} pairs/s  {:.3e} particles/s\n", r.pairs / r.median_s, static_cast<double>(r.n) / r.median_s);
  else fmt::print("{:>10.1f}{:>9}\n", r.bytes / r.median_s * 1e-9, fraction_of_copy(r, 3));
  std::fflush(stdout);
}

std::string reporter::fraction_of_copy(result const& r, int digits) const {
  auto const copy = copies_.find(copy_key(r));
  // What moves no bytes reaches nothing of any copy.
  if (r.bytes != 0 && copy == copies_.end()) return "";
  return fmt::format("{:.{}f}", r.bytes == 0 ? 0.0 : r.bytes / r.median_s / copy->second, digits);
}

std::string reporter::file_prefix() const {
  std::string name;
  for (char const c : machine_)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '-') name += '-';
  while (name.ends_with('-')) name.pop_back();
  return fmt::format("{}-{:%Y-%m-%d}", name, fmt::gmtime(std::time(nullptr)));
}

std::string reporter::common_columns(result const& r) const {
  return fmt::format("{:%Y-%m-%d},{},{},{},{},{},{},{}", fmt::gmtime(std::time(nullptr)), git_, machine_, space::name(),
                     r.impl, r.operation, r.type, r.n);
}

void reporter::write_csv(std::string const& prefix) const {
  std::map<std::string, std::string> files;
  for (auto const& r : results_) {
    auto& text = files[r.kind];
    bool const lists = has_pairs(r);
    if (text.empty())
      text = std::string("date,git,machine,backend,impl,") +
             (lists ? "workload,type,n,median_ms,pairs,pairs_per_s,bytes\n"
                    : "operation,type,n,median_us,gb_per_s,fraction_of_copy\n");
    text += common_columns(r);
    if (lists)
      text += fmt::format(",{:.4f},{:.0f},{:.4e},{:.0f}\n", r.median_s * 1e3, r.pairs, r.pairs / r.median_s, r.bytes);
    else
      text += fmt::format(",{:.3f},{:.3f},{}\n", r.median_s * 1e6, r.bytes / r.median_s * 1e-9, fraction_of_copy(r, 4));
  }
  for (auto const& [kind, text] : files) write_file(csv_name(prefix, kind), text);
}

}  // namespace perf

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../apps/support/outputs/output_paths.hpp"
#include "measure.hpp"
#include "results.hpp"
#include "spread.hpp"

#include <upsweep/base/printable.hpp>
#include <upsweep/io/replace_file.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
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

double counter(benchmark::BenchmarkReporter::Run const& run, std::string const& name) {
  auto const found = run.counters.find(name);
  return found == run.counters.end() ? 0.0 : found->second.value;
}

std::vector<double> seconds_of(benchmark::BenchmarkReporter::Run const& run) {
  std::vector<double> seconds;
  while (run.counters.contains(seconds_counter(seconds.size())))
    seconds.push_back(counter(run, seconds_counter(seconds.size())));
  return seconds;
}

/// Of particles, and not of elements that move.
bool has_pairs(result const& r) { return r.kind == "neighbors" || r.kind == "force" || r.kind == "groups"; }

/// What is compared with the copy of as many elements that was timed in the same way; lists with one of as many
/// neighbours.
std::string copy_key(result const& r) {
  std::string const what = has_pairs(r) ? r.operation : r.operation.starts_with("latency") ? "latency" : "";
  return r.kind + "/" + r.type + "/" + std::to_string(r.n) + "/" + what;
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
    : reporter(std::move(machine), std::move(git), std::numeric_limits<double>::infinity()) {}

reporter::reporter(std::string machine, std::string git, double bound)
    : machine_(machine.empty() ? processor_name() : std::move(machine)), git_(std::move(git)), bound_(bound) {
  std::erase(machine_, ',');
}

bool reporter::ReportContext(Context const&) {
  if (has_header_) return true;
  has_header_ = true;
  fmt::print("{}, Kokkos {}, {} threads, {}\n", space::name(), KOKKOS_VERSION, space().concurrency(), machine_);
  fmt::print("{:<26}{:<34}{:<10}{:>11}{:>13}{:>8}{:>10}{:>9}\n", "impl", "operation", "type", "n", "median us",
             "spread", "GB/s", "of copy");
  return true;
}

result& reporter::result_of(std::string const& name) {
  auto const [place, is_new] = places_.try_emplace(name, results_.size());
  if (is_new) {
    auto const parts = split(name, '/');
    results_.push_back({name, parts.at(0), parts.at(1), parts.at(2), parts.at(3), std::stoul(parts.at(4))});
    auto const& r = results_.back();
    if (r.impl == "copy") copies_[copy_key(r)] = place->second;
  }
  return results_[place->second];
}

void reporter::ReportRuns(std::vector<Run> const& runs) {
  for (auto const& run : runs) {
    auto& r = result_of(run.run_name.function_name);
    auto const seconds = seconds_of(run);
    // Only a benchmark that went through to its end has a time, and only a right one that.
    if (was_skipped(run) || seconds.empty()) {
      fmt::print("{:<26}{:<34}{:<10}{:>11}  WRONG RESULT, not timed: {}\n", r.impl, r.operation, r.type, r.n,
                 message_of(run));
      r.wrong = true;
      failed_ = failed_ || r.impl.starts_with("upsweep") || r.impl == "append";
      continue;
    }
    r.seconds.insert(r.seconds.end(), seconds.begin(), seconds.end());
    r.bytes = counter(run, "bytes");
    r.pairs = counter(run, "pairs");
    if (!r.wrong) show(r);
  }
}

void reporter::show(result const& r) const {
  auto const [median, spread] = summarize(r.seconds);
  fmt::print("{:<26}{:<34}{:<10}{:>11}{:>13.2f}{:>8}", r.impl, r.operation, r.type, r.n, median * 1e6,
             std::isfinite(spread) ? fmt::format("{:.1f} %", spread * 100) : "");
  if (has_pairs(r))
    fmt::print("  {:.3e} pairs/s  {:.3e} particles/s\n", r.pairs / median, static_cast<double>(r.n) / median);
  else fmt::print("{:>10.1f}{:>9}\n", r.bytes / median * 1e-9, fraction_of_copy(r, 3));
  std::fflush(stdout);
}

result const* reporter::copy_of(result const& r) const {
  auto const found = copies_.find(copy_key(r));
  if (found == copies_.end()) return nullptr;
  auto const& copy = results_[found->second];
  return copy.wrong || copy.seconds.empty() ? nullptr : &copy;
}

std::string reporter::fraction_of_copy(result const& r, int digits) const {
  // What moves no bytes reaches nothing of any copy.
  if (r.bytes == 0) return fmt::format("{:.{}f}", 0.0, digits);
  auto const* const copy = copy_of(r);
  if (copy == nullptr) return "";
  double const rate = r.bytes / summarize(r.seconds).median;
  return fmt::format("{:.{}f}", rate / (copy->bytes / summarize(copy->seconds).median), digits);
}

bool reporter::is_noisy(result const& r) const { return !r.wrong && summarize(r.seconds).spread > bound_; }

bool reporter::is_written(result const& r) const {
  auto const* const copy = copy_of(r);
  return !r.wrong && !is_noisy(r) && (copy == nullptr || !is_noisy(*copy));
}

std::vector<std::string> reporter::noisy() const {
  std::vector<std::string> names;
  for (auto const& r : results_)
    if (is_noisy(r)) names.push_back(r.name);
  return names;
}

std::vector<std::string> reporter::left_out() const {
  std::vector<std::string> sentences;
  for (auto const& r : results_) {
    if (!is_noisy(r)) continue;
    auto const compared = std::count_if(results_.begin(), results_.end(), [&](result const& other) {
      return !other.wrong && !is_noisy(other) && copy_of(other) == &r;
    });
    sentences.push_back(fmt::format("{}: {} measurements spread {:.1f} %{}", r.name, r.seconds.size(),
                                    100 * summarize(r.seconds).spread,
                                    compared == 0 ? "" : fmt::format("; {} rows are compared with it", compared)));
  }
  return sentences;
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
    if (!is_written(r)) continue;
    auto const [median, spread] = summarize(r.seconds);
    auto& text = files[r.kind];
    bool const lists = has_pairs(r);
    if (text.empty())
      text = std::string("date,git,machine,backend,impl,") +
             (lists ? "workload,type,n,median_ms,pairs,pairs_per_s,bytes,spread\n"
                    : "operation,type,n,median_us,gb_per_s,fraction_of_copy,spread\n");
    text += common_columns(r);
    if (lists) text += fmt::format(",{:.4f},{:.0f},{:.4e},{:.0f}", median * 1e3, r.pairs, r.pairs / median, r.bytes);
    else text += fmt::format(",{:.3f},{:.3f},{}", median * 1e6, r.bytes / median * 1e-9, fraction_of_copy(r, 4));
    // Of one measurement nobody knows the spread.
    text += std::isfinite(spread) ? fmt::format(",{:.4f}\n", spread) : ",\n";
  }
  for (auto const& [kind, text] : files) write_file(csv_name(prefix, kind), text);
}

}  // namespace perf

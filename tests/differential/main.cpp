// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The differential test: random calls of the library against serial oracles, bit by bit, for a given time.
//
// A case is the name of an operation and a seed; both are printed when it fails, and `--case name:seed` runs it again.
// Cases that failed once are kept in kept_cases.txt and run first. A case that crashes, or does not end within two
// minutes, is named before the program ends.

#include "operations.hpp"

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <unistd.h>

namespace {

using namespace differential;

char running[200];

extern "C" void name_the_case(int signal) {
  char const* const text = signal == SIGALRM ? "\nno end after two minutes: " : "\na crash: ";
  static_cast<void>(!write(STDERR_FILENO, text, std::strlen(text)));
  static_cast<void>(!write(STDERR_FILENO, running, std::strlen(running)));
  static_cast<void>(!write(STDERR_FILENO, "\n", 1));
  _exit(1);
}

std::vector<operation> all_operations() {
  std::vector<operation> all;
  for (auto const make :
       {arithmetic_scans, ordered_scans, segmented_scans, segmented_matrix_scans, batched_scans, scans_for_each,
        reductions, segment_reductions, selections, flagged_selections, in_place, runs, sorts, packings, unique_rows})
    for (auto const& o : make()) all.push_back(o);
  return all;
}

/// True if the case is right.
bool run_case(operation const& o, std::uint64_t seed) {
  std::snprintf(running, sizeof running, "--case %s:%llu", o.name.c_str(), static_cast<unsigned long long>(seed));
  alarm(120);
  trial t(seed);
  std::string wrong;
  try {
    o.run(t);
  } catch (std::exception const& e) {
    wrong = e.what();
  }
  alarm(0);
  if (!wrong.empty()) std::printf("%s:%s\n  %s\n", running, t.about().c_str(), wrong.c_str());
  return wrong.empty();
}

/// name:seed. Throws std::invalid_argument.
bool run_named(std::vector<operation> const& all, std::string const& text) {
  auto const colon = text.find(':');
  std::uint64_t seed = 0;
  char const* const end = text.data() + text.size();
  if (colon == std::string::npos) throw std::invalid_argument("'" + text + "' is not name:seed");
  auto const [stop, code] = std::from_chars(text.data() + colon + 1, end, seed);
  if (code != std::errc{} || stop != end) throw std::invalid_argument("'" + text + "' is not name:seed");
  for (auto const& o : all)
    if (o.name == text.substr(0, colon)) return run_case(o, seed);
  throw std::invalid_argument("there is no operation '" + text.substr(0, colon) + "'");
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 10;
  std::uint64_t seed = std::random_device{}();
  std::vector<std::string> cases, only;
  std::string kept;
  CLI::App app("Runs random calls of the library against serial oracles.", "upsweep-differential");
  app.add_option("--seconds", seconds, "Time for random cases");
  app.add_option("--seed", seed, "Where random cases start; by default another one in each run");
  app.add_option("--case", cases, "Run this case alone, as name:seed");
  app.add_option("--kept", kept, "A file of cases, one per line, that run first");
  app.add_option("--operations", only, "Names, or beginnings of names, of operations")->delimiter(',');
  CLI11_PARSE(app, argc, argv);
  Kokkos::ScopeGuard const guard(argc, argv);
  // On every way out workspaces go before Kokkos does.
  struct workspaces {
    ~workspaces() { instances().clear(); }
  } const held;
  for (int const signal : {SIGALRM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) std::signal(signal, name_the_case);
  auto all = all_operations();
  std::size_t failures = 0, count = 0;
  try {
    for (auto const& c : cases) failures += !run_named(all, c);
    if (!kept.empty()) {
      std::ifstream file(kept);
      if (!file) throw std::invalid_argument("cannot read " + kept);
      for (std::string line; std::getline(file, line);)
        if (!line.empty() && line[0] != '#') failures += !run_named(all, line);
    }
  } catch (std::invalid_argument const& e) {
    std::fprintf(stderr, "upsweep-differential: %s\n", e.what());
    return 2;
  }
  if (!cases.empty()) return failures == 0 ? 0 : 1;
  if (!only.empty())
    std::erase_if(all, [&](operation const& o) {
      return std::none_of(only.begin(), only.end(), [&](std::string const& name) { return o.name.starts_with(name); });
    });
  if (all.empty()) {
    std::fprintf(stderr, "upsweep-differential: no operation has such a name\n");
    return 2;
  }
  std::printf("--seed %llu\n", static_cast<unsigned long long>(seed));
  std::mt19937_64 next(seed);
  std::map<std::string, std::size_t> done;
  auto const end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end && failures < 10) {
    auto const& o = all[next() % all.size()];
    failures += !run_case(o, next());
    ++done[o.name];
    ++count;
  }
  for (auto const& [name, n] : done) std::printf("%-24s %zu cases\n", name.c_str(), n);
  std::printf("%zu cases, %zu failures\n", count, failures);
  return failures == 0 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// One random call of the library: its choices, the description of them, and the workspaces and instances
// that calls share.

#include "../oracle/engines.hpp"
#include "../oracle/views.hpp"

#include <upsweep/base/workspace.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace differential {

/// A result that differs from the oracle's.
struct mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An execution-space instance and the workspace that all calls on it share, so that a call meets the
/// leftovers of others.
struct instance {
  oracle::space space;
  upsweep::workspace workspace;
  explicit instance(oracle::space const& of) : space(of), workspace(of) {}
};

/// The default instance and three others: streams of a GPU; 1, 2 and 3 threads of OpenMP.
std::vector<instance>& instances();

/// How a scan is called: an engine, by its name, and a workspace or none.
struct scan_choice {
  std::string engine;
  upsweep::workspace* workspace;

  /// Calls f with options of that engine.
  template <class F>
  void with_options(F const& f) const {
    oracle::for_production_engines([&]<class Engine>() {
      if (engine == oracle::name_of<Engine>()) f(upsweep::basic_scan_options<Engine>{.workspace = workspace});
    });
  }
};

class trial {
 public:
  explicit trial(std::uint64_t seed) : random_(seed), instance_(instances()[below(instances().size())]) {
    note("threads", instance_.space.concurrency());
  }

  oracle::space const& space() const { return instance_.space; }
  std::mt19937_64& random() { return random_; }
  /// A number below `bound`.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  int between(int lo, int hi) { return lo + static_cast<int>(below(static_cast<std::size_t>(hi - lo) + 1)); }

  /// A number of elements: around powers of two, around multiples of what tiles and blocks hold, or any.
  std::size_t size(std::size_t most = std::size_t(1) << 21);

  /// Null in one of four calls; else the workspace of the instance.
  upsweep::workspace* workspace();

  /// A workspace as above, and an engine of those that production can come to.
  scan_choice scan();

  /// For calls that have no engine.
  upsweep::call_options default_options() { return {.workspace = workspace()}; }

  /// Adds to the description.
  template <class T>
  void note(char const* name, T const& value) {
    about_ << ' ' << name << '=' << value;
  }
  std::string about() const { return about_.str(); }

  template <class T>
  void expect_equal(T const& found, T const& expected, char const* what) const {
    if (found == expected) return;
    std::ostringstream text;
    text << what << " is " << found << ", expected " << expected;
    throw mismatch(text.str());
  }

 private:
  std::mt19937_64 random_;
  instance& instance_;
  std::ostringstream about_;
};

}  // namespace differential

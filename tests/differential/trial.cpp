// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "trial.hpp"

#include "../oracle/instances.hpp"

#include <algorithm>

namespace differential {

std::vector<instance>& instances() {
  static std::vector<instance> all = [] {
    std::vector<instance> made;
    made.reserve(4);  // an instance does not move, since calls refer to it
    made.emplace_back(oracle::space());
    for (auto const& space : oracle::instances<oracle::space>(3)) made.emplace_back(space);
    return made;
  }();
  return all;
}

std::size_t trial::size(std::size_t most) {
  std::size_t n = 0;
  switch (below(4)) {
    case 0: n = below(300); break;
    case 1: n = (std::size_t(1) << below(22)) + below(5); break;
    case 2: n = (1 + below(40)) * (std::size_t(64) << below(10)) + below(5); break;
    default: n = below(std::size_t(1) << between(4, 21)); break;
  }
  // Two below the edge as often as two above it.
  n = std::min(n < 2 ? n : n - 2, most);
  note("n", n);
  return n;
}

scan_choice trial::scan() {
  auto* const memory = workspace();
  std::vector<std::string> names;
  oracle::for_production_engines([&]<class Engine>() { names.emplace_back(oracle::name_of<Engine>()); });
  // What users get, the first of them, is tried as often as everything else.
  auto const& name = one_in(2) ? names.front() : names[below(names.size())];
  note("engine", name);
  return {name, memory};
}

upsweep::workspace* trial::workspace() {
  bool const own = one_in(4);
  note("workspace", own ? "own" : "shared");
  return own ? nullptr : &instance_.workspace;
}

}  // namespace differential

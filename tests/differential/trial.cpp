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

oracle::engine_name trial::engine(std::size_t n) {
  using oracle::engine_name;
  // What users get is tried as often as everything else.
  auto e = one_in(2) ? engine_name::automatic : oracle::all_engines[below(oracle::all_engines.size())];
  if (e == engine_name::sequential && n > 20000) e = engine_name::automatic;
  note("engine", oracle::name_of(e));
  return e;
}

upsweep::workspace* trial::workspace() {
  bool const own = one_in(4);
  note("workspace", own ? "own" : "shared");
  return own ? nullptr : &instance_.workspace;
}

}  // namespace differential

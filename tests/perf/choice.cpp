// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What upsweep-autotune chooses, from made-up times whose best is known.

#include "../../perf/autotune/choose.hpp"

#include <algorithm>
#include <cstdio>

namespace {

using namespace perf::autotune;

int wrong = 0;

void expect(std::vector<decision> const& decisions, char const* what, std::vector<std::string> const& declarations) {
  std::vector<std::string> all;
  for (auto const& d : decisions) all.insert(all.end(), d.declarations.begin(), d.declarations.end());
  if (all == declarations) return;
  ++wrong;
  std::fprintf(stderr, "%s:\n", what);
  for (auto const& text : all) std::fprintf(stderr, "  %s\n", text.c_str());
}

candidate make(char const* group, char const* declaration, bool own) {
  return {group, declaration, {declaration}, own, {}, {}};
}

measurements of(std::size_t candidates, std::vector<row> const& rows) {
  return {rows, std::vector<std::string>(candidates), {}};
}

void blocks() {
  std::vector const all{make("tiles", "own", true), make("tiles", "other", false), make("tiles", "third", false)};
  expect(choose(all, of(3, {{4, 1000, 1, {2, 1.99, 3}}, {8, 1000, 1, {4, 3.98, 9}}})), "half a percent is noise",
         {"own"});
  expect(choose(all, of(3, {{4, 1000, 1, {2, 1.9, 3}}, {8, 1000, 1, {4, 4.01, 9}}})), "faster in the mean", {"other"});
  expect(choose(all, of(3, {{4, 1000, 1, {2, 1.9, 1}}, {8, 1000, 1, {4, 3.9, 0}}})), "only sizes that all were run for",
         {"third"});
  expect(choose(all, of(3, {{4, 1000, 1, {2, 3, 0}}, {8, 1000, 1, {0, 3.9, 3}}})), "no size in common", {});
  auto refused = of(3, {{4, 1000, 1, {2, 1.5, 0}}});
  refused.refused[2] = "too much scratch";
  expect(choose(all, refused), "one cannot run", {"other"});
}

void few_tiles() {
  std::vector const all{make("few_tiles", "few_{}", true), make("pipelined", "own_{}", true),
                        make("pipelined", "other_{}", false)};
  // Where few tiles may be taken for it, it does not count that `own` is faster.
  std::vector<row> rows{{4, 1 << 12, 1, {1, 0, 0}}, {4, 1 << 16, 1, {1, 2, 2}}, {4, 1 << 18, 1, {2, 0.5, 1}},
                        {4, 1 << 20, 1, {0, 4, 3}}, {8, 1 << 12, 1, {1, 0, 0}}, {8, 1 << 16, 1, {1, 2, 2}},
                        {8, 1 << 20, 1, {0, 4, 5}}};
  expect(choose(all, of(3, rows)), "a limit",
         {"few_4", "few_8", "other_4", "own_8", "static constexpr std::size_t few_tiles_bytes = 524288;"});
  rows[1].seconds[0] = rows[5].seconds[0] = 3;
  expect(choose(all, of(3, rows)), "below what was measured",
         {"few_4", "few_8", "other_4", "own_8", "static constexpr std::size_t few_tiles_bytes = 262143;"});
  rows = {rows[0], rows[3], {8, 1 << 18, 1, {1, 2, 2}}, {8, 1 << 20, 1, {0, 4, 5}}};
  expect(choose(all, of(3, rows)), "no limit",
         {"few_4", "few_8", "other_4", "own_8",
          "static constexpr std::size_t few_tiles_bytes = std::numeric_limits<std::size_t>::max();"});
}

void few_tiles_before_look_back() {
  std::vector const all{make("few_tiles", "few_{}", true), make("look_back", "own_{}", true),
                        make("look_back", "other_{}", false)};
  std::vector<row> const rows{{4, 1 << 12, 1, {1, 0, 0}}, {4, 1 << 16, 1, {1, 2, 2}}, {4, 1 << 18, 1, {2, 0.5, 1}},
                              {4, 1 << 20, 1, {0, 4, 3}}, {8, 1 << 12, 1, {1, 0, 0}}, {8, 1 << 16, 1, {1, 2, 2}},
                              {8, 1 << 20, 1, {0, 4, 5}}};
  expect(choose(all, of(3, rows)), "without bulk copies",
         {"few_4", "few_8", "other_4", "own_8", "static constexpr std::size_t few_tiles_bytes = 524288;"});
}

void own_by_size() {
  std::vector<candidate> all{make("pipelined", "a_{}", true), make("pipelined", "b_{}", false)};
  all[0].own = {true, false};
  all[1].own = {false, true};
  expect(choose(all, of(2, {{4, 1000, 1, {2, 1.99}}, {8, 1000, 1, {1.99, 2}}})), "own shapes differ by size",
         {"a_4", "b_8"});
}

}  // namespace

int main() {
  blocks();
  few_tiles();
  few_tiles_before_look_back();
  own_by_size();
  return wrong == 0 ? 0 : 1;
}

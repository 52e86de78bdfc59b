// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What lists keep of pairs, against ASE's neighbor_list('ijSDd') (tests/data/pairs_of_ase/README.md).

#include "edge_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

struct ase_pair {
  oracle::lattice_pair ijS;
  std::array<double, 4> Dd;
};

struct ase_cell {
  oracle::edge_box<double> box;
  double cutoff = 0, largest = 0;
  oracle::points<double> x;
  std::vector<ase_pair> pairs;
};

/// Numbers of every size: streams refuse denormal ones.
double number(std::istream& in) {
  std::string word;
  in >> word;
  return std::strtod(word.c_str(), nullptr);
}

std::vector<ase_cell> ase_cells() {
  std::ifstream in(UPSWEEP_SOURCE_DIR "/tests/data/pairs_of_ase/cells.txt");
  std::vector<ase_cell> cells;
  while (in >> std::ws && !in.eof()) {
    auto& cell = cells.emplace_back();
    for (auto& edge : cell.box.edges)
      for (double& c : edge) cell.largest = std::max(cell.largest, std::abs(c = number(in)));
    for (bool& p : cell.box.periodic) in >> p;
    cell.cutoff = number(in);
    std::size_t atoms = 0, pairs = 0;
    in >> atoms >> pairs;
    cell.x.resize(atoms);
    for (auto& p : cell.x)
      for (double& c : p) cell.largest = std::max(cell.largest, std::abs(c = number(in)));
    cell.pairs.resize(pairs);
    for (auto& pair : cell.pairs) {
      for (int& n : pair.ijS) in >> n;
      for (double& v : pair.Dd) v = number(in);
    }
    if (!in) throw std::runtime_error("cells.txt: a bad number in cell " + std::to_string(cells.size()));
  }
  return cells;
}

TEST(pairs_of_ase, are_those_of_lists) {
  auto const cells = ase_cells();
  ASSERT_EQ(cells.size(), 16u);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    SCOPED_TRACE("cell " + std::to_string(c));
    auto const& cell = cells[c];
    oracle::pair_rules rules;
    rules.include_cutoff = false;
    auto const list =
        oracle::build_both_ways(cell.x, cell.box.library(), cell.cutoff, rules, oracle::with_all_values());
    std::vector<ase_pair> found;
    auto value = list.values.begin();
    for (auto const& row : list.rows)
      for (auto const& neighbor : row) {
        auto const& [first, s, way, distance] = *value++;
        auto& pair = found.emplace_back();
        pair.ijS = {first, std::get<0>(neighbor), s[0], s[1], s[2]};
        for (std::size_t d = 0; d < 3; ++d) pair.Dd[d] = oracle::from_bits<double>(way[d]);
        pair.Dd[3] = oracle::from_bits<double>(distance);
      }
    auto expected = cell.pairs;
    for (auto* pairs : {&found, &expected})
      std::sort(pairs->begin(), pairs->end(), [](auto const& a, auto const& b) { return a.ijS < b.ijS; });
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      ASSERT_EQ(found[k].ijS, expected[k].ijS);
      for (std::size_t d = 0; d < 4; ++d) ASSERT_NEAR(found[k].Dd[d], expected[k].Dd[d], 1e-12 * cell.largest);
    }
  }
}

}  // namespace

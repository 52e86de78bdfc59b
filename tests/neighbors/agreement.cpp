// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Pair counts of systems from the examples of LAMMPS, as LAMMPS, ASE, SciPy and NumPy count them
// (tests/data/agreement/README.md).

#include "host_list.hpp"

#include <upsweep/io/lammps_data.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace {

std::string const folder = UPSWEEP_SOURCE_DIR "/tests/data/agreement/";

struct expectation {
  std::string file;
  double cutoff = 0;
  std::string periodic, rule;
  std::size_t pairs = 0, largest_row = 0, weighted = 0;
};

std::vector<expectation> expectations() {
  std::ifstream csv(folder + "expected.csv");
  std::vector<expectation> all;
  std::string line;
  std::getline(csv, line);
  while (std::getline(csv, line)) {
    for (char& c : line) c = c == ',' ? ' ' : c;
    std::istringstream words(line);
    expectation e;
    words >> e.file >> e.cutoff >> e.periodic >> e.rule >> e.pairs >> e.largest_row >> e.weighted;
    if (!words) throw std::runtime_error("expected.csv: a bad line: " + line);
    all.push_back(e);
  }
  return all;
}

/// A data file as lists need it.
struct atoms {
  oracle::points<double> x;
  oracle::cell_box<double> box;
  std::vector<int> types;  // from 0

  explicit atoms(std::string const& file) {
    auto const data = upsweep::read_lammps_data(folder + file);
    box = {data.lo, data.hi, {}, data.tilt};
    for (std::size_t i = 0; i < data.size(); ++i) {
      x.push_back({data.positions[3 * i], data.positions[3 * i + 1], data.positions[3 * i + 2]});
      types.push_back(data.types[i] - 1);
    }
  }
};

/// Leaves out partners that one, two or three bonds join.
void exclude_bonded(std::string const& file, std::size_t n, oracle::pair_rules& rules) {
  std::vector<std::set<std::int64_t>> bonded(n);
  std::ifstream bonds(folder + file.substr(0, file.find('.')) + ".bonds");
  for (std::size_t a, b; bonds >> a >> b;) {
    bonded.at(a).insert(static_cast<std::int64_t>(b));
    bonded.at(b).insert(static_cast<std::int64_t>(a));
  }
  rules.excluded_offsets = {0};
  for (std::size_t i = 0; i < n; ++i) {
    std::set<std::int64_t> reached{static_cast<std::int64_t>(i)};
    for (int step = 0; step < 3; ++step)
      for (auto const from = reached; auto const j : from)
        reached.insert(bonded[static_cast<std::size_t>(j)].begin(), bonded[static_cast<std::size_t>(j)].end());
    reached.erase(static_cast<std::int64_t>(i));
    rules.excluded_ids.insert(rules.excluded_ids.end(), reached.begin(), reached.end());
    rules.excluded_offsets.push_back(rules.excluded_ids.size());
  }
}

oracle::pair_rules rules_of(expectation const& e, atoms const& a) {
  oracle::pair_rules rules;
  if (e.rule == "special") exclude_bonded(e.file, a.x.size(), rules);
  if (e.rule == "types") {
    rules.types = a.types;
    auto const n = static_cast<std::size_t>(*std::max_element(a.types.begin(), a.types.end())) + 1;
    rules.type_cutoffs.assign(n, std::vector<double>(n, e.cutoff));
    for (std::size_t t = 0; t < n; ++t) rules.type_cutoffs[t][t] = 0.75 * e.cutoff;
  }
  if (e.rule == "radii")
    for (int t : a.types) rules.radii.push_back(e.cutoff / (t + 2));
  return rules;
}

void compare(expectation const& e) {
  atoms a(e.file);
  for (std::size_t d = 0; d < 3; ++d) a.box.periodic[d] = e.periodic[d] == 'p';
  auto const rules = rules_of(e, a);
  auto const plain = oracle::build_list(a.x, a.box, e.cutoff, rules, {.builder = upsweep::neighbor_builder::plain});
  EXPECT_EQ(plain.pairs, e.pairs);
  EXPECT_EQ(plain.largest_row, e.largest_row);
  std::size_t weighted = 0;
  for (std::size_t i = 0; i < plain.rows.size(); ++i) weighted += (i + 1) * plain.rows[i].size();
  EXPECT_EQ(weighted, e.weighted);
  EXPECT_EQ(oracle::build_list(a.x, a.box, e.cutoff, rules), plain);  // masks, where they exist
  if (a.x.size() < 100) {
    EXPECT_EQ(oracle::sorted(plain.rows), oracle::sorted(oracle::brute_force(a.x, a.box, e.cutoff, rules)));
  }

  auto half_rules = rules;
  half_rules.half = true;
  auto const half = oracle::build_list(a.x, a.box, e.cutoff, half_rules);
  EXPECT_EQ(2 * half.pairs, e.pairs);
  EXPECT_EQ(half.hash, plain.hash);
}

TEST(agreement, with_lammps_ase_scipy_and_numpy) {
  auto const all = expectations();
  std::set<std::string> files;
  for (auto const& e : all) {
    SCOPED_TRACE(e.file + " " + e.periodic + " " + e.rule + " cutoff " + std::to_string(e.cutoff));
    compare(e);
    files.insert(e.file);
  }
  EXPECT_GE(files.size(), 10u);
  EXPECT_GE(all.size(), 40u);
}

}  // namespace

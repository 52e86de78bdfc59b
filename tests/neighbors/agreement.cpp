// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Pair counts of systems from the examples of LAMMPS, as LAMMPS, ASE, SciPy and NumPy count them
// (tests/data/agreement/README.md).

#include "host_list.hpp"
#include "lists.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/io/lammps_data.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/neighbors/special_neighbors.hpp>

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
  std::vector<int> types;           // from 0
  std::vector<std::int64_t> bonds;  // two particles each

  explicit atoms(expectation const& e) {
    auto const data = upsweep::read_lammps_data(folder + e.file);
    box = {data.lo, data.hi, {}, data.tilt};
    for (std::size_t d = 0; d < 3; ++d) box.periodic[d] = e.periodic[d] == 'p';
    for (std::size_t i = 0; i < data.size(); ++i) {
      x.push_back({data.positions[3 * i], data.positions[3 * i + 1], data.positions[3 * i + 2]});
      types.push_back(data.types[i] - 1);
    }
    bonds = data.bonds;
  }

  /// Partners that one, two or three bonds join.
  auto special() const {
    Kokkos::View<std::int64_t const* [2], Kokkos::HostSpace> const view(bonds.data(), bonds.size() / 2);
    return upsweep::special_neighbors(oracle::space{}, x.size(),
                                      Kokkos::create_mirror_view_and_copy(oracle::memory{}, view));
  }
};

oracle::pair_rules rules_of(expectation const& e, atoms const& a) {
  oracle::pair_rules rules;
  if (e.rule == "special") {
    auto const special = a.special();
    rules.excluded_offsets = upsweep::to_host(oracle::space{}, special.offsets);
    rules.excluded_ids = upsweep::to_host(oracle::space{}, special.values);
  }
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
  atoms const a(e);
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

TEST(agreement, special_neighbors_of_a_file_are_exclusions_of_a_list) {
  std::size_t files = 0;
  for (auto const& e : expectations()) {
    if (e.rule != "special") continue;
    ++files;
    atoms const a(e);
    auto const special = a.special();
    auto const list = upsweep::neighbor_list(oracle::space{}, oracle::to_positions(a.x), oracle::to_box(a.box),
                                             e.cutoff, {.exclusions = {special.offsets, special.values}});
    EXPECT_EQ(list.pairs(), e.pairs) << e.file;
  }
  EXPECT_EQ(files, 3u);
}

}  // namespace

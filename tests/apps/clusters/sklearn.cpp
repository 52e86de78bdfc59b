// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// DBSCAN against scikit-learn's (tests/data/dbscan_of_sklearn/README.md).

#include "../../../src/apps/clusters/dbscan.hpp"
#include "../../../src/apps/shared/npy_numbers.hpp"
#include "boxes.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/io/npy.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

std::string const folder = UPSWEEP_SOURCE_DIR "/tests/data/dbscan_of_sklearn/";

/// A line of cases.csv.
struct sklearn_case {
  std::string points;
  std::size_t row = 0;
  std::array<double, 3> edges{};  ///< 0: open
  double eps = 0;
  std::int64_t min_samples = 0, clusters = 0, cores = 0, noise = 0, contested = 0;
};

std::vector<sklearn_case> sklearn_cases() {
  std::ifstream in(folder + "cases.csv");
  std::string line;
  std::getline(in, line);
  std::vector<sklearn_case> cases;
  while (std::getline(in, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    auto& c = cases.emplace_back();
    words >> c.points >> c.row >> c.edges[0] >> c.edges[1] >> c.edges[2] >> c.eps >> c.min_samples >> c.clusters >>
        c.cores >> c.noise >> c.contested;
    if (!words) throw std::runtime_error("cases.csv: a bad line: " + line);
  }
  return cases;
}

/// The points in a box that is open around them, or periodic from 0 on.
oracle::cluster_problem problem_of(sklearn_case const& c) {
  auto const numbers = apps::read_npy_numbers(folder + c.points + ".npy");
  oracle::cluster_problem p{{}, {}, c.eps};
  p.x.resize(numbers.values.size() / 3);
  for (std::size_t d = 0; d < 3; ++d) {
    for (std::size_t i = 0; i < p.x.size(); ++i) p.x[i][d] = numbers.values[3 * i + d];
    auto const less = [d](auto const& a, auto const& b) { return a[d] < b[d]; };
    auto const [lowest, highest] = std::minmax_element(p.x.begin(), p.x.end(), less);
    p.box.periodic[d] = c.edges[d] > 0;
    p.box.lo[d] = p.box.periodic[d] ? 0 : (*lowest)[d] - 1;
    p.box.hi[d] = p.box.periodic[d] ? c.edges[d] : (*highest)[d] + 1;
  }
  return p;
}

/// The case's row of an array of all cases with these points.
template <class T>
std::vector<T> row_of(sklearn_case const& c, std::string const& array, std::size_t n) {
  auto const all = upsweep::read_npy(folder + c.points + array).as<T>();
  return {all.begin() + static_cast<std::ptrdiff_t>(c.row * n),
          all.begin() + static_cast<std::ptrdiff_t>((c.row + 1) * n)};
}

/// Their labels in our words: a cluster is named by its first core.
std::vector<std::int64_t> named_by_cores(std::vector<std::int16_t> const& labels,
                                         std::vector<std::uint8_t> const& cores, std::int64_t clusters) {
  std::vector<std::int64_t> name(static_cast<std::size_t>(clusters), -1), named;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (cores[i] != 0 && name.at(static_cast<std::size_t>(labels[i])) < 0)
      name[static_cast<std::size_t>(labels[i])] = static_cast<std::int64_t>(i);
  for (auto const label : labels) named.push_back(label < 0 ? -1 : name.at(static_cast<std::size_t>(label)));
  return named;
}

TEST(Clusters, dbscan_agrees_with_scikit_learn) {
  upsweep::mpi::communicator const comm(MPI_COMM_SELF);
  clusters::space_type const space;
  apps::phase_times times;
  auto const cases = sklearn_cases();
  ASSERT_EQ(cases.size(), 24u);
  std::int64_t contested = 0;
  for (auto const& c : cases) {
    SCOPED_TRACE(c.points + ", row " + std::to_string(c.row));
    auto const p = problem_of(c);
    auto const cores = row_of<std::uint8_t>(c, "_cores.npy", p.x.size());
    auto const expected = named_by_cores(row_of<std::int16_t>(c, "_labels.npy", p.x.size()), cores, c.clusters);
    EXPECT_EQ(std::count(cores.begin(), cores.end(), 1), c.cores);
    EXPECT_EQ(std::count(expected.begin(), expected.end(), -1), c.noise);
    auto const found = clusters::label_dbscan(space, oracle::share_of(comm, space, p), c.eps, c.min_samples, times);
    EXPECT_EQ(upsweep::to_host(space, found.core), cores);
    EXPECT_EQ(upsweep::to_host(space, found.label), expected);
    contested += c.contested;
  }
  // Where a point may be in several clusters, both choose the one of the smallest label.
  EXPECT_GE(contested, 20);
}

}  // namespace

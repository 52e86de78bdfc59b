// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// DBSCAN against scikit-learn's (tests/data/dbscan_of_sklearn/README.md): labels and cores, and every file of the
// catalogue that the program writes.

#include "../../../apps/clusters/run.hpp"
#include "../../../apps/support/groups/dbscan.hpp"
#include "../../../apps/support/points/npy_numbers.hpp"
#include "../../neighbors/boxes.hpp"
#include "../../oracle/temporary_folder.hpp"
#include "boxes.hpp"
#include "expect_centre.hpp"
#include "serial.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/io/npy.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
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

/// Their clusters in our words: by ascending label, with what the points say of centres.
struct expected_clusters {
  oracle::serial_groups of_points;
  std::vector<std::int64_t> labels;  ///< of the clusters
  std::vector<oracle::serial_group> groups;
};
expected_clusters clusters_of(sklearn_case const& c, oracle::cluster_problem const& p) {
  auto const cores = row_of<std::uint8_t>(c, "_cores.npy", p.x.size());
  expected_clusters all{
      {named_by_cores(row_of<std::int16_t>(c, "_labels.npy", p.x.size()), cores, c.clusters), {}}, {}, {}};
  for (auto const core : cores) all.of_points.core.push_back(core != 0);
  all.labels = all.of_points.label;
  std::sort(all.labels.begin(), all.labels.end());
  all.labels.erase(std::unique(all.labels.begin(), all.labels.end()), all.labels.end());
  std::erase(all.labels, -1);
  all.groups = oracle::follow_links(all.of_points, oracle::brute_force(p.x, p.box, c.eps),
                                    oracle::wrapped_by_library(p.box, p.x), p.box);
  return all;
}

/// Runs the program on the case's file of points.
void write_catalogue(sklearn_case const& c, oracle::cluster_problem const& p, std::int64_t min_members,
                     std::filesystem::path const& to) {
  clusters::options o;
  o.input = folder + c.points + ".npy";
  o.how = clusters::method::dbscan;
  o.length = c.eps;
  o.min_points = c.min_samples;
  o.min_members = min_members;
  o.catalogue = to.string();
  for (std::size_t d = 0; d < 3; ++d) o.open[d] = !p.box.periodic[d];
  if (!o.open[0] || !o.open[1] || !o.open[2])
    for (std::size_t d = 0; d < 3; ++d) {
      o.origin[d] = p.box.lo[d];
      o.box[d] = p.box.hi[d] - p.box.lo[d];
    }
  testing::internal::CaptureStdout();
  clusters::run(upsweep::mpi::communicator(MPI_COMM_SELF), o);
  testing::internal::GetCapturedStdout();
}

void expect_catalogue(std::filesystem::path const& of, expected_clusters const& expected,
                      oracle::cluster_problem const& p, std::int64_t min_members) {
  auto const integers = [&](char const* file) { return upsweep::read_npy((of / file).string()).as<std::int64_t>(); };
  std::vector<std::int64_t> ids(p.x.size()), labels, sizes, offsets{0}, members;
  std::iota(ids.begin(), ids.end(), std::int64_t(0));
  std::vector<oracle::serial_group> groups;
  std::int64_t largest = -1, largest_size = 0;
  for (std::size_t g = 0; g < expected.groups.size(); ++g) {
    auto const& group = expected.groups[g];
    auto const size = static_cast<std::int64_t>(group.members.size());
    if (size > largest_size) largest = expected.labels[g], largest_size = size;
    if (size < min_members) continue;
    labels.push_back(expected.labels[g]);
    sizes.push_back(size);
    members.insert(members.end(), group.members.begin(), group.members.end());
    offsets.push_back(static_cast<std::int64_t>(members.size()));
    groups.push_back(group);
  }
  EXPECT_EQ(integers("labels.npy"), expected.of_points.label);
  EXPECT_EQ(integers("ids.npy"), ids);
  EXPECT_EQ(integers("group_labels.npy"), labels);
  EXPECT_EQ(integers("group_sizes.npy"), sizes);
  EXPECT_EQ(integers("group_offsets.npy"), offsets);
  EXPECT_EQ(integers("group_members.npy"), members);
  auto const spans = upsweep::read_npy((of / "group_spans.npy").string()).as<std::uint8_t>();
  auto const centres = upsweep::read_npy((of / "group_centres.npy").string()).as<double>();
  ASSERT_EQ(spans.size(), groups.size());
  ASSERT_EQ(centres.size(), 3 * groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    SCOPED_TRACE("group " + std::to_string(labels[g]));
    EXPECT_EQ(spans[g] != 0, groups[g].spans);
    ASSERT_NO_FATAL_FAILURE(oracle::expect_centre(&centres[3 * g], groups[g], p));
  }
  auto const summary = nlohmann::json::parse(std::ifstream(of / "clusters.json"));
  EXPECT_EQ(summary["groups"], expected.groups.size());
  EXPECT_EQ(summary["groups_in_catalogue"], groups.size());
  EXPECT_EQ(summary["noise"], std::count(expected.of_points.label.begin(), expected.of_points.label.end(), -1));
  EXPECT_EQ(summary["largest"]["size"], largest_size);
  EXPECT_EQ(summary["largest"]["label"], largest);
}

TEST(clusters, dbscan_writes_the_catalogue_of_scikit_learn) {
  oracle::temporary_folder const out;
  std::int64_t begin_with_border = 0;
  for (auto const& c : sklearn_cases()) {
    auto const p = problem_of(c);
    auto const expected = clusters_of(c, p);
    ASSERT_EQ(expected.labels.size(), expected.groups.size());
    for (std::size_t g = 0; g < expected.groups.size(); ++g)
      begin_with_border += expected.groups[g].members[0] != expected.labels[g] ? 1 : 0;
    for (std::int64_t const min_members : {1, 7}) {
      std::string const name = c.points + std::to_string(c.row) + "_" + std::to_string(min_members);
      SCOPED_TRACE(name);
      write_catalogue(c, p, min_members, out.path() / name);
      expect_catalogue(out.path() / name, expected, p, min_members);
      if (HasFatalFailure()) return;
    }
  }
  // The label is the smallest core, and not the smallest member.
  EXPECT_GE(begin_with_border, 20);
}

TEST(clusters, dbscan_agrees_with_scikit_learn) {
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

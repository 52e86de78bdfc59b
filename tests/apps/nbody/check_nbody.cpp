// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "brute_force.hpp"

#include <upsweep/io/extended_xyz.hpp>
#include <upsweep/io/lammps_data.hpp>
#include <upsweep/io/npy.hpp>
#include <upsweep/io/replace_file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace {

using nlohmann::json;

int failures = 0;

void expect(bool good, std::string const& what) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "%s\n", what.c_str());
}

void expect_near(double value, double expected, double tolerance, std::string const& what) {
  char text[200];
  std::snprintf(text, sizeof(text), "%s: %.17g, expected %.17g within %g relative", what.c_str(), value, expected,
                tolerance);
  expect(std::abs(value - expected) <= tolerance * std::abs(expected), text);
}

template <class T>
void expect_equal(T const& value, T const& expected, std::string const& what) {
  expect(value == expected, what + ": " + json(value).dump() + ", expected " + json(expected).dump());
}

json read_json(std::string const& path) { return json::parse(std::ifstream(path)); }

/// LAMMPS (29 Sep 2021) from the shipped file, with every rebuild that is needed.
struct reference {
  int step;
  double temperature, potential, total, pressure, tolerance;
};
constexpr reference lammps[] = {
    {0, 1.44, -6.77336805323422, -4.61343555323421, -5.01970725908556, 1e-10},
    {50, 0.740093455289665, -5.73150214756841, -4.62139665651463, 0.335287416870234, 1e-8},
    {100, 0.75745998260481, -5.75849977776201, -4.62234530979148, 0.207299963561394, 1e-8},
};

void check_phases(json const& report) {
  for (auto const* name : {"start", "migrate", "halo", "neighbor", "force", "integrate", "output"}) {
    auto const& phase = report.at("phases").at(name);
    expect(0 <= phase.at("min") && phase.at("min") <= phase.at("mean") && phase.at("mean") <= phase.at("max"),
           std::string("phase ") + name);
  }
}

/// What ranks have of the last list.
void check_spreads(json const& report) {
  int const ranks = report.at("ranks");
  auto const& list = report.at("lists").back();
  for (auto const& [name, sum] :
       {std::pair{"particles_of_rank", report.at("atoms")}, {"pairs_of_rank", list.at("pairs")}}) {
    auto const& of = report.at(name);
    expect_near(of.at("mean").get<double>() * ranks, sum, 1e-12, name);
    expect_near(of.at("imbalance"), of.at("max").get<double>() / of.at("mean").get<double>(), 1e-12, name);
    expect(of.at("min") <= of.at("mean") && of.at("mean") <= of.at("max"), name);
  }
  expect(report.at("ghosts_of_rank").at("min") > 0, "ghosts");
}

/// The shipped system after 100 steps.
void check_report(std::string const& path, int ranks) {
  auto const report = read_json(path);
  expect_equal(report.at("ranks").get<int>(), ranks, "ranks");
  expect_equal(report.at("atoms").get<int>(), 32000, "atoms");
  auto const& rows = report.at("thermo");
  expect_equal<std::size_t>(rows.size(), 3, "lines of the table");
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 3); ++i) {
    auto const& row = rows[i];
    auto const at = "step " + std::to_string(lammps[i].step) + ", ";
    expect_equal(row.at("step").get<int>(), lammps[i].step, "step");
    expect_near(row.at("temperature"), lammps[i].temperature, lammps[i].tolerance, at + "temperature");
    expect_near(row.at("potential"), lammps[i].potential, lammps[i].tolerance, at + "potential");
    expect_near(row.at("total"), lammps[i].total, lammps[i].tolerance, at + "total");
    expect_near(row.at("pressure"), lammps[i].pressure, lammps[i].tolerance, at + "pressure");
  }
  auto const& lists = report.at("lists");
  expect_equal<std::size_t>(lists.size(), 2, "lists");
  expect_equal(lists[0].at("pairs").get<int>(), 2496000, "pairs at step 0");
  expect_equal(lists[0].at("largest_row").get<int>(), 78, "largest row at step 0");
  expect_equal(lists[1].at("pairs").get<int>(), 2405658, "pairs at step 100");
  expect_equal(lists[1].at("largest_row").get<int>(), 86, "largest row at step 100");
  // No pair is nearer to the cutoff than 2e-7, so the set of pairs, and its hash, is the same wherever this runs.
  expect_equal<std::string>(lists[0].at("list_hash"), "2ba3de67832b872a", "hash at step 0");
  expect_equal<std::string>(lists[1].at("list_hash"), "5a5514a26da2a31e", "hash at step 100");
  // Forces are sums on a grid, and all that compilers may fuse is fused: the same bits everywhere.
  expect_equal<std::string>(report.at("state_hash"), "9404bb6c8324a692", "hash of the state at step 100");
  expect_equal(report.at("rebuilds").get<int>(), 11, "rebuilds");
  check_phases(report);
  check_spreads(report);
}

/// Files and report of a run of 0 steps against brute force.
void check_lists(std::string const& data, double cutoff, std::string const& folder) {
  auto const expected = check::brute_force(upsweep::read_lammps_data(data), cutoff);
  auto const offsets = upsweep::read_npy(folder + "/list/offsets.npy");
  auto const neighbors = upsweep::read_npy(folder + "/list/neighbors.npy");
  auto const images = upsweep::read_npy(folder + "/list/images.npy");
  expect_equal(images.shape, std::vector<std::uint64_t>{expected.neighbors.size(), 3}, "shape of images.npy");
  check::full_list const found{offsets.as<std::int64_t>(), neighbors.as<std::int64_t>(), images.as<std::int8_t>()};
  expect(found.offsets == expected.offsets, "offsets.npy differs from brute force");
  expect(found.neighbors == expected.neighbors, "neighbors.npy differs from brute force");
  expect(found.images == expected.images, "images.npy differs from brute force");
  auto const lists = read_json(folder + "/report.json").at("lists");
  expect_equal<std::size_t>(lists.size(), 1, "lists");
  expect_equal(lists[0].at("pairs").get<std::size_t>(), expected.neighbors.size(), "pairs");
  expect_equal(lists[0].at("largest_row").get<std::int64_t>(), expected.largest_row(), "largest row");
  char hash[17];
  std::snprintf(hash, sizeof(hash), "%016llx", static_cast<unsigned long long>(expected.hash()));
  expect_equal<std::string>(lists[0].at("list_hash"), hash, "hash");
}

/// Two runs of one start on different numbers of ranks: the same list, and the temperature that was asked for, if any.
void check_same(std::string const& a_path, std::string const& b_path, std::optional<double> temperature = {}) {
  auto const a = read_json(a_path), b = read_json(b_path);
  expect_equal(a.at("lists"), b.at("lists"), "lists");
  expect_equal(a.at("state_hash"), b.at("state_hash"), "hash of the last state");
  for (std::size_t i = 0; i < a.at("thermo").size(); ++i)
    for (auto const* name : {"temperature", "potential", "kinetic", "total", "pressure"})
      expect_near(a["thermo"][i].at(name), b.at("thermo").at(i).at(name), 1e-12, name);
  if (temperature) expect_near(a.at("thermo")[0].at("temperature"), *temperature, 1e-13, "temperature of the start");
  check_spreads(b);
  if (b.at("balance").is_null()) return;
  expect(b.at("cuts") >= 2, "the box was cut " + b.at("cuts").dump() + " times");
  if (b.at("balance") == "pairs")
    expect(b.at("pairs_of_rank").at("imbalance") < 1.06, "pairs: " + b.at("pairs_of_rank").dump());
}

/// The same perfect crystal in two boxes: all that depends on positions alone is equal, and energy is conserved.
void check_crystal(std::string const& a_path, std::string const& b_path, double density) {
  auto const a = read_json(a_path), b = read_json(b_path);
  for (auto const* name : {"pairs", "largest_row"})
    expect_equal(b.at("lists").at(0).at(name), a.at("lists").at(0).at(name), name);
  auto const &first = a.at("thermo").at(0), &second = b.at("thermo").at(0), &last = b.at("thermo").back();
  auto const virial = [&](json const& row) {
    return row.at("pressure").get<double>() - density * row.at("kinetic").get<double>() * 2 / 3;
  };
  expect_near(second.at("potential"), first.at("potential"), 1e-12, "potential");
  expect_near(virial(second), virial(first), 1e-11, "pressure without that of velocities");
  expect_near(last.at("total"), second.at("total").get<double>(), 5e-3, "energy at the end");
}

/// Two runs that end at one step, of which one may have begun later: the same last list, state and line of the table.
void check_end(std::string const& a_path, std::string const& b_path) {
  auto const a = read_json(a_path), b = read_json(b_path);
  expect_equal(a.at("state_hash"), b.at("state_hash"), "hash of the last state");
  for (auto const* name : {"step", "pairs", "list_hash"})
    expect_equal(a.at("lists").back().at(name), b.at("lists").back().at(name), name);
  for (auto const* name : {"step", "temperature", "potential", "kinetic", "total", "pressure"})
    expect_near(a.at("thermo").back().at(name), b.at("thermo").back().at(name), 1e-11, name);
}

/// The total energy stays within a relative tolerance of that at step 100.
void check_drift(std::string const& path, double tolerance) {
  auto const rows = read_json(path).at("thermo");
  double start = 0;
  for (auto const& row : rows) {
    if (row.at("step") == 100) start = row.at("total");
    if (row.at("step") > 100) expect_near(row.at("total"), start, tolerance, "total at step " + row.at("step").dump());
  }
  expect(start != 0, "no line for step 100");
}

/// The total energy changes by at most this part of the kinetic energy of the start.
void check_conserved(std::string const& path, double tolerance) {
  auto const rows = read_json(path).at("thermo");
  double const start = rows.front().at("total"), kinetic = rows.front().at("kinetic");
  for (auto const& row : rows)
    expect(std::abs(row.at("total").get<double>() - start) <= tolerance * kinetic,
           "the total energy is " + row.at("total").dump() + ", and was " + rows.front().at("total").dump());
}

/// The mean temperature of the second half of the lines.
void check_temperature(std::string const& path, double expected, double tolerance) {
  auto const rows = read_json(path).at("thermo");
  std::size_t const n = rows.size();
  double sum = 0;
  for (std::size_t i = n / 2; i < n; ++i) sum += rows[i].at("temperature").get<double>();
  expect_near(sum / static_cast<double>(n - n / 2), expected, tolerance, "mean temperature");
}

/// Runs with full and with half lists on as many ranks: the same pairs, positions and velocities with the same bits.
void check_half(std::string const& full_path, std::string const& half_path) {
  auto const full = read_json(full_path), half = read_json(half_path);
  check_spreads(half);
  expect_equal(half.at("rebuilds"), full.at("rebuilds"), "rebuilds");
  expect_equal(half.at("state_hash"), full.at("state_hash"), "hash of the state");
  expect_equal(half.at("lists").size(), full.at("lists").size(), "lists");
  for (std::size_t i = 0; i < full.at("lists").size(); ++i)
    for (auto const* name : {"step", "pairs", "list_hash"})
      expect_equal(half["lists"].at(i).at(name), full["lists"][i].at(name), name);
  expect_equal(half.at("thermo").size(), full.at("thermo").size(), "lines of the table");
  for (std::size_t i = 0; i < full.at("thermo").size(); ++i) {
    for (auto const* name : {"temperature", "kinetic"})
      expect_equal<double>(half["thermo"].at(i).at(name), full["thermo"][i].at(name), name);
    // Their sums are over other rows.
    for (auto const* name : {"potential", "total", "pressure"})
      expect_near(half["thermo"][i].at(name), full["thermo"][i].at(name), 1e-11, name);
  }
}

/// The last frame of an extended XYZ file as NumPy files in another order, p.npy (positions), v.npy, t.npy and i.npy
/// (ids); positions in order of ids as float32 and, with the same values, as float64; and the options of the box.
void make_npy(std::string const& xyz, std::string const& folder) {
  auto const data = upsweep::read_extended_xyz(xyz);
  auto const n = data.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::shuffle(order.begin(), order.end(), std::mt19937(5));
  std::vector<double> p(3 * n), v(3 * n), m(n);
  std::vector<std::uint8_t> t(n);
  std::vector<std::int64_t> ids(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      p[3 * i + d] = data.positions[3 * order[i] + d];
      v[3 * i + d] = data.velocities[3 * order[i] + d];
    }
    m[i] = data.particle_masses.empty() ? 1 : data.particle_masses[order[i]];
    t[i] = static_cast<std::uint8_t>(data.types[order[i]]);
    ids[i] = 7 * data.ids[order[i]] + (std::int64_t(1) << 40);
  }
  std::vector<float> const rounded(data.positions.begin(), data.positions.end());
  std::vector<double> const same(rounded.begin(), rounded.end());
  auto const name = [&](char const* file) { return std::filesystem::path(folder) / file; };
  upsweep::write_npy(name("p.npy"), std::span(p), {n, 3});
  upsweep::write_npy(name("v.npy"), std::span(v), {n, 3});
  upsweep::write_npy(name("m.npy"), std::span(m), {n});
  upsweep::write_npy(name("t.npy"), std::span(t), {n});
  upsweep::write_npy(name("i.npy"), std::span(ids), {n});
  upsweep::write_npy(name("p32.npy"), std::span(rounded), {n, 3});
  upsweep::write_npy(name("p64.npy"), std::span(same), {n, 3});
  char box[300];
  std::snprintf(box, sizeof(box), "--box %.17g,%.17g,%.17g,%.17g,%.17g,%.17g --origin %.17g,%.17g,%.17g\n",
                data.hi[0] - data.lo[0], data.hi[1] - data.lo[1], data.hi[2] - data.lo[2], data.tilt[0], data.tilt[1],
                data.tilt[2], data.lo[0], data.lo[1], data.lo[2]);
  upsweep::replace_file(name("box"), box);
}

int run(std::vector<std::string> const& words) {
  if (words.size() == 3 && words[0] == "report") check_report(words[1], std::stoi(words[2]));
  else if (words.size() == 4 && words[0] == "lists") check_lists(words[1], std::stod(words[2]), words[3]);
  else if (words.size() == 4 && words[0] == "same") check_same(words[1], words[2], std::stod(words[3]));
  else if (words.size() == 3 && words[0] == "same") check_same(words[1], words[2]);
  else if (words.size() == 3 && words[0] == "end") check_end(words[1], words[2]);
  else if (words.size() == 3 && words[0] == "drift") check_drift(words[1], std::stod(words[2]));
  else if (words.size() == 3 && words[0] == "conserved") check_conserved(words[1], std::stod(words[2]));
  else if (words.size() == 4 && words[0] == "temperature")
    check_temperature(words[1], std::stod(words[2]), std::stod(words[3]));
  else if (words.size() == 4 && words[0] == "crystal") check_crystal(words[1], words[2], std::stod(words[3]));
  else if (words.size() == 3 && words[0] == "half") check_half(words[1], words[2]);
  else if (words.size() == 7 && words[0] == "make-random")
    upsweep::replace_file(words[1],
                          check::random_data_file(std::stoi(words[2]), static_cast<unsigned>(std::stoul(words[3])),
                                                  {std::stod(words[4]), std::stod(words[5]), std::stod(words[6])}));
  else if (words.size() == 4 && words[0] == "make-crystal")
    upsweep::replace_file(words[1],
                          check::tilted_crystal_file(std::stod(words[2]), static_cast<unsigned>(std::stoul(words[3]))));
  else if (words.size() == 3 && words[0] == "make-npy") make_npy(words[1], words[2]);
  else
    expect(false,
           "usage: report FILE RANKS | lists DATA CUTOFF FOLDER | same FILE FILE [TEMPERATURE] | "
           "end FILE FILE | drift FILE TOLERANCE | conserved FILE TOLERANCE | temperature FILE T TOLERANCE | "
           "crystal FILE FILE DENSITY | half FILE FILE | make-random FILE N SEED XY XZ YZ | "
           "make-crystal FILE DENSITY SEED | make-npy XYZ FOLDER");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return EXIT_FAILURE;
  }
}

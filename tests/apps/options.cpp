// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/nbody/options.hpp"
#include "../../apps/study/options.hpp"
#include "../../apps/support/options/kokkos_options.hpp"
#include "../../apps/support/options/read_number.hpp"
#include "mutate.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace {

using words = std::vector<std::string>;

nbody::command_line with(words const& more) {
  words all{"--lattice", "fcc", "--cells", "4,4,4"};
  all.insert(all.end(), more.begin(), more.end());
  return nbody::parse(all);
}

/// Refused, with a message that names the option and what was wrong with it.
void expect_refused(apps::command_line const& line, std::string const& message) {
  EXPECT_FALSE(line.proceed);
  EXPECT_EQ(line.exit_code, 2) << message;
  EXPECT_NE(line.text.find(message), std::string::npos) << line.text;
  EXPECT_EQ(line.text.find('\n'), std::string::npos) << line.text;
}

TEST(numbers, plain_decimals_are_read) {
  EXPECT_EQ(apps::read_number<int>("10"), 10);
  EXPECT_EQ(apps::read_number<int>("010"), 10);
  EXPECT_EQ(apps::read_number<int>("08"), 8);
  EXPECT_EQ(apps::read_number<int>("-7"), -7);
  EXPECT_EQ(apps::read_number<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(apps::read_number<double>("0.005"), 0.005);
  EXPECT_EQ(apps::read_number<double>("5e-3"), 0.005);
  EXPECT_EQ(apps::read_number<double>("-1"), -1.0);
}

TEST(numbers, anything_else_is_refused_as_a_whole) {
  for (auto const* word : {"", " ", "1 ", " 1", "+1", "0x10", "0b1", "0o7", "1_000", "1'000", "1,5", "1.0", "1e3",
                           "true", "--1", "1-", "2147483648", "nan", "inf"})
    EXPECT_FALSE(apps::read_number<int>(word)) << word;
  EXPECT_FALSE(apps::read_number<std::uint64_t>("-1"));
  EXPECT_FALSE(apps::read_number<std::uint64_t>("18446744073709551616"));
  for (auto const* word : {"", " ", "1 ", " 1", "0,005", "0x1p3", "1e", "1.2.3", "nan", "-nan", "nan(1)", "inf", "-inf",
                           "infinity", "1e999", "1_0.0", "1f"})
    EXPECT_FALSE(apps::read_number<double>(word)) << word;
}

TEST(nbody_options, numbers_are_whole_words_in_decimal) {
  EXPECT_EQ(with({"--steps", "010"}).values.steps, 10);
  EXPECT_EQ(with({"--dt", "0.001"}).values.dt, 0.001);
  EXPECT_EQ(with({"--seed", "18446744073709551615"}).values.seed, std::numeric_limits<std::uint64_t>::max());
  expect_refused(with({"--dt", "0,005"}), "--dt 0,005: expected a finite number greater than 0");
  for (auto const* word : {"0x10", "1e3", "1_000", " 5", "5 ", "true", "+5", "5.0", "-1"})
    expect_refused(with({"--steps", word}), std::string("--steps ") + word + ": expected an integer, 0 or more");
  for (auto const* word : {"nan", "inf", "0", "-1", "1e999", "0.5 ", "0x1p-8"})
    expect_refused(with({"--dt", word}), "--dt ");
  for (auto const* word : {"-1", "18446744073709551616", "1.0"}) expect_refused(with({"--seed", word}), "--seed ");
  for (auto const* word : {"4,4", "4,4,4,4", "4,4,4 ", "4,0x4,4", "4,,4", "0,4,4", "4,4,1000001", "4 4 4"})
    expect_refused(nbody::parse({"--lattice", "fcc", "--cells", word}), "--cells");
}

TEST(nbody_options, an_empty_word_is_refused_and_not_taken_for_an_option_that_is_missing) {
  for (auto const* option : {"--report", "--write-list", "--ranks-grid", "--dt", "--steps"})
    expect_refused(with({option, ""}), std::string(option) + " (empty): expected");
  expect_refused(nbody::parse({"--lattice", "", "--cells", "4,4,4"}), "--lattice (empty)");
  expect_refused(nbody::parse({"--input", ""}), "--input (empty)");
  expect_refused(nbody::parse({"--lattice", "fcc", "--cells", ""}), "--cells (empty)");
}

// As docs/nbody.md says: a list of the program's own is replaced without it.
TEST(nbody_options, help_says_what_force_replaces) {
  auto const help = nbody::parse({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  std::string shown;
  std::istringstream text(help.text.substr(help.text.find("--force")));
  for (std::string word; text >> word && word != "--no-progress";) shown += " " + word;
  EXPECT_NE(shown.find("files that are not of this program; a trajectory that exists already, too, if it is not that of"
                       " --restart"),
            std::string::npos)
      << shown;
  EXPECT_EQ(shown.find(" list"), std::string::npos) << shown;
}

// Whatever the version of CLI11 says of them.
TEST(nbody_options, mistakes_of_a_command_line_are_said_in_the_words_of_programs) {
  auto const text = [](words const& more) { return with(more).text; };
  std::string const unknown = ": expected an option of upsweep-nbody (see --help)";
  EXPECT_EQ(text({"--step", "10"}), "--step" + unknown);
  EXPECT_EQ(text({"--step=10"}), "--step" + unknown);
  EXPECT_EQ(text({"stray", "--dt", "1"}), "stray" + unknown);
  EXPECT_EQ(text({""}), "(empty)" + unknown);
  EXPECT_EQ(text({"--", "stray"}), "stray" + unknown);
  // Said before what is missing because of it.
  EXPECT_EQ(nbody::parse({"--latice", "fcc", "--cells", "4,4,4"}).text, "--latice" + unknown);
  EXPECT_EQ(text({"--cutoff", "1", "--cutoff", "2"}), "--cutoff: expected one value (see --help)");
  EXPECT_EQ(text({"--cutoff=1", "--cutoff=2"}), "--cutoff: expected one value (see --help)");
  EXPECT_EQ(text({"--cutoff"}), "--cutoff: expected a value (see --help)");
  EXPECT_EQ(text({"--cutoff="}), "--cutoff: expected a value (see --help)");
  EXPECT_EQ(text({"--cutoff", "--skin"}),
            "--cutoff --skin: expected a finite number greater than 0, and so its square");
  EXPECT_EQ(text({"--half=no"}), "--half: expected no value (see --help)");
  EXPECT_EQ(study::parse({"--sizes"}).text, "--sizes: expected a value (see --help)");
  EXPECT_EQ(study::parse({"--frob"}).text, "--frob: expected an option of upsweep-study (see --help)");
}

/// The options of a file and of a command line.
nbody::command_line with_file(std::string const& text, words line) {
  std::string const name = testing::TempDir() + "upsweep_options_" + std::to_string(getpid()) + ".toml";
  std::ofstream(name) << text;
  line.insert(line.begin(), {"--config", name});
  auto result = nbody::parse(line);
  std::remove(name.c_str());
  if (auto const at = result.note.find(name); at != std::string::npos) result.note.replace(at, name.size(), "FILE");
  return result;
}

std::string const crystal = "lattice = 'fcc'\ncells = '4,4,4'\ndensity = 0.8\ntemperature = 2\nseed = 5\ndt = 0.001\n";

TEST(nbody_options, a_restart_leaves_out_the_start_of_a_file) {
  auto const line = with_file(crystal + "checkpoint = 'c'\n", {"--restart", "c"});
  ASSERT_TRUE(line.proceed) << line.text;
  EXPECT_EQ(line.note, "not used of FILE, because of the command line: lattice, cells, density, temperature, seed");
  EXPECT_EQ(line.values.lattice, "");
  EXPECT_EQ(line.values.checkpoint, "c");
  EXPECT_EQ(line.values.dt, 0.001);
  for (auto const* option : {"--lattice", "--cells", "--density", "--temperature", "--seed"})
    EXPECT_FALSE(line.values.given.contains(option)) << option;

  auto const of_points = with_file(
      "input = 'p.npy'\nbox = '9,9,9'\norigin = '1,1,1'\nvelocities = 'v.npy'\ntypes = 't.npy'\nids = 'i.npy'\n"
      "open = 'x'\nskin = 0.4\n",
      {"--restart", "c"});
  ASSERT_TRUE(of_points.proceed) << of_points.text;
  EXPECT_EQ(of_points.note,
            "not used of FILE, because of the command line: input, box, origin, velocities, types, ids");
  EXPECT_EQ(of_points.values.skin, 0.4);
}

TEST(nbody_options, a_restart_keeps_the_seed_of_a_thermostat_in_a_file) {
  auto const line = with_file(crystal + "thermostat = 'langevin'\nthermostat-temperature = 1\n", {"--restart", "c"});
  ASSERT_TRUE(line.proceed) << line.text;
  EXPECT_EQ(line.note, "not used of FILE, because of the command line: lattice, cells, density, temperature");
  EXPECT_TRUE(line.values.given.contains("--seed"));
  EXPECT_EQ(line.values.seed, 5u);
}

TEST(nbody_options, a_start_of_the_command_line_takes_the_place_of_that_of_a_file) {
  auto const line = with_file(crystal, {"--input", "p.data"});
  ASSERT_TRUE(line.proceed) << line.text;
  EXPECT_EQ(line.note, "not used of FILE, because of the command line: lattice, cells, density");
  EXPECT_EQ(line.values.temperature, 2);
  auto const without_restart = with_file("restart = 'c'\n", {"--lattice", "fcc", "--cells", "4,4,4"});
  ASSERT_TRUE(without_restart.proceed) << without_restart.text;
  EXPECT_EQ(without_restart.note, "not used of FILE, because of the command line: restart");
  EXPECT_EQ(without_restart.values.restart, "");
  EXPECT_EQ(with_file(crystal, {"--dt", "0.002", "--cells", "5,5,5"}).note, "");
}

TEST(nbody_options, conflicts_within_a_file_and_within_the_command_line_are_refused) {
  expect_refused(with_file(crystal + "restart = 'c'\n", {}), "excludes");
  expect_refused(with_file("lattice = 'fcc'\ninput = 'p.data'\n", {"--restart", "c"}), "--lattice excludes --input");
  expect_refused(with_file(crystal, {"--restart", "c", "--input", "p.data"}), "excludes");
  expect_refused(with_file("", {"--restart", "c", "--temperature", "2"}), "--restart excludes --temperature");
}

TEST(nbody_options, a_grid_of_ranks_has_a_brick_for_each) {
  auto const mistake = [](char const* grid, int ranks) {
    return nbody::ranks_grid_mistake(with({"--ranks-grid", grid}).values, ranks);
  };
  for (auto const* grid : {"2,3,1", "2,0,1", "0,0,0", "0,0,6", "2,3,0"}) EXPECT_EQ(mistake(grid, 6), "") << grid;
  EXPECT_EQ(nbody::ranks_grid_mistake(with({}).values, 7), "");
  for (auto const* grid : {"2,2,1", "4,0,0", "2,3,2", "0,1000000,1000000", "1,1,1"})
    EXPECT_NE(mistake(grid, 6), "") << grid;
  EXPECT_EQ(mistake("2,2,0", 6),
            "--ranks-grid 2,2,0: expected as many bricks as ranks, 6 (a 0 is chosen, where the others divide it)");
}

TEST(study_options, numbers_are_whole_words_in_decimal) {
  EXPECT_EQ(study::parse({"--sizes", "010,8"}).values.sizes, (std::vector<std::uint64_t>{10, 8}));
  for (auto const* word : {"", ",", "8,", "8,,9", "0", "-1", "0x8", "8 ", "1e3", "67108865", "99999999999999999999"})
    expect_refused(study::parse({"--sizes", word}), "--sizes");
  expect_refused(study::parse({"--csv", ""}), "--csv (empty)");
  expect_refused(study::parse({"--plot", ""}), "--plot (empty)");
}

TEST(kokkos_options, what_kokkos_would_abort_for_or_misread_is_refused_by_name) {
  EXPECT_EQ(
      apps::kokkos_mistake({"--kokkos-num-threads=2", "--kokkos-disable-warnings", "--kokkos-print-configuration=False",
                            "--kokkos-map-device-id-by=mpi_rank", "--kokkos-tools-libs=a.so"}),
      "");
  for (auto const* word :
       {"--kokkos-num-threads", "--kokkos-num-threads=", "--kokkos-num-threads=abc", "--kokkos-num-threads=0",
        "--kokkos-num-threads=2x", "--kokkos-num-threads=-1", "--kokkos-num-threads=99999999999",
        "--kokkos-device-id=-1", "--kokkos-device-id=x", "--kokkos-disable-warnings=maybe",
        "--kokkos-disable-warnings=", "--kokkos-map-device-id-by=luck", "--kokkos-frob", "--kokkos-num-threadsx=2",
        "--kokkos-", "--kokkos-help=1"}) {
    auto const mistake = apps::kokkos_mistake({"--kokkos-tune-internals=no", word});
    EXPECT_EQ(mistake.rfind(word, 0), 0u) << word << ": " << mistake;
  }
}

TEST(kokkos_options, environment_variables_are_checked_too) {
  auto const mistake = [](char const* name, char const* value) {
    setenv(name, value, 1);
    auto text = apps::kokkos_mistake({});
    unsetenv(name);
    return text;
  };
  std::string const before = std::getenv("KOKKOS_NUM_THREADS") == nullptr ? "" : std::getenv("KOKKOS_NUM_THREADS");
  EXPECT_EQ(mistake("KOKKOS_NUM_THREADS", "2"), "");
  EXPECT_EQ(mistake("KOKKOS_NUM_THREADS", "abc"),
            "environment variable KOKKOS_NUM_THREADS=abc: expected an integer, 1 or more");
  EXPECT_NE(mistake("KOKKOS_PRINT_CONFIGURATION", "maybe"), "");
  EXPECT_NE(mistake("KOKKOS_MAP_DEVICE_ID_BY", "luck"), "");
  if (!before.empty()) setenv("KOKKOS_NUM_THREADS", before.c_str(), 1);
}

/// Whatever the words are, they are taken or refused: nothing crashes, and no other exit code comes out.
TEST(fuzz, options_of_nbody_and_study) {
  words const of_nbody{"--input",
                       "--lattice",
                       "--cells",
                       "--density",
                       "--temperature",
                       "--seed",
                       "--cutoff",
                       "--skin",
                       "--dt",
                       "--steps",
                       "--thermo",
                       "--ranks-grid",
                       "--report",
                       "--write-list",
                       "--help",
                       "--version",
                       "--keep-going",
                       "--frob",
                       "--config",
                       "--restart",
                       "--checkpoint",
                       "--checkpoint-every",
                       "--trajectory",
                       "--trajectory-every",
                       "--thermostat",
                       "--thermostat-temperature",
                       "--thermostat-time",
                       "--shift",
                       "--rdf",
                       "--rdf-every",
                       "--msd",
                       "--plot",
                       "--force",
                       "--no-progress",
                       "--max-hours"};
  words const of_study{"--sizes", "--csv", "--plot", "--teams-only", "--force", "--help", "--version", "--frob"};
  int taken = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    auto line = mutate::command_line(of_nbody, seed);
    if (seed % 2 == 0)
      line.insert(line.begin(),
                  {std::string("--lattice"), std::string("fcc"), std::string("--cells"), std::string("4,4,4")});
    auto const n = nbody::parse(line);
    auto const s = study::parse(mutate::command_line(of_study, seed));
    for (apps::command_line const* result :
         {static_cast<apps::command_line const*>(&n), static_cast<apps::command_line const*>(&s)}) {
      EXPECT_TRUE(result->exit_code == 0 || (result->exit_code == 2 && !result->proceed));
      EXPECT_EQ(result->text.empty(), result->proceed);
    }
    if (n.proceed) {
      ++taken;
      auto const& o = n.values;
      EXPECT_TRUE(std::isfinite(o.dt) && o.dt > 0 && std::isfinite(o.cutoff) && o.cutoff > 0 && o.skin >= 0 &&
                  o.steps >= 0 && o.thermo >= 0);
    }
    EXPECT_TRUE(!s.proceed || !s.values.sizes.empty());
  }
  EXPECT_GT(taken, 100);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../apps/nbody/checkpoint/checkpoint.hpp"

#include "../../apps/nbody/checkpoint/checksum.hpp"
#include "../../apps/nbody/start/start.hpp"
#include "../io_mpi/shared_folder.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>

#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using upsweep_test::contents;

/// A crystal and the header of its checkpoint.
struct crystal {
  upsweep::mpi::communicator comm{MPI_COMM_WORLD};
  upsweep_test::shared_folder folder{comm};
  nbody::space_type space;
  nbody::options options;
  nbody::checkpoint_header header;
  nbody::atoms atoms;
  nbody::vectors built_from;

  crystal() {
    options.cells = {2, 3, 2};
    auto const piece = nbody::make_fcc(comm, space, options);
    header.step = 7;
    header.particles = piece.total;
    header.hi = piece.data.hi;
    header.masses = piece.data.masses;
    header.species = {{1, "Ar"}};
    header.first.total = std::numeric_limits<double>::quiet_NaN();
    atoms = nbody::to_device(space, piece);
    built_from = atoms.velocities;
  }
  void write(char const* name) const { nbody::write_checkpoint(comm, space, folder / name, header, atoms, built_from); }
  /// Writes a file on rank 0; all ranks can read it then.
  void put(char const* name, std::string const& bytes) const {
    if (comm.rank() == 0) upsweep::replace_file(folder / name, bytes);
    MPI_Barrier(comm.get());
  }
  nbody::run_start read(char const* name) const { return nbody::checkpoint_reader(comm, folder / name).read(); }
  /// The message of a file that is refused; empty where it can be read.
  std::string refusal(char const* name) const {
    try {
      read(name);
      return {};
    } catch (upsweep::input_error const& e) {
      return e.what();
    }
  }
};

/// The file with `from` in its header replaced by `to`. The header's length and checksum are right.
std::string with_header(std::string const& file, std::string const& from, std::string const& to) {
  auto const start = nbody::read_first_line("x", file.substr(0, nbody::bytes_of_first_line));
  auto header = file.substr(nbody::bytes_of_first_line, start.bytes);
  auto const at = header.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) header.replace(at, from.size(), to);
  char line[80];
  std::snprintf(line, sizeof(line), "upsweep-nbody checkpoint 1 %020llu %08x\n",
                static_cast<unsigned long long>(header.size()),
                static_cast<unsigned>(nbody::crc32_of(header.data(), header.size())));
  return line + header + file.substr(nbody::bytes_of_first_line + start.bytes);
}

TEST(checkpoint, comes_back_in_order_of_ids) {
  crystal const c;
  c.write("c");
  auto const start = c.read("c");
  auto const expected = nbody::make_fcc(c.comm, c.space, c.options);
  EXPECT_EQ(start.step, 7);
  EXPECT_EQ(start.particles.first, expected.first);
  EXPECT_EQ(start.particles.total, expected.total);
  EXPECT_EQ(start.positions, expected.data.positions);
  EXPECT_EQ(start.particles.data.positions, expected.data.velocities);
  EXPECT_EQ(start.particles.data.velocities, expected.data.velocities);
  EXPECT_EQ(start.particles.data.types, expected.data.types);
  EXPECT_EQ(start.particles.data.hi, expected.data.hi);
  EXPECT_EQ(start.species, c.header.species);
  ASSERT_TRUE(start.first.has_value());
  EXPECT_TRUE(std::isnan(start.first->total));
  EXPECT_EQ(start.first->kinetic, 0);
}

TEST(checkpoint, the_one_before_is_kept) {
  crystal c;
  c.write("c");
  auto const older = contents(c.folder / "c");
  c.header.step = 8;
  c.write("c");
  EXPECT_EQ(contents(c.folder / "c.previous"), older);
  EXPECT_EQ(c.read("c").step, 8);
  // As a kill between the two renames leaves it: both are one file.
  MPI_Barrier(c.comm.get());
  if (c.comm.rank() == 0) {
    std::filesystem::remove(c.folder / "c.previous");
    std::filesystem::create_hard_link(c.folder / "c", c.folder / "c.previous");
  }
  c.header.step = 9;
  c.write("c");
  EXPECT_EQ(c.read("c").step, 9);
  EXPECT_EQ(c.read("c.previous").step, 8);
  MPI_Barrier(c.comm.get());
  EXPECT_EQ(upsweep_test::files_in(c.folder), 2);
}

TEST(checkpoint, every_damaged_byte_and_every_cut_is_found) {
  crystal const c;
  c.write("c");
  auto const good = contents(c.folder / "c");
  // All of the first line and some of the rest; fewer on several ranks, which open the file together.
  std::size_t const less = c.comm.size() == 1 ? 1 : 13;
  for (std::size_t at = 0; at < good.size(); at += less * (at < 64 ? 1 : 97)) {
    auto bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    c.put("bad", bad);
    EXPECT_NE(c.refusal("bad"), "") << "byte " << at;
    c.put("bad", good.substr(0, at));
    EXPECT_NE(c.refusal("bad"), "") << "cut at " << at;
  }
  c.put("bad", good + "x");
  EXPECT_NE(c.refusal("bad").find("too long"), std::string::npos);
  c.put("bad", good);
  EXPECT_EQ(c.refusal("bad"), "");
}

TEST(checkpoint, what_is_wrong_is_said) {
  crystal const c;
  c.write("c");
  auto const good = contents(c.folder / "c");
  EXPECT_NE(c.refusal("none").find("No such file"), std::string::npos);
  c.put("bad", "ITEM: TIMESTEP\n" + std::string(100, '7'));
  EXPECT_NE(c.refusal("bad").find("no checkpoint of upsweep-nbody"), std::string::npos);
  auto other = good;
  other.replace(25, 1, "2");
  c.put("bad", other);
  EXPECT_NE(c.refusal("bad").find("of version 2 (expected version 1)"), std::string::npos) << c.refusal("bad");
  using change = std::array<std::string, 3>;
  for (auto const& [from, to, says] : std::vector<change>{
           {"\"particles\": 48", "\"particles\": 4000000000000000000", "cut short"},
           {"\"particles\": 48", "\"particles\": 0", "'particles' 1 or more"},
           {"\"particles\": 48", "\"particles\": -1", "'particles'"},
           {"\"particles\": 48", "\"particles\": 18446744073709551615", "'particles'"},
           {"\"particles\": 48", "\"particles\": 47", "too long"},
           {"\"particles\": 48", "\"particles\": \"48\"", "'particles'"},
           {"\"step\": 7", "\"step\": -7", "'step'"},
           {"\"step\": 7", "\"stop\": 7", "'step'"},
           {"\"dt\": 0.005", "\"dt\": 0", "'dt' above 0"},
           {"\"dt\": 0.005", "\"dt\": 1e999", "expected JSON"},
           {"\"dt\": 0.005", "\"dt\": 0.005, \"tau\": 1", "unknown key 'tau'"},
           {"\"dt\": 0.005", "\"dt\": 0.005, \"\\u001b[2J\": 1", "unknown key '?[2J'"},
           {"\"velocities\"", "\"velocity\"", "unknown array 'velocity'"},
           {"\"velocities\"", "\"positions\"", "array 'positions'"},
           {"\"columns\": 3", "\"columns\": 4", "columns"},
           {"\"<f8\"", "\"<f4\"", "columns of float64"},
           {"\"Ar\"", "\"A r\"", "'species'"},
           {"\"Ar\"", "18", "'species'"},
           {"{", "[", "expected JSON"},
       }) {
    c.put("bad", with_header(good, from, to));
    EXPECT_NE(c.refusal("bad").find(says), std::string::npos) << to << ": " << c.refusal("bad");
  }
  EXPECT_NE(c.refusal("").find("no regular file"), std::string::npos);
}

TEST(checkpoint, files_of_a_trajectory_begin_with_its_frames) {
  auto const read = [](nbody::trajectory_record const& record) {
    nbody::checkpoint_header header;
    header.step = 9;
    header.particles = 1;
    header.trajectory = record;
    auto const text = nbody::to_text(header).substr(nbody::bytes_of_first_line);
    return nbody::read_header("x", {text.size(), nbody::crc32_of(text.data(), text.size())}, text).trajectory;
  };
  EXPECT_EQ(read({100, 0, 7, {0, 3, 6}, {0, 6}})->files, (std::vector<std::int64_t>{0, 6}));
  EXPECT_TRUE(read({100, 50, 7, {0, 3, 6}, {}})->files.empty());
  EXPECT_THROW(read({100, 50, 7, {0, 3, 6}, {0, 6}}), upsweep::input_error);
  for (auto const& files : std::vector<std::vector<std::int64_t>>{{3, 6}, {0, 5}, {0, 6, 6}, {0, 6, 3}, {0, 9}})
    EXPECT_THROW(read({100, 0, 7, {0, 3, 6}, files}), upsweep::input_error);
}

/// Any header with the right checksum is refused by input_error, or makes sense.
TEST(fuzz, headers_of_checkpoints) {
  crystal const c;
  auto header = c.header;
  header.arrays = {{"positions", "<f8", 3, 1}, {"types", "<i4", 1, 2}};
  header.trajectory = nbody::trajectory_record{100, 0, 7, {0, 3, 6}, {0, 6}};
  header.rdf = nbody::rdf_record{3, 6, 2.5, {0, 1, 2}};
  header.msd = {{0, 0}, {5, 0.25}};
  auto const good = nbody::to_text(header).substr(nbody::bytes_of_first_line);
  std::mt19937 random(5);
  auto const below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  std::string const hostile =
      "{}[]\",:0123456789eE+-.\\\n \x01\xff"
      "truefalsn";
  int taken = 0;
  for (int k = 0; k < 20000; ++k) {
    auto text = good;
    for (auto changes = below(4); changes-- > 0;) {
      auto const at = below(text.size());
      switch (below(3)) {
        case 0: text[at] = hostile[below(hostile.size())]; break;
        case 1: text.erase(at, 1 + below(8)); break;
        default: text.insert(at, text.substr(below(text.size()), below(20))); break;
      }
    }
    try {
      auto const h = nbody::read_header("x", {text.size(), nbody::crc32_of(text.data(), text.size())}, text);
      ++taken;
      EXPECT_GE(h.particles, 1);
      EXPECT_GT(h.chosen.cutoff, 0);
      for (auto const& a : h.arrays) EXPECT_GT(nbody::bytes_of_row(a), 0u);
      auto const frames = h.trajectory.value_or(nbody::trajectory_record{});
      EXPECT_LE(frames.last_frame_at, frames.bytes);
      if (!frames.files.empty()) {
        EXPECT_EQ(frames.files.front(), frames.frames.front());
      }
    } catch (upsweep::input_error const&) {
    }
  }
  EXPECT_GT(taken, 100);
  EXPECT_LT(taken, 19000);
}

TEST(checkpoint, options_come_from_it_where_the_command_line_has_none) {
  nbody::checkpoint_header header;
  header.step = 50;
  header.chosen.cutoff = 1.5;
  header.chosen.dt = 0.001;
  auto const o = nbody::parse({"--restart", "c", "--dt", "0.002", "--steps", "60"}).values;
  auto const resumed = nbody::resumed_options(o, header);
  EXPECT_EQ(resumed.cutoff, 1.5);
  EXPECT_EQ(resumed.dt, 0.002);
  header.step = 61;
  EXPECT_THROW(nbody::resumed_options(o, header), upsweep::input_error);
}

TEST(checkpoint, a_thermostat_has_a_temperature) {
  nbody::checkpoint_header header;
  auto o = nbody::parse({"--restart", "c", "--thermostat", "langevin"}).values;
  EXPECT_THROW(nbody::resumed_options(o, header), upsweep::input_error);
  header.chosen.thermostat = "rescale";
  header.chosen.thermostat_temperature = 0.7;
  auto const resumed = nbody::resumed_options(o, header);
  EXPECT_EQ(resumed.thermostat, "langevin");
  EXPECT_EQ(resumed.thermostat_temperature, 0.7);
  header.chosen.thermostat = "none";
  o = nbody::parse({"--restart", "c", "--thermostat", "langevin", "--thermostat-temperature", "2"}).values;
  EXPECT_EQ(nbody::resumed_options(o, header).thermostat_temperature, 2);
}

}  // namespace

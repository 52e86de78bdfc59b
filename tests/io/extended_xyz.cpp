// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "data_file.hpp"

#include <upsweep/io/extended_xyz.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

using upsweep_test::temporary_folder;

upsweep::particle_data read(std::string const& text) {
  temporary_folder const folder;
  upsweep_test::write_file(folder / "x.xyz", text);
  return upsweep::read_extended_xyz(folder / "x.xyz");
}

std::string refusal(std::string const& text) {
  try {
    read(text);
    return {};
  } catch (upsweep::input_error const& e) {
    return e.what();
  }
}

std::string const box = "Lattice=\"3 0 0 1 4 0 -1 0.5 5\"";

TEST(extended_xyz, columns_in_any_order) {
  auto const p = read("2\n" + box +
                      " Origin=\"-1 -2 -3\" pbc=\"T T T\" energy=-3 note=\"a = b\" "
                      "Properties=id:I:1:tag:S:2:velo:R:3:pos:R:3:map_shift:I:3:type:I:1\n"
                      "9 a b 4 5 6 1 2 +3 0 0 -1 2\r\n7 a b 0 0 1e-400 .5 -0.5 0 1 0 0 1\n\n\n");
  EXPECT_EQ(p.ids, (std::vector<std::int64_t>{7, 9}));
  EXPECT_EQ(p.types, (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(p.positions, (std::vector<double>{0.5, -0.5, 0, 1, 2, 3}));
  EXPECT_EQ(p.velocities, (std::vector<double>{0, 0, 0, 4, 5, 6}));
  EXPECT_EQ(p.image_flags, (std::vector<std::int32_t>{1, 0, 0, 0, 0, -1}));
  EXPECT_EQ(p.lo, (std::array<double, 3>{-1, -2, -3}));
  EXPECT_EQ(p.hi, (std::array<double, 3>{2, 2, 2}));
  EXPECT_EQ(p.tilt, (std::array<double, 3>{1, -1, 0.5}));
  EXPECT_EQ(p.skipped, (std::vector<std::string>{"energy", "note", "tag"}));
}

TEST(extended_xyz, open_directions_of_the_last_frame) {
  EXPECT_EQ(read("1\n" + box + "\nX 0 0 0").periodic, (std::array<bool, 3>{true, true, true}));
  EXPECT_EQ(read("1\n" + box + " pbc=\"T  T F \"\nX 0 0 0").periodic, (std::array<bool, 3>{true, true, false}));
  EXPECT_EQ(read("1\n" + box + " pbc=\"False true F\"\nX 0 0 0").periodic, (std::array<bool, 3>{false, true, false}));
  EXPECT_EQ(read("1\n" + box + " pbc=\"F F F\"\nX 0 0 0\n1\n" + box + "\nX 0 0 0").periodic,
            (std::array<bool, 3>{true, true, true}));
}

TEST(extended_xyz, species_are_types_in_order_of_appearance) {
  auto const p = read("3\n" + box + "\nKr 0 0 0\nAr 1 1 1\nKr 2 2 2");
  EXPECT_EQ(p.types, (std::vector<std::int32_t>{1, 2, 1}));
  EXPECT_EQ(p.ids, (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(p.velocities, std::vector<double>(9));
  EXPECT_EQ(p.species, (std::map<std::int32_t, std::string>{{1, "Kr"}, {2, "Ar"}}));
}

TEST(extended_xyz, types_have_names_where_each_has_one) {
  std::string const head = "3\n" + box + " Properties=species:S:1:pos:R:3:type:I:1\nKr 0 0 0 7\nAr 1 1 1 2\n";
  EXPECT_EQ(read(head + "Kr 2 2 2 7").species, (std::map<std::int32_t, std::string>{{7, "Kr"}, {2, "Ar"}}));
  EXPECT_TRUE(read(head + "Ar 2 2 2 7").species.empty());
}

TEST(extended_xyz, the_last_frame_counts) {
  auto const p = read("1\n" + box + " time=1\nKr 0 0 0\n2\nLattice=\"9 0 0 0 9 0 0 0 9\"\nAr 1 1 1\nKr 2 2 2\n");
  EXPECT_EQ(p.size(), 2u);
  EXPECT_EQ(p.hi[0], 9);
  EXPECT_EQ(p.tilt[0], 0);
  EXPECT_EQ(p.types[0], 1);
  EXPECT_TRUE(p.skipped.empty());
}

TEST(extended_xyz, masses_of_particles) {
  for (std::string const name : {"mass", "masses"}) {
    auto const p = read("2\n" + box + " Properties=id:I:1:" + name + ":R:1:pos:R:3\n9 2.5 1 2 3\n7 1e-3 0 1 0\n");
    EXPECT_EQ(p.particle_masses, (std::vector<double>{1e-3, 2.5}));
    EXPECT_TRUE(p.masses.empty());
    EXPECT_TRUE(p.skipped.empty());
  }
  EXPECT_TRUE(read("1\n" + box + "\nKr 0 0 0\n").particle_masses.empty());
}

TEST(extended_xyz, gzip_too) {
  temporary_folder const folder;
  upsweep_test::write_gzip(folder / "x.xyz.gz", "1\n" + box + "\nKr 0 0 0\n");
  EXPECT_EQ(upsweep::read_extended_xyz(folder / "x.xyz.gz").size(), 1u);
}

TEST(extended_xyz, what_is_wrong_is_said) {
  for (auto const& [text, says] : std::vector<std::pair<std::string, std::string>>{
           {"", "no frame"},
           {"\n", "x.xyz:1: number of particles is ''"},
           {"0\n" + box, "x.xyz:1: number of particles is '0'"},
           {"-1\n", "number of particles is '-1'"},
           {"1 2\n", "number of particles"},
           {"1", "cut short (expected Lattice"},
           {"1\nProperties=pos:R:3\n0 0 0", "x.xyz:2: no Lattice"},
           {"1\nLattice=\"1 0 0 0 1 0 0 0\"\n", "Lattice is ''"},
           {"1\nLattice=\"1 0 0 0 1 0 0 0 1 1\"\n", "more numbers (expected 9)"},
           {"1\nLattice=\"1 0 1 0 1 0 0 0 1\"\n", "expected a along x"},
           {"1\nLattice=\"1 0 0 0 -1 0 0 0 1\"\n", "expected a along x"},
           {"1\nLattice=\"nan 0 0 0 1 0 0 0 1\"\n", "Lattice is 'nan'"},
           {"1\nLattice=\"1 0 0\n", "no end of the value of 'Lattice'"},
           {"1\n" + box + " pbc=\"T T\"\n0 0 0", "pbc is 'T T' (expected three of T and F"},
           {"1\n" + box + " pbc=\"T T F T\"\n0 0 0", "pbc is 'T T F T'"},
           {"1\n" + box + " pbc=\"1 T T\"\n0 0 0", "pbc is '1 T T'"},
           {"1\n" + box + " Origin=\"1 2\"\n", "Origin is ''"},
           {"1\n" + box + " Origin=\"1e300 0 0\"\nX 0 0 0", "a box without a size"},
           {"1\n" + box + " " + box + "\nX 0 0 0", "x.xyz:2: 'Lattice' given twice"},
           {"1\n" + box + " Lattice\nX 0 0 0", "'Lattice' given twice"},
           {"1\n" + box + " Origin=\"0 0 0\" Time=1 Origin=\"1 0 0\"\nX 0 0 0", "'Origin' given twice"},
           {"1\n" + box + " pbc=\"T T T\" pbc=\"T T T\"\nX 0 0 0", "'pbc' given twice"},
           {"1\n" + box + " Properties=pos:R:3 Properties=pos:R:3\n0 0 0", "'Properties' given twice"},
           {"1\n" + box + " Properties=pos:R:2\n0 0", "expected pos:R:3"},
           {"1\n" + box + " Properties=species:S:1\nX", "expected pos:R:3 among them"},
           {"1\n" + box + " Properties=pos:R:3:pos:R:3\n", "expected pos once"},
           {"1\n" + box + " Properties=pos:R:3:a:R:18446744073709551615\n", "at most 1000 columns"},
           {"1\n" + box + " Properties=pos:R:3:a:R:99999\n", "at most 1000 columns"},
           {"1\n" + box + " Properties=pos:R:3:a\n", "name:type:columns"},
           {"1\n" + box + "\nX 0 0", "x.xyz:3: cut short (expected 4 columns)"},
           {"1\n" + box + "\nX 0 0 0 0", "more than 4 columns"},
           {"1\n" + box + "\nX 0 0 inf", "a coordinate is 'inf'"},
           {"1\n" + box + "\nX 0 0 0,5", "a coordinate is '0,5'"},
           {"4000000000000000000\n" + box + "\nX 0 0 0\n", "cut short after 1 particles"},
           {"1\n" + box + "\nX 0 0 0\nX 0 0 0\n", "x.xyz:4: number of particles is 'X'"},
           {"1\n" + box + " Properties=pos:R:3:type:I:1\n0 0 0 0", "type is 0"},
           {"1\n" + box + " Properties=pos:R:3:mass:R:1\n0 0 0 0", "x.xyz:3: a mass is '0' (expected more than 0)"},
           {"1\n" + box + " Properties=pos:R:3:mass:R:1\n0 0 0 inf", "a mass is 'inf'"},
           {"1\n" + box + " Properties=pos:R:3:mass:R:3\n0 0 0 1 1 1", "expected mass:R:1"},
           {"1\n" + box + " Properties=pos:R:3:mass:R:1:masses:R:1\n0 0 0 1 1", "expected masses once"},
           {"2\n" + box + " Properties=pos:R:3:id:I:1\n0 0 0 5\n0 0 0 5", "id 5 twice"},
       }) {
    EXPECT_NE(refusal(text).find(says), std::string::npos) << text << ": " << refusal(text);
    EXPECT_NE(refusal(text).find("(expected "), std::string::npos) << refusal(text);
  }
  EXPECT_NE(refusal(std::string("1\n\0", 3)).find("a zero byte"), std::string::npos);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "data_file.hpp"

#include <numeric>

namespace {

using upsweep_test::pieces;
using upsweep_test::read_text;
using doubles = std::vector<double>;
using ids = std::vector<std::int64_t>;

TEST(lammps_data, reads_everything) {
  auto const p = read_text(pieces{});
  EXPECT_EQ(p.size(), 2u);
  EXPECT_EQ(p.lo, (std::array<double, 3>{0, 0, 0}));
  EXPECT_EQ(p.hi, (std::array<double, 3>{10, 10, 10}));
  EXPECT_EQ(p.masses, doubles{1.5});
  EXPECT_EQ(p.ids, (ids{1, 2}));
  EXPECT_EQ(p.types, (std::vector<std::int32_t>{1, 1}));
  EXPECT_EQ(p.positions, (doubles{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(p.velocities, (doubles{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}));
  EXPECT_EQ(p.image_flags, (std::vector<std::int32_t>(6, 0)));
}

TEST(lammps_data, shipped_system) {
  auto const p = upsweep::read_lammps_data(UPSWEEP_SOURCE_DIR "/data/lj32000_step0.data.gz");
  ASSERT_EQ(p.size(), 32000u);
  EXPECT_EQ(p.ids.front(), 1);
  EXPECT_EQ(p.ids.back(), 32000);
  EXPECT_EQ(p.hi[2], 33.59192382765015);
  EXPECT_EQ(p.positions[3], 0.8397980956912536);
  EXPECT_EQ(p.velocities[2], -2.01722216596886);
  double const twice_kinetic = std::inner_product(p.velocities.begin(), p.velocities.end(), p.velocities.begin(), 0.0);
  EXPECT_NEAR(twice_kinetic / (3 * 32000 - 3), 1.44, 1e-12);
}

TEST(lammps_data, any_order_of_atoms_and_sections) {
  auto const p = read_text(
      "title\r\n0 1 zlo zhi\n2 atom types\n-1 1 xlo xhi # borders\n0 2 ylo yhi\n3\tatoms\n0 0 0 xy xz yz\n\n"
      "Velocities\n\n9 1 2 3\n7 4 5 6\n\n# between\n1000000000000 7 8 9\n"
      "Atoms  # atomic\n\n7 2 .5 +0.5 5e-1\r\n1000000000000 1 -3 0 7 # outside\n9 1 0 0 1e-400 \n"
      "Masses\n\n2 4\n1 3\n");
  EXPECT_EQ(p.ids, (ids{7, 9, 1000000000000}));
  EXPECT_EQ(p.types, (std::vector<std::int32_t>{2, 1, 1}));
  EXPECT_EQ(p.positions, (doubles{0.5, 0.5, 0.5, 0, 0, 0, -3, 0, 7}));
  EXPECT_EQ(p.velocities, (doubles{4, 5, 6, 1, 2, 3, 7, 8, 9}));
  EXPECT_EQ(p.masses, (doubles{3, 4}));
  EXPECT_EQ(p.lo[0], -1);
}

TEST(lammps_data, tilted_box) {
  EXPECT_EQ(read_text(pieces{}).tilt, (std::array<double, 3>{0, 0, 0}));
  // The line may stand before the borders, and a tilt may be longer than the box.
  auto const p = read_text(pieces{.types = "1 atom types\n-2.5 0.25 1e2 xy xz yz"});
  EXPECT_EQ(p.tilt, (std::array<double, 3>{-2.5, 0.25, 100}));
  EXPECT_EQ(p.hi, (std::array<double, 3>{10, 10, 10}));
}

TEST(lammps_data, sections_of_others_are_skipped_and_named) {
  auto const p = read_text(
      "title\n2 atoms\n1 bonds\n2 atom types\n1 bond types\n2 extra bond per atom\n"
      "0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n"
      "Pair Coeffs # lj/cut\n\n1 1.0 1.0\n2 1.0 1.0\n\nPairIJ   Coeffs\n\n1 1 1 1\n1 2 1 1\n2 2 1 1\n\n"
      "Bond Coeffs # harmonic\n\n1 harmonic 80 1.2\n\nAtom Type Labels\n\n1 A\n2 B\n\n"
      "Atoms # full\n\n2 1 2 -0.5 0.1 0.2 0.3 -1 0 2\n1 1 1 0.5 0.4 0.5 0.6 0 0 0\n\nBonds\n\n1 1 1 2\n");
  EXPECT_EQ(p.types, (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(p.positions, (doubles{0.4, 0.5, 0.6, 0.1, 0.2, 0.3}));
  EXPECT_EQ(p.image_flags, (std::vector<std::int32_t>{0, 0, 0, -1, 0, 2}));
  EXPECT_TRUE(p.masses.empty());
  EXPECT_EQ(p.velocities, doubles(6, 0.0));
  EXPECT_EQ(p.skipped, (std::vector<std::string>{"Pair Coeffs", "PairIJ Coeffs", "Bond Coeffs"}));
}

TEST(lammps_data, sphere_has_long_velocities) {
  auto const p = read_text(pieces{.atoms_name = "Atoms # sphere",
                                  .atom_1 = "1 1 1.0 1.0 1 2 3",
                                  .atom_2 = "2 1 1.0 1.0 4 5 6",
                                  .velocity_1 = "1 1 2 3 9 9 9",
                                  .velocity_2 = "2 4 5 6 9 9 9"});
  EXPECT_EQ(p.positions, (doubles{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(p.velocities, (doubles{1, 2, 3, 4, 5, 6}));
}

TEST(lammps_data, no_atoms) {
  auto const p = read_text("t\n0 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n");
  EXPECT_EQ(p.size(), 0u);
}

TEST(lammps_data, gzip_is_the_same) {
  upsweep_test::temporary_folder folder;
  upsweep_test::write_gzip(folder / "a.data.gz", pieces{});
  EXPECT_EQ(upsweep::read_lammps_data(folder / "a.data.gz").positions, (doubles{1, 2, 3, 4, 5, 6}));
}

TEST(lammps_data, gzip_files_of_several_members) {
  std::string const text = pieces{};
  upsweep_test::temporary_folder folder;
  auto const packed = [&](std::string const& part) {
    upsweep_test::write_gzip(folder / "part", part);
    return upsweep_test::file_contents(folder / "part");
  };
  for (std::size_t cut : {std::size_t(0), std::size_t(1), text.find("4.0 5.0"), text.find("Velocities"), text.size()}) {
    for (auto const& padding : {std::string(), std::string(3, '\0')}) {
      upsweep_test::write_file(folder / "a.gz", packed(text.substr(0, cut)) + packed(text.substr(cut)) + padding);
      EXPECT_EQ(upsweep::read_lammps_data(folder / "a.gz").velocities, (doubles{0.1, 0.2, 0.3, 0.4, 0.5, 0.6})) << cut;
    }
  }
  // Only the first byte shows that a file of another name is packed.
  upsweep_test::write_file(folder / "a.data", packed(text));
  EXPECT_EQ(upsweep::read_lammps_data(folder / "a.data").size(), 2u);
}

TEST(lammps_data, many_comment_lines) {
  std::string comments;
  for (int i = 0; i < 100000; ++i) comments += "# a table that some tool writes in front\n";
  EXPECT_EQ(read_text(pieces{.types = "1 atom types\n" + comments}).size(), 2u);
}

TEST(lammps_data, last_line_without_end) {
  std::string text = pieces{};
  text.pop_back();
  EXPECT_EQ(read_text(text).velocities.back(), 0.6);
}

TEST(lammps_data, many_atoms_across_buffers) {
  constexpr int n = 60000;
  std::string text =
      "t\n" + std::to_string(n) + " atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\nAtoms # atomic\n\n";
  for (int i = n; i > 0; --i) text += std::to_string(i) + " 1 " + std::to_string(i) + ".000000000000000 0.25 0.5\n";
  auto const p = read_text(text);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(p.ids[i], static_cast<std::int64_t>(i + 1));
    ASSERT_EQ(p.positions[3 * i], static_cast<double>(i + 1));
  }
}

}  // namespace

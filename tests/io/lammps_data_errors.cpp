// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "data_file.hpp"

#include <random>

namespace {

using upsweep_test::error_of;
using upsweep_test::pieces;
using upsweep_test::refused;

TEST(lammps_data_errors, good_pieces_are_good) { EXPECT_EQ(error_of(pieces{}), "no error"); }

TEST(lammps_data_errors, files) {
  upsweep_test::temporary_folder folder;
  EXPECT_THROW(upsweep::read_lammps_data(folder / "missing.data"), upsweep::input_error);
  EXPECT_THROW(upsweep::read_lammps_data(folder.path()), upsweep::input_error);
  EXPECT_TRUE(refused("", 1, "the file is empty"));
  EXPECT_TRUE(refused("title", 1, "header ends here without 'atoms', 'atom types', 'xlo xhi'"));
}

TEST(lammps_data_errors, header) {
  EXPECT_TRUE(refused(
      pieces{.atoms = "1000000000000000000 atoms"}, 18,
      "'Velocities' begins after 2 lines of section 'Atoms' (expected 1000000000000000000, from 'atoms' in line 3)"));
  EXPECT_TRUE(refused(pieces{.atoms = "10000000000000000000 atoms"}, 3, "number of atoms out of range"));
  EXPECT_TRUE(refused(pieces{.atoms = "-2 atoms"}, 3, "number of atoms out of range"));
  EXPECT_TRUE(refused(pieces{.atoms = "2.5 atoms"}, 3, "'2.5' (expected an integer)"));
  EXPECT_TRUE(refused(pieces{.atoms = "2 3 atoms"}, 3, "behind 2 numbers"));
  EXPECT_TRUE(refused(pieces{.atoms = "2 atmos"}, 3, "unknown header line '2 atmos'"));
  EXPECT_TRUE(refused(pieces{.atoms = "2 atoms\n2 atoms"}, 4, "given twice (expected once; first in line 3)"));
  EXPECT_TRUE(refused(pieces{.atoms = ""}, 10, "without 'atoms'"));
  EXPECT_TRUE(refused(pieces{.types = ""}, 10, "without 'atom types'"));
  EXPECT_TRUE(refused(pieces{.types = "3000000000 atom types"}, 4, "out of range"));
  EXPECT_TRUE(refused(pieces{.types = "1 atom types\n1 extra bond per atom\n1 extra bond per atom"}, 6,
                      "given twice (expected once; first in line 5)"));
  EXPECT_TRUE(refused(pieces{.types = "1 atom types\nFoo"}, 5, "unknown section 'Foo'"));
}

TEST(lammps_data_errors, box) {
  EXPECT_TRUE(refused(pieces{.x = ""}, 10, "without 'xlo xhi'"));
  EXPECT_TRUE(refused(pieces{.x = "0 0 xlo xhi"}, 5, "(expected lo < hi)"));
  EXPECT_TRUE(refused(pieces{.y = "3 -3 ylo yhi"}, 6, "runs from 3 to -3 in y"));
  EXPECT_TRUE(refused(pieces{.z = "nan 1 zlo zhi"}, 7, "box size 'nan'"));
  EXPECT_TRUE(refused(pieces{.z = "0 inf zlo zhi"}, 7, "finite"));
  EXPECT_TRUE(refused(pieces{.z = "0 1e999 zlo zhi"}, 7, "finite"));
  EXPECT_TRUE(refused(pieces{.z = "-1e308 1e308 zlo zhi"}, 7, "too long"));
  EXPECT_TRUE(refused(pieces{.z = "0 1 2 zlo zhi"}, 7, "behind 3 numbers"));
  EXPECT_TRUE(refused(pieces{.z = "0 10 zlo zhi\n0 9 zlo zhi"}, 8, "given twice"));
  EXPECT_TRUE(refused(pieces{.z = "0 10 zlo zhi\n0 0.5 xy xz yz"}, 8, "behind 2 numbers (expected 3)"));
  EXPECT_TRUE(refused(pieces{.z = "0 10 zlo zhi\n0 nan 0 xy xz yz"}, 8,
                      "box size 'nan' before 'xy xz yz' (expected a finite number)"));
  EXPECT_TRUE(refused(pieces{.z = "0 10 zlo zhi\n0 1 0 xy xz yz\n0 1 0 xy xz yz"}, 9,
                      "given twice (expected once; first in line 8)"));
  EXPECT_TRUE(refused(pieces{.z = "0 10 zlo zhi\n1 0 0 avec"}, 8, "not supported yet"));
}

TEST(lammps_data_errors, counts) {
  EXPECT_TRUE(refused(pieces{.atoms = "3 atoms"}, 18, "'Velocities' begins after 2 lines of section 'Atoms'"));
  EXPECT_TRUE(refused(pieces{.atoms = "1 atoms"}, 16, "a line behind the end of section 'Atoms'"));
  EXPECT_TRUE(refused(pieces{.velocity_2 = ""}, 21, "the file ends after 1 lines of section 'Velocities'"));
  EXPECT_TRUE(refused(pieces{.tail = "3 0 0 0\n"}, 22, "a line behind the end of section 'Velocities'"));
  EXPECT_TRUE(refused(pieces{.types = "2 atom types"}, 13, "'Atoms' begins after 1 lines of section 'Masses'"));
  EXPECT_TRUE(refused(pieces{.tail = "\nBonds\n\n1 1 1 2\n"}, 23, "without a count (expected 'bonds'"));
  EXPECT_TRUE(refused(pieces{.types = "1 atom types\n2 bonds", .tail = "\nBonds\n\n1 1 1 2\n"}, 26,
                      "the file ends after 1 lines of section 'Bonds'"));
  EXPECT_TRUE(refused(pieces{.tail = "\nBodies\n"}, 23, "without a count (expected 'bodies'"));
  EXPECT_TRUE(
      refused(pieces{.tail = "\nVelocities\n\n1 0 0 0\n"}, 23, "given twice (expected once; first in line 18)"));
  EXPECT_TRUE(refused(pieces{.tail = "\nMoon Phases\n\n1 0 0 0\n"}, 23, "unknown section 'Moon Phases'"));
  EXPECT_TRUE(refused("t\n2 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nMasses\n\n1 1\n", 10,
                      "without section 'Atoms'"));
}

TEST(lammps_data_errors, atoms) {
  EXPECT_TRUE(refused(pieces{.atom_2 = "1 1 4 5 6"}, 16, "atom id 1 given twice (expected once; first in line 15"));
  EXPECT_TRUE(refused(pieces{.atom_2 = "2 2 4 5 6"}, 16, "atom type '2' out of range (expected 1 to 1)"));
  EXPECT_TRUE(refused(pieces{.atom_2 = "2 0 4 5 6"}, 16, "atom type '0' out of range"));
  EXPECT_TRUE(refused(pieces{.atom_2 = "2 C 4 5 6"}, 16, "atom type is 'C'"));
  EXPECT_TRUE(refused(pieces{.atom_2 = "x 1 4 5 6"}, 16, "atom id is 'x'"));
  EXPECT_TRUE(refused(pieces{.atom_2 = "0 1 4 5 6"}, 16, "atom id '0' out of range"));
  EXPECT_TRUE(refused(pieces{.atom_2 = "9223372036854775808 1 4 5 6"}, 16, "out of range"));
  EXPECT_TRUE(refused(pieces{.atom_2 = "2 1 nan 5 6"}, 16, "coordinate is 'nan' (expected a finite number)"));
  EXPECT_TRUE(refused(pieces{.atom_2 = "2 1 4 -inf 6"}, 16, "coordinate is '-inf'"));
  EXPECT_TRUE(refused(pieces{.atom_2 = "2 1 4 5 1e999"}, 16, "coordinate is '1e999'"));
  EXPECT_TRUE(refused(pieces{.atom_2 = "2 1 4 5 6x"}, 16, "coordinate is '6x' (expected a number)"));
  EXPECT_TRUE(refused(pieces{.atom_2 = "2 1 4 5 6 7"}, 16, "an atom with 6 columns (expected 5"));
  EXPECT_TRUE(refused(pieces{.atom_2 = "2 1 4 5"}, 16, "an atom with 4 columns"));
  EXPECT_TRUE(
      refused(pieces{.atom_1 = "1 1 1 2 3 4"}, 15, "style atomic with 6 columns (expected 5, or 8 with image flags)"));
  EXPECT_TRUE(refused(pieces{.atom_1 = "1 1 1 2 3 0 0 0.5"}, 15, "image flag is '0.5'"));
}

TEST(lammps_data_errors, styles) {
  EXPECT_TRUE(refused(pieces{.atoms_name = "Atoms", .atom_1 = "1 1 1 1 2 3"}, 15, "an atom with 6 columns"));
  EXPECT_TRUE(refused(pieces{.atoms_name = "Atoms", .atom_1 = "1 1 1 2"}, 15, "an atom with 4 columns"));
  EXPECT_TRUE(refused(pieces{.atoms_name = "Atoms", .atom_1 = "1 1 1 2 3 4 5 6 7"}, 15, "an atom with 9 columns"));
  EXPECT_TRUE(refused(pieces{.atoms_name = "Atoms", .atom_1 = "1 2 1 2 3"}, 15, "atom type '2' out of range"));
  EXPECT_TRUE(refused(pieces{.atoms_name = "Atoms # template", .atom_1 = "1 1 1 1 2 .1 .2 .3"}, 15,
                      "atom type '2' out of range"));
}

TEST(lammps_data_errors, velocities_and_masses) {
  EXPECT_TRUE(
      refused(pieces{.velocity_2 = "3 0 0 0"}, 21, "velocity of atom id 3, which section 'Atoms' does not have"));
  EXPECT_TRUE(refused(pieces{.velocity_2 = "1 0 0 0"}, 21,
                      "velocity of atom id 1 given twice (expected once; first in line 20"));
  EXPECT_TRUE(refused(pieces{.velocity_2 = "2 0 0"}, 21, "a velocity with 3 columns (expected 4"));
  EXPECT_TRUE(
      refused(pieces{.velocity_1 = "1 0 0"}, 20, "a velocity with 3 columns (expected 4: atom id, vx, vy, vz)"));
  EXPECT_TRUE(
      refused(pieces{.velocity_1 = "1 0 0 0 0", .velocity_2 = "2 0 0 0 0"}, 20, "(expected 4 for atom style atomic)"));
  EXPECT_TRUE(refused(pieces{.atoms_name = "Atoms # wavepacket",
                             .atom_1 = "1 1 1 0 1.5 3 0 0 .1 .2 .3",
                             .atom_2 = "2 1 1 0 1.5 3 0 0 .1 .2 .3"},
                      20, "(expected 5 for atom style wavepacket)"));
  EXPECT_TRUE(refused(pieces{.velocity_2 = "2 0 0 nan"}, 21, "velocity is 'nan'"));
  EXPECT_TRUE(refused(pieces{.masses = "1 0"}, 12, "mass 0"));
  EXPECT_TRUE(refused(pieces{.masses = "1 -1"}, 12, "(expected more than 0)"));
  EXPECT_TRUE(refused(pieces{.masses = "2 1"}, 12, "atom type '2' out of range"));
  EXPECT_TRUE(refused(pieces{.masses = "1 1 1"}, 12, "trailing text"));
  EXPECT_TRUE(refused(pieces{.types = "2 atom types", .masses = "1 1\n1 2"}, 13, "mass of type 1 given twice"));
}

TEST(lammps_data_errors, binary_and_damaged_files) {
  EXPECT_TRUE(refused(std::string("\x7f"
                                  "ELF\0\0\0\0",
                                  8),
                      1, "a zero byte"));
  std::string text = pieces{};
  text[text.find("4.0 5.0")] = '\0';
  EXPECT_TRUE(refused(text, 16, "a zero byte"));
  EXPECT_TRUE(refused("title\n" + std::string(3 << 20, 'x'), 2, "a line of more than"));
  std::mt19937 random(1);
  std::string junk(100000, ' ');
  for (char& c : junk) c = static_cast<char>(random());
  EXPECT_NE(error_of(junk), "no error");
}

TEST(lammps_data_errors, truncated_at_every_byte) {
  // Where a cut leaves complete sections, perhaps with a shorter last number, it cannot be distinguished from a good
  // file.
  std::string const text = pieces{};
  auto const good_from = text.find("5.0 6.0") + 5, good_to = text.find("Velocities") + 1;
  for (std::size_t n = 0; n + 3 < text.size(); ++n) {
    if (n >= good_from && n < good_to) continue;
    auto const message = error_of(text.substr(0, n));
    ASSERT_NE(message.find("test.data:"), std::string::npos) << n << " bytes: " << message;
  }
}

TEST(lammps_data_errors, damaged_gzip) {
  upsweep_test::temporary_folder folder;
  auto const path = folder / "a.gz";
  upsweep_test::write_gzip(path, pieces{});
  std::string const good = upsweep_test::file_contents(path);
  for (std::size_t n = 2; n < good.size(); n += 7) {
    upsweep_test::write_file(path, good.substr(0, n));
    EXPECT_THROW(upsweep::read_lammps_data(path), upsweep::input_error) << n << " bytes";
  }
  std::string bad = good;
  bad[good.size() / 2] ^= 0x55;
  upsweep_test::write_file(path, bad);
  EXPECT_THROW(upsweep::read_lammps_data(path), upsweep::input_error);
}

/// What the reader says about a gzip file with these bytes, without the folder in front; "good" for the usual
/// particles.
std::string gzip_error_of(std::string const& bytes) {
  upsweep_test::temporary_folder folder;
  upsweep_test::write_file(folder / "a.gz", bytes);
  try {
    auto const p = upsweep::read_lammps_data(folder / "a.gz");
    auto const expected = upsweep_test::read_text(pieces{});
    return p.positions == expected.positions && p.velocities == expected.velocities ? "good" : "other particles";
  } catch (upsweep::input_error const& e) {
    return std::string(e.what()).substr(folder.path().string().size() + 1);
  }
}

std::string gzip_of(std::string const& text) {
  upsweep_test::temporary_folder folder;
  upsweep_test::write_gzip(folder / "a.gz", text);
  return upsweep_test::file_contents(folder / "a.gz");
}

TEST(lammps_data_errors, every_damaged_byte_of_a_gzip_file_is_found) {
  std::string const good = gzip_of(pieces{});
  ASSERT_EQ(gzip_error_of(good), "good");
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (int const flip : {0x01, 0x80, 0xff}) {
      auto bad = good;
      bad[i] = static_cast<char>(bad[i] ^ flip);
      auto const message = gzip_error_of(bad);
      // Some bits mean nothing: the time in the header, and what fills the last byte.
      EXPECT_TRUE(message == "good" || message.starts_with("a.gz:")) << "byte " << i << ": " << message;
      EXPECT_TRUE(i >= 3 || message.starts_with("a.gz:1: the compressed file is damaged: ")) << i << ": " << message;
    }
  }
  for (std::size_t n = 1; n < good.size(); ++n)
    EXPECT_NE(gzip_error_of(good.substr(0, n)).find("the compressed file is truncated"), std::string::npos)
        << n << " bytes";
  EXPECT_NE(gzip_error_of("title\n").find("a.gz:1: the compressed file is damaged: "), std::string::npos);
}

TEST(lammps_data_errors, damaged_second_member_of_a_gzip_file) {
  // Where the first member ends with a complete section, the file would be good without the second.
  std::string const text = pieces{};
  auto const cut = text.find("Velocities");
  auto const first = gzip_of(text.substr(0, cut)), second = gzip_of(text.substr(cut));
  ASSERT_EQ(gzip_error_of(first), "other particles");
  ASSERT_EQ(gzip_error_of(first + second), "good");
  for (std::size_t i = 0; i < second.size(); ++i) {
    auto bad = second;
    bad[i] = static_cast<char>(bad[i] ^ 0xff);
    auto const message = gzip_error_of(first + bad);
    EXPECT_TRUE(message == "good" || message.starts_with("a.gz:")) << "byte " << i << ": " << message;
    EXPECT_TRUE(i == 0 || gzip_error_of(first + second.substr(0, i)).starts_with("a.gz:")) << i << " bytes";
  }
  EXPECT_NE(gzip_error_of(first + "Velocities").find("other bytes behind the end of the gzip data"), std::string::npos);
}

TEST(lammps_data_errors, line_ends_without_data_are_refused_early) {
  EXPECT_TRUE(refused("title\n" + std::string(1'000'002, '\n'), 1'000'002, "nothing but blank lines and comments"));
  EXPECT_TRUE(refused(pieces{.tail = std::string(1'100'000, '\n')}, 1'000'022, "nothing but blank lines and comments"));
  std::string comments;
  while (comments.size() < (std::size_t(1) << 26)) comments += "#" + std::string(1 << 16, 'x') + "\n";
  EXPECT_NE(error_of("title\n" + comments).find("nothing but blank lines and comments"), std::string::npos);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Sections beside those of atoms: bonds, labels of types, and what is skipped.
#include "data_file.hpp"

namespace {

using upsweep_test::pieces;
using upsweep_test::read_text;
using upsweep_test::refused;
using integers = std::vector<std::int64_t>;
using types = std::vector<std::int32_t>;
using names = std::vector<std::string>;

TEST(lammps_bonds, join_particles_by_their_place) {
  // Atoms 7, 9 and 10^12 are particles 0, 1 and 2, wherever sections are.
  auto const p = read_text(
      "t\n3 atoms\n3 bonds\n1 atom types\n4 bond types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n"
      "Bonds # harmonic\n\n17 4 1000000000000 7\n1 1 9 7 # twice\n2 1 9 7\n\n"
      "Atoms # bond\n\n9 1 1 0 0 0\n1000000000000 1 1 0 0 0\n7 2 1 0 0 0\n");
  EXPECT_EQ(p.ids, (integers{7, 9, 1000000000000}));
  EXPECT_EQ(p.molecules, (integers{2, 1, 1})) << "in the order of the ids";
  EXPECT_EQ(p.bonds, (integers{2, 0, 1, 0, 1, 0}));
  EXPECT_EQ(p.bond_types, (types{4, 1, 1}));
  EXPECT_TRUE(p.skipped.empty());
}

TEST(lammps_bonds, charges_and_radii_follow_the_ids) {
  auto const p = read_text(pieces{.atoms_name = "Atoms # hybrid charge sphere",
                                  .atom_1 = "2 1 1 2 3 -1 4 1",
                                  .atom_2 = "1 1 4 5 6 2 1 1",
                                  .velocity_1 = "1 0 0 0 0 0 0",
                                  .velocity_2 = "2 0 0 0 0 0 0"});
  EXPECT_EQ(p.charges, (std::vector<double>{2, -1}));
  EXPECT_EQ(p.radii, (std::vector<double>{0.5, 2}));
  EXPECT_EQ(p.positions, (std::vector<double>{4, 5, 6, 1, 2, 3}));
}

/// The pieces with a section Bonds of this one line, which is line 26.
pieces with_bond(std::string const& line, std::string const& header = "1 bonds\n2 bond types") {
  return {.types = "1 atom types\n" + header, .tail = "\nBonds\n\n" + line + "\n"};
}

TEST(lammps_bonds, what_is_wrong_is_said) {
  EXPECT_TRUE(read_text(with_bond("1 2 1 2")).bonds == (integers{0, 1}));
  EXPECT_TRUE(refused(with_bond("1 2 1 3"), 27, "bond of atom id 3, which section 'Atoms' does not have"));
  EXPECT_TRUE(refused(with_bond("1 2 2 2"), 27, "a bond of atom id 2 with itself (expected two atoms)"));
  EXPECT_TRUE(refused(with_bond("1 3 1 2"), 27, "bond type '3' out of range (expected 1 to 2)"));
  EXPECT_TRUE(refused(with_bond("1 0 1 2"), 27, "bond type '0' out of range"));
  EXPECT_TRUE(refused(with_bond("1 1 1"), 27, "atom id is '' (expected an integer)"));
  EXPECT_TRUE(refused(with_bond("1 1 1 2 3"), 27, "trailing text behind a bond"));
  EXPECT_TRUE(refused(with_bond("x 1 1 2"), 27, "bond number is 'x'"));
  EXPECT_TRUE(refused(with_bond("1 1 1 0"), 27, "atom id '0' out of range"));
  EXPECT_TRUE(refused(with_bond("1 1 1 2.0"), 27, "atom id is '2.0'"));
  EXPECT_TRUE(refused(with_bond("1 1 1 2", "9000000000000000000 bonds"), 26, "after 1 lines of section 'Bonds'"));
  EXPECT_EQ(read_text(with_bond("1 99 1 2", "1 bonds")).bond_types, (types{99}))
      << "no number of types to compare with";
  EXPECT_TRUE(refused(with_bond("1 2147483648 1 2", "1 bonds"), 26, "out of range (expected 1 to 2147483647)"));
}

std::string const head =
    "t\n2 atoms\n1 bonds\n2 atom types\n3 bond types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n"
    "Atom Type Labels\n\n2 O\n1 H+\n\nBond Type Labels\n\n1 a\n2 O-H\n3 c\n\n";

TEST(lammps_labels, name_types) {
  auto const p = read_text(head +
                           "Masses\n\nO 16\n1 1\n\nAtoms # full\n\n1 1 O -.5 0 0 0\n2 1 1 .5 0 0 0\n\n"
                           "Bonds\n\n1 O-H 1 2\n");
  EXPECT_EQ(p.types, (types{2, 1}));
  EXPECT_EQ(p.bond_types, (types{2}));
  EXPECT_EQ(p.masses, (std::vector<double>{1, 16}));
  EXPECT_TRUE(p.skipped.empty());
}

TEST(lammps_labels, say_which_column_is_the_type) {
  EXPECT_EQ(read_text(head + "Atoms\n\n1 O 0 0 0\n2 H+ 0 0 0\n").types, (types{2, 1}));
  EXPECT_EQ(read_text(head + "Atoms\n\n1 1 O 0 0 0\n2 2 H+ 0 0 0\n").molecules, (integers{1, 2}));
}

TEST(lammps_labels, what_is_wrong_is_said) {
  EXPECT_TRUE(refused(head + "Atoms # atomic\n\n1 C 0 0 0\n", 22,
                      "atom type is 'C' (expected an integer, or a label of section 'Atom Type Labels' before)"));
  auto const label = [](std::string const& lines) {
    return "t\n0 atoms\n2 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\nAtom Type Labels\n\n" + lines;
  };
  EXPECT_TRUE(refused(label("1 A\n1 B\n"), 10, "a second label of atom type 1"));
  EXPECT_TRUE(refused(label("1 A\n2 A\n"), 10, "label 'A' given twice"));
  EXPECT_TRUE(refused(label("1 A\n3 B\n"), 10, "atom type '3' out of range (expected 1 to 2)"));
  EXPECT_TRUE(refused(label("1 A B\n"), 9, "label of atom type 1: '1 A B' (expected a number and one word"));
  EXPECT_TRUE(refused(label("1 2\n"), 9, "one word that is no number"));
  EXPECT_TRUE(refused(label("1\n"), 9, "one word that is no number"));
}

TEST(lammps_sections, skipped_ones_are_named) {
  auto const p = read_text(
      "t\n1 atoms\n1 angles\n1 dihedrals\n1 impropers\n1 ellipsoids\n1 lines\n1 triangles\n2 bodies\n1 atom types\n"
      "1 angle types\n1 dihedral types\n1 improper types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n"
      "Angle Coeffs\n\n1 2\n\nUreyBradley Coeffs\n\n1 2\n\nDihedral Coeffs\n\n1 2\n\nImproper Coeffs # cvff\n\n1 2\n\n"
      "Angles\n\n1 1 1 1 1\n\nDihedrals\n\n1 1 1 1 1 1\n\nImpropers\n\n1 1 1 1 1 1\n\n"
      "Ellipsoids\n\n1 1 1 1 1 0 0 0\n\nLines\n\n1 0 0 1 1\n\nTriangles\n\n1 0 0 0 1 0 0 0 1 0\n\n"
      "Bodies\n\n1 2 3\n7 # of two\n8\n0 0\n1\n2 0 0\n\n"
      "Angle Type Labels\n\n1 a\n\nAtoms # body\n\n1 1 1 1 0 0 0\n");
  EXPECT_EQ(p.size(), 1u);
  EXPECT_EQ(p.skipped, (names{"Angle Coeffs", "UreyBradley Coeffs", "Dihedral Coeffs", "Improper Coeffs", "Angles",
                              "Dihedrals", "Impropers", "Ellipsoids", "Lines", "Triangles", "Bodies",
                              "Angle Type Labels", "Atoms column body", "Atoms column rmass"}));
}

TEST(lammps_sections, bodies) {
  auto const body = [](std::string const& lines) {
    return pieces{.types = "1 atom types\n1 bodies", .tail = "\nBodies\n\n" + lines};
  };
  EXPECT_EQ(read_text(body("1 0 6\n1 2 3\n4 5 6\n")).skipped, (names{"Bodies"}));
  EXPECT_TRUE(refused(body("1 1 2\n5\n1 2 3\n"), 28, "more values of a body than its first line says"));
  EXPECT_TRUE(refused(body("1 2 0\n5\n"), 27, "the file ends after 1 lines of section 'Bodies'"));
  EXPECT_TRUE(refused(body("1 2 0\nMasses\n"), 27, "section 'Masses' begins after 1 lines of section 'Bodies'"));
  EXPECT_TRUE(refused(body("1 2\n"), 26, "number of values of a body is ''"));
  EXPECT_TRUE(refused(body("1 -2 0\n"), 26, "number of values of a body '-2' out of range"));
  EXPECT_TRUE(refused(body("1 0 0 0\n"), 26, "more than 3 columns of a body"));
  EXPECT_TRUE(refused(body("1 9223372036854775807 0\n5 5\n"), 27, "the file ends after 1 lines"));
  EXPECT_TRUE(refused(body("1 0 0\n2 0 0\n"), 27, "a line behind the end of section 'Bodies'"));
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Atom styles by name, by argument and by the columns of the first atom.
#include "data_file.hpp"

#include <cmath>

namespace {

using upsweep_test::pieces;
using upsweep_test::read_text;
using upsweep_test::refused;
using doubles = std::vector<double>;
using molecule_ids = std::vector<std::int64_t>;

/// The one atom of a file.
struct atom_read {
  std::int32_t type = 5;
  doubles position{0.1, 0.2, 0.3};
  std::vector<std::int32_t> image_flags{0, 0, 0};
  doubles charges{}, radii{};
  molecule_ids molecules{};
  bool operator==(atom_read const&) const = default;
};

void PrintTo(atom_read const& a, std::ostream* out) {
  *out << "type " << a.type << testing::PrintToString(a.position) << testing::PrintToString(a.image_flags)
       << " charges " << testing::PrintToString(a.charges) << " radii " << testing::PrintToString(a.radii)
       << " molecules " << testing::PrintToString(a.molecules);
}

pieces one_atom(std::string const& section, std::string const& atom, int velocity_columns = 4) {
  std::string velocity = "1 7 8 9";
  for (int i = 4; i < velocity_columns; ++i) velocity += " 0.5";
  return {.atoms = "1 atoms",
          .types = "5 atom types",
          .masses = "1 1\n2 1\n3 1\n4 1\n5 1",
          .atoms_name = section,
          .atom_1 = atom,
          .atom_2 = "",
          .velocity_1 = velocity,
          .velocity_2 = ""};
}

atom_read read_atom(std::string const& section, std::string const& atom, int velocity_columns = 4,
                    std::string const& argument = {}) {
  auto const p = read_text(one_atom(section, atom, velocity_columns), argument);
  EXPECT_EQ(p.velocities, (doubles{7, 8, 9}));
  return {p.types.at(0), p.positions, p.image_flags, p.charges, p.radii, p.molecules};
}

/// A line of each style; the type is 5, the position .1 .2 .3, the molecule 3, the charge -0.5, the radius 0.75.
/// LAMMPS of 4 July 2026 as Debian builds it reads the same of these lines (flags of bodies and ellipsoids 0), with
/// image flags, too. It has no amoeba, apip, bpm/sphere, dpd, edpd, mdpd, rheo, rheo/thermal, smd, spin, tdpd and
/// wavepacket, and takes oxdna in a hybrid style alone; these are as LAMMPS' source has them.
struct style_case {
  std::string name, atom;
  int velocity_columns = 4;
  bool charge = false, radius = false, molecule = false;
  std::string argument{};  ///< behind the name
};

std::vector<style_case> const every_style{
    {"amoeba", "1 3 5 -.5 .1 .2 .3", 4, true, false, true},
    {"angle", "1 3 5 .1 .2 .3", 4, false, false, true},
    {"apip", "1 5 .1 .2 .3", 4, false, false, false, "conservative"},
    {"atomic", "1 5 .1 .2 .3"},
    {"body", "1 5 1 2.5 .1 .2 .3", 7, false, false, false, "nparticle 2 6"},
    {"bond", "1 3 5 .1 .2 .3", 4, false, false, true},
    {"bpm/sphere", "1 3 5 1.5 1 .1 .2 .3", 7, false, true, true, "1"},
    {"charge", "1 5 -.5 .1 .2 .3", 4, true},
    {"dielectric", "1 3 5 -.5 .1 .2 .3 1 1 1 2 3 4 5 6", 4, true, false, true},
    {"dipole", "1 5 -.5 .1 .2 .3 1 0 0", 4, true},
    {"dpd", "1 5 1 .1 .2 .3"},
    {"edpd", "1 5 1 1 .1 .2 .3"},
    {"electron", "1 5 -.5 0 1.5 .1 .2 .3", 5, true},
    {"ellipsoid", "1 5 0 1 .1 .2 .3", 7},
    {"full", "1 3 5 -.5 .1 .2 .3", 4, true, false, true},
    {"line", "1 3 5 0 1 .1 .2 .3", 7, false, false, true},
    {"mdpd", "1 5 1 .1 .2 .3"},
    {"molecular", "1 3 5 .1 .2 .3", 4, false, false, true},
    {"oxdna", "1 5 .1 .2 .3"},
    {"peri", "1 5 1 1 .1 .2 .3"},
    {"rheo", "1 5 0 1 .1 .2 .3"},
    {"rheo/thermal", "1 5 0 1 1 .1 .2 .3"},
    {"smd", "1 5 3 1 1 .75 1 2 3 4 .1 .2 .3", 4, false, true, true},
    {"sph", "1 5 1 1 1 .1 .2 .3"},
    {"sphere", "1 5 1.5 1 .1 .2 .3", 7, false, true, false, "0"},
    {"spin", "1 5 .1 .2 .3 1 0 0 2"},
    {"tdpd", "1 5 .1 .2 .3 8 9", 4, false, false, false, "2"},
    {"template", "1 3 2 4 5 .1 .2 .3", 4, false, false, true, "water"},
    {"tri", "1 3 5 0 1 .1 .2 .3", 10, false, false, true},
    {"wavepacket", "1 5 -.5 0 1.5 3 0 0 .1 .2 .3", 5, true},
    // Those of LAMMPS' pages on read_data and atom_style.
    {"hybrid charge sphere", "1 5 .1 .2 .3 -.5 1.5 1", 7, true, true},
    {"hybrid dipole full", "1 5 .1 .2 .3 -.5 1 0 0 3", 4, true, false, true},
    {"hybrid charge bond", "1 5 .1 .2 .3 -.5 3", 4, true, false, true},
    {"hybrid charge body nparticle 2 5", "1 5 .1 .2 .3 -.5 1 2.5", 7, true},
    {"hybrid template twomols charge", "1 5 .1 .2 .3 3 2 4 -.5", 4, true, false, true},
    {"hybrid sphere dipole", "1 5 .1 .2 .3 1.5 1 -.5 1 0 0", 7, true, true},
    {"hybrid sphere 1 charge", "1 5 .1 .2 .3 1.5 1 -.5", 7, true, true},
    {"hybrid tdpd 2 charge", "1 5 .1 .2 .3 8 9 -.5", 4, true},
    {"hybrid ellipsoid sphere electron", "1 5 .1 .2 .3 1 2 1.5 -.5 0 0.5", 11, true, true},
    {"hybrid smd charge", "1 5 .1 .2 .3 3 1 1 .75 1 2 3 4 -.5", 4, true, true, true},
    {"hybrid/kk charge/kk sphere/kk", "1 5 .1 .2 .3 -.5 1.5 1", 7, true, true},
};

atom_read expected_of(style_case const& s) {
  atom_read a;
  if (s.charge) a.charges = {-0.5};
  if (s.radius) a.radii = {0.75};
  if (s.molecule) a.molecules = {3};
  return a;
}

TEST(lammps_styles, by_name_and_by_argument) {
  for (auto const& s : every_style) {
    SCOPED_TRACE(s.name);
    auto with_flags = expected_of(s);
    with_flags.image_flags = {1, 0, -1};
    auto const whole = s.argument.empty() ? s.name : s.name + " " + s.argument;
    auto const hint = "Atoms # " + whole;
    EXPECT_EQ(read_atom(hint, s.atom, s.velocity_columns), expected_of(s));
    EXPECT_EQ(read_atom(hint, s.atom + " 1 0 -1", s.velocity_columns), with_flags);
    EXPECT_EQ(read_atom("Atoms", s.atom, s.velocity_columns, whole), expected_of(s));
    EXPECT_EQ(read_atom("Atoms", s.atom + " 1 0 -1", s.velocity_columns, whole), with_flags);
    EXPECT_EQ(read_atom("Atoms # made by a tool", s.atom, s.velocity_columns, whole), expected_of(s));
    EXPECT_EQ(read_atom(hint, s.atom, s.velocity_columns, whole), expected_of(s)) << "both, and they agree";
  }
}

TEST(lammps_styles, no_comment_is_needed_behind_the_name) {
  EXPECT_EQ(read_atom("Atoms#atomic", "1 5 .1 .2 .3"), atom_read{});
  EXPECT_EQ(read_atom("Atoms # atomic/kk", "1 5 .1 .2 .3"), atom_read{});
  EXPECT_EQ(read_atom("Atoms # full, by a tool", "1 5 .1 .2 .3"), atom_read{}) << "'full,' is no style";
  EXPECT_EQ(read_atom("Atoms # charge (12 ions)", "1 5 -.5 .1 .2 .3"), (atom_read{.charges = {-0.5}}));
}

TEST(lammps_styles, arguments_complete_what_lammps_writes) {
  // write_data of LAMMPS writes the first word alone.
  EXPECT_EQ(read_atom("Atoms # hybrid", "1 5 .1 .2 .3 -.5 1.5 1", 7, "hybrid charge sphere"),
            (atom_read{.charges = {-0.5}, .radii = {0.75}}));
  EXPECT_EQ(read_atom("Atoms # tdpd", "1 5 .1 .2 .3 8 9", 4, "tdpd 2"), atom_read{});
  EXPECT_EQ(read_atom("Atoms # body", "1 5 1 2.5 .1 .2 .3", 7, "body nparticle 2 6"), atom_read{});
}

TEST(lammps_styles, a_hint_and_an_argument_that_disagree) {
  auto const differ = [](std::string const& hint, std::string const& argument, std::string const& words) {
    return refused(pieces{.atoms_name = "Atoms # " + hint}, 13, words, argument);
  };
  EXPECT_TRUE(differ("atomic", "charge", "of style 'atomic', but the atom style given is 'charge'"));
  EXPECT_TRUE(differ("hybrid sphere charge", "hybrid charge sphere", "'hybrid sphere charge'"));
  EXPECT_TRUE(differ("hybrid", "full", "of style 'hybrid', but the atom style given is 'full'"));
  EXPECT_TRUE(differ("atomic", "hybrid charge", "'atomic', but the atom style given is 'hybrid charge'"));
  EXPECT_TRUE(differ("tdpd 3", "tdpd 2", "'tdpd 3'"));
  EXPECT_TRUE(differ("tdpd", "atomic", "'tdpd'"));
}

TEST(lammps_styles, names_that_leave_the_columns_open) {
  auto const open = [](std::string const& hint, std::string const& words) {
    return refused(pieces{.atoms_name = "Atoms # " + hint}, 13, words);
  };
  EXPECT_TRUE(open("hybrid",
                   "atom style 'hybrid': hybrid without the styles that it is made of (expected them behind it: hybrid "
                   "charge sphere); atom_style of lammps_data_options can give all words"));
  EXPECT_TRUE(open("hybrid charge moon", "'moon' behind charge"));
  EXPECT_TRUE(open("hybrid moon", "'moon' behind hybrid (expected names of atom styles)"));
  EXPECT_TRUE(open("hybrid charge hybrid", "'hybrid' behind hybrid"));
  EXPECT_TRUE(open("hybrid charge charge", "style charge twice"));
  EXPECT_TRUE(open("hybrid sphere 2 charge", "'2' behind sphere (expected 0, 1 or the name of a style)"));
  EXPECT_TRUE(open("hybrid template a b", "'b' behind template"));
  EXPECT_TRUE(open("tdpd", "tdpd without its number of species"));
  EXPECT_TRUE(open("tdpd 0", "tdpd without its number of species (expected 1 to 1000000"));
  EXPECT_TRUE(open("tdpd 1000001", "tdpd without its number"));
  EXPECT_TRUE(open("hybrid charge tdpd", "tdpd without its number"));
}

TEST(lammps_styles, arguments_that_are_no_styles) {
  auto const message = [](std::string const& argument) { return upsweep_test::error_of(pieces{}, argument); };
  EXPECT_EQ(message("moon").find("test.data: atom style 'moon' (expected atomic, charge, "), 0u) << message("moon");
  EXPECT_NE(message("moon").find("rheo/thermal, or hybrid and some of these)"), std::string::npos) << message("moon");
  EXPECT_EQ(message("atomic 3"),
            "test.data: atom style 'atomic 3': '3' behind atomic (expected nothing, or the name of a style)");
  EXPECT_NE(message("tdpd x").find("number of species"), std::string::npos);
  EXPECT_NE(message("tdpd 99999999999999999999").find("number of species"), std::string::npos);
  EXPECT_NE(message("hybrid").find("hybrid without the styles"), std::string::npos);
  EXPECT_NE(message(" ").find("test.data: atom style ' ' (expected "), std::string::npos);
}

TEST(lammps_styles, by_columns_where_no_other_style_has_them) {
  EXPECT_EQ(read_atom("Atoms", "1 5 .1 .2 .3"), atom_read{});
  EXPECT_EQ(read_atom("Atoms # made by a tool", "1 5 .1 .2 .3"), atom_read{});
  // There are no types 0, 77 and -2, so these are molecules.
  EXPECT_EQ(read_atom("Atoms", "1 77 5 .1 .2 .3"), (atom_read{.molecules = {77}}));
  EXPECT_EQ(read_atom("Atoms", "1 0 5 .1 .2 .3 1 0 -1"), (atom_read{.image_flags = {1, 0, -1}, .molecules = {0}}));
  EXPECT_EQ(read_atom("Atoms", "1 77 5 0.5 .1 .2 .3"), (atom_read{.charges = {0.5}, .molecules = {77}}));
  EXPECT_EQ(read_atom("Atoms", "1 -2 5 0.5 .1 .2 .3 0 1 0"),
            (atom_read{.image_flags = {0, 1, 0}, .charges = {0.5}, .molecules = {-2}}));
}

// A line of five, six or seven columns and more may be of a hybrid style, or of one that LAMMPS does not have yet.
TEST(lammps_styles, all_other_columns_are_refused) {
  auto const unnamed = [](std::string const& atom) {
    std::int64_t columns = 1;
    for (char const c : atom) columns += c == ' ' ? 1 : 0;
    return refused(one_atom("Atoms", atom), 19,
                   "an atom with " + std::to_string(columns) +
                       " columns in a section without a style (expected its name behind the section's, such as "
                       "'Atoms # full', or atom_style of lammps_data_options: full)");
  };
  EXPECT_TRUE(unnamed("1 5 0 .1 .2 .3")) << "charge, or hybrid charge";
  EXPECT_TRUE(unnamed("1 5 -1.0 .1 .2 .3"));
  EXPECT_TRUE(unnamed("1 2 .1 .2 .3 77")) << "hybrid molecular";
  EXPECT_TRUE(unnamed("1 1 1 1 2 3"));
  EXPECT_TRUE(unnamed("1 3 2 1 .1 .2 .3")) << "full, or sphere";
  EXPECT_TRUE(unnamed("1 5 1.5 1.5 .1 .2 .3")) << "sphere, or peri";
  EXPECT_TRUE(unnamed("1 2 1 0 1 2 3 4"));
  EXPECT_TRUE(unnamed("1 2 .1 .2 .3 0 0 0")) << "atomic with image flags, or hybrid charge sphere";
  EXPECT_TRUE(unnamed("1 2 1.5 .1 .2 .3 0 0 0"));
  EXPECT_TRUE(unnamed("1 77 5 0 1 .1 .2 .3")) << "line, bpm/sphere, or with other types template";
  EXPECT_TRUE(unnamed("1 77 5 .1 .2 .3 0 0 .5")) << "no image flags";
  EXPECT_TRUE(unnamed("1 77 5 x .1 .2 .3"));
  EXPECT_TRUE(unnamed("1 7.5 5 .1 .2 .3")) << "no molecule";
  EXPECT_TRUE(unnamed("1 3 5 -.5 .1 .2 .3 1 1 1 2 3 4 5 6")) << "as dielectric has";
  EXPECT_TRUE(unnamed("1 77 5 -.5 .1 .2 .3 1 1 1 2 3 4 5 6"));
  EXPECT_TRUE(unnamed("1 77 5")) << "too few for any style";
  EXPECT_TRUE(unnamed("1"));
}

// No line of any style is read by columns as something else, whatever its molecule is.
TEST(lammps_styles, lines_of_all_styles_are_read_right_or_not_at_all) {
  int read = 0;
  for (auto const& s : every_style)
    for (auto const* flags : {"", " 0 0 0"})
      for (auto const* molecule : {" 3 ", " 77 "}) {
        auto atom = s.atom;
        if (auto const at = atom.find(" 3 "); at != std::string::npos) atom.replace(at, 3, molecule);
        if (upsweep_test::error_of(one_atom("Atoms", atom + flags, s.velocity_columns)) != "no error") continue;
        ++read;
        auto expected = expected_of(s);
        if (s.molecule) expected.molecules = {77};
        EXPECT_EQ(read_atom("Atoms", atom + flags, s.velocity_columns), expected) << s.name << ": " << atom << flags;
      }
  // atomic, apip and oxdna, which have no molecule, twice; three styles with the columns of molecular, two of full.
  EXPECT_EQ(read, 3 * 2 + 2 * (3 + 2));
}

TEST(lammps_styles, wrong_columns_of_named_styles) {
  auto const line = [](std::string const& section, std::string const& atom, std::string const& words,
                       std::string const& argument = {}) {
    return refused(one_atom(section, atom), 19, words, argument);
  };
  EXPECT_TRUE(line("Atoms # full", "1 3 5 x .1 .2 .3", "charge is 'x' (expected a number)"));
  EXPECT_TRUE(line("Atoms # full", "1 3 5 inf .1 .2 .3", "charge is 'inf' (expected a finite number)"));
  EXPECT_TRUE(line("Atoms # full", "1 3.5 5 1 .1 .2 .3", "molecule id is '3.5' (expected an integer)"));
  EXPECT_TRUE(line("Atoms # sphere", "1 5 -1 1 .1 .2 .3", "a radius below 0: '-1'"));
  EXPECT_TRUE(line("Atoms # sphere", "1 5 nan 1 .1 .2 .3", "diameter is 'nan'"));
  EXPECT_TRUE(line("Atoms # smd", "1 5 3 1 1 x 1 2 3 4 .1 .2 .3", "radius is 'x'"));
  EXPECT_TRUE(line("Atoms # template", "1 5 1 1 9 .1 .2 .3", "atom type '9' out of range"));
  EXPECT_TRUE(line("Atoms # hybrid charge sphere", "1 5 .1 .2 .3 1",
                   "style hybrid charge sphere with 6 columns (expected 8, or 11 with image flags)"));
  EXPECT_TRUE(line("Atoms", "1 5 .1 .2 .3 1", "style tdpd 4 with 6 columns (expected 9, or 12", "tdpd 4"));
  EXPECT_TRUE(refused(one_atom("Atoms # hybrid charge sphere", "1 5 .1 .2 .3 1 1 1"), 24,
                      "(expected 7 for atom style hybrid charge sphere)"));
}

TEST(lammps_styles, columns_that_are_not_read_are_named) {
  using names = std::vector<std::string>;
  auto const skipped = [](std::string const& section, std::string const& atom, int velocity_columns = 4) {
    return read_text(one_atom(section, atom, velocity_columns)).skipped;
  };
  EXPECT_EQ(skipped("Atoms # full", "1 3 5 -.5 .1 .2 .3"), names{});
  EXPECT_EQ(skipped("Atoms # sphere", "1 5 1.5 1 .1 .2 .3", 7),
            (names{"Atoms column rmass", "Velocities column omega"}));
  EXPECT_EQ(skipped("Atoms # dipole", "1 5 -.5 .1 .2 .3 1 0 0"), names{"Atoms column mu"});
  EXPECT_EQ(skipped("Atoms # hybrid charge sphere", "1 5 .1 .2 .3 -.5 1.5 1", 7),
            (names{"Atoms column rmass", "Velocities column omega"}));
}

}  // namespace

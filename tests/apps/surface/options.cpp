// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../../apps/surface/options.hpp"
#include "../expect_refused.hpp"
#include "../mutate.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using apps::expect_refused;

using words = std::vector<std::string>;

surface::command_line field(words const& more) {
  words all{"--field", "a.npy"};
  all.insert(all.end(), more.begin(), more.end());
  return surface::parse(all);
}

surface::command_line particles(words const& more, std::string const& file = "a.data") {
  words all{"--input", file, "--radius", "2"};
  all.insert(all.end(), more.begin(), more.end());
  return surface::parse(all);
}

TEST(surface_options, are_read) {
  auto const o = field({"--iso", "-0.25", "--spacing", "1,0.5,2", "--origin", "-1,0,3e2", "--output", "m.ply"}).values;
  EXPECT_EQ(o.iso, -0.25);
  EXPECT_EQ((*o.spacing)[1], 0.5);
  EXPECT_EQ(o.origin[2], 300);
  EXPECT_FALSE(o.force);
  EXPECT_EQ((*field({"--spacing", "0.5"}).values.spacing)[2], 0.5);
  EXPECT_FALSE(field({}).values.spacing);
  EXPECT_EQ(particles({"--open", "zx"}).values.open, (std::array<bool, 3>{true, false, true}));
  auto const p = particles({"--box", "3,4,5,1,0,-1", "--origin", "1,2,3", "--open", "x"}, "x.npy").values;
  EXPECT_EQ(p.box, (std::array<double, 3>{3, 4, 5}));
  EXPECT_EQ(p.tilt, (std::array<double, 3>{1, 0, -1}));
  EXPECT_EQ(p.origin[2], 3);
}

TEST(surface_options, mistakes_are_named) {
  expect_refused(surface::parse({}), "expected either --field FILE or --input FILE --radius R");
  expect_refused(surface::parse({"--field", "a.npy", "--input", "b"}), "excludes");
  expect_refused(surface::parse({"--input", "b"}), "--radius (none): expected");
  expect_refused(surface::parse({"--particles", "b"}), "--particles b: expected --input, the name of this option");
  expect_refused(surface::parse({"--radius", "1", "--field", "a.npy"}), "requires --input");
  expect_refused(field({"--iso", "nan"}), "--iso nan: expected a finite number");
  expect_refused(field({"--iso", "0,5"}), "--iso 0,5");
  for (auto const* word : {"0", "-1", "1,2", "1,2,3,4", "1,,2", "1,2,0", "x", "1,2,3 "})
    expect_refused(field({"--spacing", word}),
                   std::string("--spacing ") + word + ": expected one number, or three with commas between them, each");
  expect_refused(field({"--origin", "1,2"}), "--origin 1,2: expected 3 numbers with commas");
  expect_refused(field({"--open", "x"}), "requires --input");
  expect_refused(particles({"--open", "xx"}), "--open xx: expected some of the letters x, y, z");
  expect_refused(field({"--output", "m.obj"}), "--output m.obj: expected a name that ends with .stl, .ply or .vtk");
  expect_refused(field({"--output", ""}), "--output (empty)");
  for (auto const* word : {"0", "1001", "1.5"}) expect_refused(field({"--repeat", word}), "--repeat ");
  expect_refused(field({"stray"}), "stray");
  for (auto const* word : {"1,1,1", "0", "abc"})
    expect_refused(particles({"--spacing", word}), std::string("--spacing ") + word +
                                                       ": expected a finite number greater than 0 (only a --field may "
                                                       "have three)");
  expect_refused(particles({"--origin", "1,1,1"}, "x.npy"), "--origin 1,1,1: expected --box, too");
  expect_refused(particles({"--origin", "1,1,1"}), "--origin 1,1,1: expected none for a LAMMPS data or extended");
  expect_refused(particles({"--force"}), "--force: expected a file to write, too");
  for (auto const* file : {"a.data", "a.xyz", "a.extxyz.gz", "a.npz"})
    expect_refused(particles({"--box", "1,1,1"}, file),
                   std::string("--input ") + file + ": expected a NumPy file (.npy), since --box is for these");
  for (auto const* word : {"1,1,0", "1,1,1,1", "1,1", "1,1,1,0,0,nan"})
    expect_refused(particles({"--box", word}, "x.npy"), std::string("--box ") + word);
  expect_refused(particles({"--open", "x"}, "x.npy"), "--open x: expected --box, too");
  for (auto const* file : {"x.npy", "x.xyz"})
    expect_refused(particles({"--atom-style", "full"}, file), "--atom-style full: expected no style for an extended");
  expect_refused(particles({"--radius", "0"}), "--radius");
}

TEST(surface_options, hostile_lines_are_read_or_refused) {
  words const options{"--field", "--input",  "--iso",    "--spacing", "--origin", "--radius", "--open",
                      "--box",   "--output", "--report", "--force",   "--repeat", "--help",   "--version"};
  mutate::expect_read_or_refused(options, 3000, surface::parse);
}

}  // namespace

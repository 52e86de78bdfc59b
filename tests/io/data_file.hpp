// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../oracle/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <upsweep/base/error.hpp>
#include <upsweep/io/lammps_data.hpp>

#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace upsweep_test {

using oracle::temporary_folder;

inline void write_file(std::filesystem::path const& path, std::string const& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string file_contents(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_gzip(std::filesystem::path const& path, std::string const& text) {
  gzFile const file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

inline upsweep::particle_data read_text(std::string const& text, std::string const& atom_style = {}) {
  temporary_folder folder;
  write_file(folder / "test.data", text);
  return upsweep::read_lammps_data(folder / "test.data", {.atom_style = atom_style});
}

/// What the reader says about a text, without the folder in front: "test.data:3: ...".
inline std::string error_of(std::string const& text, std::string const& atom_style = {}) {
  temporary_folder folder;
  write_file(folder / "test.data", text);
  try {
    upsweep::read_lammps_data(folder / "test.data", {.atom_style = atom_style});
  } catch (upsweep::input_error const& e) {
    return std::string(e.what()).substr(folder.path().string().size() + 1);
  }
  return "no error";
}

/// Whether the reader refuses a text at this line with these words, and says what it expected.
inline testing::AssertionResult refused(std::string const& text, int line, std::string const& words,
                                        std::string const& atom_style = {}) {
  auto const message = error_of(text, atom_style);
  auto const start = "test.data:" + std::to_string(line) + ": ";
  if (message.substr(0, start.size()) != start)
    return testing::AssertionFailure() << "line " << line << " expected: " << message;
  if (message.find(words) == std::string::npos)
    return testing::AssertionFailure() << "'" << words << "' expected: " << message;
  if (message.find("(expected ") == std::string::npos)
    return testing::AssertionFailure() << "says not what was expected: " << message;
  return testing::AssertionSuccess();
}

/// A good file whose pieces the tests replace: header in lines 3 to 7, atoms in lines 15 and 16,
/// velocities in 20 and 21.
struct pieces {
  std::string atoms = "2 atoms", types = "1 atom types";
  std::string x = "0 10 xlo xhi", y = "0 10 ylo yhi", z = "0 10 zlo zhi";
  std::string masses = "1 1.5";
  std::string atoms_name = "Atoms # atomic", atom_1 = "1 1 1.0 2.0 3.0", atom_2 = "2 1 4.0 5.0 6.0";
  std::string velocities_name = "Velocities", velocity_1 = "1 0.1 0.2 0.3", velocity_2 = "2 0.4 0.5 0.6";
  std::string tail = "";

  operator std::string() const {
    return "title\n\n" + atoms + "\n" + types + "\n" + x + "\n" + y + "\n" + z + "\n\n# a comment\nMasses\n\n" +
           masses + "\n" + atoms_name + "\n\n" + atom_1 + "\n" + atom_2 + "\n\n" + velocities_name + "\n\n" +
           velocity_1 + "\n" + velocity_2 + "\n" + tail;
  }
};

}  // namespace upsweep_test

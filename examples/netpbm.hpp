// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Images as binary PGM (grey, P5) and PPM (colours, P6) files with one byte for each sample.

#include <cstddef>
#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace example {

struct picture {
  std::string type;  // P5 or P6
  std::size_t width, height;
  std::vector<unsigned char> samples;

  std::size_t channels() const { return type == "P5" ? 1 : 3; }
};

/// The next word of a header, behind comments.
inline std::string next_word(std::istream& in) {
  std::string word;
  while (in >> word && word[0] == '#') std::getline(in, word);
  return word;
}

/// `bytes` is the size of the file: a picture that is larger than its file is refused before it gets memory.
/// Throws: std::runtime_error.
inline picture read_picture(std::istream& in, std::size_t bytes) {
  picture result{next_word(in), 0, 0, {}};
  if (result.type != "P5" && result.type != "P6") throw std::runtime_error("neither a P5 nor a P6 file");
  std::size_t largest = 0;
  for (std::size_t* const number : {&result.width, &result.height, &largest}) {
    std::string const word = next_word(in);
    std::istringstream digits(word);
    if (word.find_first_not_of("0123456789") != std::string::npos || !(digits >> *number) || *number == 0)
      throw std::runtime_error("'" + word + "' is no width, height or largest value");
  }
  if (largest != 255) throw std::runtime_error("the largest value is " + std::to_string(largest) + ", not 255");
  in.get();  // one blank
  std::size_t const row = bytes / result.height / result.channels();
  if (result.width > row) throw std::runtime_error("the file is shorter than its header says");
  result.samples.resize(result.width * result.height * result.channels());
  if (!in.read(reinterpret_cast<char*>(result.samples.data()), static_cast<std::streamsize>(result.samples.size())))
    throw std::runtime_error("the file is shorter than its header says");
  return result;
}

/// Throws: std::runtime_error.
inline void write_picture(std::ostream& out, picture const& p) {
  out << p.type << '\n' << p.width << ' ' << p.height << "\n255\n";
  out.write(reinterpret_cast<char const*>(p.samples.data()), static_cast<std::streamsize>(p.samples.size()));
  if (!out.flush()) throw std::runtime_error("the picture cannot be written");
}

}  // namespace example

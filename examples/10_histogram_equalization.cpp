// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Histogram equalisation: the scan of a histogram says how to spread grey levels evenly.
// 10_histogram_equalization [in.pgm out.pgm], or two .ppm; without names it makes a picture and prints its levels.

#include "example.hpp"
#include "netpbm.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/pack/equalize.hpp>
#include <upsweep/pack/histogram.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using samples = std::vector<unsigned char>;

/// Spreads the levels over 0 ... 255: one table for all colours, so that grey stays grey.
samples equalized(samples const& given) {
  Kokkos::DefaultExecutionSpace const space;
  auto const pixels = example::to_device(given);
  Kokkos::View<std::uint32_t*> const counts("counts", 256), offsets("offsets", 257);
  Kokkos::View<unsigned char*> const levels("levels", 256);
  upsweep::histogram(space, pixels, counts, offsets);
  upsweep::equalize(space, offsets, levels);
  Kokkos::parallel_for(
      "map", Kokkos::RangePolicy<>(space, 0, pixels.extent(0)),
      KOKKOS_LAMBDA(std::size_t k) { pixels(k) = levels(pixels(k)); });
  return upsweep::to_host(space, pixels);
}

/// The article's formula, new = round((cdf - cdf_min) / (pixels - cdf_min) * 255), sample by sample.
samples by_the_formula(samples const& given) {
  std::vector<double> cdf(256);
  for (unsigned char s : given)
    for (std::size_t b = s; b < 256; ++b) ++cdf[b];
  double const least = *std::find_if(cdf.begin(), cdf.end(), [](double c) { return c > 0; });
  samples result;
  for (unsigned char s : given)
    result.push_back(
        static_cast<unsigned char>(std::lround((cdf[s] - least) / (static_cast<double>(given.size()) - least) * 255)));
  return result;
}

void equalize_file(std::string const& from, std::string const& to) {
  if (std::filesystem::exists(to)) throw std::runtime_error(to + " exists already");
  std::ifstream in(from, std::ios::binary);
  auto picture = example::read_picture(in, std::filesystem::file_size(from));
  picture.samples = equalized(picture.samples);
  std::ofstream out(to, std::ios::binary);
  example::write_picture(out, picture);
}

/// One sample of each field of 8 x 12 samples.
void show(std::string const& what, samples const& all) {
  std::cout << what << '\n';
  for (std::size_t y = 0; y < 48; y += 12) {
    std::vector<int> row;
    for (std::size_t x = 0; x < 64; x += 8) row.push_back(all[64 * y + x]);
    example::print("  row " + std::to_string(y), row);
  }
}

int main(int argc, char** argv) try {
  Kokkos::ScopeGuard const guard(argc, argv);
  if (argc == 3) {
    equalize_file(argv[1], argv[2]);
    return 0;
  }
  if (argc != 1) throw std::runtime_error("give the names of two files, or none");
  // A picture with hardly any contrast, through a file in memory.
  example::picture made{"P5", 64, 48, {}};
  for (std::size_t k = 0; k < 64 * 48; ++k) {
    std::size_t const column = k % 64 / 8, row = k / 64 / 12;
    made.samples.push_back(static_cast<unsigned char>(100 + column + row * row));
  }
  std::stringstream file;
  example::write_picture(file, made);
  auto const read = example::read_picture(file, file.str().size());
  example::confirm("what is read is what was written", read.samples == made.samples);
  auto const result = equalized(read.samples);
  show("levels before", made.samples);
  show("levels after", result);
  example::confirm("the article's formula gives the same", result == by_the_formula(made.samples));
  return example::exit_code();
} catch (std::exception const& error) {
  std::cerr << "10_histogram_equalization: " << error.what() << '\n';
  return 2;
}

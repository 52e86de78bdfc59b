// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "gnuplot.hpp"

#include "require_own_output.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace apps {

std::string quoted(std::string const& text) {
  std::string result = "'";
  for (char c : text) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

void require_gnuplot() {
  std::fflush(nullptr);
  if (std::system("gnuplot --version > /dev/null 2>&1") != 0)
    throw upsweep::output_error("--plot: gnuplot could not be started; is it installed?");
}

void draw(std::string const& program, std::string const& file, int width, int height, std::string const& script) {
  upsweep::file_replacement svg(file);
  auto const all = "set terminal svg size " + std::to_string(width) + "," + std::to_string(height) + " name " +
                   quoted(without_hyphens(program)) + " noenhanced background rgb 'white'\nset output " +
                   quoted(svg.part().string()) + "\n" + script + "unset output\n";
  std::fflush(nullptr);
  std::FILE* const gnuplot = ::popen("gnuplot", "w");
  if (gnuplot == nullptr) throw upsweep::output_error("--plot: gnuplot could not be started");
  bool const sent = std::fwrite(all.data(), 1, all.size(), gnuplot) == all.size();
  if (::pclose(gnuplot) != 0 || !sent) throw upsweep::output_error("--plot: gnuplot failed; is it installed?");
  // gnuplot ends with 0 where it could not write.
  if (std::filesystem::is_empty(svg.part())) throw upsweep::output_error(file + ": gnuplot has drawn nothing");
  svg.commit();
}

}  // namespace apps

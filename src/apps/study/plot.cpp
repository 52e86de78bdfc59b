// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "report.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace study {
namespace {

/// A gnuplot string: quotes inside are doubled.
std::string quoted(std::string const& text) {
  std::string result = "'";
  for (char c : text) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

std::vector<std::string> algorithms(rows const& all) {
  std::vector<std::string> names;
  for (auto const& r : all) {
    bool known = r.layer != "team";
    for (auto const& name : names) known = known || name == r.algorithm;
    if (!known) names.push_back(r.algorithm);
  }
  return names;
}

std::string panel(std::vector<std::string> const& names, char const* title, int column) {
  std::string text = std::string("set title ") + quoted(title) + "\nplot ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i ? ", " : "") + ("$data" + std::to_string(i)) + " using 1:" + std::to_string(column) +
            " smooth unique with linespoints title " + quoted(names[i]);
  return text + "\n";
}

}  // namespace

void plot(std::string const& file, rows const& all) {
  auto const names = algorithms(all);
  if (names.empty()) throw std::runtime_error("--plot: no size of at most 1024, so there is no team algorithm to draw");
  upsweep::file_replacement svg(file);
  std::string script = "set terminal svg size 1100,560 noenhanced background rgb 'white'\nset output " +
                       quoted(svg.part().string()) + "\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    script += "$data" + std::to_string(i) + " << end\n";
    for (auto const& r : all)
      if (r.layer == "team" && r.algorithm == names[i])
        script += std::to_string(r.n) + " " + std::to_string(*r.operations.counted) + " " +
                  std::to_string(*r.span.counted) + "\n";
    script += "end\n";
  }
  script +=
      "set multiplot layout 1,2\nset key outside below\nset logscale xy 2\nset grid\nset xlabel 'N'\n"
      "set ylabel 'operations'\n" +
      panel(names, "Work", 2) + "set ylabel 'operations in a row'\n" + panel(names, "Span", 3) +
      "unset multiplot\nunset output\n";
  std::fflush(nullptr);
  std::FILE* const gnuplot = popen("gnuplot", "w");
  if (gnuplot == nullptr) throw std::runtime_error("--plot: gnuplot could not be started");
  bool const sent = std::fwrite(script.data(), 1, script.size(), gnuplot) == script.size();
  if (pclose(gnuplot) != 0 || !sent) throw std::runtime_error("--plot: gnuplot failed; is it installed?");
  // gnuplot ends with 0 where it could not write.
  if (std::filesystem::is_empty(svg.part())) throw upsweep::output_error(file + ": gnuplot has drawn nothing");
  svg.commit();
}

}  // namespace study

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../support/outputs/gnuplot.hpp"
#include "report.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace study {
namespace {

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
  std::string text = std::string("set title ") + apps::quoted(title) + "\nplot ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i ? ", " : "") + ("$data" + std::to_string(i)) + " using 1:" + std::to_string(column) +
            " smooth unique with linespoints title " + apps::quoted(names[i]);
  return text + "\n";
}

}  // namespace

void plot(std::string const& file, rows const& all) {
  auto const names = algorithms(all);
  if (names.empty()) throw std::runtime_error("--plot: no size of at most 1024, so there is no team algorithm to draw");
  std::string script;
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
      panel(names, "Work", 2) + "set ylabel 'operations in a row'\n" + panel(names, "Span", 3) + "unset multiplot\n";
  apps::draw("upsweep-study", file, 1100, 560, script);
}

}  // namespace study

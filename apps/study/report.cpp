// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "report.hpp"

#include <upsweep/version.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace study {
namespace {

std::string number(double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.10g", std::round(value * 10) / 10);
  return text.data();
}

std::string cell(figure const& f) {
  if (!f.counted) return "-";
  return std::to_string(*f.counted) + (f.formula ? " (" + number(*f.formula) + ")" : "");
}

struct column {
  char const* name;
  figure row::* value;
};

constexpr std::array columns{column{"operations", &row::operations},
                             column{"barriers", &row::barriers},
                             column{"span", &row::span},
                             column{"scratch_reads", &row::scratch_reads},
                             column{"scratch_writes", &row::scratch_writes},
                             column{"reads", &row::reads},
                             column{"writes", &row::writes},
                             column{"launches", &row::launches},
                             column{"workspace_bytes", &row::workspace_bytes}};

/// Elements read and written for each element of the input: what decides the time of a long scan.
std::string traffic_cell(row const& r) {
  auto const n = static_cast<double>(r.n);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.3f N (%g N)",
                static_cast<double>(*r.reads.counted + *r.writes.counted) / n,
                (*r.reads.formula + *r.writes.formula) / n);
  return text.data();
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text + "  ";
}

/// The rows of one layer, without the columns in which none of them has a figure.
std::string table_of(rows const& all, std::string const& layer) {
  std::vector<column> used;
  for (auto const& c : columns)
    for (auto const& r : all)
      if (r.layer == layer && (r.*c.value).counted) {
        used.push_back(c);
        break;
      }
  std::vector<std::vector<std::string>> lines{{layer, "N"}};
  for (auto const& c : used) lines.front().push_back(c.name);
  bool const traffic = layer == "device";
  if (traffic) lines.front().push_back("traffic");
  for (auto const& r : all) {
    if (r.layer != layer) continue;
    lines.push_back({r.algorithm, std::to_string(r.n)});
    for (auto const& c : used) lines.back().push_back(cell(r.*c.value));
    if (traffic) lines.back().push_back(traffic_cell(r));
  }
  if (lines.size() == 1) return {};
  std::vector<std::size_t> widths(lines.front().size());
  for (auto const& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  std::string text;
  for (auto const& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c) text += padded(line[c], widths[c]);
    while (text.back() == ' ') text.pop_back();
    text += '\n';
  }
  return text + '\n';
}

}  // namespace

std::string table(rows const& all) {
  return "Counted (formula of the source).\n\n" + table_of(all, "team") + table_of(all, "device") +
         "Barriers: the algorithms add one before results are read and one after, so that scratch may be used again.\n"
         "Device engines: run on the host, where a team is one thread. Reads and writes are those of elements in\n"
         "global memory: input, output and what the engine keeps in its workspace; traffic is their sum. The\n"
         "formulas leave out terms of the order of the number of blocks. Tickets and status words of chained and\n"
         "look_back are not elements.\n";
}

std::string csv(rows const& all) {
  std::string text = "layer,algorithm,n";
  for (auto const& c : columns) text += std::string(",") + c.name + "," + c.name + "_formula";
  text += ",upsweep-study\n";
  for (auto const& r : all) {
    text += r.layer + "," + r.algorithm + "," + std::to_string(r.n);
    for (auto const& c : columns) {
      figure const& f = r.*c.value;
      text += "," + (f.counted ? std::to_string(*f.counted) : "") + "," + (f.formula ? number(*f.formula) : "");
    }
    text += "," UPSWEEP_VERSION_STRING "\n";
  }
  return text;
}

}  // namespace study

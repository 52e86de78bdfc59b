// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "report.hpp"

#include <upsweep/version.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>

namespace surface {
namespace {

template <class... Values>
std::string text(char const* format, Values... values) {
  std::array<char, 256> line{};
  std::snprintf(line.data(), line.size(), format, values...);
  return line.data();
}

double per_second(results const& r) { return static_cast<double>(r.measured.triangles) / r.extraction.total(); }

}  // namespace

std::string table(results const& r, options const& o) {
  auto const& m = r.measured;
  auto const line = [](char const* name, std::string const& value) { return text("%-14s", name) + value + "\n"; };
  std::string all = line("points", std::to_string(r.grid.points[0]) + " x " + std::to_string(r.grid.points[1]) + " x " +
                                       std::to_string(r.grid.points[2]));
  all += line("values", text("%.9g to %.9g, of the surface %.9g", r.range.least, r.range.most, o.iso));
  all += line("vertices", std::to_string(m.vertices));
  all += line("triangles", std::to_string(m.triangles));
  all += line("border edges", std::to_string(m.border_edges) + (m.closed() ? ": closed" : ": open"));
  all += line("Euler number", std::to_string(m.euler()));
  all += line("area", text("%.12g", m.area));
  all += line("volume", m.closed() ? text("%.12g", m.volume) : "none, since the surface is open");
  for (auto const* times : {&r.rest, &r.extraction})
    for (auto const& [name, seconds] : times->phases()) all += line(name.c_str(), text("%.6f s", seconds));
  return all + text("%.4g triangles per second in mark, count and emit\n", per_second(r));
}

std::string json(results const& r, options const& o) {
  using nlohmann::ordered_json;
  auto const& m = r.measured;
  ordered_json report;
  report["program"] = "upsweep-surface";  // by which a later run knows its own file
  report["version"] = UPSWEEP_VERSION_STRING;
  report["backend"] = space_type::name();
  report["threads"] = space_type().concurrency();
  report["precision"] = r.single ? "float" : "double";
  report["points"] = {r.grid.points[0], r.grid.points[1], r.grid.points[2]};
  report["iso"] = o.iso;
  report["least"] = r.range.least;
  report["most"] = r.range.most;
  report["vertices"] = m.vertices;
  report["triangles"] = m.triangles;
  report["border_edges"] = m.border_edges;
  report["closed"] = m.closed();
  report["euler"] = m.euler();
  report["area"] = m.area;
  report["volume"] = m.closed() ? ordered_json(m.volume) : ordered_json(nullptr);
  report["phases"] = ordered_json::object();
  for (auto const* times : {&r.rest, &r.extraction})
    for (auto const& [name, seconds] : times->phases()) report["phases"][name] = seconds;
  report["triangles_per_second"] = per_second(r);
  return report.dump(2) + "\n";
}

}  // namespace surface

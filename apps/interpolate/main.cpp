// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../support/outputs/output_paths.hpp"
#include "../support/phase_times.hpp"
#include "../support/progress.hpp"
#include "../support/outputs/require_own_output.hpp"
#include "../support/run_program.hpp"
#include "field_file.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "run.hpp"

#include <upsweep/io/replace_file.hpp>
#include <upsweep/version.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr char program[] = "upsweep-interpolate";

nlohmann::ordered_json report_of(interpolate::problem const& p, interpolate::results const& r,
                                 apps::phase_times const& times) {
  nlohmann::ordered_json report;
  report["program"] = program;  // by which a later run knows its own file
  report["version"] = UPSWEEP_VERSION_STRING;
  report["backend"] = interpolate::space_type::name();
  report["threads"] = interpolate::space_type().concurrency();
  report["dimensions"] = p.dimensions;
  report["points"] = p.points.size() / 3;
  report["targets"] = p.target_count();
  report["fields"] = p.fields;
  report["pairs"] = r.pairs;
  report["quadratic"] = r.degrees.quadratic;
  report["linear"] = r.degrees.linear;
  report["constant"] = r.degrees.constant;
  report["without_points"] = r.degrees.none;
  report["phases"] = nlohmann::ordered_json::object();
  for (auto const& [name, seconds] : times.phases()) report["phases"][name] = seconds;
  return report;
}

std::string table_of(nlohmann::ordered_json const& report) {
  std::string text;
  auto const line = [&](std::string name, std::string const& value) {
    name.resize(16, ' ');
    text += name + value + "\n";
  };
  for (auto const* name :
       {"dimensions", "points", "targets", "fields", "pairs", "quadratic", "linear", "constant", "without_points"})
    line(name, report[name].dump());
  for (auto const& [name, seconds] : report["phases"].items()) {
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%.6f s", seconds.get<double>());
    line(name, number.data());
  }
  return text;
}

int run(interpolate::options const& o) {
  std::vector<apps::place> const inputs{{"--input", o.input}, {"--values", o.values}, {"--targets", o.targets}};
  apps::place const output{"--output", o.output};
  apps::require_apart(apps::all_inputs(o, inputs), apps::all_outputs(o, {output}));
  apps::require_replaceable(output, program, o.force || interpolate::is_field(o.output));
  apps::require_replaceable({"--report", o.report_file()}, program, o.force);
  interpolate::space_type const space;
  apps::progress shown(!o.no_progress);
  apps::phase_times times(&shown);
  auto const p = times.time(space, "read", [&] { return interpolate::read_problem(o); });
  auto const r = interpolate::run(space, p, o.wanted, o.radius, times);
  times.time(space, "write", [&] { interpolate::write_field(o.output, r.values, p.shape); });
  shown.clear();
  auto const report = report_of(p, r, times);
  apps::print(o.report_is_standard_output() ? report.dump(2) + "\n" : table_of(report));
  if (!o.report_file().empty()) upsweep::replace_file(o.report, report.dump(2) + "\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return apps::run_program(program, argc, argv, interpolate::parse, run); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../support/phase_times.hpp"
#include "../support/progress.hpp"
#include "../support/outputs/require_own_output.hpp"
#include "../support/run_program.hpp"
#include "extract.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "report.hpp"
#include "write_mesh.hpp"

#include <upsweep/base/workspace.hpp>
#include <upsweep/io/replace_file.hpp>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace {

constexpr char program[] = "upsweep-surface";

template <class Real>
void run_field(surface::space_type const& space, surface::options const& o, surface::field<Real> const& f,
               surface::results& r) {
  auto const iso = static_cast<Real>(o.iso);
  r.grid = f.grid;
  r.single = sizeof(Real) == 4;
  r.range =
      r.rest.time(space, "check", [&] { return surface::range_of(space, f, o.field.empty() ? o.input : o.field); });
  upsweep::workspace workspace(space);
  surface::mesh<Real> mesh;
  std::vector<apps::phase_times> runs(static_cast<std::size_t>(o.repeat), r.extraction);
  for (auto& times : runs) {
    mesh = {};  // its memory is free for the next one
    mesh = surface::extract(space, workspace, f, iso, times);
    auto const done = static_cast<std::size_t>(&times - runs.data()) + 1;
    r.rest.advance(static_cast<double>(done) / static_cast<double>(runs.size()),
                   [&](double) { return "extraction " + std::to_string(done) + " of " + std::to_string(runs.size()); });
  }
  auto const middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  std::nth_element(runs.begin(), middle, runs.end(),
                   [](auto const& a, auto const& b) { return a.total() < b.total(); });
  r.extraction = *middle;
  r.measured = r.rest.time(space, "measure", [&] { return surface::measure(space, f, iso, mesh); });
  if (!o.output.empty()) r.rest.time(space, "write", [&] { surface::write_mesh(o.output, mesh); });
}

int run(surface::options const& o) {
  apps::check_outputs(o, {{"--field", o.field}, {"--input", o.input}}, {{"--output", o.output}}, program);
  surface::space_type const space;
  apps::progress shown(!o.no_progress);
  surface::results r;
  r.rest = apps::phase_times(&shown);
  if (o.repeat == 1) r.extraction = r.rest;  // else phases of a single extraction say little
  auto const field = r.rest.time(space, "read", [&] {
    return o.field.empty() ? surface::read_particles(space, o) : surface::read_field(space, o);
  });
  std::visit([&](auto const& f) { run_field(space, o, f, r); }, field);
  shown.clear();
  apps::print(o.report_is_standard_output() ? json(r, o) : table(r, o));
  if (!o.report_file().empty()) upsweep::replace_file(o.report, json(r, o));
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return apps::run_program(program, argc, argv, surface::parse, run); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "outputs.hpp"

#include "../support/outputs/gnuplot.hpp"
#include "../support/outputs/output_paths.hpp"
#include "../support/outputs/require_own_output.hpp"
#include "checkpoint/checkpoint.hpp"
#include "rows/list_output.hpp"
#include "trajectory/numbered_files.hpp"
#include "trajectory/trajectory_files.hpp"
#include "trajectory/vtk_frames.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/mpi/agree.hpp>

#include <filesystem>
#include <vector>

namespace nbody {
namespace {

namespace fs = std::filesystem;

/// A file that has the name of one of the trajectory's would be replaced by frames.
void require_no_frame(std::string const& trajectory, apps::place const& other) {
  if (other.path.empty() || !step_in_name(trajectory, other.path)) return;
  auto const folder = [](fs::path const& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); };
  if (upsweep::same_place(folder(trajectory), folder(other.path)))
    throw upsweep::output_error(other.option + " " + other.path + ": is the name of a file of --trajectory " +
                                trajectory + " (expected another)");
}

/// A checkpoint may replace the one that the run goes on from; no other output may be an input.
void require_outputs_apart(options const& o) {
  auto outputs = apps::all_outputs(o, {});
  if (!o.write_list.empty())
    for (auto const& name : list_files()) outputs.push_back({"--write-list", (fs::path(o.write_list) / name).string()});
  outputs.insert(outputs.end(), {{"--rdf", o.rdf}, {"--msd", o.msd}, {"--plot", o.plot}});
  if (format_of(o.trajectory) == trajectory_format::vtk)
    outputs.push_back({"--trajectory", vtk_series(o.trajectory).string()});
  else if (!o.trajectory.empty()) outputs.push_back({"--trajectory", o.trajectory});
  auto inputs = apps::all_inputs(o, {{"--input", o.input},
                                     {"--velocities", o.velocities},
                                     {"--masses", o.masses},
                                     {"--types", o.types},
                                     {"--ids", o.ids},
                                     {"--pair-coefficients", o.pair_coefficients}});
  inputs.push_back({"--restart", o.restart});
  apps::require_apart(inputs, outputs);
  inputs.pop_back();
  if (has_several_files(format_of(o.trajectory))) {
    auto others = outputs;
    others.insert(others.end(), inputs.begin(), inputs.end());
    others.push_back({"--checkpoint", o.checkpoint});
    for (auto const& other : others) require_no_frame(o.trajectory, other);
  }
  if (o.checkpoint.empty()) return;
  // One name at a time: after a kill both may be names of one file.
  for (auto const& path : {std::filesystem::path(o.checkpoint), previous_checkpoint(o.checkpoint)}) {
    auto with_it = outputs;
    with_it.push_back({"--checkpoint", path.string()});
    apps::require_apart(inputs, with_it);
  }
}

}  // namespace

void prepare_outputs(upsweep::mpi::communicator const& comm, options const& o, trajectory_record const* record) {
  auto const on_rank_0 = [&](auto const& work) {
    upsweep::mpi::all_or_none(comm, [&] {
      if (comm.rank() == 0) work();
    });
  };
  auto const check_report = [&] {
    on_rank_0([&] { apps::require_replaceable({"--report", o.report_file()}, "upsweep-nbody", o.force); });
  };
  auto const folder_of_report = fs::path(o.report).parent_path();
  bool const report_in_folder = !o.report_file().empty() && !o.write_list.empty() && !folder_of_report.empty() &&
                                upsweep::same_place(folder_of_report, o.write_list);
  on_rank_0([&] { require_outputs_apart(o); });
  if (!report_in_folder) check_report();
  on_rank_0([&] {
    for (auto const& output : {apps::place{"--rdf", o.rdf}, {"--msd", o.msd}, {"--plot", o.plot}})
      apps::require_replaceable(output, "upsweep-nbody", o.force);
    if (!o.plot.empty()) apps::require_gnuplot();
    if (!o.trajectory.empty()) require_writable_trajectory(o, record);
    if (!o.checkpoint.empty()) require_replaceable_checkpoint(o.checkpoint, o.force);
  });
  if (!o.write_list.empty()) prepare_list_folder(comm, o.write_list, o.force);
  if (report_in_folder) check_report();  // its folder may not have been there before
}

}  // namespace nbody

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "run.hpp"

#include "../support/outputs/gnuplot.hpp"
#include "../support/groups/dbscan.hpp"
#include "../support/outputs/output_paths.hpp"
#include "../support/phase_times.hpp"
#include "../support/progress.hpp"
#include "../support/outputs/require_own_output.hpp"
#include "../support/outputs/standard_output.hpp"
#include "catalogue.hpp"
#include "friends.hpp"
#include "groups.hpp"
#include "points.hpp"
#include "report.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/mpi/agree.hpp>

#include <filesystem>
#include <vector>

namespace clusters {
namespace {

using upsweep::mpi::all_or_none;

/// Finds out before the work whether all outputs can be written.
void prepare_outputs(upsweep::mpi::communicator const& comm, options const& o) {
  std::vector<apps::place> const inputs{{"--input", o.input}};
  all_or_none(comm, [&] {
    if (comm.rank() != 0) return;
    std::vector<apps::place> outputs{{"--plot", o.plot}};
    if (!o.catalogue.empty())
      for (auto const& name : catalogue_files())
        outputs.push_back({"--catalogue", (std::filesystem::path(o.catalogue) / name).string()});
    apps::require_apart(apps::all_inputs(o, inputs), apps::all_outputs(o, outputs));
  });
  if (!o.catalogue.empty()) prepare_catalogue(comm, o.catalogue, o.force);
  all_or_none(comm, [&] {
    if (comm.rank() != 0) return;
    apps::check_outputs(o, inputs, {{"--plot", o.plot}}, "upsweep-clusters");  // perhaps in the catalogue's folder
    if (!o.plot.empty()) apps::require_gnuplot();
  });
}

}  // namespace

void run(upsweep::mpi::communicator const& comm, options const& o) {
  all_or_none(comm, [&] {
    if (o.how == method::dbscan && comm.size() > 1)
      throw upsweep::precondition_error("--method dbscan: runs on one rank, and there are " +
                                        std::to_string(comm.size()));
  });
  prepare_outputs(comm, o);
  space_type const space;
  apps::progress shown(comm.rank() == 0 && !o.no_progress);
  apps::phase_times times(&shown);
  auto points = times.time(space, "read", [&] { return read_or_make_points(comm, space, o); });
  double const length = linking_length(o, points);
  numbers label;
  flags core;
  if (o.how == method::friends) {
    label = label_friends(comm, space, points, length, times).label;
  } else {
    auto const found = all_or_none(comm, [&] { return label_dbscan(space, points, length, o.min_points, times); });
    label = found.label;
    core = found.core;
  }
  auto const table = find_groups(comm, space, points, label, core, length, times);
  auto found = summarize(comm, table, points.total, o.min_members, length);
  found.phases = over_ranks(comm, times);
  auto const write_json = [&] { return to_json(found, o, points.box, comm.size()); };
  if (!o.catalogue.empty())
    times.time(space, "write",
               [&] { write_catalogue(comm, space, table, points, o.min_members, write_json(), o.catalogue); });
  found.phases = over_ranks(comm, times);
  shown.clear();
  all_or_none(comm, [&] {
    if (comm.rank() != 0) return;
    if (!o.plot.empty()) plot(o.plot, found);
    if (!o.report_file().empty()) upsweep::replace_file(o.report, write_json());
    apps::print(o.report_is_standard_output() ? write_json() : to_text(found, o, points.box, comm.size()));
  });
}

}  // namespace clusters

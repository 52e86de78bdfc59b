// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "catalogue.hpp"

#include "../support/outputs/output_folder.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/fetch.hpp>
#include <upsweep/io/mpi/lammps_data.hpp>
#include <upsweep/io/mpi/npy_file.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/redistribute.hpp>

#include <memory>
#include <optional>
#include <span>
#include <system_error>

namespace clusters {
namespace {

using upsweep::mpi::all_or_none;
namespace fs = std::filesystem;

/// The groups with at least so many members.
group_table with_members(group_table const& all, std::int64_t least) {
  group_table kept;
  kept.offset.push_back(0);
  for (std::size_t g = 0; g < all.groups(); ++g) {
    if (all.size[g] < least) continue;
    kept.label.push_back(all.label[g]);
    kept.size.push_back(all.size[g]);
    kept.spans.push_back(all.spans[g]);
    for (std::size_t d = 0; d < 3; ++d) kept.centre.push_back(all.centre[3 * g + d]);
    kept.members.insert(kept.members.end(), all.members.begin() + all.offset[g],
                        all.members.begin() + all.offset[g + 1]);
    kept.offset.push_back(kept.offset.back() + all.size[g]);
  }
  return kept;
}

struct labels_of_numbers {
  std::vector<std::int64_t> number, label;
};

labels_of_numbers labels_of(group_table const& table) {
  labels_of_numbers all{table.number, std::vector<std::int64_t>(table.number.size())};
  for (std::size_t g = 0; g < table.groups(); ++g)
    for (auto k = table.offset[g]; k < table.offset[g + 1]; ++k)
      all.label[static_cast<std::size_t>(k)] = table.label[g];
  all.number.insert(all.number.end(), table.noise_number.begin(), table.noise_number.end());
  all.label.resize(all.number.size(), -1);
  return all;
}

struct find_writer {
  numbers number;
  indices writer;
  std::int64_t n, ranks;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { writer(i) = rank_of(number(i), n, ranks); }
};

/// Values of points in the order of the input, of this rank's even range of it.
std::vector<std::int64_t> in_order(upsweep::mpi::communicator const& comm, space_type const& space, numbers number,
                                   numbers value, std::int64_t total) {
  if (comm.size() > 1) {
    auto const writer = all_or_none(comm, [&] {
      auto const to = make<indices>(space, "writers", number.extent(0));
      Kokkos::parallel_for("upsweep-clusters::find_writer", points_range(space, number.extent(0)),
                           find_writer{number, to, total, comm.size()});
      return to;
    });
    upsweep::mpi::redistribute(comm, space, writer, number, value);
  }
  return all_or_none(comm, [&] {
    auto const first = upsweep::mpi::even_range(total, comm.rank(), comm.size()).first;
    auto const at = upsweep::to_host(space, number), values = upsweep::to_host(space, value);
    std::vector<std::int64_t> result(at.size());
    for (std::size_t i = 0; i < at.size(); ++i) result[static_cast<std::size_t>(at[i] - first)] = values[i];
    return result;
  });
}

}  // namespace

std::vector<std::string> const& catalogue_files() {
  static std::vector<std::string> const names{"labels.npy",        "ids.npy",           "group_labels.npy",
                                              "group_sizes.npy",   "group_centres.npy", "group_spans.npy",
                                              "group_offsets.npy", "group_members.npy", "clusters.json"};
  return names;
}

void prepare_catalogue(upsweep::mpi::communicator const& comm, fs::path const& folder, bool force) {
  all_or_none(comm, [&] {
    if (comm.rank() != 0) return;
    apps::prepare_folder({"--catalogue", folder.string()}, catalogue_files(), "upsweep-clusters", force);
  });
}

void write_catalogue(upsweep::mpi::communicator const& comm, space_type const& space, group_table const& table,
                     point_set const& points, std::int64_t min_members, std::string const& summary,
                     fs::path const& folder) {
  numbers number, label;
  all_or_none(comm, [&] {
    auto const of_points = labels_of(table);
    number = to_device<numbers>(space, "numbers", of_points.number, of_points.number.size());
    label = to_device<numbers>(space, "labels", of_points.label, of_points.label.size());
  });
  auto const labels = in_order(comm, space, number, label, points.total);
  auto const ids = in_order(comm, space, points.number, points.id, points.total);
  auto kept = all_or_none(comm, [&] { return with_members(table, min_members); });
  auto const place = upsweep::mpi::exclusive_offset(comm, kept.members.size());
  if (comm.rank() + 1 != comm.size()) kept.offset.pop_back();
  for (auto& offset : kept.offset) offset += static_cast<std::int64_t>(place.offset);

  auto const& names = catalogue_files();
  std::vector<std::unique_ptr<upsweep::mpi::npy_file>> files;
  auto const write = [&](auto const& values, std::vector<std::uint64_t> const& row = {}) {
    files.push_back(std::make_unique<upsweep::mpi::npy_file>(comm, folder / names[files.size()]));
    files.back()->write(std::span(values), row);
  };
  write(labels);
  write(ids);
  write(kept.label);
  write(kept.size);
  write(kept.centre, {3});
  write(kept.spans);
  write(kept.offset);
  write(kept.members);
  std::optional<upsweep::file_replacement> last;
  all_or_none(comm, [&] {
    if (comm.rank() != 0) return;
    last.emplace(folder / names.back());
    last->write(summary);
  });
  for (auto const& file : files) file->commit();
  all_or_none(comm, [&] {
    if (last) last->commit();
  });
}

}  // namespace clusters

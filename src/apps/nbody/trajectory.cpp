// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "trajectory.hpp"

#include "../shared/require_ours.hpp"
#include "checksum.hpp"
#include "numbered_files.hpp"
#include "rows_by_id.hpp"
#include "vtk_frames.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/mpi/agree.hpp>

#include <filesystem>
#include <string>
#include <system_error>

namespace nbody {
namespace {

/// Frames of a file of H5MD in a run without --checkpoint-every.
constexpr std::int64_t frames_of_h5md_file = 100;

/// Whether a record is of this format.
bool fits(trajectory_record const& record, trajectory_format format) {
  auto const of_record = !record.files.empty() ? trajectory_format::h5md
                         : record.bytes == 0   ? trajectory_format::vtk
                                               : trajectory_format::xyz;
  return of_record == (format == trajectory_format::lammps ? trajectory_format::xyz : format);
}

/// Whether what the record's checksum is of is on the disk, at its place. More may follow it. Of several files the last
/// one has the checksum; the others must be there, of this program.
bool is_of(trajectory_record const& record, std::string const& name) {
  for (auto const step : record.files)
    if (!is_h5md_part(numbered_file(name, step))) return false;
  auto const path = record.files.empty() ? name : numbered_file(name, record.files.back()).string();
  return checksum_of_file(path, record.last_frame_at, record.bytes) == record.last_checksum;
}

}  // namespace

void require_writable_trajectory(options const& o, trajectory_record const* record) {
  auto const format = format_of(o.trajectory);
  // With several files, the list of them counts.
  auto const path = format == trajectory_format::vtk ? vtk_series(o.trajectory).string() : o.trajectory;
  upsweep::check_writable(path);
  if (o.force) return;
  auto const refuse = [](std::string const& what, bool others) {
    throw upsweep::output_error(what + (others
                                            ? ": is not the trajectory of the checkpoint (expected that, a new name, "
                                              "or --force)"
                                            : ": exists already (expected a new name, or --force)"));
  };
  std::error_code error;
  bool const exists = std::filesystem::exists(path, error) && std::filesystem::file_size(path, error) != 0;
  bool const is_ours =
      record != nullptr && fits(*record, format) && (format == trajectory_format::vtk || is_of(*record, o.trajectory));
  if (exists && !(is_ours && (format != trajectory_format::h5md || is_h5md_part(path))))
    refuse(path, record != nullptr);
  if (format != trajectory_format::h5md && format != trajectory_format::vtk) return;
  auto const last = is_ours && !record->frames.empty() ? record->frames.back() : -1;
  for (auto const step : numbered_files_after(o.trajectory, last)) {
    auto const part = numbered_file(o.trajectory, step);
    if (format == trajectory_format::vtk) apps::require_ours({"--trajectory", part.string()}, "upsweep-nbody");
    // Files of later steps, of this program, are removed.
    else if (!is_ours || !is_h5md_part(part)) refuse(part.string(), false);
  }
}

void trajectory::begin(trajectory_record const* at_checkpoint, upsweep::box<double> const& box) {
  if (format_ == trajectory_format::none) return;
  // Only rank 0 looks at files.
  int keeps = upsweep::mpi::all_or_none(comm_, [&] {
    return comm_.rank() == 0 && at_checkpoint != nullptr && fits(*at_checkpoint, format_) &&
           (format_ == trajectory_format::vtk || is_of(*at_checkpoint, options_.trajectory));
  });
  upsweep::mpi::check(comm_, MPI_Bcast(&keeps, 1, MPI_INT, 0, comm_.get()), "MPI_Bcast");
  upsweep::mpi::all_or_none(comm_, [&] {
    if (keeps != 0) record_ = *at_checkpoint;
  });
  if (format_ == trajectory_format::vtk) write_vtk_series(comm_, options_.trajectory, record_.frames, options_.dt);
  else if (format_ == trajectory_format::h5md) h5md_.begin(record_, particles_, box);
  else file_.emplace(comm_, options_.trajectory, record_.bytes);
}

void trajectory::close() {
  if (format_ == trajectory_format::h5md) h5md_.close(record_);
}

void trajectory::write(atoms const& a, upsweep::box<double> const& box, std::int64_t step) {
  rows_by_id const rows(comm_, space_, a.ids, particles_);
  auto const positions = rows.fetch(a.positions), velocities = rows.fetch(a.velocities);
  auto const edges = rows.fetch(a.edges);
  auto const types = rows.fetch(a.types);
  frame const f{
      step, static_cast<double>(step) * options_.dt, particles_, box, rows.range().first, positions, velocities, edges,
      types};
  if (format_ == trajectory_format::h5md) {
    h5md_.write(f, record_);
    // Without checkpoints a kill shall not cost all frames.
    if (options_.checkpoint_every == 0 && h5md_.open_frames() == frames_of_h5md_file) close();
    return;
  }
  if (format_ == trajectory_format::vtk) write_vtk_frame(comm_, options_.trajectory, f);
  else append(f);
  upsweep::mpi::all_or_none(comm_, [&] { record_.frames.push_back(step); });
  if (format_ == trajectory_format::vtk) write_vtk_series(comm_, options_.trajectory, record_.frames, options_.dt);
}

void trajectory::append(frame const& f) {
  bool const xyz = format_ == trajectory_format::xyz;
  auto const text = upsweep::mpi::all_or_none(comm_, [&] {
    std::string mine;
    if (comm_.rank() == 0) mine = xyz ? xyz_head(f) : lammps_head(f);
    return mine + (xyz ? xyz_rows(f) : lammps_rows(f));
  });
  auto const bytes = std::as_bytes(std::span(text));
  auto const checksum = checksum_of(comm_, bytes);
  auto const begin = file_->size();
  file_->append(bytes);
  record_.last_frame_at = begin;
  record_.last_checksum = checksum;
  record_.bytes = file_->size();
}

}  // namespace nbody

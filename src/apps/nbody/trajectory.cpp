// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "trajectory.hpp"

#include "checksum.hpp"
#include "rows_by_id.hpp"
#include "vtk_frames.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/mpi/agree.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace nbody {
namespace {

/// Whether the last frame of the record is in the file, at its place. More may follow it.
bool is_of(trajectory_record const& record, std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(record.last_frame_at));
  std::uint32_t checksum = 0;
  std::string piece(std::size_t(1) << 20, '\0');
  for (std::uint64_t left = record.bytes - record.last_frame_at; left > 0;) {
    auto const n = std::min<std::uint64_t>(left, piece.size());
    if (!file.read(piece.data(), static_cast<std::streamsize>(n))) return false;
    checksum = crc32_of(piece.data(), n, checksum);
    left -= n;
  }
  return checksum == record.last_checksum;
}

}  // namespace

void require_writable_trajectory(options const& o, trajectory_record const* record) {
  // With one file per frame, the list of frames counts.
  bool const of_frames = format_of(o.trajectory) == trajectory_format::vtk;
  auto const path = of_frames ? vtk_series(o.trajectory).string() : o.trajectory;
  upsweep::check_writable(path);
  std::error_code error;
  if (o.force || !std::filesystem::exists(path, error) || std::filesystem::file_size(path, error) == 0) return;
  if (record == nullptr) throw upsweep::output_error(path + ": exists already (expected a new name, or --force)");
  if (of_frames != (record->bytes == 0) || (!of_frames && !is_of(*record, path)))
    throw upsweep::output_error(path +
                                ": is not the trajectory of the checkpoint (expected that, a new name, or "
                                "--force)");
}

void trajectory::begin(trajectory_record const* at_checkpoint) {
  if (format_ == trajectory_format::none) return;
  bool const of_frames = format_ == trajectory_format::vtk;
  record_ = upsweep::mpi::all_or_none(comm_, [&] {
    trajectory_record kept;
    std::error_code error;
    bool const goes_on = at_checkpoint != nullptr && of_frames == (at_checkpoint->bytes == 0);
    if (goes_on && comm_.rank() == 0 &&
        (of_frames ||
         (std::filesystem::exists(options_.trajectory, error) && is_of(*at_checkpoint, options_.trajectory))))
      kept = *at_checkpoint;
    return kept;
  });
  // Only rank 0 has looked at the file.
  int keeps = record_.frames.empty() ? 0 : 1;
  upsweep::mpi::check(comm_, MPI_Bcast(&keeps, 1, MPI_INT, 0, comm_.get()), "MPI_Bcast");
  upsweep::mpi::all_or_none(comm_, [&] {
    if (keeps != 0) record_ = *at_checkpoint;
  });
  if (of_frames) write_vtk_series(comm_, options_.trajectory, record_.frames, options_.dt);
  else file_.emplace(comm_, options_.trajectory, record_.bytes);
}

void trajectory::write(atoms const& a, upsweep::box<double> const& box, std::int64_t step) {
  rows_by_id const rows(comm_, space_, a.ids, particles_);
  auto const positions = rows.fetch(a.positions), velocities = rows.fetch(a.velocities);
  auto const edges = rows.fetch(a.edges);
  auto const types = rows.fetch(a.types);
  frame const f{
      step, static_cast<double>(step) * options_.dt, particles_, box, rows.range().first, positions, velocities, edges,
      types};
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "trajectory.hpp"

#include "../checkpoint/checksum.hpp"
#include "../rows/rows_by_id.hpp"
#include "trajectory_files.hpp"
#include "vtk_frames.hpp"

#include <upsweep/mpi/agree.hpp>

#include <string>

namespace nbody {
namespace {

/// Frames of a file of H5MD in a run without --checkpoint-every.
constexpr std::int64_t frames_of_h5md_file = 100;

}  // namespace

void trajectory::begin(trajectory_record const* at_checkpoint, upsweep::box<double> const& box) {
  if (format_ == trajectory_format::none) return;
  // Only rank 0 looks at files.
  int keeps = upsweep::mpi::all_or_none(comm_, [&] {
    return comm_.rank() == 0 && at_checkpoint != nullptr && is_of(*at_checkpoint, options_.trajectory);
  });
  upsweep::mpi::check(comm_, MPI_Bcast(&keeps, 1, MPI_INT, 0, comm_.get()), "MPI_Bcast");
  upsweep::mpi::all_or_none(comm_, [&] {
    if (keeps != 0) record_ = *at_checkpoint;
  });
  // The list of files first: it never names one that is gone.
  if (format_ == trajectory_format::vtk) write_vtk_series(comm_, options_.trajectory, record_.frames, options_.dt);
  else if (format_ == trajectory_format::h5md) h5md_.begin(record_, particles_, box);
  else file_.emplace(comm_, options_.trajectory, record_.bytes);
  if (!has_several_files(format_)) return;
  upsweep::mpi::all_or_none(comm_, [&] {
    if (comm_.rank() == 0) remove_files_after(options_.trajectory, record_.frames.empty() ? -1 : record_.frames.back());
  });
}

void trajectory::close() {
  if (format_ == trajectory_format::h5md) h5md_.close(record_);
  // Only checkpoints need the checksum.
  if (format_ == trajectory_format::vtk && !options_.checkpoint.empty() && record_.bytes == 0 && !record_.files.empty())
    note_last_file(comm_, options_.trajectory, record_);
}

void trajectory::write(atoms const& a, upsweep::box<double> const& box, std::int64_t step) {
  rows_by_id const rows(comm_, space_, a.ids, particles_);
  auto const positions = rows.fetch(a.positions), velocities = rows.fetch(a.velocities);
  auto const edges = rows.fetch(a.edges);
  auto const masses = rows.fetch(a.masses);
  auto const types = rows.fetch(a.types);
  frame const f{step,
                static_cast<double>(step) * options_.dt,
                particles_,
                box,
                rows.range().first,
                positions,
                velocities,
                edges,
                masses,
                types,
                species_};
  if (format_ == trajectory_format::h5md) {
    h5md_.write(f, record_);
    // Without checkpoints a kill shall not cost all frames.
    if (options_.checkpoint_every == 0 && h5md_.open_frames() == frames_of_h5md_file) close();
    return;
  }
  if (format_ == trajectory_format::vtk) write_vtk_frame(comm_, options_.trajectory, f);
  else append(f);
  upsweep::mpi::all_or_none(comm_, [&] {
    record_.frames.push_back(step);
    if (format_ == trajectory_format::vtk) record_.files.push_back(step), record_.bytes = 0;
  });
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

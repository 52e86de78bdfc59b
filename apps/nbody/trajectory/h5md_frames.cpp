// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "h5md_frames.hpp"

#include "../rows/gather_rows.hpp"
#include "numbered_files.hpp"
#include "trajectory_files.hpp"

#include <upsweep/mpi/agree.hpp>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <system_error>

namespace nbody {
namespace {

namespace fs = std::filesystem;

/// The number of frames in each file of the record.
std::vector<std::uint64_t> frames_of_files(trajectory_record const& record) {
  std::vector<std::uint64_t> counts;
  auto const& frames = record.frames;
  for (std::size_t k = 0; k < record.files.size(); ++k) {
    auto const first = std::lower_bound(frames.begin(), frames.end(), record.files[k]);
    auto const end =
        k + 1 < record.files.size() ? std::lower_bound(first, frames.end(), record.files[k + 1]) : frames.end();
    counts.push_back(static_cast<std::uint64_t>(end - first));
  }
  return counts;
}

}  // namespace

void h5md_frames::begin(trajectory_record const& record, std::int64_t particles, upsweep::box<double> const& box) {
  particles_ = particles;
  box_ = box;
  upsweep::mpi::all_or_none(comm_, [&] {
    if (comm_.rank() != 0) return;
    std::error_code error;
    // That of another trajectory becomes one without frames.
    if (!record.files.empty() || fs::exists(name_, error)) write_index(record);
  });
}

template <class T>
void h5md_frames::write_rows(h5md_array array, std::int64_t columns, std::span<T const> mine) {
  gather_rows(comm_, particles_, columns, mine, h5md_chunk_rows(particles_),
              [&](std::int64_t first, std::span<T const> rows) { file_->write(array, first, rows); });
}

void h5md_frames::write(frame const& f, trajectory_record& record) {
  bool const opens = open_frames_ == 0;
  auto const ids = upsweep::mpi::all_or_none(comm_, [&] {
    std::vector<std::int64_t> mine;
    record.frames.push_back(f.step);
    if (!opens) return mine;
    record.files.push_back(f.step);
    mine.resize(f.types.size());
    std::iota(mine.begin(), mine.end(), f.first + 1);
    if (comm_.rank() != 0) return mine;
    auto const path = numbered_file(name_, f.step);
    part_.emplace(path);
    file_.emplace(*part_, path.string(), particles_, f.box, f.step);
    return mine;
  });
  if (opens) {
    write_rows(h5md_array::species, 1, f.types);
    write_rows(h5md_array::id, 1, std::span<std::int64_t const>(ids));
    write_rows(h5md_array::mass, 1, f.masses);
  }
  upsweep::mpi::all_or_none(comm_, [&] {
    if (comm_.rank() == 0) file_->begin_frame(f.step, f.time);
  });
  write_rows(h5md_array::position, 3, f.positions);
  write_rows(h5md_array::velocity, 3, f.velocities);
  write_rows(h5md_array::image, 3, f.edges);
  ++open_frames_;
}

void h5md_frames::close(trajectory_record& record) {
  if (open_frames_ == 0) return;
  upsweep::mpi::all_or_none(comm_, [&] {
    if (comm_.rank() != 0) return;
    file_->close();
    file_.reset();
    part_->commit();
    part_.reset();
  });
  note_last_file(comm_, name_, record);
  open_frames_ = 0;
  upsweep::mpi::all_or_none(comm_, [&] {
    if (comm_.rank() == 0) write_index(record);
  });
}

void h5md_frames::write_index(trajectory_record const& record) const {
  std::vector<indexed_file> files;
  auto const counts = frames_of_files(record);
  for (std::size_t k = 0; k < counts.size(); ++k)
    files.push_back({numbered_file(name_, record.files[k]).filename().string(), counts[k]});
  upsweep::file_replacement index(name_);
  index.write(h5md_index(name_, particles_, *box_, files));
  index.commit();
}

}  // namespace nbody

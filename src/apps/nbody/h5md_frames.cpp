// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "h5md_frames.hpp"

#include "checksum.hpp"
#include "gather_rows.hpp"
#include "numbered_files.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/agree.hpp>

#include <algorithm>
#include <array>
#include <fstream>
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

bool is_h5md_part(fs::path const& path) {
  // The name of the creator is among the first bytes.
  std::ifstream file(path, std::ios::binary);
  std::string start(8192, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return start.starts_with("\x89HDF\r\n\x1a\n") && start.find("upsweep-nbody") != std::string::npos;
}

void h5md_frames::begin(trajectory_record const& record, std::int64_t particles, upsweep::box<double> const& box) {
  particles_ = particles;
  box_ = box;
  upsweep::mpi::all_or_none(comm_, [&] {
    if (comm_.rank() != 0) return;
    std::error_code error;
    // The index first: it never names a file that is gone. That of another trajectory becomes one without frames.
    if (!record.files.empty() || fs::exists(name_, error)) write_index(record);
    for (auto const step : numbered_files_after(name_, record.frames.empty() ? -1 : record.frames.back()))
      if (auto const path = numbered_file(name_, step); is_h5md_part(path) && !fs::remove(path, error) && error)
        throw upsweep::output_error(path.string() + ": cannot be removed: " + error.message());
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
    file_.emplace(part_->part(), path.string(), particles_, f.box);
    return mine;
  });
  if (opens) {
    write_rows(h5md_array::species, 1, f.types);
    write_rows(h5md_array::id, 1, std::span<std::int64_t const>(ids));
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
  auto written = upsweep::mpi::all_or_none(comm_, [&] {
    std::array<std::uint64_t, 2> bytes_and_checksum{};
    if (comm_.rank() != 0) return bytes_and_checksum;
    file_->close();
    file_.reset();
    part_->commit();
    part_.reset();
    auto const path = numbered_file(name_, record.files.back()).string();
    std::error_code error;
    bytes_and_checksum[0] = fs::file_size(path, error);
    auto const checksum = error ? std::nullopt : checksum_of_file(path, 0, bytes_and_checksum[0]);
    if (!checksum) throw upsweep::output_error(path + ": cannot be read again");
    bytes_and_checksum[1] = *checksum;
    return bytes_and_checksum;
  });
  upsweep::mpi::check(comm_, MPI_Bcast(written.data(), 2, MPI_UINT64_T, 0, comm_.get()), "MPI_Bcast");
  record.bytes = written[0];
  record.last_checksum = static_cast<std::uint32_t>(written[1]);
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
  write_h5md_index(index.part(), name_, particles_, *box_, files);
  index.commit();
}

}  // namespace nbody

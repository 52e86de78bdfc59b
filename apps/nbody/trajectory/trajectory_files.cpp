// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "trajectory_files.hpp"

#include "../checkpoint/checksum.hpp"
#include "h5md_file.hpp"
#include "numbered_files.hpp"
#include "vtk_frames.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/mpi/agree.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <system_error>

namespace nbody {
namespace {

namespace fs = std::filesystem;

/// Whether this program has written the numbered file of this step. Other files may have such names, too.
bool has_frames_from(trajectory_format format, fs::path const& file, std::int64_t step) {
  return format == trajectory_format::vtk ? is_vtk_frame(file, step) : is_h5md_part(file, step);
}

/// Whether there is anything to lose.
bool has_contents(fs::path const& path) {
  std::error_code error;
  return fs::exists(path, error) && !(fs::is_regular_file(path, error) && fs::file_size(path, error) == 0);
}

/// Whether the file that names all others of a trajectory may belong to the record.
bool fits(trajectory_record const& record, trajectory_format format, std::string const& name) {
  if (format == trajectory_format::vtk) return is_vtk_series_of(name, record.frames);
  return format != trajectory_format::h5md || is_h5md_index(name);
}

}  // namespace

bool is_of(trajectory_record const& record, std::string const& name) {
  auto const format = format_of(name);
  if (record.frames.empty() || record.bytes <= record.last_frame_at ||
      record.files.empty() == has_several_files(format))
    return false;
  for (auto const step : record.files)
    if (!has_frames_from(format, numbered_file(name, step), step)) return false;
  // The last one is enough: every run removes all files behind its start before it writes one, so a run that has used
  // the name since has changed or removed it.
  auto const path = record.files.empty() ? name : numbered_file(name, record.files.back()).string();
  return checksum_of_file(path, record.last_frame_at, record.bytes) == record.last_checksum;
}

void require_writable_trajectory(options const& o, trajectory_record const* record) {
  auto const format = format_of(o.trajectory);
  // With several files, the one that lists them counts.
  auto const path = format == trajectory_format::vtk ? vtk_series(o.trajectory).string() : o.trajectory;
  upsweep::check_writable(path);
  if (o.force) return;
  bool const is_ours = record != nullptr && is_of(*record, o.trajectory);
  if (has_contents(path) && !(is_ours && fits(*record, format, o.trajectory)))
    throw upsweep::output_error(path + (record != nullptr
                                            ? ": is not the trajectory of the checkpoint (expected that, a new name, "
                                              "or --force)"
                                            : ": exists already (expected a new name, or --force)"));
  if (!has_several_files(format)) return;
  for (auto const step : numbered_files_after(o.trajectory, is_ours ? record->frames.back() : -1)) {
    auto const file = numbered_file(o.trajectory, step);
    // Later frames of the checkpoint's trajectory are removed, those of another trajectory are not.
    bool const in_the_way = has_frames_from(format, file, step)
                                ? !is_ours
                                : step <= o.steps && step % o.trajectory_every == 0 && has_contents(file);
    if (in_the_way) throw upsweep::output_error(file.string() + ": exists already (expected a new name, or --force)");
  }
}

void remove_files_after(std::string const& name, std::int64_t step) {
  for (auto const later : numbered_files_after(name, step)) {
    auto const path = numbered_file(name, later);
    std::error_code error;
    if (has_frames_from(format_of(name), path, later) && !fs::remove(path, error) && error)
      throw upsweep::output_error(path.string() + ": cannot be removed: " + error.message());
  }
}

void note_last_file(upsweep::mpi::communicator const& comm, std::string const& name, trajectory_record& record) {
  auto noted = upsweep::mpi::all_or_none(comm, [&] {
    std::array<std::uint64_t, 2> bytes_and_checksum{};
    if (comm.rank() != 0) return bytes_and_checksum;
    auto const path = numbered_file(name, record.files.back()).string();
    std::error_code error;
    bytes_and_checksum[0] = fs::file_size(path, error);
    auto const checksum = error ? std::nullopt : checksum_of_file(path, 0, bytes_and_checksum[0]);
    if (!checksum) throw upsweep::output_error(path + ": cannot be read again");
    bytes_and_checksum[1] = *checksum;
    return bytes_and_checksum;
  });
  upsweep::mpi::check(comm, MPI_Bcast(noted.data(), 2, MPI_UINT64_T, 0, comm.get()), "MPI_Bcast");
  record.bytes = noted[0];
  record.last_checksum = static_cast<std::uint32_t>(noted[1]);
}

}  // namespace nbody

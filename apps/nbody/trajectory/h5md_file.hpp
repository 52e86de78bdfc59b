// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/io/replace_file.hpp>
#include <upsweep/neighbors/box.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace nbody {

/// Whether the program was built with HDF5, without which nothing below works.
bool has_hdf5();

/// Whether this program has made a file with frames of which the first is that of `step`. Others, such as the index of
/// a trajectory, are none. Local; reads the first 8 KiB.
bool is_h5md_part(std::filesystem::path const& path, std::int64_t step);

/// Whether this program has made a file by h5md_index(). Local; reads the first 8 KiB.
bool is_h5md_index(std::filesystem::path const& path);

/// Rows that one call of h5md_file should write at once: those of a chunk, for n particles in all.
std::int64_t h5md_chunk_rows(std::int64_t n);

/// Arrays of particles: types (std::int32_t), ids (std::int64_t) and masses (double), one value a row, which all frames
/// share; positions, velocities (double) and images (int), three values a row.
enum class h5md_array { species, id, mass, position, velocity, image };

/// A file of H5MD 1.1 (https://www.nongnu.org/h5md) while its frames are written, in the group /particles/all. They go
/// to the file as they come; memory does not grow with their number. The bytes are a function of the calls alone.
/// Local. Throws: output_error with the user's name of the file and HDF5's reason.
class h5md_file {
 public:
  /// Writes the file's start to the part, which must be empty, and opens it. named: the user's name of the file, for
  /// messages. step: that of the first frame, by which is_h5md_part() knows the file.
  h5md_file(upsweep::file_replacement& part, std::string const& named, std::int64_t particles,
            upsweep::box<double> const& box, std::int64_t step);
  h5md_file(h5md_file const&) = delete;
  h5md_file& operator=(h5md_file const&) = delete;
  /// Without close() the file is incomplete, and HDF5 has it open until the process ends.
  ~h5md_file();

  void begin_frame(std::int64_t step, double time);

  /// Writes rows of the particles first, first + 1, ...: of the frame that was begun last, or what all frames share.
  template <class T>
  void write(h5md_array array, std::int64_t first, std::span<T const> rows);

  /// Hands all to the system and closes the file; it is not written through to the disk. Once.
  void close();

 private:
  struct contents;
  std::unique_ptr<contents> contents_;
};

/// One of the files that an index shows as one.
struct indexed_file {
  std::string name;  ///< relative to the index
  std::uint64_t frames = 0;
};

/// The bytes of a file of H5MD whose arrays are those of other files, one behind the other (HDF5's virtual datasets),
/// for readers from HDF5 1.10 on. Local. Throws: as h5md_file.
std::string h5md_index(std::string const& named, std::int64_t particles, upsweep::box<double> const& box,
                       std::vector<indexed_file> const& files);

}  // namespace nbody

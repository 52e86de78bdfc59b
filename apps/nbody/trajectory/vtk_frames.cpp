// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "vtk_frames.hpp"

#include "../checks.hpp"
#include "numbered_files.hpp"

#include <upsweep/io/mpi/parallel_file.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/mpi/agree.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <fstream>
#include <span>
#include <system_error>

namespace nbody {
namespace {

/// The bytes of numbers as VTK's binary files have them, the highest byte first.
template <class T>
std::string big_endian(std::span<T const> values) {
  std::string bytes;
  bytes.reserve(values.size_bytes());
  for (T const value : values) {
    auto const raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
    bool const little = std::endian::native == std::endian::little;
    for (std::size_t k = 0; k < sizeof(T); ++k) bytes += raw[little ? sizeof(T) - 1 - k : k];
  }
  return bytes;
}

std::string title_of(std::int64_t step) {
  return "# vtk DataFile Version 3.0\nupsweep-nbody, step " + std::to_string(step) + "\n";
}

}  // namespace

std::filesystem::path vtk_series(std::string const& name) { return name + ".series"; }

void write_vtk_frame(upsweep::mpi::communicator const& comm, std::string const& name, frame const& f) {
  // Arrays, and before each a text that rank 0 alone writes.
  std::vector<std::string> pieces;
  auto const sections = upsweep::mpi::all_or_none(comm, [&] {
    narrow<std::int32_t>(f.particles, "--trajectory", "the number of particles in a VTK file");
    auto const n = std::to_string(f.particles);
    auto const text = [&](std::string const& words) { pieces.push_back(comm.rank() == 0 ? words : ""); };
    std::vector<std::int32_t> cells;
    for (std::size_t i = 0; i < f.types.size(); ++i) {
      cells.push_back(1);
      cells.push_back(static_cast<std::int32_t>(f.first + static_cast<std::int64_t>(i)));
    }
    std::vector<std::int32_t> ids;
    for (std::size_t i = 0; i < f.types.size(); ++i)
      ids.push_back(static_cast<std::int32_t>(f.first + static_cast<std::int64_t>(i) + 1));
    text(title_of(f.step) + "BINARY\nDATASET POLYDATA\nPOINTS " + n + " double\n");
    pieces.push_back(big_endian(f.positions));
    text("\nVERTICES " + n + " " + std::to_string(2 * f.particles) + "\n");
    pieces.push_back(big_endian(std::span<std::int32_t const>(cells)));
    text("\nPOINT_DATA " + n + "\nVECTORS velocity double\n");
    pieces.push_back(big_endian(f.velocities));
    text("\nSCALARS mass double 1\nLOOKUP_TABLE default\n");
    pieces.push_back(big_endian(f.masses));
    text("\nSCALARS type int 1\nLOOKUP_TABLE default\n");
    pieces.push_back(big_endian(f.types));
    text("\nSCALARS id int 1\nLOOKUP_TABLE default\n");
    pieces.push_back(big_endian(std::span<std::int32_t const>(ids)));
    text("\n");
    std::vector<std::span<std::byte const>> result;
    for (auto const& piece : pieces) result.push_back(std::as_bytes(std::span(piece)));
    return result;
  });
  upsweep::mpi::parallel_file file(comm, numbered_file(name, f.step));
  file.write(sections);
  file.commit();
}

bool is_vtk_frame(std::filesystem::path const& file, std::int64_t step) {
  auto const title = title_of(step);
  std::string start(title.size(), '\0');
  return std::ifstream(file, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size())) &&
         start == title;
}

bool is_vtk_series_of(std::string const& name, std::vector<std::int64_t> const& frames) {
  std::ifstream file(vtk_series(name), std::ios::binary);
  if (!file) return true;
  auto const series = nlohmann::json::parse(file, nullptr, false);
  if (!series.is_object() || !series.contains("files") || !series["files"].is_array()) return false;
  auto const& files = series["files"];
  for (std::size_t k = 0; k < std::min(files.size(), frames.size()); ++k) {
    auto const expected = numbered_file(name, frames[k]).filename().string();
    if (!files[k].is_object() || !files[k].contains("name") || files[k]["name"] != expected) return false;
  }
  return true;
}

void write_vtk_series(upsweep::mpi::communicator const& comm, std::string const& name,
                      std::vector<std::int64_t> const& frames, double dt) {
  upsweep::mpi::all_or_none(comm, [&] {
    std::error_code error;
    if (comm.rank() != 0 || (frames.empty() && !std::filesystem::exists(vtk_series(name), error))) return;
    nlohmann::ordered_json series{{"file-series-version", "1.0"}, {"files", nlohmann::ordered_json::array()}};
    for (auto const step : frames)
      series["files"].push_back(
          {{"name", numbered_file(name, step).filename().string()}, {"time", static_cast<double>(step) * dt}});
    upsweep::replace_file(vtk_series(name), series.dump(1) + "\n");
  });
}

}  // namespace nbody

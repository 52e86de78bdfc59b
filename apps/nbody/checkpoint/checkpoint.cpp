// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "checkpoint.hpp"

#include "../checks.hpp"
#include "../rows/rows_by_id.hpp"
#include "checksum.hpp"

#include <upsweep/io/mpi/parallel_file.hpp>
#include <upsweep/io/npy.hpp>
#include <upsweep/mpi/agree.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <span>
#include <string>
#include <system_error>

namespace nbody {
namespace {

using bytes = std::span<std::byte const>;

/// Every rank reads the whole header into memory.
constexpr std::uint64_t largest_header = std::uint64_t(1) << 30;

/// Lists the arrays of a checkpoint, in the order in which they are written.
class array_list {
 public:
  array_list(upsweep::mpi::communicator const& comm, std::vector<checkpoint_array>& arrays)
      : comm_(comm), arrays_(arrays) {}

  /// Pre: values live until the sections are written. Collective.
  template <class T>
  void add(char const* name, std::vector<T> const& values, std::uint64_t columns) {
    bytes const mine = std::as_bytes(std::span(values));
    auto const checksum = checksum_of(comm_, mine);
    upsweep::mpi::all_or_none(comm_, [&] {
      arrays_.push_back({name, upsweep::npy_descr<T>(), columns, checksum});
      sections.push_back(mine);
    });
  }

  std::vector<bytes> sections;

 private:
  upsweep::mpi::communicator const& comm_;
  std::vector<checkpoint_array>& arrays_;
};

}  // namespace

bool is_checkpoint(std::filesystem::path const& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;  // opening a FIFO would wait
  std::ifstream file(path, std::ios::binary);
  std::string line(bytes_of_first_line, '\0');
  if (!file.read(line.data(), static_cast<std::streamsize>(line.size()))) return false;
  try {
    read_first_line(path.string(), line);
    return true;
  } catch (upsweep::input_error const&) {
    return false;
  }
}

std::filesystem::path previous_checkpoint(std::filesystem::path const& path) { return path.string() + ".previous"; }

void require_replaceable_checkpoint(std::filesystem::path const& path, bool force) {
  for (auto const& place : {path, previous_checkpoint(path)}) {
    upsweep::check_writable(place);
    std::error_code error;
    if (!force && std::filesystem::exists(place, error) && !is_checkpoint(place))
      throw upsweep::output_error(place.string() +
                                  ": is no checkpoint of upsweep-nbody (expected a new name, or --force)");
  }
}

void write_checkpoint(upsweep::mpi::communicator const& comm, space_type const& space,
                      std::filesystem::path const& path, checkpoint_header header, atoms const& a,
                      vectors const& built_from, std::vector<double> const* msd_reference) {
  upsweep::mpi::parallel_file file(comm, path);
  rows_by_id const rows(comm, space, a.ids, header.particles);
  auto const positions = rows.fetch(a.positions), at_rebuild = rows.fetch(built_from), v = rows.fetch(a.velocities);
  auto const edges = rows.fetch(a.edges);
  auto const types = rows.fetch(a.types);
  bool const has_masses = !header.masses.empty();
  auto const masses = has_masses ? std::vector<double>() : rows.fetch(a.masses);
  array_list arrays(comm, header.arrays);
  std::string head;
  upsweep::mpi::all_or_none(comm, [&] { arrays.sections.emplace_back(); });
  arrays.add("positions", positions, 3);
  arrays.add("positions_at_rebuild", at_rebuild, 3);
  arrays.add("velocities", v, 3);
  arrays.add("edges", edges, 3);
  arrays.add("types", types, 1);
  if (!has_masses) arrays.add("masses", masses, 1);
  if (msd_reference != nullptr) arrays.add("msd_reference", *msd_reference, 3);
  upsweep::mpi::all_or_none(comm, [&] {
    if (comm.rank() == 0) head = to_text(header);
    arrays.sections[0] = std::as_bytes(std::span(head));
  });
  file.write(arrays.sections);
  file.commit_and_keep(previous_checkpoint(path));
}

checkpoint_reader::checkpoint_reader(upsweep::mpi::communicator const& comm, std::filesystem::path const& path)
    : comm_(comm), path_(path), file_(comm, path) {
  using upsweep::mpi::all_or_none;
  auto const name = path.string();
  // Every rank reads the same bytes, and finds the same in them.
  std::string line, text;
  all_or_none(comm_, [&] {
    if (file_.size() < bytes_of_first_line) throw upsweep::input_error(name + ": no checkpoint of upsweep-nbody");
    line.resize(bytes_of_first_line);
  });
  file_.read(0, std::as_writable_bytes(std::span(line)));
  checkpoint_start start;
  all_or_none(comm_, [&] {
    start = read_first_line(name, line);
    if (start.bytes > file_.size() - line.size() || start.bytes > largest_header)
      throw upsweep::input_error(name + ": cut short (expected a header of " + std::to_string(start.bytes) + " bytes)");
    text.resize(start.bytes);
  });
  file_.read(line.size(), std::as_writable_bytes(std::span(text)));
  all_or_none(comm_, [&] {
    header_ = read_header(name, start, text);
    arrays_at_ = line.size() + text.size();
    std::uint64_t left = file_.size() - arrays_at_;
    auto const refuse = [&](char const* what) {
      throw upsweep::input_error(name + ": " + what + " (expected the arrays of " + std::to_string(header_.particles) +
                                 " particles)");
    };
    for (auto const& a : header_.arrays) {
      auto const row = bytes_of_row(a);
      if (left / row < static_cast<std::uint64_t>(header_.particles)) refuse("cut short");
      left -= row * static_cast<std::uint64_t>(header_.particles);
    }
    if (left != 0) refuse("too long");
  });
}

run_start checkpoint_reader::read() const {
  using upsweep::mpi::all_or_none;
  auto const name = path_.string();
  auto const range = upsweep::mpi::even_range(header_.particles, comm_.rank(), comm_.size());
  run_start result;
  auto& data = result.particles.data;
  std::uint64_t at = arrays_at_;
  std::vector<std::string> seen;
  auto const read = [&](checkpoint_array const& a, auto& values, std::uint64_t columns) {
    using T = typename std::remove_reference_t<decltype(values)>::value_type;
    auto const rows = static_cast<std::uint64_t>(range.last - range.first);
    all_or_none(comm_, [&] {
      if (a.type != upsweep::npy_descr<T>() || a.columns != columns || !values.empty())
        throw upsweep::input_error(name + ": array '" + a.name + "' (expected one of " + std::to_string(columns) +
                                   " columns of '" + upsweep::npy_descr<T>() + "')");
      narrow<int>(rows, "--restart", "the number of particles on a rank");
      values.resize(rows * columns);
    });
    auto const mine = std::as_writable_bytes(std::span(values));
    file_.read(at + static_cast<std::uint64_t>(range.first) * bytes_of_row(a), mine);
    auto const found = checksum_of(comm_, mine);
    all_or_none(comm_, [&] {
      if (found != a.checksum)
        throw upsweep::input_error(name + ": array '" + a.name + "' damaged (its checksum differs)");
      seen.push_back(a.name);
    });
    at += bytes_of_row(a) * static_cast<std::uint64_t>(header_.particles);
  };
  for (auto const& a : header_.arrays) {
    if (a.name == "positions") read(a, result.positions, 3);
    else if (a.name == "positions_at_rebuild") read(a, data.positions, 3);
    else if (a.name == "velocities") read(a, data.velocities, 3);
    else if (a.name == "edges") read(a, data.image_flags, 3);
    else if (a.name == "types") read(a, data.types, 1);
    else if (a.name == "masses") read(a, data.particle_masses, 1);
    else if (a.name == "msd_reference") read(a, result.msd_reference, 3);
    else all_or_none(comm_, [&] { throw upsweep::input_error(name + ": unknown array '" + a.name + "'"); });
  }
  all_or_none(comm_, [&] {
    for (auto const* wanted : {"positions", "positions_at_rebuild", "velocities", "edges", "types"})
      if (std::find(seen.begin(), seen.end(), wanted) == seen.end())
        throw upsweep::input_error(name + ": without array '" + wanted + "'");
    copy_box(header_, data);
    data.masses = header_.masses;
    result.species = header_.species;
    auto const types = data.masses.empty() ? INT32_MAX : static_cast<std::int32_t>(data.masses.size());
    auto const good = [&](auto const& values) {
      return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
    };
    if (!good(result.positions) || !good(data.positions) || !good(data.velocities))
      throw upsweep::input_error(name + ": a position or velocity is no finite number");
    if (!std::all_of(data.types.begin(), data.types.end(), [&](std::int32_t t) { return t >= 1 && t <= types; }))
      throw upsweep::input_error(name + ": a type is none of those that have masses");
    if (!std::all_of(data.particle_masses.begin(), data.particle_masses.end(),
                     [](double m) { return std::isfinite(m) && m > 0; }))
      throw upsweep::input_error(name + ": a mass is no finite number above 0");
    data.ids.resize(data.types.size());
    for (std::size_t i = 0; i < data.ids.size(); ++i) data.ids[i] = range.first + static_cast<std::int64_t>(i) + 1;
    result.particles.first = range.first;
    result.particles.total = header_.particles;
    result.step = header_.step;
    result.first = header_.first;
    result.trajectory = header_.trajectory;
    result.rdf = header_.rdf;
    result.msd = header_.msd;
    if (!result.msd.empty() && std::find(seen.begin(), seen.end(), "msd_reference") == seen.end())
      throw upsweep::input_error(name + ": without array 'msd_reference'");
  });
  return result;
}

}  // namespace nbody

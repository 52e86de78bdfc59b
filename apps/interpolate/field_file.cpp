// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "field_file.hpp"

#include <upsweep/io/npy.hpp>
#include <upsweep/io/replace_file.hpp>

#include <cstddef>
#include <fstream>

namespace interpolate {
namespace {

constexpr std::size_t header_bytes = 1024;

}  // namespace

void write_field(std::string const& path, std::span<double const> values, std::vector<std::uint64_t> const& shape) {
  upsweep::file_replacement file(path);
  file.write(upsweep::npy_header(upsweep::npy_descr<double>(), shape, header_bytes));
  file.write({reinterpret_cast<char const*>(values.data()), values.size_bytes()});
  file.commit();
}

bool is_field(std::string const& path) {
  // Magic, version, length and keys up to the shape are the same in all of them.
  auto start = upsweep::npy_header(upsweep::npy_descr<double>(), {1}, header_bytes);
  start.resize(start.find('('));
  std::string found(start.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  return file.read(found.data(), static_cast<std::streamsize>(found.size())) && found == start;
}

}  // namespace interpolate

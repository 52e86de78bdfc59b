// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "checksum.hpp"

#include <upsweep/mpi/reduce.hpp>

#include <zlib.h>

#include <algorithm>
#include <fstream>

namespace nbody {
namespace {

struct checked_bytes {
  std::uint64_t checksum, bytes;
};

/// The checksum of a and then b, from the checksums of both. Not commutative.
struct join_checksums {
  using value_type = checked_bytes;
  checked_bytes identity() const { return {0, 0}; }
  checked_bytes operator()(checked_bytes const& a, checked_bytes const& b) const {
    return {::crc32_combine(a.checksum, b.checksum, static_cast<z_off_t>(b.bytes)), a.bytes + b.bytes};
  }
};

}  // namespace

std::uint32_t crc32_of(void const* bytes, std::size_t n, std::uint32_t before) {
  return static_cast<std::uint32_t>(::crc32_z(before, static_cast<unsigned char const*>(bytes), n));
}

std::optional<std::uint32_t> checksum_of_file(std::string const& path, std::uint64_t first, std::uint64_t last) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(first));
  std::uint32_t checksum = 0;
  std::string piece(std::size_t(1) << 20, '\0');
  for (std::uint64_t left = last - first; left > 0;) {
    auto const n = std::min<std::uint64_t>(left, piece.size());
    if (!file.read(piece.data(), static_cast<std::streamsize>(n))) return std::nullopt;
    checksum = crc32_of(piece.data(), n, checksum);
    left -= n;
  }
  return checksum;
}

std::uint32_t checksum_of(upsweep::mpi::communicator const& comm, std::span<std::byte const> mine) {
  checked_bytes const all =
      upsweep::mpi::reduce(comm, checked_bytes{crc32_of(mine.data(), mine.size()), mine.size()}, join_checksums{});
  return static_cast<std::uint32_t>(all.checksum);
}

}  // namespace nbody

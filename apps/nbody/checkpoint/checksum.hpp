// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace nbody {

/// CRC-32 of n bytes. before: the checksum of the bytes that they follow.
std::uint32_t crc32_of(void const* bytes, std::size_t n, std::uint32_t before = 0);

/// CRC-32 of the bytes [first, last) of a file; nothing where it has not as many. Local.
std::optional<std::uint32_t> checksum_of_file(std::string const& path, std::uint64_t first, std::uint64_t last);

/// CRC-32 of all ranks' bytes in rank order, as a file has them. Collective.
std::uint32_t checksum_of(upsweep::mpi::communicator const& comm, std::span<std::byte const> mine);

}  // namespace nbody

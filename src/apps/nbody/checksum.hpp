// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace nbody {

/// CRC-32 of bytes of any number, or of those behind others that have the checksum `before`.
std::uint32_t crc32_of(void const* bytes, std::size_t n, std::uint32_t before = 0);

/// CRC-32 of the ranks' bytes, in rank order: that of a file where they are one behind the other. Collective.
std::uint32_t checksum_of(upsweep::mpi::communicator const& comm, std::span<std::byte const> mine);

}  // namespace nbody

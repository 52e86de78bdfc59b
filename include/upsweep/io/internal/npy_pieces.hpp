// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/io/internal/byte_pieces.hpp>

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace upsweep::internal {

/// Writes a .npy file of pieces in C order, in one step: what the forms of write_npy are made of.
void write_npy_pieces(std::filesystem::path const& path, std::string_view descr,
                      std::vector<std::uint64_t> const& shape, byte_pieces& pieces);

}  // namespace upsweep::internal

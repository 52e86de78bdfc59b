// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/io/internal/npy_pieces.hpp>
#include <upsweep/io/internal/view_pieces.hpp>
#include <upsweep/io/npy.hpp>

#include <filesystem>

namespace upsweep {

/// Writes a View of any rank, layout and memory space in C order: `write_npy(space, "positions.npy", positions);` NumPy
/// reads an array of the same extents. An older file is replaced in one step.
///
/// Pre: elements are integers, floating-point numbers or bools; kernels of the space reach them.
/// Cost: one read of each element. Elements on a device go through 16 MiB of host memory, in pieces. Those that do not
///   lie in C order (LayoutLeft of rank 2, subviews) are copied by a kernel first, through 16 MiB of its memory.
/// Sync: waits for the instance.
/// Throws: output_error, with the older file as it was; out_of_memory_error.
template <class ExecutionSpace, view_argument View>
void write_npy(ExecutionSpace const& space, std::filesystem::path const& path, View const& view) {
  internal::view_pieces<ExecutionSpace, View> pieces(space, view, "write_npy");
  auto const shape = internal::extents_from<0>(view);
  internal::write_npy_pieces(path, npy_descr<typename View::non_const_value_type>(), {shape.begin(), shape.end()},
                             pieces);
}

}  // namespace upsweep

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "types.hpp"

#include <optional>
#include <string>

namespace surface {

enum class mesh_format {
  stl,  ///< binary; each triangle with its normal and vertices of its own, in float
  ply,  ///< binary, little-endian; vertices in the mesh's type
  vtk   ///< legacy binary polydata, big-endian; vertices in the mesh's type
};

/// By the name's ending: .stl, .ply or .vtk.
std::optional<mesh_format> format_of(std::string const& path);

/// Writes a mesh in the format of the name's ending, in one step (upsweep::file_replacement). The file's head names
/// this program.
/// Pre: format_of(path). Throws: output_error.
template <class Real>
void write_mesh(std::string const& path, mesh<Real> const& m);

extern template void write_mesh(std::string const&, mesh<float> const&);
extern template void write_mesh(std::string const&, mesh<double> const&);

}  // namespace surface

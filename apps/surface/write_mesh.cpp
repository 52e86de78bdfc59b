// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "write_mesh.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/version.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace surface {
namespace {

constexpr char written_by[] = "upsweep-surface " UPSWEEP_VERSION_STRING;

/// Collects bytes and hands them to a file in large pieces.
class byte_writer {
 public:
  explicit byte_writer(std::string const& path, std::endian order)
      : file_(path), swapped_(order != std::endian::native) {
    bytes_.reserve(piece + 64);
  }
  void text(std::string const& words) { append(words.data(), words.size()); }
  template <class T>
  void number(T value) {
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), &value, sizeof(T));
    if (swapped_) std::reverse(raw.begin(), raw.end());
    append(raw.data(), raw.size());
  }
  void commit() {
    file_.write(bytes_);
    file_.commit();
  }

 private:
  static constexpr std::size_t piece = std::size_t(1) << 20;

  void append(char const* data, std::size_t size) {
    bytes_.append(data, size);
    if (bytes_.size() < piece) return;
    file_.write(bytes_);
    bytes_.clear();
  }

  upsweep::file_replacement file_;
  std::string bytes_;
  bool swapped_;
};

template <class Real>
struct host_mesh {
  Kokkos::View<Real* [3], Kokkos::LayoutRight, Kokkos::HostSpace> vertices;
  Kokkos::View<int* [3], Kokkos::LayoutRight, Kokkos::HostSpace> triangles;
};

template <class Real>
void write_stl(std::string const& path, host_mesh<Real> const& m) {
  if (m.triangles.extent(0) > std::numeric_limits<std::uint32_t>::max())
    throw upsweep::output_error(path + ": an STL file holds no more than 2^32 - 1 triangles");
  byte_writer out(path, std::endian::little);
  std::string head = written_by;  // 80 bytes, which must not begin with "solid"
  head.resize(80, ' ');
  out.text(head);
  out.number(static_cast<std::uint32_t>(m.triangles.extent(0)));
  for (std::size_t t = 0; t < m.triangles.extent(0); ++t) {
    double x[3][3];  // as the file has them
    for (int v = 0; v < 3; ++v)
      for (int d = 0; d < 3; ++d) x[v][d] = static_cast<float>(m.vertices(m.triangles(t, v), d));
    auto const normal = area_vector(x);
    double const length = std::hypot(normal[0], normal[1], normal[2]);
    for (int d = 0; d < 3; ++d) out.number(static_cast<float>(length > 0 ? normal[d] / length : 0));
    for (auto const& vertex : x)
      for (double const c : vertex) out.number(static_cast<float>(c));
    out.number(std::uint16_t(0));
  }
  out.commit();
}

template <class Real>
void write_vertices(byte_writer& out, host_mesh<Real> const& m) {
  for (std::size_t v = 0; v < m.vertices.extent(0); ++v)
    for (int d = 0; d < 3; ++d) out.number(m.vertices(v, d));
}

template <class Real, class Count>
void write_triangles(byte_writer& out, host_mesh<Real> const& m, Count three) {
  for (std::size_t t = 0; t < m.triangles.extent(0); ++t) {
    out.number(three);
    for (int v = 0; v < 3; ++v) out.number(std::int32_t(m.triangles(t, v)));
  }
}

template <class Real>
constexpr char const* type_name = std::is_same_v<Real, float> ? "float" : "double";

template <class Real>
void write_ply(std::string const& path, host_mesh<Real> const& m) {
  byte_writer out(path, std::endian::little);
  std::string head = std::string("ply\nformat binary_little_endian 1.0\ncomment ") + written_by + "\nelement vertex " +
                     std::to_string(m.vertices.extent(0)) + "\n";
  for (char const d : {'x', 'y', 'z'}) head += std::string("property ") + type_name<Real> + " " + d + "\n";
  out.text(head + "element face " + std::to_string(m.triangles.extent(0)) +
           "\nproperty list uchar int vertex_indices\nend_header\n");
  write_vertices(out, m);
  write_triangles(out, m, std::uint8_t(3));
  out.commit();
}

template <class Real>
void write_vtk(std::string const& path, host_mesh<Real> const& m) {
  byte_writer out(path, std::endian::big);
  out.text(std::string("# vtk DataFile Version 3.0\n") + written_by + "\nBINARY\nDATASET POLYDATA\nPOINTS " +
           std::to_string(m.vertices.extent(0)) + " " + type_name<Real> + "\n");
  write_vertices(out, m);
  out.text("\nPOLYGONS " + std::to_string(m.triangles.extent(0)) + " " + std::to_string(4 * m.triangles.extent(0)) +
           "\n");
  write_triangles(out, m, std::int32_t(3));
  out.text("\n");
  out.commit();
}

}  // namespace

std::optional<mesh_format> format_of(std::string const& path) {
  if (path.size() == 4) return std::nullopt;  // an ending without a name
  if (path.ends_with(".stl")) return mesh_format::stl;
  if (path.ends_with(".ply")) return mesh_format::ply;
  if (path.ends_with(".vtk")) return mesh_format::vtk;
  return std::nullopt;
}

template <class Real>
void write_mesh(std::string const& path, mesh<Real> const& m) {
  host_mesh<Real> const host{Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m.vertices),
                             Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m.triangles)};
  switch (format_of(path).value()) {
    case mesh_format::stl: return write_stl(path, host);
    case mesh_format::ply: return write_ply(path, host);
    case mesh_format::vtk: return write_vtk(path, host);
  }
}

template void write_mesh(std::string const&, mesh<float> const&);
template void write_mesh(std::string const&, mesh<double> const&);

}  // namespace surface

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../../../apps/surface/write_mesh.hpp"
#include "mesh_checks.hpp"
#include "oracle/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace {

using namespace surface_test;

/// Bytes of a file from its start to its end, in one order or the other.
class bytes_of {
 public:
  explicit bytes_of(std::filesystem::path const& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::string line() {
    auto const end = bytes_.find('\n', at_);
    if (end == std::string::npos) throw std::runtime_error("no line");
    auto const text = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }
  std::string take(std::size_t n) {
    if (n > bytes_.size() - at_) throw std::runtime_error("cut short");
    at_ += n;
    return bytes_.substr(at_ - n, n);
  }
  template <class T>
  T number(std::endian order) {
    auto raw = take(sizeof(T));
    if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
    T value;
    std::memcpy(&value, raw.data(), sizeof(T));
    return value;
  }
  bool ended() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

/// Triangles of corners, as STL has them; the normals in the file are compared with the corners.
using soup = std::vector<std::array<std::array<double, 3>, 3>>;

soup read_stl(std::filesystem::path const& path) {
  bytes_of file(path);
  auto const head = file.take(80);
  EXPECT_EQ(head.rfind("upsweep-surface ", 0), 0u);
  auto const n = file.number<std::uint32_t>(std::endian::little);
  soup all;
  for (std::uint32_t t = 0; t < n; ++t) {
    float x[4][3];
    for (auto& row : x)
      for (float& c : row) c = file.number<float>(std::endian::little);
    EXPECT_EQ(file.number<std::uint16_t>(std::endian::little), 0);
    auto& corners = all.emplace_back();
    for (std::size_t v = 0; v < 3; ++v)
      for (std::size_t d = 0; d < 3; ++d) corners[v][d] = x[v + 1][d];
    std::array<double, 3> a, b;
    for (std::size_t d = 0; d < 3; ++d) {
      a[d] = corners[1][d] - corners[0][d];
      b[d] = corners[2][d] - corners[0][d];
    }
    double const along = x[0][0] * (a[1] * b[2] - a[2] * b[1]) + x[0][1] * (a[2] * b[0] - a[0] * b[2]) +
                         x[0][2] * (a[0] * b[1] - a[1] * b[0]);
    double const length = std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
    EXPECT_NEAR(along, length, 1e-6 * length);
  }
  EXPECT_TRUE(file.ended());
  return all;
}

void read_vertices(bytes_of& file, plain_mesh& m, std::size_t n, bool single, std::endian order) {
  for (std::size_t v = 0; v < n; ++v) {
    auto& x = m.vertices.emplace_back();
    for (double& c : x) c = single ? file.number<float>(order) : file.number<double>(order);
  }
}

plain_mesh read_ply(std::filesystem::path const& path, std::string const& type) {
  bytes_of file(path);
  EXPECT_EQ(file.line(), "ply");
  EXPECT_EQ(file.line(), "format binary_little_endian 1.0");
  EXPECT_EQ(file.line().rfind("comment upsweep-surface ", 0), 0u);
  std::size_t vertices = 0, faces = 0;
  std::istringstream(file.line().substr(15)) >> vertices;
  for (auto const* d : {"x", "y", "z"}) EXPECT_EQ(file.line(), "property " + type + " " + d);
  std::istringstream(file.line().substr(13)) >> faces;
  EXPECT_EQ(file.line(), "property list uchar int vertex_indices");
  EXPECT_EQ(file.line(), "end_header");
  plain_mesh m;
  read_vertices(file, m, vertices, type == "float", std::endian::little);
  for (std::size_t t = 0; t < faces; ++t) {
    EXPECT_EQ(file.number<std::uint8_t>(std::endian::little), 3);
    auto& triangle = m.triangles.emplace_back();
    for (int& v : triangle) v = file.number<std::int32_t>(std::endian::little);
  }
  EXPECT_TRUE(file.ended());
  return m;
}

plain_mesh read_vtk(std::filesystem::path const& path, std::string const& type) {
  bytes_of file(path);
  EXPECT_EQ(file.line(), "# vtk DataFile Version 3.0");
  EXPECT_EQ(file.line().rfind("upsweep-surface ", 0), 0u);
  EXPECT_EQ(file.line(), "BINARY");
  EXPECT_EQ(file.line(), "DATASET POLYDATA");
  std::size_t vertices = 0, faces = 0, numbers = 0;
  std::string word, found;
  std::istringstream(file.line()) >> word >> vertices >> found;
  EXPECT_EQ(word, "POINTS");
  EXPECT_EQ(found, type);
  plain_mesh m;
  read_vertices(file, m, vertices, type == "float", std::endian::big);
  EXPECT_EQ(file.line(), "");
  std::istringstream(file.line()) >> word >> faces >> numbers;
  EXPECT_EQ(word, "POLYGONS");
  EXPECT_EQ(numbers, 4 * faces);
  for (std::size_t t = 0; t < faces; ++t) {
    EXPECT_EQ(file.number<std::int32_t>(std::endian::big), 3);
    auto& triangle = m.triangles.emplace_back();
    for (int& v : triangle) v = file.number<std::int32_t>(std::endian::big);
  }
  EXPECT_EQ(file.line(), "");
  EXPECT_TRUE(file.ended());
  return m;
}

/// Writes a torus in all formats and reads it back.
template <class Real>
void check_formats(std::string const& type) {
  oracle::temporary_folder const folder;
  auto const g = cube_grid(24);
  auto const torus = [](double x, double y, double z) { return 0.25 - std::hypot(std::hypot(x, y) - 0.6, z); };
  surface::space_type const space;
  upsweep::workspace workspace(space);
  apps::phase_times times;
  auto const m = surface::extract(space, workspace, to_field(g, sample<Real>(g, torus)), Real(0), times);
  for (auto const* name : {"m.stl", "m.ply", "m.vtk"}) surface::write_mesh((folder / name).string(), m);
  auto const mine = in_vectors(m);
  ASSERT_GT(mine.triangles.size(), 1000u);
  for (auto const& read : {read_ply(folder / "m.ply", type), read_vtk(folder / "m.vtk", type)}) {
    EXPECT_EQ(read.vertices, mine.vertices);
    EXPECT_EQ(read.triangles, mine.triangles);
  }
  auto const triangles = read_stl(folder / "m.stl");
  ASSERT_EQ(triangles.size(), mine.triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t v = 0; v < 3; ++v)
      for (std::size_t d = 0; d < 3; ++d)
        ASSERT_EQ(triangles[t][v][d],
                  double(static_cast<float>(mine.vertices[static_cast<std::size_t>(mine.triangles[t][v])][d])));
}

TEST(surface_formats, all_have_the_same_mesh_in_double) { check_formats<double>("double"); }
TEST(surface_formats, all_have_the_same_mesh_in_float) { check_formats<float>("float"); }

TEST(surface_formats, an_empty_mesh) {
  oracle::temporary_folder const folder;
  for (auto const* name : {"m.stl", "m.ply", "m.vtk"})
    surface::write_mesh((folder / name).string(), surface::mesh<float>{});
  EXPECT_TRUE(read_stl(folder / "m.stl").empty());
  EXPECT_TRUE(read_ply(folder / "m.ply", "float").triangles.empty());
  EXPECT_TRUE(read_vtk(folder / "m.vtk", "float").vertices.empty());
}

TEST(surface_formats, go_by_the_ending) {
  EXPECT_EQ(surface::format_of("a.b.stl"), surface::mesh_format::stl);
  EXPECT_EQ(surface::format_of("x/y.ply"), surface::mesh_format::ply);
  EXPECT_EQ(surface::format_of("y.vtk"), surface::mesh_format::vtk);
  for (auto const* name : {"", ".stl", "stl", "a.obj", "a.vtk.gz", "a.STL"})
    EXPECT_FALSE(surface::format_of(name)) << name;
}

}  // namespace

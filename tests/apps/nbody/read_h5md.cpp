// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// read_h5md <file>: checks what H5MD 1.1 demands of a file's structure and prints its frames as upsweep-nbody writes
// them to an extended XYZ file.

#include <hdf5.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

namespace {

std::string const group = "/particles/all";

[[noreturn]] void fail(std::string const& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

void expect(bool good, std::string const& what) {
  if (!good) fail(what);
}

hid_t opened(hid_t id, std::string const& what) {
  expect(id >= 0, what + ": cannot be opened");
  return id;
}

std::vector<hsize_t> extents_of(hid_t space) {
  std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  return extents;
}

/// An attribute of these extents, none for a scalar.
hid_t attribute(hid_t file, std::string const& object, char const* name, std::vector<hsize_t> const& extents) {
  hid_t const id = opened(H5Aopen_by_name(file, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT), object + " " + name);
  expect(extents_of(H5Aget_space(id)) == extents, object + " " + name + ": has other extents");
  return id;
}

/// The characters of an attribute of texts, which must have a fixed length.
std::string text(hid_t file, std::string const& object, char const* name, std::vector<hsize_t> const& extents) {
  hid_t const id = attribute(file, object, name, extents), type = H5Aget_type(id);
  expect(H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0, object + " " + name + ": no fixed text");
  std::size_t all = H5Tget_size(type);
  for (auto const n : extents) all *= n;
  std::string result(all, '\0');
  expect(H5Aread(id, type, result.data()) >= 0, object + " " + name + ": cannot be read");
  return result;
}

template <class T>
struct array {
  std::vector<hsize_t> extents;
  std::vector<T> values;
};

template <class T>
array<T> read(hid_t file, std::string const& name, H5T_class_t kind, hid_t type) {
  hid_t const id = opened(H5Dopen2(file, (group + name).c_str(), H5P_DEFAULT), name);
  expect(H5Tget_class(H5Dget_type(id)) == kind, name + ": values of another kind");
  array<T> result;
  result.extents = extents_of(H5Dget_space(id));
  std::size_t n = 1;
  for (auto const extent : result.extents) n *= extent;
  result.values.resize(n);
  expect(H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.values.data()) >= 0, name + ": cannot be read");
  return result;
}
array<double> reals(hid_t file, char const* name) { return read<double>(file, name, H5T_FLOAT, H5T_NATIVE_DOUBLE); }
array<std::int64_t> integers(hid_t file, char const* name) {
  return read<std::int64_t>(file, name, H5T_INTEGER, H5T_NATIVE_INT64);
}

/// Whether two names are of one object.
bool same_object(hid_t file, std::string const& a, std::string const& b) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t of_a, of_b;
  H5Oget_info_by_name3(file, a.c_str(), &of_a, H5O_INFO_BASIC, H5P_DEFAULT);
  H5Oget_info_by_name3(file, b.c_str(), &of_b, H5O_INFO_BASIC, H5P_DEFAULT);
  int difference = 1;
  return H5Otoken_cmp(file, &of_a.token, &of_b.token, &difference) >= 0 && difference == 0;
#else
  H5O_info_t of_a, of_b;
  H5Oget_info_by_name(file, a.c_str(), &of_a, H5P_DEFAULT);
  H5Oget_info_by_name(file, b.c_str(), &of_b, H5P_DEFAULT);
  return of_a.addr == of_b.addr;
#endif
}

/// The boundaries, "periodic" or "none", as extended XYZ has them: "T T F".
std::string periodic_flags(hid_t file) {
  auto const words = text(file, group + "/box", "boundary", {3});
  std::size_t const width = words.size() / 3;
  std::string flags;
  for (std::size_t d = 0; d < 3; ++d) {
    std::string const word = words.substr(d * width, width).c_str();
    expect(word == "periodic" || word == "none", "other boundaries");
    flags += d == 0 ? "" : " ";
    flags += word == "none" ? "F" : "T";
  }
  return flags;
}

void check_metadata(hid_t file) {
  std::array<int, 2> version{};
  H5Aread(attribute(file, "/h5md", "version", {2}), H5T_NATIVE_INT, version.data());
  expect(version == std::array<int, 2>{1, 1}, "another version of H5MD");
  expect(text(file, "/h5md/author", "name", {}) == "N/A", "another author");
  expect(text(file, "/h5md/creator", "name", {}) == "upsweep-nbody", "another creator");
  expect(!text(file, "/h5md/creator", "version", {}).empty(), "no version of the creator");
  int dimension = 0;
  H5Aread(attribute(file, group + "/box", "dimension", {}), H5T_NATIVE_INT, &dimension);
  expect(dimension == 3, "another dimension");
  for (char const* const array : {"/box/edges", "/velocity", "/image"})
    for (char const* const what : {"/step", "/time"})
      expect(same_object(file, group + "/position" + what, group + array + what),
             std::string(array) + what + ": is no hard link");
}

template <class Number>
void print(Number value, char end) {
  std::array<char, 32> digits{};
  auto const last = std::to_chars(digits.data(), digits.data() + digits.size() - 2, value).ptr;
  *last = end;
  std::fwrite(digits.data(), 1, static_cast<std::size_t>(last + 1 - digits.data()), stdout);
}

template <class Number>
void print_all(Number const* values, int n, char end) {
  for (int k = 0; k < n; ++k) print(values[k], k + 1 < n ? ' ' : end);
}

}  // namespace

int main(int argc, char** argv) {
  expect(argc == 2, "usage: read_h5md <file>");
  hid_t const file = opened(H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT), argv[1]);
  check_metadata(file);
  auto const pbc = periodic_flags(file);
  auto const steps = integers(file, "/position/step"), species = integers(file, "/species");
  auto const ids = integers(file, "/id"), images = integers(file, "/image/value");
  auto const masses = reals(file, "/mass");
  auto const times = reals(file, "/position/time"), positions = reals(file, "/position/value");
  auto const velocities = reals(file, "/velocity/value"), edges = reals(file, "/box/edges/value");
  std::array<double, 3> origin{};
  H5Aread(attribute(file, group + "/box", "origin", {3}), H5T_NATIVE_DOUBLE, origin.data());
  hsize_t const frames = steps.values.size(), n = ids.values.size();
  std::vector<hsize_t> const of_rows{frames, n, 3};
  expect(steps.extents == std::vector{frames} && times.extents == std::vector{frames}, "extents of the times");
  expect(species.extents == std::vector{n} && ids.extents == std::vector{n} && masses.extents == std::vector{n},
         "extents of species, id or mass");
  expect(positions.extents == of_rows && velocities.extents == of_rows && images.extents == of_rows,
         "extents of arrays of particles");
  expect(edges.extents == std::vector<hsize_t>{frames, 3, 3}, "extents of the box");
  for (hsize_t f = 0; f < frames; ++f) {
    print(n, '\n');
    std::printf("Lattice=\"");
    print_all(edges.values.data() + 9 * f, 9, '"');
    std::printf(" Origin=\"");
    print_all(origin.data(), 3, '"');
    std::printf(" pbc=\"%s\" Step=%lld Time=", pbc.c_str(), static_cast<long long>(steps.values[f]));
    print(times.values[f], ' ');
    std::printf("Properties=species:S:1:pos:R:3:velo:R:3:mass:R:1:map_shift:I:3:type:I:1:id:I:1\n");
    for (hsize_t i = 0; i < n; ++i) {
      std::printf("X ");
      auto const row = 3 * (f * n + i);
      print_all(positions.values.data() + row, 3, ' ');
      print_all(velocities.values.data() + row, 3, ' ');
      print(masses.values[i], ' ');
      print_all(images.values.data() + row, 3, ' ');
      print(species.values[i], ' ');
      print(ids.values[i], '\n');
    }
  }
  H5Fclose(file);
}

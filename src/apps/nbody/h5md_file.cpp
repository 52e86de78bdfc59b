// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "h5md_file.hpp"

#include <algorithm>

namespace nbody {

std::int64_t h5md_chunk_rows(std::int64_t n) {
  // Three doubles a row: at most 768 KiB. Chunks of one length leave few rows of the last one unused.
  constexpr std::int64_t most = 32768;
  std::int64_t const chunks = std::max<std::int64_t>(1, (n + most - 1) / most);
  return std::max<std::int64_t>(1, (n + chunks - 1) / chunks);
}

}  // namespace nbody

#if defined(UPSWEEP_HAS_HDF5)

#include "hdf5_handle.hpp"
#include "trajectory_format.hpp"

#include <upsweep/io/size_limit_guard.hpp>
#include <upsweep/version.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace nbody {
namespace {

using extents = std::vector<hsize_t>;

/// A dataset in the group of the particles.
struct dataset_shape {
  char const* path;
  hid_t type;       ///< in the file, the same on all machines
  extents of_item;  ///< without the dimension of frames
  extents chunk;    ///< of one or more frames; empty: does not change with the frames
};

constexpr char group[] = "/particles/all";

/// All datasets, in the order of their writing. step and time have chunks of 2 KiB.
std::vector<dataset_shape> shapes_of(std::int64_t particles) {
  auto const n = static_cast<hsize_t>(particles);
  auto const rows = static_cast<hsize_t>(h5md_chunk_rows(particles));
  // HDF5's names of types are macros with a comma, which nvcc 12.4 and 13 misread in a list in braces.
  hid_t const int32 = H5T_STD_I32LE, int64 = H5T_STD_I64LE, float64 = H5T_IEEE_F64LE;
  return {{"species", int32, {n}, {}},
          {"id", int64, {n}, {}},
          {"position/step", int64, {}, {256}},
          {"position/time", float64, {}, {256}},
          {"position/value", float64, {n, 3}, {1, rows, 3}},
          {"box/edges/value", float64, {3, 3}, {32, 3, 3}},
          {"velocity/value", float64, {n, 3}, {1, rows, 3}},
          {"image/value", int32, {n, 3}, {1, rows, 3}}};
}

/// Groups, attributes and links of an open file. Nothing has times of its making. A file that is not closed by close()
/// stays open until the process ends: where the system has refused a write, builds of HDF5 with assertions abort in
/// H5Fclose().
class h5md_maker {
 public:
  h5md_maker(std::filesystem::path const& path, std::string const& named, H5F_libver_t newest) : named_(named) {
    start_hdf5();
    auto const places = made(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    auto const root = timeless(H5P_FILE_CREATE);
    good(H5Pset_libver_bounds(places.get(), H5F_LIBVER_V18, newest));
    // The part file has a lock of its own, and on network file systems every kind of lock meets every other.
    good(H5Pset_file_locking(places.get(), false, true));
    file_ = opened(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, root.get(), places.get()));
  }

  /// Writes everything first: only then nothing is left that could fail.
  void close() {
    good(H5Fflush(file_, H5F_SCOPE_GLOBAL));
    for (auto const dataset : datasets_) good(H5Dclose(dataset));
    good(H5Fclose(file_));
  }

  void add_groups(upsweep::box<double> const& box) {
    auto const kind = timeless(H5P_GROUP_CREATE);
    auto const add = [&](std::string const& name) {
      return made(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, kind.get(), H5P_DEFAULT), H5Gclose);
    };
    auto const h5md = add("/h5md"), author = add("/h5md/author"), creator = add("/h5md/creator");
    std::array<std::int32_t, 2> const version{1, 1};
    add_numbers(h5md, "version", H5T_STD_I32LE, H5T_NATIVE_INT32, version.data(), 2);
    // The specification wants the name of a person, which this program does not know.
    add_words(author, "name", {"N/A"}, true);
    add_words(creator, "name", {"upsweep-nbody"}, true);
    add_words(creator, "version", {UPSWEEP_VERSION_STRING}, true);
    for (char const* const name : {"/particles", group}) add(name);
    auto const of_box = add(std::string(group) + "/box");
    for (char const* const name : {"/position", "/velocity", "/image", "/box/edges"}) add(group + std::string(name));
    std::int32_t const dimension = 3;
    add_numbers(of_box, "dimension", H5T_STD_I32LE, H5T_NATIVE_INT32, &dimension, 0);
    add_words(of_box, "boundary", {"periodic", "periodic", "periodic"}, false);
    std::array<double, 3> const origin{box.lo(0), box.lo(1), box.lo(2)};
    add_numbers(of_box, "origin", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, origin.data(), 3);
  }

  /// One step and one time for all arrays, as H5MD demands.
  void link_times() {
    for (char const* const array : {"/box/edges", "/velocity", "/image"})
      for (char const* const what : {"/step", "/time"}) {
        auto const from = group + std::string("/position") + what, to = std::string(group) + array + what;
        good(H5Lcreate_hard(file_, from.c_str(), file_, to.c_str(), H5P_DEFAULT, H5P_DEFAULT));
      }
  }

  /// The dataset is open as long as the file is.
  hid_t add_dataset(dataset_shape const& shape, hdf5_handle const& extent, hdf5_handle const& properties) {
    auto const name = std::string(group) + "/" + shape.path;
    // No cache: chunks are written once, as a whole, and what the system refuses shows at once.
    auto const access = made(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    good(H5Pset_chunk_cache(access.get(), 0, 0, 1));
    datasets_.push_back(
        opened(H5Dcreate2(file_, name.c_str(), shape.type, extent.get(), H5P_DEFAULT, properties.get(), access.get())));
    return datasets_.back();
  }

  hdf5_handle space(extents const& now, extents const& most) const {
    if (now.empty()) return made(H5Screate(H5S_SCALAR), H5Sclose);
    return made(H5Screate_simple(static_cast<int>(now.size()), now.data(), most.data()), H5Sclose);
  }
  hdf5_handle space(extents const& fixed) const { return space(fixed, fixed); }

  hdf5_handle timeless(hid_t kind) const {
    auto properties = made(H5Pcreate(kind), H5Pclose);
    good(H5Pset_obj_track_times(properties.get(), false));
    return properties;
  }

  hdf5_handle made(hid_t id, herr_t (*closes)(hid_t)) const { return {named_, id, closes}; }
  void good(herr_t result) const { check_hdf5(named_, result); }

 private:
  hid_t opened(hid_t id) const {
    if (id < 0) fail_hdf5(named_);
    return id;
  }

  /// n == 0: a scalar.
  void add_numbers(hdf5_handle const& to, char const* name, hid_t type, hid_t in_memory, void const* values,
                   hsize_t n) const {
    auto const place = n == 0 ? space({}) : space({n});
    auto const attribute = made(H5Acreate2(to.get(), name, type, place.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    good(H5Awrite(attribute.get(), in_memory, values));
  }

  /// Texts of a fixed length.
  void add_words(hdf5_handle const& to, char const* name, std::vector<std::string_view> const& words,
                 bool scalar) const {
    auto const type = made(H5Tcopy(H5T_C_S1), H5Tclose);
    good(H5Tset_size(type.get(), words[0].size()));
    good(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
    std::string bytes;
    for (auto const word : words) bytes += word;
    add_numbers(to, name, type.get(), type.get(), bytes.data(), scalar ? 0 : words.size());
  }

  std::string named_;
  hid_t file_ = H5I_INVALID_HID;
  std::vector<hid_t> datasets_;
};

extents behind(hsize_t first, extents const& rest) {
  extents all{first};
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

template <class T>
hid_t in_memory() {
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  else if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  else return H5T_NATIVE_INT32;
}

}  // namespace

bool has_hdf5() { return true; }

struct h5md_file::contents {
  contents(std::filesystem::path const& path, std::string const& name, std::int64_t particles,
           upsweep::box<double> const& box)
      : maker(path, name, H5F_LIBVER_V18), edges(edges_of(box)) {
    maker.add_groups(box);
    for (auto const& shape : shapes_of(particles)) {
      auto const properties = maker.timeless(H5P_DATASET_CREATE);
      bool const grows = !shape.chunk.empty();
      if (grows) maker.good(H5Pset_chunk(properties.get(), static_cast<int>(shape.chunk.size()), shape.chunk.data()));
      auto const place = grows ? maker.space(behind(0, shape.of_item), behind(H5S_UNLIMITED, shape.of_item))
                               : maker.space(shape.of_item);
      datasets.push_back(maker.add_dataset(shape, place, properties));
      shapes.push_back(shape);
    }
    maker.link_times();
  }

  void add_frame() {
    ++frames;
    for (std::size_t k = 0; k < shapes.size(); ++k)
      if (!shapes[k].chunk.empty()) maker.good(H5Dset_extent(datasets[k], behind(frames, shapes[k].of_item).data()));
  }

  /// Writes rows from `first` on, all columns; of the last frame where the dataset has frames.
  template <class T>
  void write(std::string_view path, std::int64_t first, std::span<T const> values) {
    auto const has_path = [&](dataset_shape const& shape) { return shape.path == path; };
    auto const k = static_cast<std::size_t>(std::find_if(shapes.begin(), shapes.end(), has_path) - shapes.begin());
    extents begin, count;
    if (!shapes[k].chunk.empty()) begin.push_back(frames - 1), count.push_back(1);
    auto const& item = shapes[k].of_item;
    hsize_t columns = 1;
    for (std::size_t d = 1; d < item.size(); ++d) columns *= item[d];
    for (std::size_t d = 0; d < item.size(); ++d) {
      begin.push_back(d == 0 ? static_cast<hsize_t>(first) : 0);
      count.push_back(d == 0 ? values.size() / columns : item[d]);
    }
    auto const to = maker.made(H5Dget_space(datasets[k]), H5Sclose);
    maker.good(H5Sselect_hyperslab(to.get(), H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr));
    auto const from = maker.space(count);
    maker.good(H5Dwrite(datasets[k], in_memory<T>(), from.get(), to.get(), H5P_DEFAULT, values.data()));
  }

  h5md_maker maker;
  std::array<double, 9> edges;
  std::vector<dataset_shape> shapes;
  std::vector<hid_t> datasets;  // owned by the maker
  hsize_t frames = 0;
};

h5md_file::h5md_file(std::filesystem::path const& path, std::string const& named, std::int64_t particles,
                     upsweep::box<double> const& box) {
  upsweep::size_limit_guard const guard;
  contents_ = std::make_unique<contents>(path, named, particles, box);
}

h5md_file::~h5md_file() = default;

void h5md_file::begin_frame(std::int64_t step, double time) {
  upsweep::size_limit_guard const guard;
  contents_->add_frame();
  contents_->write("position/step", 0, std::span<std::int64_t const>(&step, 1));
  contents_->write("position/time", 0, std::span<double const>(&time, 1));
  contents_->write("box/edges/value", 0, std::span<double const>(contents_->edges));
}

template <class T>
void h5md_file::write(h5md_array array, std::int64_t first, std::span<T const> rows) {
  constexpr std::array<char const*, 5> paths{"species", "id", "position/value", "velocity/value", "image/value"};
  upsweep::size_limit_guard const guard;
  contents_->write(paths[static_cast<std::size_t>(array)], first, rows);
}

void h5md_file::close() {
  upsweep::size_limit_guard const guard;
  contents_->maker.close();
}

namespace {

/// A virtual dataset takes patterns for the names of its files. In a pattern %% means %.
std::string pattern_of(std::string const& name) {
  std::string pattern;
  for (char const c : name) pattern += c == '%' ? "%%" : std::string(1, c);
  return pattern;
}

}  // namespace

void write_h5md_index(std::filesystem::path const& path, std::string const& named, std::int64_t particles,
                      upsweep::box<double> const& box, std::vector<indexed_file> const& files) {
  upsweep::size_limit_guard const guard;
  // Virtual datasets are younger than the rest of the format.
  h5md_maker maker(path, named, H5F_LIBVER_V110);
  maker.add_groups(box);
  hsize_t frames = 0;
  for (auto const& file : files) frames += file.frames;
  for (auto const& shape : shapes_of(particles)) {
    bool const grows = !shape.chunk.empty();
    auto const properties = maker.timeless(H5P_DATASET_CREATE);
    auto const all = maker.space(grows ? behind(frames, shape.of_item) : shape.of_item);
    auto const name = std::string(group) + "/" + shape.path;
    hsize_t first = 0;
    for (auto const& file : files) {
      auto const count = grows ? behind(file.frames, shape.of_item) : shape.of_item;
      extents begin(count.size(), 0);
      if (grows) begin[0] = first;
      maker.good(H5Sselect_hyperslab(all.get(), H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr));
      maker.good(H5Pset_virtual(properties.get(), all.get(), pattern_of(file.name).c_str(), name.c_str(),
                                maker.space(count).get()));
      first += file.frames;
      // What does not change is in all files.
      if (!grows) break;
    }
    maker.good(H5Sselect_all(all.get()));
    maker.add_dataset(shape, all, properties);
  }
  maker.link_times();
  maker.close();
}

}  // namespace nbody

#else

#include <upsweep/base/error.hpp>

namespace nbody {
namespace {

[[noreturn]] void refuse(std::string const& named) {
  throw upsweep::output_error(named + ": upsweep-nbody was built without HDF5");
}

}  // namespace

bool has_hdf5() { return false; }

struct h5md_file::contents {
  std::string named;
};

h5md_file::h5md_file(std::filesystem::path const&, std::string const& named, std::int64_t,
                     upsweep::box<double> const&) {
  refuse(named);
}
h5md_file::~h5md_file() = default;
void h5md_file::begin_frame(std::int64_t, double) { refuse(contents_->named); }
template <class T>
void h5md_file::write(h5md_array, std::int64_t, std::span<T const>) {
  refuse(contents_->named);
}
void h5md_file::close() { refuse(contents_->named); }

void write_h5md_index(std::filesystem::path const&, std::string const& named, std::int64_t, upsweep::box<double> const&,
                      std::vector<indexed_file> const&) {
  refuse(named);
}

}  // namespace nbody

#endif

namespace nbody {

template void h5md_file::write(h5md_array, std::int64_t, std::span<double const>);
template void h5md_file::write(h5md_array, std::int64_t, std::span<std::int32_t const>);
template void h5md_file::write(h5md_array, std::int64_t, std::span<std::int64_t const>);

}  // namespace nbody

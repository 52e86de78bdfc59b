// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "h5md_file.hpp"

#include <algorithm>
#include <fstream>

namespace nbody {
namespace {

// What an attribute of /h5md/creator says, by which files are distinguished that have names of one pattern.
std::string contents_of_part(std::int64_t step) { return "frames from step " + std::to_string(step) + " on"; }
constexpr char contents_of_index[] = "index of a trajectory's files";

/// Whether a file of HDF5 begins with these texts. Attributes of /h5md are among the first bytes.
bool starts_with(std::filesystem::path const& path, std::string const& contents) {
  std::ifstream file(path, std::ios::binary);
  std::string start(8192, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return start.starts_with("\x89HDF\r\n\x1a\n") && start.find("upsweep-nbody") != std::string::npos &&
         start.find(contents) != std::string::npos;
}

}  // namespace

bool is_h5md_part(std::filesystem::path const& path, std::int64_t step) {
  return starts_with(path, contents_of_part(step));
}

bool is_h5md_index(std::filesystem::path const& path) { return starts_with(path, contents_of_index); }

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
#include <cstdlib>
#include <cstring>
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

std::string name_of(dataset_shape const& shape) { return std::string(group) + "/" + shape.path; }

/// All datasets, in the order of their writing. step and time have chunks of 2 KiB.
std::vector<dataset_shape> shapes_of(std::int64_t particles) {
  auto const n = static_cast<hsize_t>(particles);
  auto const rows = static_cast<hsize_t>(h5md_chunk_rows(particles));
  // HDF5's names of types are macros with a comma, which nvcc 12.4 and 13 misread in a list in braces.
  hid_t const int32 = H5T_STD_I32LE, int64 = H5T_STD_I64LE, float64 = H5T_IEEE_F64LE;
  return {{"species", int32, {n}, {}},
          {"id", int64, {n}, {}},
          {"mass", float64, {n}, {}},
          {"position/step", int64, {}, {256}},
          {"position/time", float64, {}, {256}},
          {"position/value", float64, {n, 3}, {1, rows, 3}},
          {"box/edges/value", float64, {3, 3}, {32, 3, 3}},
          {"velocity/value", float64, {n, 3}, {1, rows, 3}},
          {"image/value", int32, {n, 3}, {1, rows, 3}}};
}

/// Calls of HDF5 for one file. A call that fails throws output_error with the user's name of the file.
class hdf5_calls {
 public:
  explicit hdf5_calls(std::string const& named) : named_(named) { start_hdf5(); }

  hdf5_handle made(hid_t id, herr_t (*closes)(hid_t)) const { return {named_, id, closes}; }
  void good(herr_t result) const { check_hdf5(named_, result); }
  hid_t opened(hid_t id) const {
    if (id < 0) fail_hdf5(named_);
    return id;
  }

  /// How files are opened whose format is not newer than `newest`.
  hdf5_handle access(H5F_libver_t newest) const {
    auto result = made(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    good(H5Pset_libver_bounds(result.get(), H5F_LIBVER_V18, newest));
    // The part file has a lock of its own, and on network file systems every kind of lock meets every other.
    good(H5Pset_file_locking(result.get(), false, true));
    return result;
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

 private:
  std::string named_;
};

/// The bytes of a file in memory, which HDF5 passes on when it closes the file. H5Fget_file_image() gives them, too,
/// but in HDF5 1.10.8, which Debian 12 has, with a checksum that is wrong. Must outlive the file.
class file_image {
 public:
  H5FD_file_image_callbacks_t callbacks() {
    return {[](std::size_t size, H5FD_file_image_op_t, void*) { return std::malloc(size); },
            [](void* to, void const* from, std::size_t size, H5FD_file_image_op_t, void*) {
              return std::memcpy(to, from, size);
            },
            [](void* block, std::size_t size, H5FD_file_image_op_t, void*) { return std::realloc(block, size); },
            [](void* block, H5FD_file_image_op_t operation, void* image) {
              if (operation == H5FD_FILE_IMAGE_OP_FILE_CLOSE) static_cast<file_image*>(image)->keep(block);
              std::free(block);
              return herr_t(0);
            },
            [](void* image) { return image; },
            [](void*) { return herr_t(0); },
            this};
  }
  /// Of a file that is closed next.
  void expect(std::size_t size) { bytes_.resize(size); }
  /// Whether HDF5 has passed them on.
  bool is_kept() const { return is_kept_; }
  std::string take() { return std::move(bytes_); }

 private:
  // HDF5's calls let no exception through, so the memory is there before.
  void keep(void const* block) {
    std::memcpy(bytes_.data(), block, bytes_.size());
    is_kept_ = true;
  }

  bool is_kept_ = false;
  std::string bytes_;
};

/// A new file: groups, attributes, datasets and links. Nothing has times of its making. The file is made in memory,
/// where no write can fail: builds of HDF5 with assertions abort where the system refuses the first write of a file
/// that HDF5 creates on the disk.
class h5md_maker : public hdf5_calls {
 public:
  h5md_maker(std::string const& named, H5F_libver_t newest) : hdf5_calls(named) {
    auto const in_memory = access(newest);
    good(H5Pset_fapl_core(in_memory.get(), std::size_t(1) << 16, false));
    auto callbacks = image_.callbacks();
    good(H5Pset_file_image_callbacks(in_memory.get(), &callbacks));
    // HDF5 looks for an older file of the name, and there is none below a device.
    file_ =
        made(H5Fcreate("/dev/null/new.h5", H5F_ACC_TRUNC, timeless(H5P_FILE_CREATE).get(), in_memory.get()), H5Fclose);
  }

  /// Closes the file. Returns the bytes that it has on a disk.
  std::string close() {
    good(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL));
    auto const size = H5Fget_file_image(file_.get(), nullptr, 0);
    good(size < 0 ? -1 : 0);
    image_.expect(static_cast<std::size_t>(size));
    file_ = hdf5_handle();
    good(image_.is_kept() ? 0 : -1);
    return image_.take();
  }

  void add_groups(upsweep::box<double> const& box, std::string const& contents) {
    auto const kind = timeless(H5P_GROUP_CREATE);
    auto const add = [&](std::string const& name) {
      return made(H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, kind.get(), H5P_DEFAULT), H5Gclose);
    };
    auto const h5md = add("/h5md"), author = add("/h5md/author"), creator = add("/h5md/creator");
    std::array<std::int32_t, 2> const version{1, 1};
    add_numbers(h5md, "version", H5T_STD_I32LE, H5T_NATIVE_INT32, version.data(), 2);
    // The specification wants the name of a person, which this program does not know.
    add_words(author, "name", {"N/A"}, true);
    add_words(creator, "name", {"upsweep-nbody"}, true);
    add_words(creator, "version", {UPSWEEP_VERSION_STRING}, true);
    add_words(creator, "contents", {contents}, true);
    for (char const* const name : {"/particles", group}) add(name);
    auto const of_box = add(std::string(group) + "/box");
    for (char const* const name : {"/position", "/velocity", "/image", "/box/edges"}) add(group + std::string(name));
    std::int32_t const dimension = 3;
    add_numbers(of_box, "dimension", H5T_STD_I32LE, H5T_NATIVE_INT32, &dimension, 0);
    std::vector<std::string_view> boundary;
    for (int d = 0; d < 3; ++d) boundary.emplace_back(box.periodic(d) ? "periodic" : "none");
    add_words(of_box, "boundary", boundary, false);
    std::array<double, 3> const origin{box.lo(0), box.lo(1), box.lo(2)};
    add_numbers(of_box, "origin", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, origin.data(), 3);
  }

  /// One step and one time for all arrays, as H5MD demands.
  void link_times() {
    for (char const* const array : {"/box/edges", "/velocity", "/image"})
      for (char const* const what : {"/step", "/time"}) {
        auto const from = group + std::string("/position") + what, to = std::string(group) + array + what;
        good(H5Lcreate_hard(file_.get(), from.c_str(), file_.get(), to.c_str(), H5P_DEFAULT, H5P_DEFAULT));
      }
  }

  void add_dataset(dataset_shape const& shape, hdf5_handle const& extent, hdf5_handle const& properties) const {
    made(H5Dcreate2(file_.get(), name_of(shape).c_str(), shape.type, extent.get(), H5P_DEFAULT, properties.get(),
                    H5P_DEFAULT),
         H5Dclose);
  }

 private:
  /// n == 0: a scalar.
  void add_numbers(hdf5_handle const& to, char const* name, hid_t type, hid_t in_memory, void const* values,
                   hsize_t n) const {
    auto const place = n == 0 ? space({}) : space({n});
    auto const attribute = made(H5Acreate2(to.get(), name, type, place.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    good(H5Awrite(attribute.get(), in_memory, values));
  }

  /// Texts of the length of the longest, shorter ones with zeros behind.
  void add_words(hdf5_handle const& to, char const* name, std::vector<std::string_view> const& words,
                 bool scalar) const {
    auto const type = made(H5Tcopy(H5T_C_S1), H5Tclose);
    std::size_t longest = 0;
    for (auto const word : words) longest = std::max(longest, word.size());
    good(H5Tset_size(type.get(), longest));
    good(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
    std::string bytes;
    for (auto const word : words) bytes += std::string(word).append(longest - word.size(), '\0');
    add_numbers(to, name, type.get(), type.get(), bytes.data(), scalar ? 0 : words.size());
  }

  file_image image_;
  hdf5_handle file_;
};

extents behind(hsize_t first, extents const& rest) {
  extents all{first};
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

/// A file without frames.
std::string new_file(std::string const& named, std::int64_t particles, upsweep::box<double> const& box,
                     std::int64_t step) {
  h5md_maker maker(named, H5F_LIBVER_V18);
  maker.add_groups(box, contents_of_part(step));
  for (auto const& shape : shapes_of(particles)) {
    auto const properties = maker.timeless(H5P_DATASET_CREATE);
    bool const grows = !shape.chunk.empty();
    if (grows) maker.good(H5Pset_chunk(properties.get(), static_cast<int>(shape.chunk.size()), shape.chunk.data()));
    auto const place = grows ? maker.space(behind(0, shape.of_item), behind(H5S_UNLIMITED, shape.of_item))
                             : maker.space(shape.of_item);
    maker.add_dataset(shape, place, properties);
  }
  maker.link_times();
  return maker.close();
}

template <class T>
hid_t in_memory() {
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  else if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  else return H5T_NATIVE_INT32;
}

}  // namespace

bool has_hdf5() { return true; }

/// A file that is not closed by close() stays open until the process ends: where the system has refused a write, builds
/// of HDF5 with assertions abort in H5Fclose().
struct h5md_file::contents : hdf5_calls {
  contents(std::filesystem::path const& path, std::string const& named, std::int64_t particles,
           upsweep::box<double> const& box)
      : hdf5_calls(named), edges(edges_of(box)), shapes(shapes_of(particles)) {
    file = opened(H5Fopen(path.c_str(), H5F_ACC_RDWR, access(H5F_LIBVER_V18).get()));
    // No cache: chunks are written once, as a whole, and what the system refuses shows at once.
    auto const uncached = made(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    good(H5Pset_chunk_cache(uncached.get(), 0, 0, 1));
    for (auto const& shape : shapes) datasets.push_back(opened(H5Dopen2(file, name_of(shape).c_str(), uncached.get())));
  }

  /// Writes everything first: only then nothing is left that could fail.
  void close() {
    good(H5Fflush(file, H5F_SCOPE_GLOBAL));
    for (auto const dataset : datasets) good(H5Dclose(dataset));
    good(H5Fclose(file));
  }

  void add_frame() {
    ++frames;
    for (std::size_t k = 0; k < shapes.size(); ++k)
      if (!shapes[k].chunk.empty()) good(H5Dset_extent(datasets[k], behind(frames, shapes[k].of_item).data()));
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
    auto const to = made(H5Dget_space(datasets[k]), H5Sclose);
    good(H5Sselect_hyperslab(to.get(), H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr));
    auto const from = space(count);
    good(H5Dwrite(datasets[k], in_memory<T>(), from.get(), to.get(), H5P_DEFAULT, values.data()));
  }

  hid_t file = H5I_INVALID_HID;
  std::array<double, 9> edges;
  std::vector<dataset_shape> shapes;
  std::vector<hid_t> datasets;
  hsize_t frames = 0;
};

h5md_file::h5md_file(upsweep::file_replacement& part, std::string const& named, std::int64_t particles,
                     upsweep::box<double> const& box, std::int64_t step) {
  part.write(new_file(named, particles, box, step));
  upsweep::size_limit_guard const guard;
  contents_ = std::make_unique<contents>(part.part(), named, particles, box);
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
  constexpr std::array<char const*, 6> paths{"species",        "id",         "mass", "position/value",
                                             "velocity/value", "image/value"};
  upsweep::size_limit_guard const guard;
  contents_->write(paths[static_cast<std::size_t>(array)], first, rows);
}

void h5md_file::close() {
  upsweep::size_limit_guard const guard;
  contents_->close();
}

namespace {

/// A virtual dataset takes patterns for the names of its files. In a pattern %% means %.
std::string pattern_of(std::string const& name) {
  std::string pattern;
  for (char const c : name) pattern += c == '%' ? "%%" : std::string(1, c);
  return pattern;
}

}  // namespace

std::string h5md_index(std::string const& named, std::int64_t particles, upsweep::box<double> const& box,
                       std::vector<indexed_file> const& files) {
  // Virtual datasets are younger than the rest of the format.
  h5md_maker maker(named, H5F_LIBVER_V110);
  maker.add_groups(box, contents_of_index);
  hsize_t frames = 0;
  for (auto const& file : files) frames += file.frames;
  for (auto const& shape : shapes_of(particles)) {
    bool const grows = !shape.chunk.empty();
    auto const properties = maker.timeless(H5P_DATASET_CREATE);
    auto const all = maker.space(grows ? behind(frames, shape.of_item) : shape.of_item);
    auto const name = name_of(shape);
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
  return maker.close();
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

h5md_file::h5md_file(upsweep::file_replacement&, std::string const& named, std::int64_t, upsweep::box<double> const&,
                     std::int64_t) {
  refuse(named);
}
h5md_file::~h5md_file() = default;
void h5md_file::begin_frame(std::int64_t, double) { refuse(contents_->named); }
template <class T>
void h5md_file::write(h5md_array, std::int64_t, std::span<T const>) {
  refuse(contents_->named);
}
void h5md_file::close() { refuse(contents_->named); }

std::string h5md_index(std::string const& named, std::int64_t, upsweep::box<double> const&,
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

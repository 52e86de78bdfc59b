// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "hooks.hpp"
#include "io/data_file.hpp"

#include <upsweep/io/npy.hpp>
#include <upsweep/io/replace_file.hpp>

#include <cerrno>
#include <functional>
#include <new>
#include <vector>

namespace {

namespace fs = std::filesystem;
using upsweep_test::file_contents;
using upsweep_test::pieces;
using upsweep_test::write_file;

std::vector<double> const values{1, 2, 3};

/// A call of the layer io on files of a folder, and whether it did its work.
struct io_call {
  char const* name;
  std::function<void(fs::path const&)> prepare, call;
  std::function<bool(fs::path const&)> done;
};

void expect_old(fs::path const& folder) { write_file(folder / "x", "old"); }

/// Calls that read leave their result here.
upsweep::particle_data particles;
upsweep::npy_array array;
bool same = false;

bool particles_are_read(fs::path const&) {
  bool const good = particles.velocities == std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5, 0.6} &&
                    particles.charges == std::vector<double>{-1, 1} &&
                    particles.bonds == std::vector<std::int64_t>{1, 0} && particles.skipped.size() == 3;
  particles = {};
  return good;
}

/// A file with most of what the reader takes memory for.
std::string disordered() {
  return pieces{.types = "1 atom types\n1 bonds\n1 bond types",
                .masses = "1 1.5\nAtom Type Labels\n\n1 a_label_that_is_longer_than_a_short_string",
                .atoms_name = "Atoms # hybrid charge bond sphere",
                .atom_1 = "2 1 4.0 5.0 6.0 1 1 1 1",
                .atom_2 = "1 a_label_that_is_longer_than_a_short_string 1.0 2.0 3.0 -1 1 1 1",
                .velocity_1 = "1 0.1 0.2 0.3 0 0 0",
                .velocity_2 = "2 0.4 0.5 0.6 0 0 0",
                .tail = "Bonds\n\n1 1 2 1\nBond Coeffs\n\n1 1\n"};
}

std::vector<io_call> const& calls() {
  static std::vector<io_call> const all{
      {"read_lammps_data", [](fs::path const& f) { write_file(f / "a.data", disordered()); },
       [](fs::path const& f) { particles = upsweep::read_lammps_data(f / "a.data"); }, particles_are_read},
      {"read_lammps_data of gzip", [](fs::path const& f) { upsweep_test::write_gzip(f / "a.gz", disordered()); },
       [](fs::path const& f) { particles = upsweep::read_lammps_data(f / "a.gz"); }, particles_are_read},
      {"read_npy", [](fs::path const& f) { upsweep::write_npy(f / "a.npy", std::span(values), {3}); },
       [](fs::path const& f) { array = upsweep::read_npy(f / "a.npy"); },
       [](fs::path const&) {
         bool const good = array.as<double>() == values;
         array = {};
         return good;
       }},
      {"write_npy", expect_old, [](fs::path const& f) { upsweep::write_npy(f / "x", std::span(values), {3}); },
       [](fs::path const& f) { return upsweep::read_npy(f / "x").as<double>() == values; }},
      {"replace_file", expect_old, [](fs::path const& f) { upsweep::replace_file(f / "x", "new"); },
       [](fs::path const& f) { return file_contents(f / "x") == "new"; }},
      {"replace_file of a link",
       [](fs::path const& f) {
         expect_old(f);
         std::error_code error;
         fs::create_symlink("x", f / "link", error);
       },
       [](fs::path const& f) { upsweep::replace_file(f / "link", "new"); },
       [](fs::path const& f) { return file_contents(f / "x") == "new" && fs::is_symlink(f / "link"); }},
      {"replace_file beside a stale part",
       [](fs::path const& f) {
         expect_old(f);
         upsweep::file_replacement part(f / "x");
         fs::copy_file(part.part(),
                       part.part().string().replace(part.part().string().rfind("-"), std::string::npos, "-999.part"),
                       fs::copy_options::overwrite_existing);
       },
       [](fs::path const& f) { upsweep::replace_file(f / "x", "new"); },
       [](fs::path const& f) { return file_contents(f / "x") == "new"; }},
      {"check_writable", expect_old, [](fs::path const& f) { upsweep::check_writable(f / "x"); },
       [](fs::path const& f) { return file_contents(f / "x") == "old"; }},
      {"same_place", expect_old, [](fs::path const& f) { same = upsweep::same_place(f / "new/y", f / "./new/y"); },
       [](fs::path const&) { return same; }},
  };
  return all;
}

std::ptrdiff_t entries_of(fs::path const& folder) {
  auto entries = fs::directory_iterator(folder);
  return std::distance(begin(entries), end(entries));
}

/// Prepares and runs a call in which something fails: it throws one of our errors or bad_alloc, or has done its work;
/// files, descriptors and, the call being over, memory are as before. Returns whether it threw.
bool fails_cleanly(io_call const& c, fs::path const& folder,
                   std::function<void(std::function<void()> const&)> const& with_fault) {
  auto const x = folder / "x";
  c.prepare(folder);
  auto const old = file_contents(x);
  auto const files = entries_of(folder), descriptors = entries_of("/proc/self/fd");
  bool threw = false;
  with_fault([&] {
    try {
      c.call(folder);
    } catch (std::bad_alloc const&) {
      threw = true;
    } catch (upsweep::error const& e) {
      threw = true;
      EXPECT_TRUE(e.kind() == upsweep::error_kind::input || e.kind() == upsweep::error_kind::output) << e.what();
    }
  });
  if (threw) EXPECT_EQ(file_contents(x), old);
  else EXPECT_TRUE(c.done(folder));
  EXPECT_LE(entries_of(folder), files);
  EXPECT_EQ(entries_of("/proc/self/fd"), descriptors);
  return threw;
}

#ifdef __GLIBC__
TEST(io_faults, each_allocation_fails_once) {
  for (auto const& c : calls()) {
    SCOPED_TRACE(c.name);
    upsweep_test::temporary_folder folder;
    c.prepare(folder.path());
    c.call(folder.path());  // what the C++ library allocates once and keeps
    EXPECT_TRUE(c.done(folder.path()));
    int failures = 0;
    bool reached = true;
    for (int k = 0; reached && k < 10000; ++k) {
      std::int64_t live = 0;
      bool const threw = fails_cleanly(c, folder.path(), [&](std::function<void()> const& call) {
        live = faults::live_blocks();
        faults::fail_allocation_after(k);
        call();
        reached = faults::allocation_failed();
        faults::fail_allocation_after(-1);
        live -= faults::live_blocks();
      });
      if (threw) {
        EXPECT_EQ(live, 0) << "memory is lost where allocation " << k << " fails";
        ++failures;
      }
      EXPECT_TRUE(reached || !threw);
    }
    EXPECT_FALSE(reached) << "the loop saw every allocation of the call";
    EXPECT_GT(failures, 0);
    c.prepare(folder.path());
    c.call(folder.path());
    EXPECT_TRUE(c.done(folder.path()));
  }
}
#endif

/// All calls with the same faults of files. Returns how many threw.
int count_failures(faults::file_faults const& wanted) {
  int failures = 0;
  for (auto const& c : calls()) {
    SCOPED_TRACE(c.name);
    upsweep_test::temporary_folder folder;
    failures += fails_cleanly(c, folder.path(), [&](std::function<void()> const& call) {
      faults::with_file_faults const faults(wanted);
      call();
    });
    c.prepare(folder.path());
    c.call(folder.path());
    EXPECT_TRUE(c.done(folder.path()));
  }
  return failures;
}

constexpr int replacing = 4;  // calls that end with a rename

TEST(io_faults, full_disks) {
  EXPECT_EQ(count_failures({.write_error = ENOSPC}), replacing);
  EXPECT_EQ(count_failures({.write_error = EDQUOT, .writes_before = 2}), replacing);
  EXPECT_EQ(count_failures({.write_error = EIO, .writes_before = 130}), 1) << "within the data behind the header";
  EXPECT_EQ(count_failures({.sync_error = ENOSPC}), replacing);
  EXPECT_EQ(count_failures({.sync_error = EINVAL}), 0) << "some file systems cannot synchronise";
}

TEST(io_faults, renames_that_fail) { EXPECT_EQ(count_failures({.rename_error = EACCES}), replacing); }

TEST(io_faults, disks_that_cannot_be_read) {
  EXPECT_EQ(count_failures({.read_error = EIO}), 3);
  EXPECT_EQ(count_failures({.read_error = EIO, .reads_before = 100}), 3);
}

TEST(io_faults, slow_files_give_the_same) {
  EXPECT_EQ(count_failures({.one_byte = true}), 0);
  EXPECT_EQ(count_failures({.interrupted = true}), 0);
  EXPECT_EQ(count_failures({.one_byte = true, .interrupted = true}), 0);
}

}  // namespace

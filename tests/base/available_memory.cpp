// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// What the system says of its memory, read from files as Linux has them.

#include "../oracle/views.hpp"

#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

namespace {

namespace fs = std::filesystem;

constexpr std::size_t mib = std::size_t(1) << 20, unknown = std::numeric_limits<std::size_t>::max();

/// The available bytes of a system with these files.
std::size_t available(std::map<std::string, std::string> const& files) {
  std::string folder = (fs::temp_directory_path() / "upsweep-available-memory-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
  for (auto const& [name, text] : files) {
    fs::create_directories(fs::path(folder + name).parent_path());
    std::ofstream(folder + name) << text;
  }
  std::size_t const result = upsweep::base::detail::available_host_memory(folder);
  fs::remove_all(folder);
  return result;
}

/// 800 MiB are available, 100 MiB of swap are free.
std::string const meminfo =
    "MemTotal:       1024000 kB\nMemFree:         102400 kB\nMemAvailable:    819200 kB\nSwapFree:        102400 kB\n";

TEST(available_memory, is_not_known_without_files) { EXPECT_EQ(available({}), unknown); }

TEST(available_memory, is_what_can_be_reclaimed_and_free_swap) {
  EXPECT_EQ(available({{"/proc/meminfo", meminfo}}), 900 * mib);
  EXPECT_EQ(available({{"/proc/meminfo", meminfo}, {"/proc/self/cgroup", "no group\n0::/\n"}}), 900 * mib);
}

/// Groups of version 2: the job may have 300 MiB and uses 120, of which 70 are caches; its step has no limit of its
/// own.
std::map<std::string, std::string> job(std::string const& swap_limit) {
  std::string const group = "/sys/fs/cgroup/job";
  return {{"/proc/meminfo", meminfo},
          {"/proc/self/cgroup", "0::/job/step\n"},
          {group + "/memory.max", std::to_string(300 * mib) + "\n"},
          {group + "/memory.current", std::to_string(120 * mib) + "\n"},
          {group + "/memory.stat",
           "anon 1\nactive_file " + std::to_string(30 * mib) + "\ninactive_file " + std::to_string(40 * mib) + "\n"},
          {group + "/memory.swap.max", swap_limit},
          {group + "/memory.swap.current", std::to_string(10 * mib) + "\n"},
          {group + "/step/memory.max", "max\n"},
          {group + "/step/memory.current", std::to_string(120 * mib) + "\n"}};
}

TEST(available_memory, is_limited_by_the_groups_around_the_process) {
  EXPECT_EQ(available(job("max\n")), 350 * mib);
  EXPECT_EQ(available(job("0\n")), 250 * mib);
  EXPECT_EQ(available(job(std::to_string(40 * mib))), 280 * mib);
  auto full = job("0\n");
  full["/sys/fs/cgroup/job/memory.current"] = std::to_string(500 * mib);
  EXPECT_EQ(available(full), 0u);
}

TEST(available_memory, is_limited_by_the_group_of_a_container) {
  // The path is that of the system outside; the container's own group is what it sees as the top one.
  EXPECT_EQ(available({{"/proc/meminfo", meminfo},
                       {"/proc/self/cgroup", "0::/outside/container\n"},
                       {"/sys/fs/cgroup/memory.max", std::to_string(64 * mib)},
                       {"/sys/fs/cgroup/memory.current", std::to_string(mib)},
                       {"/sys/fs/cgroup/memory.swap.max", "0"},
                       {"/sys/fs/cgroup/memory.swap.current", "0"}}),
            63 * mib);
}

TEST(available_memory, is_limited_by_groups_of_version_1) {
  std::string const group = "/sys/fs/cgroup/memory/batch";
  std::map<std::string, std::string> files{
      {"/proc/meminfo", meminfo},
      {"/proc/self/cgroup", "5:cpu,cpuacct:/\n4:hugetlb,memory:/batch\n0::/\n"},
      {group + "/memory.limit_in_bytes", std::to_string(200 * mib)},
      {group + "/memory.usage_in_bytes", std::to_string(100 * mib)},
      {group + "/memory.stat", "inactive_file 1\ntotal_inactive_file " + std::to_string(20 * mib) + "\n"}};
  EXPECT_EQ(available(files), 220 * mib);
  files[group + "/memory.memsw.limit_in_bytes"] = std::to_string(210 * mib);
  files[group + "/memory.memsw.usage_in_bytes"] = std::to_string(100 * mib);
  EXPECT_EQ(available(files), 130 * mib);
}

TEST(require_memory, refuses_more_than_there_is_and_names_both_numbers) {
  oracle::space const space;
  std::size_t const found = upsweep::available_memory(space);
  EXPECT_GT(found, mib);
  EXPECT_NO_THROW(upsweep::require_memory(space, mib, "f", "a little"));
  if (found == unknown) return;
  try {
    upsweep::require_memory(space, std::size_t(1) << 60, "f", "the list");
    FAIL() << "2^60 bytes are available";
  } catch (upsweep::out_of_memory_error const& e) {
    std::string const text = e.what();
    EXPECT_NE(text.find("f: 1152921504606846976 bytes for the list are wanted, "), std::string::npos) << text;
    EXPECT_NE(text.find(std::string(" bytes are available in ") + oracle::memory::name()), std::string::npos) << text;
  }
  // What the caller frees first counts as available.
  EXPECT_NO_THROW(upsweep::require_memory(space, std::size_t(1) << 60, "f", "the list", std::size_t(1) << 60));
}

TEST(allocate, names_what_is_available) {
  oracle::space const space;
  try {
    upsweep::internal::allocate<char, oracle::memory>(space, std::size_t(1) << 60, "f", "values");
    FAIL() << "2^60 bytes were allocated";
  } catch (upsweep::out_of_memory_error const& e) {
    std::string const text = e.what();
    EXPECT_NE(text.find("f: 1152921504606846976 bytes for values (1152921504606846976 elements) "), std::string::npos)
        << text;
    if (upsweep::available_memory(space) != unknown) {
      EXPECT_NE(text.find(" bytes are available in "), std::string::npos) << text;
    }
  }
}

}  // namespace

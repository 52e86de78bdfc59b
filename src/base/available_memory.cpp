// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/error.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace upsweep::base::detail {

namespace {

using bytes = std::uint64_t;
constexpr bytes unlimited = std::numeric_limits<bytes>::max();

bytes difference(bytes a, bytes b) { return a > b ? a - b : 0; }
bytes sum(bytes a, bytes b) { return a > unlimited - b ? unlimited : a + b; }

/// The number in a file; nothing where there is no file, or no number in it ("max").
std::optional<bytes> number_in(std::string const& path) {
  std::ifstream file(path);
  bytes value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

/// The number behind a word at the beginning of a line; 0 where there is no such line.
bytes number_behind(std::string_view word, std::string const& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    bytes value = 0;
    if (words >> first >> value && first == word) return value;
  }
  return 0;
}

/// The names of a control group's files: those of version 2 and of version 1 differ.
struct group_files {
  char const* limit;
  char const* usage;
  char const* active_file;  ///< lines of memory.stat: file caches, which the system gives up for programs
  char const* inactive_file;
  char const* swap_limit;
  char const* swap_usage;
  bool swap_counts_memory;  ///< the two above are of memory and swap together
};
constexpr group_files version_2{"memory.max",      "memory.current",      "active_file", "inactive_file",
                                "memory.swap.max", "memory.swap.current", false};
constexpr group_files version_1{"memory.limit_in_bytes",
                                "memory.usage_in_bytes",
                                "total_active_file",
                                "total_inactive_file",
                                "memory.memsw.limit_in_bytes",
                                "memory.memsw.usage_in_bytes",
                                true};

/// What the limit of one control group leaves.
bytes left_in_group(std::string const& folder, group_files const& names, bytes free_swap) {
  auto const limit = number_in(folder + names.limit), usage = number_in(folder + names.usage);
  if (!limit || !usage) return unlimited;
  // What the system gives back when memory is short. Version 1 does not count slabs as used.
  bytes caches = 0;
  for (char const* const word : {names.active_file, names.inactive_file, "slab_reclaimable"})
    caches += number_behind(word, folder + "memory.stat");
  bytes const memory = difference(*limit, difference(*usage, caches));
  auto const swap_limit = number_in(folder + names.swap_limit), swap_usage = number_in(folder + names.swap_usage);
  if (!swap_limit || !swap_usage) return sum(memory, free_swap);
  if (names.swap_counts_memory)
    return std::min(sum(memory, free_swap), difference(*swap_limit, difference(*swap_usage, caches)));
  return sum(memory, std::min(free_swap, difference(*swap_limit, *swap_usage)));
}

/// The least that the limits of a control group and of all that it is in leave.
bytes left_in_groups(std::string const& mount, std::string path, group_files const& names, bytes free_swap) {
  bytes left = left_in_group(mount + "/", names, free_swap);
  // Inside of a container the path can be one of the system outside, and then has no files here.
  if (!path.starts_with('/')) return left;
  for (; path.size() > 1; path.resize(path.rfind('/')))
    left = std::min(left, left_in_group(mount + path + "/", names, free_swap));
  return left;
}

}  // namespace

std::size_t available_host_memory(std::string const& root) {
  constexpr bytes kib = 1024;
  std::string const meminfo = root + "/proc/meminfo";
  bytes const free_swap = kib * number_behind("SwapFree:", meminfo);
  bytes left = kib * number_behind("MemAvailable:", meminfo);
  // No such line: Linux before 3.14, or another system.
  left = left == 0 ? unlimited : sum(left, free_swap);

  // A line is "number:controllers:path"; version 2 has no controllers.
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    auto const first = line.find(':'), second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string const controllers = "," + line.substr(first + 1, second - first - 1) + ",",
                      path = line.substr(second + 1);
    if (controllers == ",,") left = std::min(left, left_in_groups(root + "/sys/fs/cgroup", path, version_2, free_swap));
    if (controllers.find(",memory,") != std::string::npos)
      left = std::min(left, left_in_groups(root + "/sys/fs/cgroup/memory", path, version_1, free_swap));
  }
  return static_cast<std::size_t>(std::min<bytes>(left, std::numeric_limits<std::size_t>::max()));
}

void require_available(std::size_t bytes, std::size_t available, std::size_t freed, char const* function,
                       std::string const& what, char const* memory_space) {
  std::size_t const found = std::max(available, available + freed);
  if (bytes > found)
    throw out_of_memory_error(std::string(function) + ": " + std::to_string(bytes) + " bytes for " + what +
                              " are wanted, " + std::to_string(found) + " bytes are available in " + memory_space);
}

}  // namespace upsweep::base::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../oracle/temporary_folder.hpp"

#include <upsweep/base/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

namespace fuzz {

/// Ends the process, which a fuzzer takes as its finding, unless `good`.
inline void check(bool good, char const* what) {
  if (good) return;
  std::fprintf(stderr, "fuzz: wrong: %s\n", what);
  std::abort();
}

/// What `read` returns; nothing where it refuses the file by input_error.
template <class Read>
auto unless_refused(Read const& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (upsweep::input_error const&) {
    return std::nullopt;
  }
}

/// A folder of this process for the files that readers are given; in memory where the machine has such a place.
class folder {
 public:
  /// Writes a file and returns its path.
  std::filesystem::path file(char const* name, void const* bytes, std::size_t n) const {
    auto const path = folder_ / name;
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream.write(static_cast<char const*>(bytes), static_cast<std::streamsize>(n));
    check(stream.flush().good(), "a temporary file cannot be written");
    return path;
  }
  std::filesystem::path operator/(char const* name) const { return folder_ / name; }

 private:
  static std::filesystem::path parent() {
    std::error_code error;
    return std::filesystem::is_directory("/dev/shm", error) ? "/dev/shm" : std::filesystem::temp_directory_path();
  }

  oracle::temporary_folder folder_{parent()};
};

}  // namespace fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t n);

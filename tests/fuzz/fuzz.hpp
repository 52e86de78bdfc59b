// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <stdlib.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace fuzz {

/// Ends the process, which a fuzzer takes as its finding, unless `good`.
inline void check(bool good, char const* what) {
  if (good) return;
  std::fprintf(stderr, "fuzz: wrong: %s\n", what);
  std::abort();
}

/// A folder of this process for the files that readers are given; in memory where the machine has such a place.
class folder {
 public:
  folder() {
    std::error_code error;
    auto const parent =
        std::filesystem::is_directory("/dev/shm", error) ? "/dev/shm" : std::filesystem::temp_directory_path();
    auto name = (parent / "upsweep-fuzz-XXXXXX").string();
    check(::mkdtemp(name.data()) != nullptr, "no folder for temporary files");
    path_ = name;
  }
  folder(folder const&) = delete;
  folder& operator=(folder const&) = delete;
  ~folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }

  /// Writes a file and returns its path.
  std::filesystem::path file(char const* name, void const* bytes, std::size_t n) const {
    auto const path = path_ / name;
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream.write(static_cast<char const*>(bytes), static_cast<std::streamsize>(n));
    check(stream.flush().good(), "a temporary file cannot be written");
    return path;
  }
  std::filesystem::path operator/(char const* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace fuzz

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t n);

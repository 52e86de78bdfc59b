// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace upsweep::io::detail {

/// The bytes of a file, unpacked where it is a gzip file: its name ends in .gz, or its first byte is the one that gzip
/// data begin with. All members of a gzip file are unpacked one behind the other, as gzip does.
class byte_source {
 public:
  /// Throws input_error "path: the system's reason".
  explicit byte_source(std::filesystem::path const& path);
  byte_source(byte_source const&) = delete;
  byte_source& operator=(byte_source const&) = delete;
  ~byte_source();

  /// Puts up to n bytes at `to` and returns how many; 0 at the end of the file. What is wrong with the file at this
  /// place goes to `problem`, which is empty otherwise: the caller knows the line.
  std::size_t read(char* to, std::size_t n, std::string& problem);

 private:
  struct gzip_stream;

  std::size_t read_file(char* to, std::size_t n, std::string& problem);
  bool refill(std::string& problem);
  void start(std::string& problem);
  bool start_member(std::string& problem);
  std::size_t unpack(char* to, std::size_t n, std::string& problem);

  bool named_gz_;
  bool started_ = false;
  std::vector<char> packed_;
  std::size_t begin_ = 0, end_ = 0;  // of the bytes in packed_ that are not taken yet
  int file_ = -1;
  std::unique_ptr<gzip_stream> gzip_;  // null for a plain file
};

}  // namespace upsweep::io::detail

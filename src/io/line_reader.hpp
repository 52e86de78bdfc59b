// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "byte_source.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::io::detail {

/// Lines of a text file, plain or gzip, one at a time through one buffer. Not to be copied, as its byte_source is not.
class line_reader {
 public:
  explicit line_reader(std::filesystem::path const& path);

  /// The next line without its end; false at the end of the file. Valid until the next call.
  bool next(std::string_view& line);

  /// The next line that holds more than blanks and a comment. The comment goes to comment(), without its '#'.
  /// Throws input_error after a million lines or 64 MiB without one: a file of line ends alone must not take minutes.
  bool next_data(std::string_view& data);
  std::string_view comment() const { return comment_; }

  /// The number of the line that next() returned last, from 1.
  std::int64_t line() const { return line_; }

  /// Throws input_error "file:line: message".
  [[noreturn]] void fail(std::string const& message) const { fail_at(line_, message); }
  [[noreturn]] void fail_at(std::int64_t line, std::string const& message) const;

 private:
  bool fill();
  void check_text(std::string_view line) const;

  std::string name_;
  byte_source source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  bool at_end_ = false;
  bool may_be_binary_ = false;
  std::int64_t line_ = 0;
  std::string_view comment_;
};

}  // namespace upsweep::io::detail

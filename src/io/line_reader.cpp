// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "line_reader.hpp"

#include "tokens.hpp"

#include <upsweep/base/error.hpp>

#include <cstring>

namespace upsweep::io::detail {
namespace {

constexpr std::size_t initial_buffer = std::size_t(1) << 18;
/// No line of a real file comes near; a file without line ends must not be read into memory as a whole.
constexpr std::size_t longest_line = std::size_t(1) << 20;
/// Lines and bytes without data in one piece. Generated files may have thousands of comment lines; no
/// file comes near these.
constexpr std::int64_t most_empty_lines = 1'000'000;
constexpr std::size_t most_empty_bytes = std::size_t(1) << 26;

}  // namespace

line_reader::line_reader(std::filesystem::path const& path)
    : name_(path.string()), source_(path), buffer_(initial_buffer) {}

void line_reader::fail_at(std::int64_t line, std::string const& message) const {
  throw input_error(name_ + ":" + std::to_string(line) + ": " + message);
}

bool line_reader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  std::string problem;
  std::size_t const got = source_.read(buffer_.data() + end_, buffer_.size() - end_, problem);
  if (!problem.empty()) fail_at(line_ + 1, problem);
  if (got == 0) {
    at_end_ = true;
    return false;
  }
  may_be_binary_ = std::memchr(buffer_.data() + end_, '\0', got) != nullptr || may_be_binary_;
  end_ += got;
  return true;
}

void line_reader::check_text(std::string_view line) const {
  if (line.find('\0') != std::string_view::npos)
    fail("a zero byte: this is not a text file (expected text, plain or gzip)");
}

bool line_reader::next(std::string_view& line) {
  std::size_t searched = begin_;
  for (;;) {
    auto const* const found = static_cast<char const*>(std::memchr(buffer_.data() + searched, '\n', end_ - searched));
    if (found != nullptr) {
      auto const length = static_cast<std::size_t>(found - buffer_.data()) - begin_;
      line = {buffer_.data() + begin_, length};
      begin_ += length + 1;
      break;
    }
    std::size_t const partial = end_ - begin_;
    if (partial > longest_line) {
      ++line_;
      fail("a line of more than " + std::to_string(longest_line) + " bytes (expected shorter ones)");
    }
    if (at_end_ || !fill()) {
      if (begin_ == end_) return false;
      line = {buffer_.data() + begin_, end_ - begin_};
      begin_ = end_;
      break;
    }
    searched = begin_ + partial;
  }
  ++line_;
  if (may_be_binary_) check_text(line);
  return true;
}

bool line_reader::next_data(std::string_view& data) {
  std::string_view line;
  std::size_t empty_bytes = 0;
  for (std::int64_t empty_lines = 0; next(line); ++empty_lines) {
    auto const hash = line.find('#');
    data = trim(line.substr(0, hash));
    if (data.empty()) {
      empty_bytes += line.size();
      if (empty_lines == most_empty_lines || empty_bytes > most_empty_bytes)
        fail("nothing but blank lines and comments in " + std::to_string(empty_lines + 1) +
             " lines (expected data, or the end)");
      continue;
    }
    comment_ = hash == std::string_view::npos ? std::string_view{} : trim(line.substr(hash + 1));
    return true;
  }
  return false;
}

}  // namespace upsweep::io::detail

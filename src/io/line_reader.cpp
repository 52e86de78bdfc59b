// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "line_reader.hpp"

#include "tokens.hpp"

#include <upsweep/base/error.hpp>

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace upsweep::io_detail {
namespace {

constexpr std::size_t initial_buffer = std::size_t(1) << 20;
/// No line of a real file comes near; a file without line ends must not be read into memory as a whole.
constexpr std::size_t longest_line = std::size_t(1) << 20;

std::string system_message(int code) { return std::generic_category().message(code); }

}  // namespace

line_reader::line_reader(std::filesystem::path const& path) : name_(path.string()) {
  std::error_code error;
  auto const status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw input_error(name_ + ": " + system_message(error ? error.value() : ENOENT));
  if (std::filesystem::is_directory(status)) throw input_error(name_ + ": is a folder (expected a file)");
  errno = 0;
  gzFile const file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw input_error(name_ + ": cannot be opened: " + system_message(errno != 0 ? errno : ENOMEM));
  gzbuffer(file, 1u << 18);
  file_ = file;
  buffer_.resize(initial_buffer);
}

line_reader::~line_reader() { gzclose_r(static_cast<gzFile>(file_)); }

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
  auto const file = static_cast<gzFile>(file_);
  int const got = gzread(file, buffer_.data() + end_, static_cast<unsigned>(buffer_.size() - end_));
  int code = Z_OK;
  char const* const text = gzerror(file, &code);
  // A gzip stream that ends too early gives Z_BUF_ERROR, once, together with the last bytes there are.
  truncated_ = truncated_ || code == Z_BUF_ERROR;
  if (got < 0)
    fail_at(line_ + 1, code == Z_ERRNO ? "cannot be read: " + system_message(errno)
                                       : std::string("the compressed file is damaged: ") + text + " (expected gzip data)");
  if (got == 0) {
    if (truncated_) fail_at(line_ + 1, "the compressed file is truncated (expected the rest of the gzip stream)");
    at_end_ = true;
    return false;
  }
  may_be_binary_ = std::memchr(buffer_.data() + end_, '\0', static_cast<std::size_t>(got)) != nullptr || may_be_binary_;
  end_ += static_cast<std::size_t>(got);
  return true;
}

void line_reader::check_text(std::string_view line) const {
  if (line.find('\0') != std::string_view::npos)
    fail("a zero byte: this is not a text file (expected a LAMMPS data file, plain or gzip)");
}

bool line_reader::next(std::string_view& line) {
  std::size_t searched = begin_;
  for (;;) {
    auto const* const found =
        static_cast<char const*>(std::memchr(buffer_.data() + searched, '\n', end_ - searched));
    if (found != nullptr) {
      auto const length = static_cast<std::size_t>(found - buffer_.data()) - begin_;
      line = {buffer_.data() + begin_, length};
      begin_ += length + 1;
      break;
    }
    std::size_t const partial = end_ - begin_;
    if (partial > longest_line) {
      ++line_;
      fail("a line of more than " + std::to_string(longest_line) + " bytes (expected a LAMMPS data file)");
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
  while (next(line)) {
    auto const hash = line.find('#');
    data = trim(line.substr(0, hash));
    if (data.empty()) continue;
    comment_ = hash == std::string_view::npos ? std::string_view{} : trim(line.substr(hash + 1));
    return true;
  }
  return false;
}

}  // namespace upsweep::io_detail

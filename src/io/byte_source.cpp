// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "byte_source.hpp"

#include <upsweep/base/error.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

namespace upsweep::io::detail {
namespace {

constexpr std::size_t packed_bytes = std::size_t(1) << 17;
/// Text never begins with this character.
constexpr char gzip_start = '\x1f';

std::string system_message(int code) { return std::generic_category().message(code); }

std::string damaged(std::string const& how) { return "the compressed file is damaged: " + how; }

}  // namespace

/// zlib itself and not its gzFile: that takes a damaged start for plain text and drops a damaged second member.
struct byte_source::gzip_stream {
  gzip_stream() {
    if (inflateInit2(&z, 15 + 16) != Z_OK) throw std::bad_alloc();  // 16: gzip's header and checksum
  }
  gzip_stream(gzip_stream const&) = delete;
  gzip_stream& operator=(gzip_stream const&) = delete;
  ~gzip_stream() { inflateEnd(&z); }

  z_stream z{};
  bool in_member = true;
};

byte_source::byte_source(std::filesystem::path const& path)
    : named_gz_(path.extension() == ".gz"), packed_(packed_bytes) {
  std::error_code error;
  auto const name = path.string();
  auto const status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw input_error(name + ": " + system_message(error ? error.value() : ENOENT));
  if (std::filesystem::is_directory(status)) throw input_error(name + ": is a folder (expected a file)");
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) throw input_error(name + ": cannot be opened: " + system_message(errno));
}

byte_source::~byte_source() {
  if (file_ >= 0) ::close(file_);
}

std::size_t byte_source::read_file(char* to, std::size_t n, std::string& problem) {
  for (;;) {
    auto const got = ::read(file_, to, n);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == EINTR) continue;
    problem = "cannot be read: " + system_message(errno);
    return 0;
  }
}

/// False at the end of the file and for a problem.
bool byte_source::refill(std::string& problem) {
  begin_ = 0;
  end_ = read_file(packed_.data(), packed_.size(), problem);
  return end_ > 0;
}

void byte_source::start(std::string& problem) {
  started_ = true;
  if (!refill(problem)) return;
  if (packed_[0] == gzip_start) gzip_ = std::make_unique<gzip_stream>();
  else if (named_gz_)
    problem = damaged("it does not begin as gzip data do (expected gzip data, since its name ends in .gz)");
}

/// Goes to the next member of a gzip file; false at the end. Zero bytes fill the last block on tapes and are ignored.
bool byte_source::start_member(std::string& problem) {
  for (;;) {
    if (begin_ == end_ && !refill(problem)) return false;
    if (packed_[begin_] != '\0') break;
    ++begin_;
  }
  if (packed_[begin_] != gzip_start) {
    problem = damaged("other bytes behind the end of the gzip data (expected the end of the file or more gzip data)");
    return false;
  }
  inflateReset(&gzip_->z);
  gzip_->in_member = true;
  return true;
}

std::size_t byte_source::unpack(char* to, std::size_t n, std::string& problem) {
  auto& z = gzip_->z;
  z.next_out = reinterpret_cast<Bytef*>(to);
  z.avail_out = static_cast<uInt>(n);
  while (z.avail_out > 0) {
    if (!gzip_->in_member && !start_member(problem)) break;
    if (begin_ == end_ && !refill(problem)) {
      if (problem.empty()) problem = "the compressed file is truncated (expected the rest of the gzip stream)";
      break;
    }
    z.next_in = reinterpret_cast<Bytef*>(packed_.data() + begin_);
    z.avail_in = static_cast<uInt>(end_ - begin_);
    int const code = inflate(&z, Z_NO_FLUSH);
    begin_ = end_ - z.avail_in;
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_STREAM_END) gzip_->in_member = false;
    else if (code != Z_OK && code != Z_BUF_ERROR) {
      problem = damaged((z.msg != nullptr ? std::string(z.msg) : "wrong bytes") + " (expected gzip data)");
      break;
    }
  }
  return n - z.avail_out;
}

std::size_t byte_source::read(char* to, std::size_t n, std::string& problem) {
  problem.clear();
  n = std::min(n, std::size_t(1) << 30);  // zlib counts in 32 bits
  if (!started_) start(problem);
  if (!problem.empty()) return 0;
  if (gzip_ != nullptr) return unpack(to, n, problem);
  if (begin_ == end_) return read_file(to, n, problem);
  n = std::min(n, end_ - begin_);
  std::memcpy(to, packed_.data() + begin_, n);
  begin_ += n;
  return n;
}

}  // namespace upsweep::io::detail

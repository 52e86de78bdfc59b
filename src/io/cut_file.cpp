// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "internal/cut_file.hpp"

#include <upsweep/base/error.hpp>

#include "file_place.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace upsweep::internal {

void cut_file(std::filesystem::path const& path, std::uint64_t size) {
  auto const target = io::detail::replaceable_target(path);
  int const file = ::open(target.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) io::detail::fail_output(path, "cannot be written", errno);
  auto const has = static_cast<std::uint64_t>(::lseek(file, 0, SEEK_END));
  bool const cut = has >= size && ::ftruncate(file, static_cast<off_t>(size)) == 0 && io::detail::synchronised(file);
  int const code = errno;
  ::close(file);
  if (has < size)
    throw output_error(path.string() + ": has " + std::to_string(has) + " bytes (expected " + std::to_string(size) +
                       " or more)");
  if (!cut) io::detail::fail_output(path, "cannot be cut", code);
}

}  // namespace upsweep::internal

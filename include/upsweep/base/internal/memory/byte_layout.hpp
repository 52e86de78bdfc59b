// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index.hpp>

#include <cstddef>

namespace upsweep::internal {

/// Lays several arrays out in one block of memory: `byte_layout l; auto a = l.add<int>(n); ...; l.bytes()`.
class byte_layout {
 public:
  /// Offset in bytes of the next array of n elements of T, a multiple of `alignment`.
  template <class T>
  std::size_t add(std::size_t n) {
    std::size_t const at = bytes_;
    std::size_t const size = checked_multiply(n, sizeof(T), "byte_layout", "bytes");
    bytes_ += divide_up(size, alignment) * alignment;
    return at;
  }
  std::size_t bytes() const { return bytes_; }

  /// What arrays are aligned to, in memory that is aligned so (access::reserve()).
  static constexpr std::size_t alignment = 256;

 private:
  std::size_t bytes_ = 0;
};

}  // namespace upsweep::internal

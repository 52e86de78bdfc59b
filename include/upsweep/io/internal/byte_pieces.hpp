// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace upsweep::internal {

/// Bytes that a writer takes one piece after the other, so that they need not lie in host memory all at once.
class byte_pieces {
 public:
  /// Checks, and takes all the memory that pieces need.
  virtual void prepare() {}
  virtual std::uint64_t size() const = 0;
  /// The bytes from `at` < size() on, as many as there are in one piece; valid until the next call.
  virtual std::span<std::byte const> piece(std::uint64_t at) = 0;

 protected:
  ~byte_pieces() = default;
};

/// Bytes in host memory: one piece.
class whole_bytes final : public byte_pieces {
 public:
  explicit whole_bytes(std::span<std::byte const> bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  std::span<std::byte const> piece(std::uint64_t at) override { return bytes_.subspan(static_cast<std::size_t>(at)); }

 private:
  std::span<std::byte const> bytes_;
};

}  // namespace upsweep::internal

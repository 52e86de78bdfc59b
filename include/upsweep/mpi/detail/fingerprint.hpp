// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace upsweep::mpi::detail {

/// A hash of arguments that must be the same on all ranks (FNV-1a, 64 bits).
class fingerprint {
 public:
  fingerprint& bytes(void const* data, std::size_t size) {
    auto const* p = static_cast<unsigned char const*>(data);
    for (std::size_t i = 0; i < size; ++i) hash_ = (hash_ ^ p[i]) * 0x100000001b3u;
    return *this;
  }
  fingerprint& text(std::string_view s) {
    bytes(s.data(), s.size());
    return value(s.size());
  }
  /// Only for types without padding.
  template <class T>
  fingerprint& value(T const& x) {
    static_assert(std::is_arithmetic_v<T>);
    return bytes(&x, sizeof(T));
  }
  std::uint64_t get() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// Throws precondition_error "function: what differs between ranks" on all ranks unless all give the same fingerprint.
void require_same(communicator const& comm, fingerprint const& mine, char const* function, char const* what);

}  // namespace upsweep::mpi::detail

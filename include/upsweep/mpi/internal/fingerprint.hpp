// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <typeinfo>

namespace upsweep::internal {

/// A hash of arguments that must be the same on all ranks (FNV-1a, 64 bits). Ranks compare theirs when they agree
/// (agree.hpp).
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
  /// A type, by its name and size.
  template <class T>
  fingerprint& type() {
    return text(typeid(T).name()).value(sizeof(T));
  }
  std::uint64_t get() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace upsweep::internal

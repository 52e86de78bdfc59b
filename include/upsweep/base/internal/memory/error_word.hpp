// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep::internal {

/// What a kernel found wrong with its data.
enum class data_error : std::uint16_t {
  none = 0,
  negative_count = 1,
  offset_overflow = 2,
  bad_segment_offset = 3,
  bad_row_offset = 4,
  bad_permutation = 5
};

/// One 64-bit word on the device that keeps the error with the smallest index, whatever order threads report in:
/// the complement of (index, code), under atomic_max, so that zeroed memory means "none". Codes have 16 bits.
struct error_word {
  std::uint64_t* word = nullptr;

  KOKKOS_FUNCTION void report(std::size_t index, std::uint16_t code) const {
    Kokkos::atomic_max(word, value(index, code));
  }
  KOKKOS_FUNCTION void report(std::size_t index, data_error kind) const {
    report(index, static_cast<std::uint16_t>(kind));
  }
  KOKKOS_FUNCTION static constexpr std::uint64_t value(std::size_t index, std::uint16_t code) {
    return ~((static_cast<std::uint64_t>(index) << 16) | code);
  }
  static std::uint16_t code(std::uint64_t value) {
    return value == 0 ? 0 : static_cast<std::uint16_t>(~value & 0xffff);
  }
  static std::size_t index(std::uint64_t value) { return static_cast<std::size_t>(~value >> 16); }
};

/// Turns the value of an error word into an exception naming function, index and reason; 0 does nothing.
void throw_data_error(std::uint64_t value, std::string const& function);

}  // namespace upsweep::internal

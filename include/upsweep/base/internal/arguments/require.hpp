// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace upsweep::internal {

/// Throws the exception type that belongs to `kind` (plain `error` for `unknown`).
/// Pre: kind is not `none`. Used to raise on every rank what one rank met.
[[noreturn]] inline void throw_error(error_kind kind, std::string const& what) {
  switch (kind) {
    case error_kind::precondition: throw precondition_error(what);
    case error_kind::overflow: throw overflow_error(what);
    case error_kind::count_mismatch: throw count_mismatch_error(what);
    case error_kind::out_of_memory: throw out_of_memory_error(what);
    case error_kind::input: throw input_error(what);
    case error_kind::output: throw output_error(what);
    case error_kind::communication: throw communication_error(what);
    case error_kind::user_failure: throw user_failure_error(what);
    case error_kind::none:
    case error_kind::unknown: break;
  }
  throw error(error_kind::unknown, what);
}

/// Throws precondition_error with "function: message".
[[noreturn]] void throw_precondition(char const* function, std::string const& message);

/// Throws precondition_error with "function: message" unless `condition` holds.
inline void require(bool condition, char const* function, char const* message) {
  if (!condition) throw_precondition(function, message);
}
/// The same where the message has numbers: make_message() returns it. A string for each check that holds took 30 to 150
/// ns, a fifth of segmented_reduce of 4096 int32 (an EPYC, 2026-11-27).
template <std::invocable MakeMessage>
void require(bool condition, char const* function, MakeMessage const& make_message) {
  if (!condition) throw_precondition(function, make_message());
}

/// Throws precondition_error: "n = -1 is negative".
[[noreturn]] void throw_negative(char const* function, char const* name, std::size_t size);

/// The size; or throws precondition_error where it is above 2^63 - 1, which a caller's negative number becomes in a
/// std::size_t.
inline std::size_t checked_size(std::size_t size, char const* function, char const* name = "n") {
  if (size > static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max())) throw_negative(function, name, size);
  return size;
}

/// Throws precondition_error: "input has 3 elements, output has 4". Compiled: calls test, and few of them fail.
[[noreturn]] void throw_other_extent(char const* function, char const* name, std::size_t extent, char const* other_name,
                                     std::size_t other_extent);

/// Refuses two Views of which one is longer than the other.
inline void require_same_extent(std::size_t extent, std::size_t other_extent, char const* function, char const* name,
                                char const* other_name = "output") {
  if (extent != other_extent) throw_other_extent(function, name, extent, other_name, other_extent);
}

}  // namespace upsweep::internal

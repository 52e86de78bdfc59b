// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/scan/detail/calls/run_engine.hpp>
#include <upsweep/scan/detail/reduce/reduce_call.hpp>
#include <upsweep/scan/options.hpp>

#include <cstddef>

namespace upsweep::internal {

/// Bytes that a scan of n elements with states of type State may use at the front of access::reserve(): who keeps
/// arrays of its own in the same workspace across such a scan reserves both together, and puts its own behind:
/// `byte_layout l; l.add<std::byte>(scan_temporary_bytes<State, Space>(n)); auto mine =
/// l.add<int>(m);`.
template <class State, class ExecutionSpace, class Engine = engine::automatic>
std::size_t scan_temporary_bytes(std::size_t n) {
  return scan::detail::engine_bytes<Engine, ExecutionSpace, State>(n);
}

// Other layers use them, too.
using scan::detail::bytes_of_reduction;

}  // namespace upsweep::internal

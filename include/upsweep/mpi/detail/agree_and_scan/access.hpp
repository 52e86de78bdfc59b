// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>

namespace upsweep::mpi::detail {

/// What the layer uses of its public classes, and nobody else.
struct access {
  /// Of a communicator: how device memory travels, once found out (gpu_aware.hpp).
  template <class Communicator>
  static auto& transfers(Communicator const& comm) noexcept {
    return comm.transfers();
  }
  /// Of a communicator: memory for one small record from each rank, and behind them one for each: collective calls
  /// gather in it and need not allocate. Valid until the next call.
  template <class Communicator>
  static auto* records(Communicator const& comm) noexcept {
    return comm.records();
  }
  /// Of a domain: what bricks are cut in.
  template <class Domain>
  KOKKOS_FUNCTION static auto const& frame(Domain const& parts) {
    return parts.frame();
  }
  /// Of a domain: adds what ranks must have in common to call something with it.
  template <class Domain, class Fingerprint>
  static void describe(Domain const& parts, Fingerprint& arguments) {
    parts.describe(arguments);
  }
};

}  // namespace upsweep::mpi::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Names that the tests of scans on CPUs share.

#include <upsweep/scan/tuning.hpp>

#include <Kokkos_Core.hpp>

namespace cpu_space {

namespace detail = upsweep::scan::detail;
using space = Kokkos::DefaultHostExecutionSpace;
using tuning = upsweep::engine::tuning<space>;
template <class T>
using host_view = Kokkos::View<T*, Kokkos::HostSpace>;

}  // namespace cpu_space

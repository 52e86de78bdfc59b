// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstddef>

namespace oracle {

/// Copies between memory of the CPU and of the device, behind all that was launched before, and waits.
///
/// They are compiled once for all tests. Kokkos::deep_copy of Views is compiled again for each type of element and
/// each layout: it was two fifths of the machine code of tests/pack/runs.cpp (g++ 16.2 -O1, 2026-11-27).
void copy_to_device(void* device, void const* host, std::size_t bytes);
void copy_from_device(void* host, void const* device, std::size_t bytes);

}  // namespace oracle

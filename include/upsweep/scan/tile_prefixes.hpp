// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// How tiles of one launch pass on what stands before them, for kernels of other layers: detail::decoupled_look_back, and the memory
// that it needs, workspace::begin_protocol(). Users of the library need neither.
#include <upsweep/scan/detail/decoupled_look_back.hpp>
#include <upsweep/scan/detail/look_back_memory.hpp>

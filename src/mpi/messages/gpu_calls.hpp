// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <Kokkos_Core.hpp>

// CUDA and HIP name the same functions of their runtimes alike: UPSWEEP_GPU(StreamQuery) is cudaStreamQuery or
// hipStreamQuery. Not defined without either.
#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime.h>
#define UPSWEEP_GPU(name) cuda##name
#elif defined(KOKKOS_ENABLE_HIP)
#include <hip/hip_runtime.h>
#define UPSWEEP_GPU(name) hip##name
#endif

#if defined(UPSWEEP_GPU)

namespace upsweep::mpi::detail {

/// Makes a GPU the current one within a scope.
class current_gpu {
 public:
  explicit current_gpu(int gpu) {
    good_ =
        UPSWEEP_GPU(GetDevice)(&before_) == UPSWEEP_GPU(Success) && UPSWEEP_GPU(SetDevice)(gpu) == UPSWEEP_GPU(Success);
  }
  current_gpu(current_gpu const&) = delete;
  current_gpu& operator=(current_gpu const&) = delete;
  ~current_gpu() { static_cast<void>(UPSWEEP_GPU(SetDevice)(before_)); }
  bool is_good() const { return good_; }

 private:
  int before_ = 0;
  bool good_ = false;
};

}  // namespace upsweep::mpi::detail

#endif

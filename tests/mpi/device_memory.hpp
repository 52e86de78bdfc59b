// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <mpi.h>

#include <cstddef>

namespace testing_mpi {

/// Makes MPI of this test program treat memory that Kokkos takes within a scope as that of a device: a GPU-aware MPI
/// copies it through memory of its own, as it would have to, another one refuses it. Pinned memory of the staged way
/// does not count. One at a time.
class device_memory {
 public:
  enum class mpi_is { gpu_aware, not_gpu_aware, wrong };  ///< wrong: bytes that arrive are not those sent
  explicit device_memory(mpi_is kind);
  device_memory(device_memory const&) = delete;
  device_memory& operator=(device_memory const&) = delete;
  ~device_memory();

  void change(mpi_is kind);
  /// Buffers of a device that MPI was given so far.
  int seen() const;
};

// What the functions of this program that stand before MPI's call (mpi_errors.cpp).
int send_from_device(void const* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm,
                     MPI_Request* request);
int receive_on_device(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                      MPI_Request* request);
int wait_for_all(int count, MPI_Request* requests, MPI_Status* statuses);

}  // namespace testing_mpi

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>

/// Faults in the C library, for every caller in this program (zlib and the C++ library too). hooks.cpp stands in front
/// of the functions.
namespace faults {

// glibc lets a program stand in front of malloc(). Elsewhere there is no test that needs it.
#ifdef __GLIBC__
/// The next allocations succeed, and the one after them fails; negative: none fails.
void fail_allocation_after(std::int64_t allocations);
/// Whether the allocation has failed since the last fail_allocation_after().
bool allocation_failed();
/// Blocks of memory that are allocated now.
std::int64_t live_blocks();
#endif

/// What goes wrong when files are read and written. Errors are values of errno; 0 is none.
struct file_faults {
  int write_error = 0;
  std::int64_t writes_before = 0;  ///< bytes that are written before the error
  int sync_error = 0;
  int rename_error = 0;
  int read_error = 0;
  std::int64_t reads_before = 0;  ///< bytes that are read before the error
  bool one_byte = false;          ///< each call moves one byte
  bool interrupted = false;       ///< every second call ends with EINTR
};

/// Sets faults as long as it lives.
class with_file_faults {
 public:
  explicit with_file_faults(file_faults const& wanted);
  with_file_faults(with_file_faults const&) = delete;
  with_file_faults& operator=(with_file_faults const&) = delete;
  ~with_file_faults();
};

}  // namespace faults

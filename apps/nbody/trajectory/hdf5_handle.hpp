// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

namespace nbody {

/// Starts the library: it prints nothing, and does nothing at the end of the process, where it would try again to write
/// what could not be written.
void start_hdf5();

/// Throws output_error: the user's name of the file, and why HDF5's last call failed.
[[noreturn]] void fail_hdf5(std::string const& named);

/// Throws as fail_hdf5 where the result of a call says that it failed.
inline void check_hdf5(std::string const& named, herr_t result) {
  if (result < 0) fail_hdf5(named);
}

/// Owns an identifier of HDF5.
class hdf5_handle {
 public:
  hdf5_handle() = default;
  /// Takes the result of a call. Throws: as fail_hdf5 where the call failed.
  hdf5_handle(std::string const& named, hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
    if (id < 0) fail_hdf5(named);
  }
  hdf5_handle(hdf5_handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(std::exchange(other.close_, nullptr)) {}
  hdf5_handle& operator=(hdf5_handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~hdf5_handle() {
    if (id_ >= 0) close_(id_);
  }

  hid_t get() const { return id_; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  herr_t (*close_)(hid_t) = nullptr;
};

}  // namespace nbody

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#if defined(UPSWEEP_HAS_HDF5)

#include "hdf5_handle.hpp"

#include <upsweep/base/error.hpp>

#include <algorithm>
#include <string_view>

namespace nbody {
namespace {

/// What the innermost of HDF5's functions says. Behind the system's reason there are addresses and the like.
herr_t take_reason(unsigned depth, H5E_error2_t const* error, void* to) {
  if (depth > 0 || error->desc == nullptr) return 0;
  std::string_view reason(error->desc);
  constexpr std::string_view of_system = "error message = '";
  if (auto const at = reason.find(of_system); at != std::string_view::npos) {
    reason.remove_prefix(at + of_system.size());
    reason = reason.substr(0, reason.find('\''));
  }
  try {
    auto& text = *static_cast<std::string*>(to);
    text = reason;
    std::replace(text.begin(), text.end(), '\n', ' ');
  } catch (...) {  // no memory: without a reason
  }
  return 0;
}

}  // namespace

void start_hdf5() {
  // Only before the library's first call.
  static bool const once = [] { return H5dont_atexit() >= 0 && H5open() >= 0; }();
  static_cast<void>(once);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

void fail_hdf5(std::string const& named) {
  std::string reason = "HDF5 gives no reason";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, &reason);
  throw upsweep::output_error(named + ": cannot be written: " + reason);
}

}  // namespace nbody

#endif

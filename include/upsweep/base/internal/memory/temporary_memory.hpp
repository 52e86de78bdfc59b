// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/workspace.hpp>

#include <memory>
#include <string>

namespace upsweep::internal {

/// The memory of one call: taken from the caller's workspace, or allocated here and freed at the end of the call, which
/// then has to wait for the instance first: `temporary_memory memory(space, options.workspace);`
class temporary_memory {
 public:
  temporary_memory(any_instance const& space, workspace* shared);
  temporary_memory(temporary_memory const&) = delete;
  temporary_memory& operator=(temporary_memory const&) = delete;
  ~temporary_memory();

  bool owned() const { return owned_ != nullptr; }
  workspace& get() { return owned_ ? *owned_ : *shared_; }

 private:
  workspace* shared_;
  std::unique_ptr<workspace> owned_;
  std::string release_label_;  // made in time: memory that runs out in a destructor ends the program
};

}  // namespace upsweep::internal

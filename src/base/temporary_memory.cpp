// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>

namespace upsweep::internal {

temporary_memory::temporary_memory(any_instance const& space, workspace* shared) : shared_(shared) {
  if (shared_ != nullptr) return;
  owned_ = std::make_unique<workspace>(space);
  release_label_ = "upsweep::temporary_memory::release";
}

temporary_memory::~temporary_memory() {
  if (owned_ && owned_->size_bytes() != 0) access::fence(*owned_, release_label_);
}

}  // namespace upsweep::internal

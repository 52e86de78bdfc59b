// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

namespace upsweep::internal {

/// Base of classes whose objects are made once, held by a pointer to the base, and never copied.
class held_by_pointer {
 public:
  held_by_pointer() = default;
  held_by_pointer(held_by_pointer const&) = delete;
  held_by_pointer& operator=(held_by_pointer const&) = delete;
  virtual ~held_by_pointer() = default;
};

}  // namespace upsweep::internal

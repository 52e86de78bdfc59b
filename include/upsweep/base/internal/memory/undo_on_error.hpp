// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <exception>
#include <utility>

namespace upsweep::internal {

/// Calls `undo` at the end of the scope where an error leaves it: `undo_on_error const undo([&] { plan = before; });`
/// Pre: undo() does not throw.
template <class Undo>
class undo_on_error {
 public:
  explicit undo_on_error(Undo undo) : undo_(std::move(undo)) {}
  undo_on_error(undo_on_error const&) = delete;
  undo_on_error& operator=(undo_on_error const&) = delete;
  ~undo_on_error() {
    if (std::uncaught_exceptions() > before_) undo_();
  }

 private:
  Undo undo_;
  int before_ = std::uncaught_exceptions();
};

}  // namespace upsweep::internal

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/detail/workspace_memory.hpp>
#include <upsweep/base/internal/memory/access.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace upsweep {

/// Temporary device memory that calls share, so that after the first call of its kind they neither allocate nor fence:
/// `workspace ws(space); exclusive_scan(space, in, out, plus<>{}, {.workspace = &ws});`
///
/// Errors in data that an asynchronous call finds stay here until check(), in a word of that function's own. A call
/// that waits throws what it finds itself, and leaves the errors of others alone. After a call that ended with an
/// exception, because a functor threw, the workspace may be used again.
/// Pre: used with the instance it was made for, by one host thread at a time.
/// Sync: growing waits for the instance; check() does.
/// Throws: precondition_error when used with another instance; out_of_memory_error naming the bytes asked for.
class workspace {
 public:
  explicit workspace(any_instance const& space);

  /// Bytes held on the device.
  std::size_t size_bytes() const { return memory_->size() + protocol_->size(); }

  /// Waits for the instance and throws what the data of an earlier asynchronous call did wrong: its function, kind and
  /// first bad index. Each error is thrown once; when several functions have one, that of the function used first, then
  /// at the next check(). Calls of one function share a word: of several with errors, the smallest index is kept.
  /// Throws: precondition_error for a negative count or a wrong offset, overflow_error for an offset that did not fit.
  void check(any_instance const& space);

 private:
  friend struct internal::access;

  std::unique_ptr<base::detail::workspace_memory> memory_;
  std::unique_ptr<base::detail::workspace_memory> protocol_;
  internal::access::error_values pending_{};  ///< errors whose memory is gone, until there is memory again
  std::vector<std::string> functions_;        ///< the one at k has error word k + 1
  bool is_reporting_ = false;                 ///< errors(space) was called and take_error() not yet
  bool is_in_protocol_ = false;               ///< the same of begin_protocol() and end_protocol()
};

}  // namespace upsweep

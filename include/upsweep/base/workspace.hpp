// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/detail/workspace_memory.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
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

  /// What reserve() aligns to. Kokkos aligns memory of CPUs to 64 bytes only.
  static constexpr std::size_t alignment = 256;
  /// Bytes beside those that reserve() is asked for: error words, result slot, and what alignment may cost.
  static constexpr std::size_t header_bytes = 512;

  /// Bytes held on the device.
  std::size_t size_bytes() const { return memory_->size() + protocol_->size(); }

  /// The word for errors of the current call, which waits and takes them with take_error(); to be taken after
  /// reserve().
  internal::error_word errors(any_instance const& space);

  /// The word in which an asynchronous call of `function` leaves errors until check(); to be taken after reserve().
  /// Throws: precondition_error, when the workspace has served more functions than it has words.
  internal::error_word errors(any_instance const& space, std::string_view function);

  /// A place for one result of the current call, up to result_bytes long; to be taken after reserve().
  std::byte* result_slot(any_instance const& space);
  static constexpr std::size_t result_bytes = 192;

  /// At least `bytes` of device memory, aligned to 256 bytes; what it held is undefined. Valid until the next call.
  std::byte* reserve(any_instance const& space, std::size_t bytes);

  /// At least `bytes` of memory that keeps its content from call to call: zeroed when made or grown, then written only
  /// by the protocol of the single-pass scans, which leaves it ready for the next call. Only makes room; see
  /// begin_protocol().
  std::byte* reserve_protocol(any_instance const& space, std::size_t bytes);
  /// The same for a call that launches kernels on it, and says end_protocol() behind the launch. If the call before did
  /// not come so far, because a functor threw on a backend whose launches wait, the memory is zeroed first.
  std::byte* begin_protocol(any_instance const& space, std::size_t bytes);
  void end_protocol() { is_in_protocol_ = false; }
  /// Bytes of that memory.
  std::size_t protocol_bytes() const { return protocol_->size(); }

  /// Waits for the instance and throws what the data of an earlier asynchronous call did wrong: its function, kind and
  /// first bad index. Each error is thrown once; when several functions have one, that of the function used first, then
  /// at the next check(). Calls of one function share a word: of several with errors, the smallest index is kept.
  /// Throws: precondition_error for a negative count or a wrong offset, overflow_error for an offset that did not fit.
  void check(any_instance const& space);

  /// Waits for the instance; returns what the current call reported to errors(space), 0 for nothing, and clears it.
  std::uint64_t take_error(any_instance const& space);
  /// The same, with the first `count` words of result_slot(space) in `results`: one copy and one wait for all of them.
  std::uint64_t take_error(any_instance const& space, std::uint64_t* results, std::size_t count);

  /// What every use of it checks. Throws: precondition_error.
  void require_same_instance(any_instance const& space) const;

  /// Waits for the instance that it was made for.
  void fence(std::string const& label) const { memory_->fence(label); }

 private:
  /// Words for errors: one of the current call, the others of functions whose calls are asynchronous.
  static constexpr std::size_t error_word_count = 8;
  static constexpr std::size_t front_bytes = error_word_count * sizeof(std::uint64_t) + result_bytes;
  static_assert(front_bytes + alignment <= header_bytes);
  using error_values = std::array<std::uint64_t, error_word_count>;
  using front_values = std::array<std::uint64_t, front_bytes / sizeof(std::uint64_t)>;

  std::uint64_t* error_words() const { return reinterpret_cast<std::uint64_t*>(memory_->data()); }
  error_values read_errors() const;

  std::unique_ptr<base::detail::workspace_memory> memory_;
  std::unique_ptr<base::detail::workspace_memory> protocol_;
  error_values pending_{};              ///< errors whose memory is gone, until there is memory again
  std::vector<std::string> functions_;  ///< the one at k has error word k + 1
  bool is_reporting_ = false;           ///< errors() was called and take_error() not yet
  bool is_in_protocol_ = false;         ///< the same of begin_protocol() and end_protocol()
};

}  // namespace upsweep

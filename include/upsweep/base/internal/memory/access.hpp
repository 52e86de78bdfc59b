// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/detail/workspace_memory.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace upsweep {

class workspace;

namespace internal {

/// What calls use of a workspace, and users do not: `std::byte* const tiles = access::reserve(memory, space, bytes);`
/// Throws: precondition_error when the workspace belongs to another instance; out_of_memory_error naming the bytes
/// asked for.
struct access {
  /// What every use of it checks.
  static void require_same_instance(workspace const& memory, any_instance const& space);

  /// At least `bytes` of device memory, aligned to 256 bytes; what it held is undefined. Valid until the next call.
  static std::byte* reserve(workspace& memory, any_instance const& space, std::size_t bytes);
  /// What reserve() aligns to. Kokkos aligns memory of CPUs to 64 bytes only.
  static constexpr std::size_t alignment = 256;
  /// Bytes beside those that reserve() is asked for: error words, result slot, and what alignment may cost.
  static constexpr std::size_t header_bytes = 512;

  /// A place for one result of the current call, up to result_bytes long; to be taken after reserve().
  static std::byte* result_slot(workspace& memory, any_instance const& space);
  static constexpr std::size_t result_bytes = 192;

  /// The word for errors of the current call, which waits and takes them with take_error(); to be taken after
  /// reserve().
  static error_word errors(workspace& memory, any_instance const& space);
  /// The word in which an asynchronous call of `function` leaves errors until check(); to be taken after reserve().
  /// Throws: precondition_error, when the workspace has served more functions than it has words.
  static error_word errors(workspace& memory, any_instance const& space, std::string_view function);

  /// Waits for the instance; returns what the current call reported to errors(memory, space), 0 for nothing, and clears
  /// it.
  static std::uint64_t take_error(workspace& memory, any_instance const& space);
  /// The same, with the first `count` words of the result slot in `results`: one copy and one wait for all of them.
  static std::uint64_t take_error(workspace& memory, any_instance const& space, std::uint64_t* results,
                                  std::size_t count);

  /// At least `bytes` of memory that keeps its content from call to call: zeroed when made or grown, then written only
  /// by the protocol of the single-pass scans, which leaves it ready for the next call. Only makes room; see
  /// begin_protocol().
  static std::byte* reserve_protocol(workspace& memory, any_instance const& space, std::size_t bytes);
  /// The same for a call that launches kernels on it, and says end_protocol() behind the launch. If the call before did
  /// not come so far, because a functor threw on a backend whose launches wait, the memory is zeroed first.
  static std::byte* begin_protocol(workspace& memory, any_instance const& space, std::size_t bytes);
  static void end_protocol(workspace& memory);
  /// Bytes of that memory.
  static std::size_t protocol_bytes(workspace const& memory);

  /// Waits for the instance that the workspace was made for.
  static void fence(workspace const& memory, std::string const& label);

 private:
  friend class upsweep::workspace;

  /// Words for errors: one of the current call, the others of functions whose calls are asynchronous.
  static constexpr std::size_t error_word_count = 8;
  static constexpr std::size_t front_bytes = error_word_count * sizeof(std::uint64_t) + result_bytes;
  static_assert(front_bytes + alignment <= header_bytes);
  using error_values = std::array<std::uint64_t, error_word_count>;
  using front_values = std::array<std::uint64_t, front_bytes / sizeof(std::uint64_t)>;

  static std::uint64_t* error_words(workspace const& memory);
  static error_values read_errors(workspace const& memory);
};

}  // namespace internal

}  // namespace upsweep

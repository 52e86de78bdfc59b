// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/internal/fingerprint.hpp>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace upsweep::mpi {

/// All ranks go on, or all throw the same: returns when every rank gave error_kind::none; else every rank throws the
/// exception type of the lowest failing rank's kind, with its message behind "rank 2: ". Allocates nothing before it
/// throws, so it works for a rank that is out of memory.
/// Pre: all ranks of comm call it.
/// Cost: one MPI_Allreduce of 24 bytes; two broadcasts more when something failed.
/// Sync: collective.
/// Throws: what was agreed on, its message cut after 16 KiB; communication_error.
void agree(communicator const& comm, error_kind kind, std::string const& message);

namespace detail {

/// An exception in a form that can be sent.
struct failure {
  error_kind kind = error_kind::none;
  std::string message;
};

/// The failure that belongs to the exception being handled. Call it inside a catch clause.
failure current_failure() noexcept;

/// agree, which also compares fingerprints: where no rank failed but they differ, all ranks throw precondition_error
/// "function: what must be the same on all ranks, and differs".
void agree_on(communicator const& comm, error_kind kind, std::string const& message,
              internal::fingerprint const& arguments, char const* function, char const* what);

/// Calls f; then agreed(failure), which throws on all ranks or on none; then returns what f returned.
template <class F, class Agreed>
std::invoke_result_t<F&> run_and_agree(F& f, Agreed const& agreed) {
  using result = std::invoke_result_t<F&>;
  failure local;
  if constexpr (std::is_void_v<result>) {
    try {
      f();
    } catch (...) {
      local = current_failure();
    }
    agreed(local);
  } else {
    std::optional<result> value;
    try {
      value.emplace(f());
    } catch (...) {
      local = current_failure();
    }
    agreed(local);
    return std::move(*value);
  }
}

/// all_or_none that compares arguments, too.
template <class F>
std::invoke_result_t<F&> all_or_none_checked(communicator const& comm, internal::fingerprint const& arguments,
                                             char const* function, char const* what, F&& f) {
  return run_and_agree(
      f, [&](failure const& local) { agree_on(comm, local.kind, local.message, arguments, function, what); });
}

}  // namespace detail

/// Runs the local work f() on every rank and agrees on how it went: returns f's result where all ranks had one, else
/// all ranks throw: `auto view = all_or_none(comm, [&] { return allocate(n); });`
/// Pre: all ranks of comm call it; f itself communicates nothing, since a rank that throws would leave the others
/// waiting.
/// Cost: as agree. An allocation that failed counts as out_of_memory, exceptions of other libraries as unknown.
/// Sync: collective.
/// Throws: as agree.
template <class F>
std::invoke_result_t<F&> all_or_none(communicator const& comm, F&& f) {
  return detail::run_and_agree(f, [&](detail::failure const& local) { agree(comm, local.kind, local.message); });
}

}  // namespace upsweep::mpi

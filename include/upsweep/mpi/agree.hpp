// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace upsweep::mpi {

/// All ranks go on, or all throw the same: returns when every rank gave error_kind::none; else every rank throws the
/// exception type of the lowest failing rank's kind, with its message behind "rank 2: ".
/// Pre: all ranks of comm call it.
/// Cost: one MPI_Allreduce of an int; two broadcasts more when something failed.
/// Sync: collective.
/// Throws: what was agreed on; communication_error.
void agree(communicator const& comm, error_kind kind, std::string const& message);

namespace detail {

/// An exception in a form that can be sent.
struct failure {
  error_kind kind = error_kind::none;
  std::string message;
};

/// The failure that belongs to the exception being handled. Call it inside a catch clause.
failure current_failure();

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
  using result = std::invoke_result_t<F&>;
  detail::failure failure;
  if constexpr (std::is_void_v<result>) {
    try {
      f();
    } catch (...) {
      failure = detail::current_failure();
    }
    agree(comm, failure.kind, failure.message);
  } else {
    std::optional<result> value;
    try {
      value.emplace(f());
    } catch (...) {
      failure = detail::current_failure();
    }
    agree(comm, failure.kind, failure.message);
    return std::move(*value);
  }
}

}  // namespace upsweep::mpi

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace upsweep {

/// What went wrong, as one small integer: ranks compare and exchange it to agree on an error (mpi/agree.hpp).
enum class error_kind : std::int32_t {
  none = 0,
  unknown,         ///< an exception from outside this library
  precondition,    ///< wrong arguments
  overflow,        ///< a size, sum or index that does not fit its type
  count_mismatch,  ///< a functor emitted a different number of records in its second pass
  out_of_memory,   ///< an allocation failed
  input,           ///< a bad input file
  output,          ///< a file that could not be written
  communication,   ///< an MPI call failed
  user_failure     ///< a functor called emit.fail(code)
};

/// Base of every exception that this library throws. `kind()` gives the type without a cascade of handlers. Messages
/// quote files, names of files and variables of the environment: what() is printable and one line, whatever these hold.
class error : public std::runtime_error {
 public:
  error(error_kind kind, std::string const& what);
  error_kind kind() const noexcept { return kind_; }

 private:
  error_kind kind_;
};

/// One exception type per kind: `basic_error<error_kind::overflow>` is `overflow_error`.
/// Messages name the function first, then the offending argument and its value.
template <error_kind Kind>
class basic_error : public error {
 public:
  explicit basic_error(std::string const& what) : error(Kind, what) {}
};

using precondition_error = basic_error<error_kind::precondition>;
using overflow_error = basic_error<error_kind::overflow>;
using count_mismatch_error = basic_error<error_kind::count_mismatch>;
using out_of_memory_error = basic_error<error_kind::out_of_memory>;
using input_error = basic_error<error_kind::input>;
using output_error = basic_error<error_kind::output>;
using communication_error = basic_error<error_kind::communication>;
using user_failure_error = basic_error<error_kind::user_failure>;

}  // namespace upsweep

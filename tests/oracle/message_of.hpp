// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>

#include <string>

namespace oracle {

/// What a call says when it throws an error of the library, of this class.
template <class Error = upsweep::error, class Call>
std::string message_of(Call const& call) {
  try {
    call();
  } catch (Error const& e) {
    return e.what();
  }
  return "nothing thrown";
}

}  // namespace oracle

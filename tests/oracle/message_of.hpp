// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>

#include <string>

namespace oracle {

/// What a call says when it throws an error of the library.
template <class Call>
std::string message_of(Call const& call) {
  try {
    call();
  } catch (upsweep::error const& e) {
    return e.what();
  }
  return "nothing thrown";
}

}  // namespace oracle

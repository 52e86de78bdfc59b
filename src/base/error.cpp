// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/error.hpp>
#include <upsweep/base/printable.hpp>

namespace upsweep {

error::error(error_kind kind, std::string const& what) : std::runtime_error(printable(what)), kind_(kind) {}

}  // namespace upsweep

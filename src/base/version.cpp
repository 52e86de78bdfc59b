// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/version.hpp>

namespace upsweep {

int library_version() noexcept { return UPSWEEP_VERSION; }

char const* library_version_string() noexcept { return UPSWEEP_VERSION_STRING; }

}  // namespace upsweep

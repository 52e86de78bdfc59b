// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

/// The one place that states the version: CMake reads these three lines.
#define UPSWEEP_VERSION_MAJOR 0
#define UPSWEEP_VERSION_MINOR 9
#define UPSWEEP_VERSION_PATCH 0

/// One number to compare against in `#if`: 10000 * major + 100 * minor + patch.
#define UPSWEEP_VERSION (UPSWEEP_VERSION_MAJOR * 10000 + UPSWEEP_VERSION_MINOR * 100 + UPSWEEP_VERSION_PATCH)

#define UPSWEEP_IMPL_STRINGIFY(x) #x
#define UPSWEEP_IMPL_VERSION_STRING(major, minor, patch) \
  UPSWEEP_IMPL_STRINGIFY(major) "." UPSWEEP_IMPL_STRINGIFY(minor) "." UPSWEEP_IMPL_STRINGIFY(patch)

/// "major.minor.patch"
#define UPSWEEP_VERSION_STRING \
  UPSWEEP_IMPL_VERSION_STRING(UPSWEEP_VERSION_MAJOR, UPSWEEP_VERSION_MINOR, UPSWEEP_VERSION_PATCH)

namespace upsweep {

/// UPSWEEP_VERSION of the compiled library, which differs from the macro where headers and library do not
/// belong together.
[[nodiscard]] int library_version() noexcept;

/// UPSWEEP_VERSION_STRING of the compiled library.
[[nodiscard]] char const* library_version_string() noexcept;

}  // namespace upsweep

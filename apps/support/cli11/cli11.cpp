// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The functions of CLI11, compiled once. All other sources see CLI11_COMPILE, by which its headers only declare them.
// Which headers hold the definitions differs from version to version, so this file includes them all as a source
// without CLI11_COMPILE does, but after Macros.hpp has said that functions are not inline. Versions before 2.3 do not
// know CLI11_COMPILE: their functions stay inline and nobody needs this file's.

#include <CLI/Macros.hpp>
#undef CLI11_COMPILE
#include <CLI/CLI.hpp>

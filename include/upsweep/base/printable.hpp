// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string>
#include <string_view>

namespace upsweep {

/// A text that may come from anywhere, as a terminal can show it: printable("a\33[31mb") is "a?[31mb".
/// Control characters (those of ASCII, line ends and tabs too, and U+0080 to U+009F) and bytes that are no UTF-8 become
/// '?', so that a file or its name can neither drive the terminal nor forge a line. Other characters stay. All
/// exceptions of this library have such texts.
/// Cost: one pass.
std::string printable(std::string_view text);

/// A piece of a file for a message: printable, in quotes, and at most 40 bytes of it. quote("moon") is "'moon'".
std::string quote(std::string_view text);

}  // namespace upsweep

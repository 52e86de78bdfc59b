// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <string>
#include <string_view>

namespace upsweep::internal {

/// The label of a kernel, region or View: `upsweep::<function>::<part>`, with the caller's own name behind it in
/// brackets where one was given. label("exclusive_scan", "reduce", "bins") is "upsweep::exclusive_scan::reduce[bins]".
std::string label(std::string_view function, std::string_view part, std::string_view caller = {});

/// The caller's name for calls that `function` makes on the way: what its own caller gave, or else its name.
inline std::string_view inner_label(std::string_view caller, std::string_view function) {
  return caller.empty() ? function : caller;
}

}  // namespace upsweep::internal

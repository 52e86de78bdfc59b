// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include <upsweep/base/internal/arguments/label.hpp>

namespace upsweep::internal {

std::string label(std::string_view function, std::string_view part, std::string_view caller) {
  std::string text;
  text.reserve(13 + function.size() + part.size() + caller.size());
  text.append("upsweep::").append(function).append("::").append(part);
  if (!caller.empty()) text.append("[").append(caller).append("]");
  return text;
}

}  // namespace upsweep::internal

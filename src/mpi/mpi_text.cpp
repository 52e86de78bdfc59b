// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/mpi/internal/mpi_text.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>

namespace upsweep::internal {
namespace {

std::string_view without_spaces(std::string_view text) {
  constexpr char spaces[] = " \t\r\n";
  auto const first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

/// Of the last line of a stack, what follows the function; nothing where it repeats a call and its arguments.
std::string_view reason_in(std::string_view stack) {
  auto line = without_spaces(stack);
  line = line.substr(line.rfind('\n') + 1);  // npos + 1 is 0
  auto const function = line.find(": ");
  if (function == std::string_view::npos) return {};
  auto const reason = without_spaces(line.substr(function + 2));
  return reason.starts_with("MPI_") ? std::string_view() : reason;
}

}  // namespace

std::string plain_mpi_text(std::string_view text) {
  constexpr std::string_view before_stack = ", error stack:";
  auto const end = text.find(before_stack);
  auto const what = without_spaces(text.substr(0, end));
  std::string plain(what);
  if (end != std::string_view::npos) {
    auto reason = reason_in(text.substr(end + before_stack.size()));
    if (reason.starts_with(what)) reason = without_spaces(reason.substr(what.size()));
    if (!reason.empty()) plain.append(": ").append(reason);
  }
  std::ranges::replace(plain, '\n', ' ');
  return plain;
}

std::string mpi_text(int code) {
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS || length <= 0)
    return "MPI error code " + std::to_string(code);
  return plain_mpi_text({text, static_cast<std::size_t>(length)});
}

}  // namespace upsweep::internal

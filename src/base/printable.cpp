// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/printable.hpp>

#include <cstddef>
#include <cstdint>

namespace upsweep {
namespace {

/// The number of bytes of the printable character that `text` starts with; 0 where there is none.
std::size_t printable_bytes(std::string_view text) {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  auto const first = byte(0);
  if (first < 0x80) return first >= ' ' && first != 0x7f ? 1 : 0;
  std::size_t const bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
  if (bytes == 0 || first >= 0xf8 || text.size() < bytes) return 0;
  std::uint32_t code = first & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0u) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  // The first code that needs so many bytes. U+0080 to U+009F are control characters.
  std::uint32_t const least = bytes == 2 ? 0xa0 : bytes == 3 ? 0x800 : 0x10000;
  bool const surrogate = code >= 0xd800 && code < 0xe000;
  return code >= least && code <= 0x10ffff && !surrogate ? bytes : 0;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    auto const bytes = printable_bytes(text);
    if (bytes == 0) result += '?';
    else result += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return result;
}

std::string quote(std::string_view text) {
  constexpr std::size_t most = 40;
  return "'" + printable(text.substr(0, most)) + (text.size() > most ? "...'" : "'");
}

}  // namespace upsweep

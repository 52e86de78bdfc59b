// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/printable.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/io/internal/npy_pieces.hpp>
#include <upsweep/io/npy.hpp>
#include <upsweep/io/replace_file.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <fstream>
#include <limits>

namespace upsweep {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

/// Walks over the Python dictionary of a header, of which NumPy writes only one form.
class header_parser {
 public:
  header_parser(std::string const& name, std::string_view text) : name_(name), text_(text) {}

  npy_array parse() {
    npy_array array;
    std::array<bool, 3> seen{};
    auto const first_time = [&](std::size_t key, char const* name) {
      if (seen[key]) fail(std::string("header key '") + name + "' given twice (expected once)");
      seen[key] = true;
    };
    expect('{');
    while (!accept('}')) {
      auto const key = word();
      expect(':');
      if (key == "descr") first_time(0, "descr"), array.descr = word();
      else if (key == "fortran_order") first_time(1, "fortran_order"), order();
      else if (key == "shape") first_time(2, "shape"), shape(array.shape);
      else fail("header key " + quote(key) + " (expected descr, fortran_order and shape)");
      if (!accept(',') && !accept_next('}')) fail("damaged .npy header (expected ',' or '}')");
    }
    if (seen != std::array<bool, 3>{true, true, true})
      fail("header without one of descr, fortran_order and shape (expected all)");
    skip_blanks();
    if (!text_.empty()) fail("damaged .npy header (expected nothing behind '}')");
    return array;
  }

  [[noreturn]] void fail(std::string const& message) const { throw input_error(name_ + ": " + message); }
  /// Whether the data is in Fortran order. Pre: parse() has returned.
  bool fortran_order() const { return fortran_order_; }

 private:
  void skip_blanks() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n')) text_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_blanks();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool accept_next(char c) {
    skip_blanks();
    return !text_.empty() && text_.front() == c;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("damaged .npy header (expected '") + c + "')");
  }
  std::string_view word() {
    char const quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    auto const end = text_.find(quote);
    if (end == std::string_view::npos) fail("damaged .npy header (expected a closing quote)");
    auto const result = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return result;
  }
  void order() {
    skip_blanks();
    fortran_order_ = text_.starts_with("True");
    if (!fortran_order_ && !text_.starts_with("False"))
      fail("fortran_order is neither True nor False (expected one of them)");
    text_.remove_prefix(fortran_order_ ? 4 : 5);
  }
  void shape(std::vector<std::uint64_t>& result) {
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      std::uint64_t extent = 0;
      auto const [end, code] = std::from_chars(text_.data(), text_.data() + text_.size(), extent);
      if (code != std::errc{}) fail("damaged .npy header (expected an extent)");
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      result.push_back(extent);
      if (!accept(',') && !accept_next(')')) fail("damaged .npy header (expected ',' or ')')");
    }
  }

  std::string const& name_;
  std::string_view text_;
  bool fortran_order_ = false;
};

/// Bytes of one element: the number at the end of descr; 0 for what is no plain number, such as objects and text.
std::uint64_t item_size(std::string_view descr) {
  std::uint64_t size = 0;
  if (descr.size() < 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos ||
      std::string_view("biufc").find(descr[1]) == std::string_view::npos)
    return 0;
  auto const [end, code] = std::from_chars(descr.data() + 2, descr.data() + descr.size(), size);
  return code == std::errc{} && end == descr.data() + descr.size() ? size : 0;
}

/// False where the product does not fit in 64 bits.
bool byte_count(std::string_view descr, std::vector<std::uint64_t> const& shape, std::uint64_t& bytes) {
  bytes = item_size(descr);
  for (auto const extent : shape) {
    if (extent != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / extent) return false;
    bytes *= extent;
  }
  return true;
}

/// Bytes in C order of an array in Fortran order, in which the first index runs fastest.
std::vector<std::byte> to_c_order(npy_array const& array, std::uint64_t item) {
  auto const& shape = array.shape;
  std::vector<std::byte> result(array.bytes.size());
  std::vector<std::uint64_t> stride(shape.size(), item), index(shape.size(), 0);
  for (std::size_t d = 1; d < shape.size(); ++d) stride[d] = stride[d - 1] * shape[d - 1];
  std::uint64_t from = 0;
  for (std::uint64_t to = 0; to < result.size(); to += item) {
    std::copy_n(array.bytes.begin() + static_cast<std::ptrdiff_t>(from), item,
                result.begin() + static_cast<std::ptrdiff_t>(to));
    for (std::size_t d = shape.size(); d-- > 0;) {
      from += stride[d];
      if (++index[d] < shape[d]) break;
      from -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
  return result;
}

/// Brings numbers into this machine's order of bytes. Those of one byte have none, and a complex number is two numbers.
void to_native_order(npy_array& array, std::uint64_t item) {
  char const foreign = std::endian::native == std::endian::little ? '>' : '<';
  if (array.descr[0] != foreign) return;
  array.descr[0] = foreign == '>' ? '<' : '>';
  bool const is_complex = array.descr[1] == 'c' && item % 2 == 0;
  auto const size = static_cast<std::ptrdiff_t>(is_complex ? item / 2 : item);
  for (auto at = array.bytes.begin(); at != array.bytes.end(); at += size) std::reverse(at, at + size);
}

}  // namespace

std::string npy_header(std::string_view descr, std::vector<std::uint64_t> const& shape, std::size_t least_bytes) {
  std::string text = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (";
  for (std::size_t d = 0; d < shape.size(); ++d)
    text.append(d == 0 ? "" : " ").append(std::to_string(shape[d])).append(",");
  if (shape.size() > 1) text.pop_back();  // Python's tuple of one keeps its comma
  text += "), }";
  bool const long_form = std::max(10 + text.size() + 1, least_bytes) + 64 > 65535;
  std::size_t const prefix = long_form ? 12 : 10;
  std::size_t const total = (std::max(prefix + text.size() + 1, least_bytes) + 63) / 64 * 64;
  text.append(total - prefix - text.size() - 1, ' ');
  text += '\n';
  std::string header(magic);
  header += long_form ? '\2' : '\1';
  header += '\0';
  for (std::size_t i = 0; i < prefix - 8; ++i) header += static_cast<char>(text.size() >> (8 * i) & 255);
  return header + text;
}

npy_array read_npy(std::filesystem::path const& path) {
  std::string const name = path.string();
  std::error_code error;
  auto const file_size = std::filesystem::file_size(path, error);
  if (error) throw input_error(name + ": " + error.message());
  std::ifstream file(path, std::ios::binary);
  auto const fail = [&](std::string const& message) { throw input_error(name + ": " + message); };
  auto const read = [&](std::size_t n) {
    std::string bytes(n, '\0');
    if (!file.read(bytes.data(), static_cast<std::streamsize>(n)))
      fail(file.bad() ? "cannot be read" : "cut short (expected a complete .npy header)");
    return bytes;
  };
  auto const start = read(8);
  if (start.substr(0, 6) != magic || start[6] < 1 || start[6] > 3) fail("no .npy file of version 1 to 3");
  std::size_t const digits = start[6] == 1 ? 2 : 4;
  auto const length_bytes = read(digits);
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < digits; ++i)
    length |= std::uint64_t(static_cast<unsigned char>(length_bytes[i])) << (8 * i);
  std::uint64_t const header_size = 8 + digits + length;
  if (header_size > file_size) fail("cut short (expected a header of " + std::to_string(length) + " bytes)");
  auto const text = read(length);
  header_parser header(name, text);
  npy_array array = header.parse();
  std::uint64_t bytes = 0;
  if (item_size(array.descr) == 0) fail("holds " + quote(array.descr) + " (expected plain numbers)");
  if (!byte_count(array.descr, array.shape, bytes) || file_size - header_size != bytes)
    fail(std::to_string(file_size - header_size) + " bytes of data (expected what the header's shape asks for)");
  array.bytes.resize(bytes);
  if (bytes != 0 && !file.read(reinterpret_cast<char*>(array.bytes.data()), static_cast<std::streamsize>(bytes)))
    fail("cannot be read");
  if (header.fortran_order() && array.shape.size() > 1) array.bytes = to_c_order(array, item_size(array.descr));
  to_native_order(array, item_size(array.descr));
  return array;
}

void write_npy_bytes(std::filesystem::path const& path, std::string_view descr, std::vector<std::uint64_t> const& shape,
                     std::span<std::byte const> bytes) {
  std::uint64_t expected = 0;
  bool const fits = byte_count(descr, shape, expected);
  internal::require(fits && expected == bytes.size(), "write_npy",
                    [&] { return std::to_string(bytes.size()) + " bytes do not fill the shape"; });
  internal::whole_bytes pieces(bytes);
  internal::write_npy_pieces(path, descr, shape, pieces);
}

void internal::write_npy_pieces(std::filesystem::path const& path, std::string_view descr,
                                std::vector<std::uint64_t> const& shape, byte_pieces& pieces) {
  pieces.prepare();
  file_replacement file(path);
  file.write(npy_header(descr, shape));
  for (std::uint64_t at = 0; at < pieces.size();) {
    auto const piece = pieces.piece(at);
    file.write({reinterpret_cast<char const*>(piece.data()), piece.size()});
    at += piece.size();
  }
  file.commit();
}

}  // namespace upsweep

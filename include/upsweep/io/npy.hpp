// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/printable.hpp>
#include <upsweep/base/error.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace upsweep {

/// NumPy's name for the layout of T on this machine: npy_descr<std::int64_t>() is "<i8" where memory is little-endian.
template <class T>
std::string npy_descr() {
  static_assert(std::is_arithmetic_v<T>, "upsweep: .npy files hold integers, floating-point numbers and bools.");
  char const order = sizeof(T) == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
  char const kind = std::is_same_v<T, bool> ? 'b' : std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
  return std::string{order, kind} + std::to_string(sizeof(T));
}

/// The bytes in front of the data of a .npy file in C order: npy_header("<i8", {5}). A multiple of 64 bytes long, and
/// at least `least_bytes`, by blanks; format 1.0, or 2.0 where it is too long for that.
std::string npy_header(std::string_view descr, std::vector<std::uint64_t> const& shape, std::size_t least_bytes = 0);

/// An array as read from a .npy file, in C order and in this machine's order of bytes.
struct npy_array {
  std::string descr;                 ///< such as "<f8"
  std::vector<std::uint64_t> shape;  ///< empty for a scalar
  std::vector<std::byte> bytes;

  /// The values in C order. Throws: input_error when the file holds another type.
  template <class T>
  std::vector<T> as() const {
    if (descr != npy_descr<T>())
      throw input_error("npy_array: holds " + quote(descr) + " (expected '" + npy_descr<T>() + "')");
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};

/// Reads a .npy file of version 1, 2 or 3: `auto x = read_npy("x.npy").as<double>();`
/// A file in Fortran order is brought into C order, for which it is in memory twice. Numbers in the other order of
/// bytes are converted: '>f8' is '<f8' then.
/// Throws: input_error for a file that is no .npy file, is cut short or too long, or has records.
npy_array read_npy(std::filesystem::path const& path);

/// Writes bytes in C order behind a header, in one step (see file_replacement).
/// Throws: output_error; precondition_error when the bytes are not as many as the shape asks for.
void write_npy_bytes(std::filesystem::path const& path, std::string_view descr, std::vector<std::uint64_t> const& shape,
                     std::span<std::byte const> bytes);

/// Writes values in C order: write_npy("x.npy", std::span(x), {n, 3}). An older file is replaced in one step.
/// Throws: output_error; precondition_error when the values are not as many as the shape asks for.
template <class T, std::size_t Extent>
void write_npy(std::filesystem::path const& path, std::span<T, Extent> values,
               std::vector<std::uint64_t> const& shape) {
  write_npy_bytes(path, npy_descr<std::remove_const_t<T>>(), shape, std::as_bytes(values));
}

}  // namespace upsweep

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace apps {

/// The array of a .npy file, converted to double.
struct npy_numbers {
  std::vector<std::uint64_t> shape;
  std::vector<double> values;  ///< in C order
};

/// "(3, 4)", for messages.
std::string text_of(std::vector<std::uint64_t> const& shape);

/// Reads a .npy file of floating-point numbers of 4 or 8 bytes. Throws: input_error naming the file.
npy_numbers read_npy_numbers(std::string const& path);

/// The values of an array (n, 3) of finite numbers. Throws: input_error naming the file.
std::vector<double> read_npy_vectors(std::string const& path);

/// The array of a .npy file of integers, signed or not, of 1 to 8 bytes.
struct npy_integers {
  std::vector<std::uint64_t> shape;
  std::vector<std::int64_t> values;  ///< in C order
};

/// Reads such a file. Throws: input_error naming the file; also for a value of 2^63 or more.
npy_integers read_npy_integers(std::string const& path);

/// Throws: input_error for the first of the values that is not finite, which is named by its place in the array.
void require_finite(std::string const& path, npy_numbers const& numbers);

}  // namespace apps

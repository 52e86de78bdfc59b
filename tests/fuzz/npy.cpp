// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Any bytes are refused by input_error, or give an array whose bytes fill its shape and that can be written and read
// again.
#include "fuzz.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/npy.hpp>

#include <charconv>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t n) {
  static fuzz::folder const folder;
  auto const read = fuzz::unless_refused([&] { return upsweep::read_npy(folder.file("x.npy", bytes, n)); });
  if (!read) return 0;
  auto const& array = *read;
  std::uint64_t expected = 0;
  std::from_chars(array.descr.data() + 2, array.descr.data() + array.descr.size(), expected);
  for (auto const extent : array.shape) expected *= extent;
  fuzz::check(array.bytes.size() == expected, "bytes that do not fill the shape");
  try {
    fuzz::check(array.as<double>().size() * sizeof(double) == array.bytes.size(), "doubles of another size");
  } catch (upsweep::input_error const&) {
    fuzz::check(array.descr != upsweep::npy_descr<double>(), "doubles refused");
  }
  upsweep::write_npy_bytes(folder / "y.npy", array.descr, array.shape, array.bytes);
  auto const again = upsweep::read_npy(folder / "y.npy");
  fuzz::check(again.descr == array.descr && again.shape == array.shape && again.bytes == array.bytes,
              "another array when written and read again");
  return 0;
}

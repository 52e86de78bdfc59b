// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/io/lammps_data.hpp>
#include <upsweep/io/npy.hpp>

#include <cstdio>
#include <vector>

int main() {
  std::vector<double> const values{1, 2, 4};
  upsweep::write_npy("consumer.npy", std::span(values), {3});
  if (upsweep::read_npy("consumer.npy").as<double>() != values) return 1;
  std::remove("consumer.npy");
  try {
    upsweep::read_lammps_data("no_such_file.data");
  } catch (upsweep::input_error const&) {
    return 0;
  }
  return 1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What all examples do with numbers besides computing: bring them to the device, print them, and check them.

#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <iostream>
#include <string>
#include <type_traits>
#include <vector>

namespace example {

/// How many results were wrong so far.
inline int wrong = 0;

/// What main() returns: 0 where all results were right.
inline int exit_code() { return wrong == 0 ? 0 : 1; }

/// For input that an example cannot take: says what it can. Returns what main() returns then.
inline int refuse(std::string const& what) {
  std::cerr << what << '\n';
  return 2;
}

/// The values in a View on the device.
template <class T>
Kokkos::View<T*> to_device(std::vector<T> const& values) {
  Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const host(values.data(), values.size());
  Kokkos::View<T*> const device("values", values.size());
  Kokkos::deep_copy(device, host);
  return device;
}

/// One line: "exclusive scan: 0 4 7 14 23 25".
template <class T>
void print(std::string const& what, std::vector<T> const& values) {
  std::cout << what << ':';
  for (T const& value : values) std::cout << ' ' << value;
  std::cout << '\n';
}

/// Prints values and compares them with what they must be.
template <class T>
void expect(std::string const& what, std::vector<T> const& found,
            std::type_identity_t<std::vector<T>> const& expected) {
  print(what, found);
  if (found == expected) return;
  ++wrong;
  print("WRONG, expected", expected);
}

/// The same for one value.
template <class T>
void expect(std::string const& what, T const& found, std::type_identity_t<T> const& expected) {
  expect(what, std::vector<T>{found}, {expected});
}

/// For results that are too long to print: "a million sums are squares: yes".
inline void confirm(std::string const& what, bool is_right) {
  std::cout << what << (is_right ? ": yes\n" : ": NO\n");
  if (!is_right) ++wrong;
}

}  // namespace example

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A monoid of your own: brackets that wait for a partner. It is not commutative: ")(" is not "()".

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/reduce.hpp>

#include <random>
#include <string>
#include <vector>

/// What is left of a piece of text when its matching brackets are gone: ")))" and then "((".
struct unmatched {
  int closing, opening;
};

/// Joins two pieces of text. lift() makes the state of one character, lower() is what the output gets.
struct brackets {
  using value_type = unmatched;

  KOKKOS_FUNCTION unmatched identity() const { return {0, 0}; }

  KOKKOS_FUNCTION unmatched operator()(unmatched const& left, unmatched const& right) const {
    int const matched = left.opening < right.closing ? left.opening : right.closing;
    return {left.closing + right.closing - matched, left.opening + right.opening - matched};
  }

  KOKKOS_FUNCTION unmatched lift(char c) const { return {c == ')', c == '('}; }

  /// How deep a character lies, or -1 behind a bracket too many.
  KOKKOS_FUNCTION int lower(unmatched const& s) const { return s.closing > 0 ? -1 : s.opening; }
};

/// The same with a loop over the text.
std::vector<int> serial_depths(std::string const& text) {
  std::vector<int> depths;
  int depth = 0;
  bool broken = false;
  for (char c : text) {
    depth += (c == '(') - (c == ')');
    broken = broken || depth < 0;
    depths.push_back(broken ? -1 : depth);
  }
  return depths;
}

std::vector<int> depths_of(std::string const& text) {
  Kokkos::DefaultExecutionSpace const space;
  auto const characters = example::to_device(std::vector<char>(text.begin(), text.end()));
  Kokkos::View<int*> const depths("depths", text.size());
  upsweep::inclusive_scan(space, characters, depths, brackets{});
  return upsweep::to_host(space, depths);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);

  for (std::string const text : {"(a(b)c)", "a)(b"}) {
    std::cout << text << '\n';
    example::expect("  depth behind each character", depths_of(text), serial_depths(text));
  }

  // Long: 100,000 random characters, behind so many open brackets that none closes too early.
  std::mt19937 random(1);
  std::string text(1000, '(');
  for (int i = 0; i < 100'000; ++i) text += "()x"[random() % 3];
  auto const expected = serial_depths(text);
  example::confirm("the depths of 101,000 characters are those of a loop", depths_of(text) == expected);

  // A reduction has only the last of them.
  int const open = upsweep::reduce<int>(Kokkos::DefaultExecutionSpace(),
                                        example::to_device(std::vector<char>(text.begin(), text.end())), brackets{});
  example::expect("brackets that are never closed", open, expected.back());
  return example::exit_code();
}

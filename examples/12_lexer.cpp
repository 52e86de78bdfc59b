// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A lexer: every character is a function from the state before it to the state behind it, and functions can be scanned.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

/// What a character is part of. Whether x is a word or part of a text in quotes is known from all that is before it.
enum state : unsigned char { blank, word, number, symbol, text, text_end, states };

/// The automaton: what comes behind a state with the next character.
KOKKOS_FUNCTION state next(state before, char c) {
  if (before == text) return c == '"' ? text_end : text;
  if (c == '"') return text;
  if (c == ' ') return blank;
  bool const digit = c >= '0' && c <= '9';
  if ((c >= 'a' && c <= 'z') || (digit && before == word)) return word;
  return digit ? number : symbol;
}

/// A function of states, as a table.
struct transition {
  state to[states];
};

/// First the left function, then the right one. The automaton starts between two tokens.
struct composition {
  using value_type = transition;

  KOKKOS_FUNCTION transition identity() const { return {{blank, word, number, symbol, text, text_end}}; }
  KOKKOS_FUNCTION transition operator()(transition const& left, transition const& right) const {
    transition both;
    for (int s = 0; s < states; ++s) both.to[s] = right.to[left.to[s]];
    return both;
  }
  KOKKOS_FUNCTION transition lift(char c) const {
    transition f;
    for (int s = 0; s < states; ++s) f.to[s] = next(static_cast<state>(s), c);
    return f;
  }
  KOKKOS_FUNCTION state lower(transition const& f) const { return f.to[blank]; }
};

KOKKOS_FUNCTION bool starts_token(state before, state now) {
  return now != blank && now != text_end && (now != before || now == symbol);
}

/// Where tokens start, ascending.
std::vector<int> tokens_of(std::string const& source) {
  Kokkos::DefaultExecutionSpace const space;
  auto const characters = example::to_device(std::vector<char>(source.begin(), source.end()));
  Kokkos::View<state*> const behind("states", source.size());
  upsweep::inclusive_scan(space, characters, behind, composition{});
  Kokkos::View<int*> const starts("starts", source.size());
  auto const count = upsweep::compact_indices(
      space, source.size(), starts,
      KOKKOS_LAMBDA(std::size_t i) { return starts_token(i == 0 ? blank : behind(i - 1), behind(i)); });
  auto result = upsweep::to_host(space, starts);
  result.resize(count);
  return result;
}

std::vector<int> serial_tokens(std::string const& source) {
  std::vector<int> starts;
  state before = blank;
  for (std::size_t i = 0; i < source.size(); ++i) {
    state const now = next(before, source[i]);
    if (starts_token(before, now)) starts.push_back(static_cast<int>(i));
    before = now;
  }
  return starts;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);

  std::string const source = "x1 = 30*(y+ \"a text, 2 words\") ;z=7";
  std::vector<std::string> tokens;
  auto const starts = tokens_of(source);
  for (std::size_t k = 0; k < starts.size(); ++k) {
    std::size_t const end = k + 1 < starts.size() ? starts[k + 1] : source.size();
    std::string const token = source.substr(starts[k], end - starts[k]);
    tokens.push_back(token.substr(0, token.find_last_not_of(' ') + 1));
  }
  std::cout << source << '\n';
  for (std::string const& token : tokens) std::cout << "  " << token << '\n';
  example::confirm("these are the tokens",
                   tokens == std::vector<std::string>{"x1", "=", "30", "*", "(", "y", "+", "\"a text, 2 words\"", ")",
                                                      ";", "z", "=", "7"});

  std::mt19937 random(1);
  std::string longer;
  for (int i = 0; i < 100'000; ++i) longer += "ab1 +\""[random() % 6];
  example::confirm("100,000 characters have the tokens of a loop", tokens_of(longer) == serial_tokens(longer));
  return example::exit_code();
}

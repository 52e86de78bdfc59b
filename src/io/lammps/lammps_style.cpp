// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "lammps_style.hpp"

#include "../tokens.hpp"
#include "lammps_style_table.hpp"

#include <upsweep/base/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace upsweep::io::detail {
namespace {

/// More than a line can have.
constexpr std::int64_t most_species = 1'000'000;

/// What words name: a style; or none of LAMMPS (neither is set); or one whose other words are wrong or missing.
struct named_style {
  std::optional<atom_style> style = {};
  std::string problem = {};  ///< "tdpd without ... (expected ...)"
};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (auto word = next_word(text); !word.empty(); word = next_word(text)) words.push_back(word);
  return words;
}

/// What is wrong with the words behind a style's name, or nothing.
std::string argument_problem(style_fields const& s, std::vector<std::string_view> const& words) {
  std::size_t most = 0;
  switch (s.arguments) {
    case style_arguments::none: break;
    case style_arguments::any_words: return {};
    case style_arguments::one_word: most = 1; break;
    case style_arguments::zero_or_one:
      most = 1;
      if (!words.empty() && words[0] != "0" && words[0] != "1")
        return quote(words[0]) + " behind " + std::string(s.name) + " (expected 0, 1 or the name of a style)";
      break;
    case style_arguments::species: {
      most = 1;
      std::int64_t n = 0;
      if (words.empty() || parse_number(words[0], n) != number_status::good || n < 1 || n > most_species)
        return std::string(s.name) + " without its number of species (expected 1 to " + std::to_string(most_species) +
               " behind it: " + std::string(s.name) + " 3)";
    }
  }
  if (words.size() > most)
    return quote(words[most]) + " behind " + std::string(s.name) + " (expected nothing, or the name of a style)";
  return {};
}

named_style hybrid_style(std::vector<std::string_view> const& words) {
  std::vector<style_fields const*> styles;
  std::int64_t species = 0;
  for (std::size_t i = 1; i < words.size();) {
    auto const* const s = find_style(words[i]);
    if (s == nullptr) return {{}, quote(words[i]) + " behind hybrid (expected names of atom styles)"};
    if (std::find(styles.begin(), styles.end(), s) != styles.end())
      return {{}, "style " + std::string(s->name) + " twice behind hybrid (expected each once)"};
    styles.push_back(s);
    std::vector<std::string_view> arguments;
    for (++i; i < words.size() && words[i] != "hybrid" && find_style(words[i]) == nullptr; ++i)
      arguments.push_back(words[i]);
    if (auto problem = argument_problem(*s, arguments); !problem.empty()) return {{}, std::move(problem)};
    if (s->arguments == style_arguments::species) parse_number(arguments[0], species);
  }
  if (styles.empty())
    return {{}, "hybrid without the styles that it is made of (expected them behind it: hybrid charge sphere)"};
  return {lay_out(styles, true, static_cast<int>(species)), {}};
}

/// The style that words name. refuse_others: words that the style has no use for are a problem.
named_style style_of(std::vector<std::string_view> const& words, bool refuse_others) {
  if (words.empty()) return {};
  if (words[0] == "hybrid" || words[0] == "hybrid/kk") return hybrid_style(words);
  auto const* const s = find_style(words[0]);
  if (s == nullptr) return {};
  std::vector<std::string_view> arguments(words.begin() + 1, words.end());
  std::int64_t species = 0;
  if (s->arguments == style_arguments::species) {
    if (!refuse_others) arguments.resize(std::min<std::size_t>(arguments.size(), 1));
    if (!arguments.empty()) parse_number(arguments[0], species);
  } else if (!refuse_others) {
    arguments.clear();
  }
  if (auto problem = argument_problem(*s, arguments); !problem.empty()) return {{}, std::move(problem)};
  return {lay_out({s}, false, static_cast<int>(species)), {}};
}

bool is_integer(std::string_view word) {
  std::int64_t value = 0;
  return parse_number(word, value) == number_status::good;
}

bool is_number(std::string_view word) {
  double value = 0;
  return parse_number(word, value) != number_status::not_a_number;
}

/// Whether the type of this atom can be in no other column than the third, behind a molecule: a number that is no type
/// is in front of it, or it is a label. Then the style is not hybrid, since all hybrid ones begin with id and type.
bool type_is_third(std::vector<std::string_view> const& words, type_names const& types) {
  return is_integer(words[1]) && types.has(words[2]) && (!types.has(words[1]) || !is_number(words[2]));
}

}  // namespace

atom_style style_from_argument(std::string_view words, std::string const& file) {
  auto named = style_of(words_of(words), true);
  if (named.style) return *std::move(named.style);
  if (!named.problem.empty()) throw input_error(file + ": atom style " + quote(words) + ": " + named.problem);
  std::string names;
  for (auto const& s : all_styles()) names.append(s.name).append(", ");
  throw input_error(file + ": atom style " + quote(words) + " (expected " + names + "or hybrid and some of these)");
}

std::optional<atom_style> style_from_names(std::string_view hint, std::optional<atom_style> const& argument,
                                           line_reader const& reader) {
  auto named = style_of(words_of(hint), false);
  auto const first_word = [](std::string_view text) {
    auto const word = next_word(text);
    return word.substr(0, word.find('/'));
  };
  // A comment that names hybrid or tdpd alone goes with any of them.
  bool const open = !named.problem.empty();
  if (argument) {
    if (open ? first_word(hint) != first_word(argument->name) : named.style && named.style->name != argument->name)
      reader.fail("section Atoms is of style " + quote(open ? first_word(hint) : named.style->name) +
                  ", but the atom style given is " + quote(argument->name) + " (expected the same)");
    return argument;
  }
  if (open)
    reader.fail("atom style " + quote(hint) + ": " + named.problem +
                "; atom_style of lammps_data_options can give all words");
  return std::move(named.style);
}

atom_style style_from_columns(std::vector<std::string_view> const& words, type_names const& types,
                              line_reader const& reader) {
  auto const n = words.size();
  auto const of = [](char const* name) { return lay_out({find_style(name)}, false, 0); };
  // All styles have these five: id, type and position.
  if (n == 5) return of("atomic");
  if (n >= 6 && type_is_third(words, types)) {
    for (auto const* name : {"molecular", "full"}) {
      auto style = of(name);
      auto const columns = static_cast<std::size_t>(style.columns);
      auto const flags = words.begin() + std::min(n, columns);
      if ((n == columns || n == columns + 3) && std::all_of(words.begin() + style.type + 1, flags, is_number) &&
          std::all_of(flags, words.end(), is_integer))
        return style;
    }
  }
  reader.fail("an atom with " + std::to_string(n) +
              " columns in a section without a style (expected its name behind the section's, such as 'Atoms # full', "
              "or atom_style of lammps_data_options: full)");
}

}  // namespace upsweep::io::detail

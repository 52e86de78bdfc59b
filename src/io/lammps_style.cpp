// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "lammps_style.hpp"

#include "lammps_style_table.hpp"
#include "tokens.hpp"

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

/// Whether this style's columns are numbers, those integers that must be, and the type is one.
bool fits(atom_style const& style, std::vector<std::string_view> const& words,
          std::function<bool(std::string_view)> const& is_type) {
  auto const is_integer = [&](int column) {
    std::int64_t value = 0;
    return parse_number(words[static_cast<std::size_t>(column)], value) == number_status::good;
  };
  auto const n = static_cast<int>(words.size());
  if (n != style.columns && n != style.columns + 3) return false;
  if (!is_type(words[static_cast<std::size_t>(style.type)])) return false;
  for (int i = 1; i < style.type; ++i)
    if (!is_integer(i)) return false;
  for (int i = style.type + 1; i < style.columns; ++i) {
    double value = 0;
    if (parse_number(words[static_cast<std::size_t>(i)], value) == number_status::not_a_number) return false;
  }
  for (int i = style.columns; i < n; ++i)
    if (!is_integer(i)) return false;
  return true;
}

bool same_places(atom_style const& a, atom_style const& b) {
  return a.columns == b.columns && a.type == b.type && a.x == b.x;
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

std::optional<chosen_style> style_from_names(std::string_view hint, std::optional<atom_style> const& argument,
                                             line_reader const& reader) {
  auto const named = style_of(words_of(hint), false);
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
    return chosen_style{*argument, {argument->velocity_columns}};
  }
  if (open) reader.fail("atom style " + quote(hint) + ": " + named.problem);
  if (!named.style) return {};
  return chosen_style{*named.style, {named.style->velocity_columns}};
}

chosen_style style_from_columns(std::vector<std::string_view> const& words,
                                std::function<bool(std::string_view)> const& is_type, line_reader const& reader) {
  std::vector<atom_style> fitting;
  for (auto const& s : all_styles()) {
    if (s.arguments == style_arguments::species) continue;
    auto style = lay_out({&s}, false, 0);
    if (fits(style, words, is_type)) fitting.push_back(std::move(style));
  }
  auto const columns = std::to_string(words.size()) + " columns";
  if (fitting.empty())
    reader.fail("this atom's " + columns +
                " fit none of the styles atomic, charge, molecular, full, sphere and others (expected "
                "the style behind the section's name, such as 'Atoms # full', or as an argument)");
  chosen_style chosen{fitting[0], {}};
  std::vector<atom_style const*> placed;  // one for each set of places
  for (auto const& style : fitting) {
    chosen.velocity_columns.push_back(style.velocity_columns);
    if (std::none_of(placed.begin(), placed.end(), [&](auto const* other) { return same_places(style, *other); }))
      placed.push_back(&style);
    auto& first = chosen.style;
    if (style.charge != first.charge) first.charge.reset();
    if (style.molecule != first.molecule) first.molecule.reset();
    if (style.radius != first.radius || style.radius_unit != first.radius_unit) first.radius.reset();
  }
  if (placed.size() > 1) {
    std::string names(placed[0]->name);
    for (std::size_t i = 1; i < placed.size(); ++i) names.append(" and ").append(placed[i]->name);
    reader.fail("this atom's " + columns + " fit the styles " + names +
                " (expected the style behind the section's name, such as 'Atoms # " + placed[0]->name +
                "', or as an argument)");
  }
  auto& numbers = chosen.velocity_columns;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return chosen;
}

}  // namespace upsweep::io::detail

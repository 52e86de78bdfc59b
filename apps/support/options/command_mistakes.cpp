// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "command_mistakes.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

namespace apps {
namespace {

/// A word that no option takes: "--step=10: expected an option of upsweep-nbody" names "--step" alone.
std::string unknown_word(CLI::App const& app) {
  auto const words = app.remaining();
  auto const first = std::ranges::find_if(words, [](auto const& word) { return word != "--"; });
  if (first == words.end()) return {};
  auto const name = first->starts_with("--") ? first->substr(0, first->find('=')) : *first;
  return (name.empty() ? "(empty)" : name) + ": expected an option of " + app.get_name();
}

/// All options that are required and missing, at once.
std::string missing_options(CLI::App const& app) {
  std::string first, all;
  for (auto const* option : app.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    if (first.empty()) first = option->get_name();
    all += (all.empty() ? "" : ", ") + option->get_name() + " " + option->get_type_name();
  }
  return first.empty() ? "" : first + " (none): expected " + all;
}

/// An option with too few or too many values, or a flag with one.
std::string wrong_number_of_values(CLI::App const& app, std::vector<std::string> const& arguments) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto const sign = arguments[i].find('=');
    auto const name = arguments[i].substr(0, sign);
    auto const* const option = name.starts_with("--") ? app.get_option_no_throw(name) : nullptr;
    if (option == nullptr) continue;
    if (option->get_expected_max() == 0) {  // a flag
      if (sign != std::string::npos) return name + ": expected no value";
      continue;
    }
    if (option->get_expected_max() == 1 && !seen.insert(name).second) return name + ": expected one value";
    bool const in_next_word = sign == std::string::npos;  // whatever it is
    if (in_next_word ? ++i == arguments.size() : sign + 1 == arguments[i].size()) return name + ": expected a value";
  }
  return {};
}

}  // namespace

std::string command_mistake(CLI::App const& app, std::vector<std::string> const& arguments, CLI::ParseError const& e,
                            std::string const& lacks) {
  auto text = unknown_word(app);
  if (text.empty() && dynamic_cast<CLI::RequiresError const*>(&e) != nullptr && !lacks.empty()) return lacks;
  if (text.empty() && dynamic_cast<CLI::RequiredError const*>(&e) != nullptr) text = missing_options(app);
  if (text.empty() && dynamic_cast<CLI::ArgumentMismatch const*>(&e) != nullptr)
    text = wrong_number_of_values(app, arguments);
  return (text.empty() ? e.what() : text) + " (see --help)";
}

}  // namespace apps

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "command_line.hpp"
#include "command_mistakes.hpp"
#include "config_reader.hpp"
#include "output_options.hpp"
#include "read_number.hpp"

#include <upsweep/version.hpp>

#include <CLI/CLI.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace apps {

/// A value that an option cannot have. Thrown while a command line is read.
class bad_option : public std::invalid_argument {
 public:
  /// bad_option("--dt", "0", "a number greater than 0") reads "--dt 0: expected a number greater than 0".
  bad_option(std::string const& option, std::string const& value, std::string const& expected)
      : std::invalid_argument(option + " " + (value.empty() ? "(empty)" : value) + ": expected " + expected) {}
  /// What is wrong with several options together.
  explicit bad_option(std::string const& message) : std::invalid_argument(message) {}
};

/// The numbers that an option takes. `text` completes "expected ..." in messages.
template <class Number>
struct accepted {
  std::string text;
  std::function<bool(Number)> good;
};

inline accepted<double> positive() {
  return {"a finite number greater than 0", [](double x) { return x > 0; }};
}
/// A distance up to which neighbours are sought: squares are compared.
inline accepted<double> reach() {
  return {"a finite number greater than 0, and so its square", [](double x) { return x > 0 && std::isnormal(x * x); }};
}
inline accepted<double> any_number() {
  return {"a finite number", [](double) { return true; }};
}
inline accepted<double> not_negative() {
  return {"a finite number, 0 or greater", [](double x) { return x >= 0; }};
}
template <class Number>
accepted<Number> from_to(Number first, Number last) {
  std::string const kind = std::is_integral_v<Number> ? "an integer" : "a number";
  return {kind + " from " + plain(first) + " to " + plain(last), [=](Number x) { return first <= x && x <= last; }};
}
template <class Integer>
accepted<Integer> at_least(Integer first) {
  return {"an integer, " + plain(first) + " or more", [=](Integer x) { return x >= first; }};
}

/// An option with one number. CLI11's own conversion takes "0,005" for 5 and "010" for 8; this one takes whole words
/// (read_number). The value at the time of the call is the default that --help shows.
template <class Number>
CLI::Option* number_option(CLI::App& app, std::string const& name, Number& value, accepted<Number> allowed,
                           std::string const& help) {
  auto const read = [&value, name, allowed = std::move(allowed)](std::string const& word) {
    auto const number = read_number<Number>(word);
    if (!number || !allowed.good(*number)) throw bad_option(name, word, allowed.text);
    value = *number;
  };
  return app.add_option_function<std::string>(name, read, help)
      ->type_name(std::is_integral_v<Number> ? "INTEGER" : "NUMBER")
      ->default_str(plain(value));
}

/// An option with one word that is not empty: a name, or what the caller reads further.
inline CLI::Option* word_option(CLI::App& app, std::string const& name, std::string& value, std::string const& help,
                                std::string const& type = "TEXT") {
  auto const read = [&value, name, type](std::string const& word) {
    if (word.empty()) throw bad_option(name, word, type == "TEXT" ? "a text" : "a " + type);
    value = word;
  };
  return app.add_option_function<std::string>(name, read, help)->type_name(type)->default_str(value);
}

/// The numbers of a word such as "1,0.5,2"; none where something else is in it.
template <class Number>
std::optional<std::vector<Number>> read_numbers(std::string const& word, accepted<Number> const& allowed) {
  std::vector<Number> result;
  for (auto const part : split(word, ',')) {
    auto const number = read_number<Number>(part);
    if (!number || !allowed.good(*number)) return std::nullopt;
    result.push_back(*number);
  }
  return result;
}

/// The numbers of such a word, from `least` to `most` of them.
template <class Number>
std::vector<Number> numbers_in(std::string const& option, std::string const& word, std::size_t least, std::size_t most,
                               accepted<Number> const& allowed) {
  auto result = read_numbers(word, allowed);
  if (result && least <= result->size() && result->size() <= most) return *std::move(result);
  throw bad_option(option, word,
                   (least == most ? "" : std::to_string(least) + " to ") + std::to_string(most) +
                       " numbers with commas between them, each " + allowed.text);
}

/// Directions in which a box is open: "xz".
inline std::array<bool, 3> open_directions_in(std::string const& option, std::string const& letters) {
  std::array<bool, 3> open{};
  for (char const letter : letters) {
    auto const d = std::string("xyz").find(letter);
    if (d == std::string::npos || open[d]) throw bad_option(option, letters, "some of the letters x, y, z");
    open[d] = true;
  }
  return open;
}

/// The name that an option had before. Its message has the new one, also where the new one is required, and --help does
/// not show it.
inline void renamed_option(CLI::App& app, std::string const& old_name, std::string const& name) {
  auto const refuse = [old_name, name](std::string const& word) {
    throw bad_option(old_name, word, name + ", the name of this option");
  };
  app.add_option_function<std::string>(old_name, refuse)->trigger_on_parse()->group("");
}

/// The command line of a program while it is read. Line is a command_line with `values`, which options fill. All
/// programs have --help, --version and --config. Programs with other exit codes, or more to say, set a footer of their
/// own.
template <class Line>
class program : public CLI::App {
 public:
  Line line;
  std::shared_ptr<config_reader> const from_file = std::make_shared<config_reader>(*this);  ///< that of --config

  program(std::string const& name, std::string const& purpose) : CLI::App(purpose, name) {
    set_version_flag("--version", name + " " UPSWEEP_VERSION_STRING);
    config_option(*this);
    config_formatter(from_file);
    footer(
        "Options that start with --kokkos- go to Kokkos. Numbers are plain decimals. Exit codes: 0 good, 2 bad input "
        "or unwritable output.");
  }

  /// Says what every run needs and this one does not have; empty: nothing. It is said before what an option needs.
  std::function<std::string()> lacks = [] { return std::string(); };

  /// Reads arguments (without the program's name), then calls finish(), which may throw bad_option too. Prints nothing.
  template <class Finish>
  Line read(std::vector<std::string> const& arguments, Finish&& finish) {
    try {
      // CLI11 takes them from the back.
      parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
      if constexpr (std::is_base_of_v<config_files, decltype(line.values)>)
        line.values.config = get_config_ptr()->results();
      if (auto const first = lacks(); !first.empty()) throw bad_option(first);
      finish();
      line.note = from_file->note();
    } catch (CLI::Success const& e) {  // --help and --version
      std::ostringstream out, err;
      exit(e, out, err);
      end(0, out.str());
    } catch (CLI::ParseError const& e) {
      end(bad_input, from_file->with_place(command_mistake(*this, arguments, e, lacks())));
    } catch (bad_option const& e) {
      end(bad_input, from_file->with_place(e.what()));
    }
    return line;
  }

 private:
  void end(int exit_code, std::string const& text) { static_cast<command_line&>(line) = {false, exit_code, text, {}}; }
};

}  // namespace apps

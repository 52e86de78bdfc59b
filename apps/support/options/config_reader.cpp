// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "config_reader.hpp"

#include "options.hpp"

#include <upsweep/base/printable.hpp>

#include <algorithm>
#include <filesystem>
#include <istream>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

namespace apps {
/// OPTION = VALUE, without its comment. An array may go on in further lines, which are added.
class config_reader::statement {
 public:
  std::string key, value;
  bool has_sign = false;
  char open_quote = 0;  ///< a quote that is not closed

  void add(std::string const& line) {
    value += ' ';
    for (std::size_t i = 0; i < line.size(); ++i) {
      char const c = line[i];
      auto& into = has_sign ? value : key;
      if (open_quote == 0) {
        if (c == '#') break;
        if (c == '=' && !has_sign) {
          has_sign = true;
          continue;
        }
        if (c == '"' || c == '\'') open_quote = c;
        if (has_sign) brackets_ += (c == '[') - (c == ']');
      } else if (c == open_quote) {
        open_quote = 0;
      }
      into += c;
      if (open_quote == '"' && c == '\\' && i + 1 < line.size()) into += line[++i];
    }
    CLI::detail::trim(key);
    CLI::detail::trim(value);
  }

  bool is_empty() const { return key.empty() && !has_sign; }
  bool is_open_array() const { return is_array() && open_quote == 0 && brackets_ > 0; }
  bool is_closed_array() const { return is_array() && brackets_ == 0 && value.ends_with(']'); }
  bool is_array() const { return value.starts_with('['); }
  /// The name of the option. A key of TOML may be in quotes, and one from a command line begins with hyphens.
  std::string plain_key() const {
    bool const quoted = key.size() > 1 && (key.front() == '"' || key.front() == '\'') && key.front() == key.back();
    if (quoted) return key.substr(1, key.size() - 2);
    return key.starts_with("--") ? key.substr(2) : key;
  }

 private:
  int brackets_ = 0;
};

config_reader::config_reader(CLI::App const& app) : app_(app) {
  commentChar = '\0';  // CLI11 before 2.4 takes a # in quotes for a comment; `statement` has removed all
}

std::vector<CLI::ConfigItem> config_reader::from_config(std::istream& input) const {
  auto const files = app_.get_config_ptr()->results();
  if (files.size() > 1) throw bad_option("--config: expected one file");  // CLI11 reads one or all, by its version
  auto const& file = files.front();
  std::vector<CLI::ConfigItem> items_of_file;
  std::string line;
  std::size_t number = 0;
  auto const next_line = [&] { return std::getline(input, line) && ++number != 0; };
  while (next_line()) {
    if (CLI::detail::trim_copy(line).starts_with(';')) continue;  // a comment of INI
    auto const place = file + ":" + std::to_string(number);
    statement s;
    do s.add(line);
    while (s.is_open_array() && next_line());
    if (s.is_empty()) continue;
    if (auto item = item_of(s, place)) items_of_file.push_back(std::move(*item));
  }
  let_command_line_win(items_of_file);
  return items_of_file;
}

std::optional<CLI::ConfigItem> config_reader::item_of(statement const& s, std::string const& place) const {
  auto const refuse = [&](std::string const& key, std::string const& expected) {
    throw bad_option(place + ": " + key + ": expected " + expected);
  };
  if (!s.has_sign || s.key.empty()) refuse(upsweep::quote(s.key + (s.has_sign ? "=" : "")), "OPTION = VALUE");
  auto const key = s.plain_key(), name = "--" + key;
  auto const* const option = app_.get_option_no_throw(name);
  if (option == nullptr) refuse(upsweep::quote(key), "an option of " + app_.get_name() + " (see --help)");
  if (!option->get_configurable()) refuse(key, "on the command line only");
  auto const [earlier, is_first] = lines_.emplace(name, line_of_option{place, option->count() == 0});
  if (!is_first) refuse(key, "once, and is in " + earlier->second.place + ", too");
  if (s.open_quote != 0) refuse(key, std::string("a closing ") + s.open_quote);
  if (s.is_array() && !s.is_closed_array()) refuse(key, "a closing ]");
  CLI::ConfigItem item;
  try {
    std::istringstream text("value = " + s.value);  // without the key, since CLI11 fails for some
    item = CLI::ConfigTOML::from_config(text).at(0);
  } catch (CLI::ParseError const&) {
    refuse(key, "a text of TOML, where \\\\ is a backslash");
  }
  item.name = key;
  item.inputs = {CLI::detail::join(item.inputs, ",")};  // one word, as on the command line
  auto const& value = item.inputs.front();
  if (option->get_expected_max() == 0) {  // a flag
    if (value == "false") return std::nullopt;
    if (value != "true") refuse(key + " = " + upsweep::quote(value), "true or false");
  }
  return item;
}

void config_reader::let_command_line_win(std::vector<CLI::ConfigItem>& of_file) const {
  // What the command line has is counted already.
  auto const is_on_line = [](CLI::Option const* option) { return option->count() > 0; };
  std::vector<CLI::Option const*> in_file;
  for (auto const& item : of_file)
    if (auto const* option = app_.get_option_no_throw("--" + item.name); !is_on_line(option)) in_file.push_back(option);
  auto const is_in_file = [&](CLI::Option const* o) { return std::ranges::find(in_file, o) != in_file.end(); };
  std::set<CLI::Option const*> out;
  for (auto const* option : in_file)
    for (auto const* other : option->get_excludes()) {
      if (is_in_file(other)) throw CLI::ExcludesError(option->get_name(), other->get_name());
      if (is_on_line(other)) out.insert(option);
    }
  for (std::size_t before = 0; before != out.size();) {
    before = out.size();
    for (auto const* option : in_file)
      for (auto const* needed : option->get_needs())
        if (out.contains(needed)) out.insert(option);
  }
  for (auto const* option : in_file)
    if (out.contains(option)) leave_out(option->get_name());
  std::erase_if(of_file, [&](auto const& item) { return out.contains(app_.get_option_no_throw("--" + item.name)); });
}

bool config_reader::gives(std::string const& option) const {
  auto const line = lines_.find(option);
  return line != lines_.end() && line->second.counts;
}

void config_reader::leave_out(std::string const& option) const {
  lines_.at(option).counts = false;
  left_out_.push_back(option.substr(2));
}

std::string config_reader::note() const {
  if (left_out_.empty()) return "";
  return "not used of " + app_.get_config_ptr()->results().front() +
         ", because of the command line: " + CLI::detail::join(left_out_, ", ");
}

std::string config_reader::with_place(std::string const& message) const {
  auto const line = lines_.find(message.substr(0, message.find_first_of(": ")));
  return line == lines_.end() || !line->second.counts ? message : line->second.place + ": " + message;
}

void config_option(CLI::App& app) {
  app.set_config("--config", "", "Read options from this file: lines OPTION = VALUE")
      ->type_name("FILE")
      ->check([](std::string const& name) -> std::string {
        std::error_code error;
        if (!std::filesystem::is_regular_file(name, error)) return name + ": expected a file";
        auto const size = std::filesystem::file_size(name, error);
        return error || size > (1u << 20) ? name + ": expected a file of at most 1 MiB" : std::string();
      });
}

}  // namespace apps

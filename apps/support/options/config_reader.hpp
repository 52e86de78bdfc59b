// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <CLI/CLI.hpp>

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apps {

/// What CLI11 reads the file of --config with. Each line is OPTION = VALUE, as TOML has it: CLI11's own reader takes
/// the value apart. This class adds what that one lacks: the place of a mistake, arrays for options whose value has
/// commas, `false` for flags, and refusal of what it skips or misreads, as a second line of an option. And the command
/// line wins: an option of the file that excludes one of the command line is left out, and so is what needs it. With
/// --restart on the command line, `lattice` and `cells` of the file are not used.
class config_reader : public CLI::ConfigTOML {
 public:
  /// For the options of this program.
  explicit config_reader(CLI::App const& app);

  /// CLI11 calls it for the file. Throws: bad_option, with file and line; CLI::ExcludesError for two of its options.
  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override;

  /// The message, behind file and line where it begins with an option that the file gives:
  /// "melt.toml:3: --dt fast: expected a finite number greater than 0".
  std::string with_place(std::string const& message) const;

  /// Whether the value of an option, "--seed", is the file's.
  bool gives(std::string const& option) const;
  /// Whether something of the file was left out.
  bool left_some_out() const { return !left_out_.empty(); }
  /// One more option that is not used, "--seed". Pre: the file has it.
  void leave_out(std::string const& option) const;
  /// "not used of run.toml, because of the command line: lattice, cells", or nothing.
  std::string note() const;

 private:
  class statement;
  struct line_of_option {
    std::string place;  ///< "melt.toml:3"
    bool counts;        ///< it is used: the command line has neither the option nor one that it excludes
  };

  /// What the statement at this place gives CLI11: nothing for a flag that is off. Throws: bad_option.
  std::optional<CLI::ConfigItem> item_of(statement const& s, std::string const& place) const;
  /// Leaves out what the command line excludes.
  void let_command_line_win(std::vector<CLI::ConfigItem>& of_file) const;

  CLI::App const& app_;
  mutable std::map<std::string, line_of_option> lines_;  ///< by option; mutable since CLI11 calls a const function
  mutable std::vector<std::string> left_out_;            ///< in the order of the file
};

/// Adds --config FILE to a program: options from a file. An option on the command line overrides that of the file. Only
/// one file is read, a regular one of at most 1 MiB.
void config_option(CLI::App& app);

}  // namespace apps

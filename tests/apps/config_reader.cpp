// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Options from a file (--config): what TOML and INI files of users say, and what is said of their mistakes.

#include "../../apps/support/options/config_reader.hpp"
#include "../../apps/support/options/options.hpp"
#include "../oracle/temporary_folder.hpp"
#include "expect_refused.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct options : apps::config_files {
  double dt = 1;
  std::string cells, title;
  bool half = false;
  std::vector<std::string> types;
};

struct command_line : apps::command_line {
  options values;
};

class config : public testing::Test {
 protected:
  oracle::temporary_folder folder;

  std::string file(std::string const& name, std::string const& text) const {
    auto const path = (folder.path() / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  /// A program with an option of each kind that programs have.
  static command_line parse(std::vector<std::string> const& arguments) {
    apps::program<command_line> app("program", "");
    auto& o = app.line.values;
    apps::number_option(app, "--dt", o.dt, apps::positive(), "");
    apps::word_option(app, "--cells", o.cells, "");
    apps::word_option(app, "--title", o.title, "");
    app.add_flag("--half", o.half)->disable_flag_override();
    app.add_option("--types", o.types)->delimiter(',')->check(CLI::IsMember({"int", "float"}));
    return app.read(arguments, [&] {
      if (o.cells == "none") throw apps::bad_option("--cells", o.cells, "numbers");
    });
  }

  command_line read(std::string const& text) const { return parse({"--config", file("o.toml", text)}); }

  options taken(std::string const& text) const {
    auto const line = read(text);
    EXPECT_TRUE(line.proceed) << text << ": " << line.text;
    return line.values;
  }

  /// The message is that of this line, which is the whole message.
  void refused(std::string const& text, int number, std::string const& message) const {
    auto const line = read(text);
    apps::expect_refused(line, message);
    EXPECT_TRUE(line.text.starts_with((folder.path() / "o.toml").string() + ":" + std::to_string(number) + ": "))
        << line.text;
  }
};

TEST_F(config, takes_lists_as_arrays_as_texts_and_bare) {
  for (auto const* text :
       {"cells = [10, 10, 10]", "cells = [10,10,10]", "cells = [ 10, 10, 10, ]", "cells = 10,10,10",
        "cells = 10, 10, 10", "cells = \"10,10,10\"", "cells = '10,10,10'", "cells=10,10,10", "--cells = 10,10,10",
        "\"cells\" = [10, 10, 10]", "cells = [\"10\", '10', 10]", "cells = [10, 10, 10] # an array",
        "cells = [10,\n  10,  # of three lines\r\n\n  10\n]", "# first\n\n; second\n\r\n  cells = [10, 10, 10]\r\n"})
    EXPECT_EQ(taken(text).cells, "10,10,10") << text;
  EXPECT_EQ(taken("types = [\"int\", \"float\"]").types, (std::vector<std::string>{"int", "float"}));
  EXPECT_EQ(taken("types = int,float").types, (std::vector<std::string>{"int", "float"}));
}

TEST_F(config, takes_flags_that_are_on_or_off) {
  EXPECT_TRUE(taken("half = true").half);
  EXPECT_TRUE(taken("--half = true").half);
  EXPECT_FALSE(taken("half = false").half);
  EXPECT_FALSE(taken("dt = 2").half);
  for (auto const* value : {"yes", "1", "0", "True", "", "[true, true]", "2.5"})
    refused(std::string("half = ") + value, 1, "half = ");
  refused("half = yes", 1, "half = 'yes': expected true or false");
}

TEST_F(config, takes_texts_in_quotes_as_they_are) {
  EXPECT_EQ(taken("title = \"a # b = [c; 'd'\" # e").title, "a # b = [c; 'd'");
  EXPECT_EQ(taken("title = ' a, \"b\" '").title, " a, \"b\" ");
  EXPECT_EQ(taken("title = a=b").title, "a=b");
  EXPECT_EQ(taken("dt = \"0.5\"").dt, 0.5);
}

TEST_F(config, names_the_line_that_it_cannot_read) {
  refused("# a\ndt 5\n", 2, "'dt 5': expected OPTION = VALUE");
  refused("[run]\ndt = 5\n", 1, "'[run]': expected OPTION = VALUE");
  refused("\n\n= 5\n", 3, "'=': expected OPTION = VALUE");
  refused("half", 1, "'half': expected OPTION = VALUE");
  refused("x", 1, "'x': expected OPTION = VALUE");
  refused("dt = 1\ntitle = \"a\ncells = 1\n", 2, "title: expected a closing \"");
  refused("title = 'a", 1, "title: expected a closing '");
  refused("dt = 1\ncells = [10,\n10\ndt = 2\n", 2, "cells: expected a closing ]");
  refused("cells = [10] 11\n", 1, "cells: expected a closing ]");
  refused("dt = \"\\q\"", 1, "dt");  // CLI11 before 2.4 has no escapes
}

TEST_F(config, names_the_line_of_a_key_that_is_no_option) {
  refused("dt = 1\nstepz = 3\n", 2, "'stepz': expected an option of program (see --help)");
  refused("a.dt = 1\n", 1, "'a.dt': expected an option of program");
  refused("cells = [\n1,\n1,\n1]\nstepz = 3\n", 5, "'stepz': ");
  for (std::string const name : {"help", "version", "config"})
    refused(name + " = true", 1, name + ": expected on the command line only");
  refused("dt = 1\nhalf = false\ndt = 2\n", 3, "dt: expected once, and is in ");
}

TEST_F(config, names_the_line_of_a_value) {
  refused("half = true\ndt = fast\n", 2, "--dt fast: expected a finite number greater than 0");
  refused("dt = [1, 2]\n", 1, "--dt 1,2: expected a finite number");
  refused("dt =\n", 1, "--dt (empty): expected");
  refused("dt = {}\n", 1, "--dt ");
  refused("cells = []\n", 1, "--cells (empty): expected a text");
  refused("types = [int, bool]\n", 1, "--types: ");
  refused("\ncells = none\n", 2, "--cells none: expected numbers");  // found when all options are read
}

TEST_F(config, yields_to_the_command_line) {
  auto const name = file("o.toml", "dt = 2\nhalf = false\ncells = 3\n");
  auto const line = parse({"--dt", "4", "--half", "--config", name});
  EXPECT_EQ(line.values.dt, 4);
  EXPECT_TRUE(line.values.half);
  EXPECT_EQ(line.values.cells, "3");
  EXPECT_EQ(line.values.config, std::vector<std::string>{name});
  // A mistake of the command line is not the file's.
  auto const refused = parse({"--dt", "fast", "--config", name});
  EXPECT_TRUE(refused.text.starts_with("--dt fast: ")) << refused.text;
}

TEST_F(config, is_one_file) {
  auto const first = file("first.toml", "dt = 2\n"), second = file("second.toml", "cells = 3\n");
  apps::expect_refused(parse({"--config", first, "--config", second}), "--config: ");
  EXPECT_TRUE(parse({}).proceed);
  apps::expect_refused(parse({"--config", folder.path().string()}), ": expected a file");
  apps::expect_refused(parse({"--config", file("large.toml", std::string((1u << 20) + 1, '#'))}), "at most 1 MiB");
}

// Whatever the bytes are, they are taken, or refused by the line that they are in.
TEST_F(config, reads_or_refuses_any_text) {
  std::string const good = "dt = 0.5 # a\ncells = [10, '1',\n 2]\nhalf = true\ntitle = \"a \\\\ b\"\n";
  std::mt19937 random(1);
  int taken = 0;
  for (int k = 0; k < 400; ++k) {
    auto text = good;
    for (auto changes = random() % 3; changes > 0; --changes) {
      constexpr std::string_view bytes = "=[]\"'#\\\n\r ,.;-{}a1\0\x1b\xff";
      char const byte = bytes[random() % bytes.size()];
      auto const at = text.begin() + static_cast<std::ptrdiff_t>(random() % text.size());
      if (random() % 2 == 0) *at = byte;
      else text.insert(at, byte);
    }
    auto const line = read(text);
    if (line.proceed) {
      ++taken;
      continue;
    }
    EXPECT_TRUE(line.text.starts_with((folder.path() / "o.toml:").string())) << text << '\n' << line.text;
  }
  EXPECT_GT(taken, 100);
  EXPECT_LT(taken, 390);
}

}  // namespace

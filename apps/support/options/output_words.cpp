// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "output_words.hpp"

namespace apps {

void add_force_word(CLI::App& app, bool& force, std::string const& also_replaced) {
  app.add_flag("--force", force, "Replace files that are not of this program" + also_replaced)->disable_flag_override();
}

void require_use_of_force(bool force, bool writes_files) {
  if (force && !writes_files) throw bad_option("--force: expected a file to write, too");
}

void add_output_words(CLI::App& app, output_options& into, std::string const& also_replaced) {
  word_option(app, "--report", into.report,
              "Write results and times to this JSON file; - is standard output, without the table", "FILE");
  add_force_word(app, into.force, also_replaced);
  app.add_flag("--no-progress", into.no_progress,
               "No progress on standard error: a bar on a terminal, a line every 10 s elsewhere")
      ->disable_flag_override();
}

void require_use_of_force(output_options const& o, bool writes_other_files) {
  require_use_of_force(o.force, writes_other_files || !o.report_file().empty());
}

}  // namespace apps

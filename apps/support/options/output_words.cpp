// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "output_words.hpp"

namespace apps {

void add_output_words(CLI::App& app, output_options& into, std::string const& also_replaced) {
  word_option(app, "--report", into.report,
              "Write results and times to this JSON file; - is standard output, without the table", "FILE");
  app.add_flag("--force", into.force, "Replace files that are not of this program" + also_replaced)
      ->disable_flag_override();
  app.add_flag("--no-progress", into.no_progress,
               "No progress on standard error: a bar on a terminal, a line every 10 s elsewhere")
      ->disable_flag_override();
}

void require_use_of_force(output_options const& o, bool writes_other_files) {
  if (o.force && !writes_other_files && o.report_file().empty())
    throw bad_option("--force: expected a file to write, too");
}

}  // namespace apps

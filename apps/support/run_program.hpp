// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "launcher.hpp"
#include "options/kokkos_options.hpp"
#include "outputs/standard_output.hpp"

#include <Kokkos_Core.hpp>

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace apps {

/// The main function of a program of one process. `parse` reads the words that are not for Kokkos and returns a command
/// line with `values`. `run` gets these values while Kokkos runs and returns the exit code. What it throws becomes one
/// message and the exit code of bad input. Where mpirun has started several of these processes, they do not run: each
/// would write the same files.
template <class Parse, class Run>
int run_program(std::string const& name, int argc, char** argv, Parse const& parse, Run const& run) {
  occupy_closed_streams();
  std::vector<std::string> own, kokkos;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    (word.starts_with("--kokkos-") ? kokkos : own).push_back(std::move(word));
  }
  auto const line = parse(own);
  if (int const processes = launcher_size(); processes > 1) {
    // The others end with 0: a launcher that sees a failed process kills the rest, which might not have said why yet.
    if (launcher_rank() != 0) return 0;
    if (line.proceed)
      return refuse(name, "runs as one process, and the launcher has started " + std::to_string(processes) +
                              " (expected no mpirun, or mpirun -n 1)");
  }
  if (!line.proceed) return answer(name, line);
  if (auto const mistake = kokkos_mistake(kokkos); !mistake.empty()) return refuse(name, mistake);
  std::vector<std::string> all{std::string(argc > 0 ? argv[0] : name.c_str()),
                               std::string("--kokkos-disable-warnings")};
  all.insert(all.end(), kokkos.begin(), kokkos.end());
  std::vector<char*> words;
  for (auto& word : all) words.push_back(word.data());
  int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  try {
    Kokkos::ScopeGuard const guard(count, words.data());
    if (!line.note.empty()) complain(name, line.note);
    return run(line.values);
  } catch (std::exception const& e) {
    return refuse(name, e.what());
  }
}

}  // namespace apps

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "main.hpp"

#include "../launcher.hpp"
#include "../options/kokkos_options.hpp"
#include "../outputs/standard_output.hpp"
#include "exit_protocol.hpp"
#include "launch.hpp"

#include <upsweep/base/error.hpp>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

namespace apps {
namespace {

/// Words in the form in which main gets them: `pointers` ends with a null pointer.
struct argument_vector {
  std::vector<std::string> words;
  std::vector<char*> pointers;
  int count;

  argument_vector(std::string const& program, std::vector<std::string> arguments) : words(std::move(arguments)) {
    words.insert(words.begin(), program);
    for (auto& word : words) pointers.push_back(word.data());
    count = static_cast<int>(pointers.size());
    pointers.push_back(nullptr);
  }
};

/// Ends the process before static objects are destroyed where Kokkos was not finalized (see run): the destructor of
/// Kokkos' instance does what Kokkos::finalize does. Registered before MPI_Init, so it runs after what MPI has
/// registered, by which the launcher learns that this process has not died.
void leave_kokkos_alone() {
  if (!Kokkos::is_initialized() || Kokkos::is_finalized()) return;
  std::fflush(nullptr);
  std::_Exit(bad_input);
}

/// What went wrong; no text where nothing did.
struct outcome {
  upsweep::error_kind kind = upsweep::error_kind::none;
  std::string text;
};

outcome run_guarded(parallel_program const& program, std::string const& note) {
  try {
    upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
    if (comm.rank() == 0 && !note.empty()) complain(program.name, note);
    program.run(comm);
    return {};
  } catch (upsweep::error const& e) {
    std::string text = e.what();
    // Files are rank 0's, which needs no saying.
    bool const about_file = e.kind() == upsweep::error_kind::input || e.kind() == upsweep::error_kind::output;
    if (about_file && text.rfind("rank 0: ", 0) == 0) text.erase(0, 8);
    return {e.kind(), text};
  } catch (std::exception const& e) {
    return {upsweep::error_kind::unknown, e.what()};
  }
}

/// Runs inside of Kokkos. After some errors Kokkos is left as it is: an allocation that failed inside of its OpenMP
/// backend (5.2) leaves a pointer to freed memory there, which Kokkos::finalize would free again.
std::string run(parallel_program const& program, std::string const& command, std::vector<std::string> kokkos,
                std::string const& note) {
  try {
    add_kokkos_defaults(kokkos);
    argument_vector arguments(command, std::move(kokkos));
    Kokkos::initialize(arguments.count, arguments.pointers.data());
    auto const result = run_guarded(program, note);
    if (result.kind != upsweep::error_kind::out_of_memory && result.kind != upsweep::error_kind::unknown)
      Kokkos::finalize();
    return result.kind == upsweep::error_kind::none || !result.text.empty() ? result.text : "an error without a text";
  } catch (std::exception const& e) {
    return std::string("Kokkos cannot start or end: ") + e.what();
  }
}

}  // namespace

int run_parallel(int argc, char** argv, parallel_program const& program) {
  occupy_closed_streams();
  std::string const command = argc > 0 ? argv[0] : program.name;
  auto const arguments = split(argc, argv);
  auto const line = program.parse(arguments.own);
  std::string const mistake = !line.proceed ? (line.exit_code == 0 ? "" : line.text) : kokkos_mistake(arguments.kokkos);
  // Help and version come without MPI and without a device, from one rank.
  bool const kokkos_help = asks_kokkos_for_help(arguments.kokkos);
  if (kokkos_help || (mistake.empty() && !line.proceed)) {
    if (launcher_rank() != 0) return 0;
    if (!kokkos_help) return answer(program.name, line);
    argument_vector words(command, arguments.kokkos);
    Kokkos::initialize(words.count, words.pointers.data());
    Kokkos::finalize();
    return 0;
  }
  std::atexit(leave_kokkos_alone);
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int code = 0;
  {
    exit_protocol end(program.name);
    code = end.together(mistake.empty() ? run(program, command, arguments.kokkos, line.note) : mistake);
  }
  MPI_Finalize();
  return code;
}

}  // namespace apps

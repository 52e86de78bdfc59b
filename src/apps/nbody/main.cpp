// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "../shared/kokkos_options.hpp"
#include "../shared/standard_output.hpp"
#include "ending.hpp"
#include "launch.hpp"
#include "options.hpp"
#include "simulation.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/communicator.hpp>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

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
  std::_Exit(apps::bad_input);
}

/// What went wrong; no text where nothing did.
struct outcome {
  upsweep::error_kind kind = upsweep::error_kind::none;
  std::string text;
};

outcome run_guarded(nbody::options const& options) {
  try {
    upsweep::mpi::communicator const comm(MPI_COMM_WORLD);
    nbody::run(comm, options);
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
std::string run(std::string const& program, std::vector<std::string> kokkos, nbody::options const& options) {
  try {
    nbody::add_kokkos_defaults(kokkos);
    argument_vector arguments(program, std::move(kokkos));
    Kokkos::initialize(arguments.count, arguments.pointers.data());
    auto const result = run_guarded(options);
    if (result.kind != upsweep::error_kind::out_of_memory && result.kind != upsweep::error_kind::unknown)
      Kokkos::finalize();
    return result.kind == upsweep::error_kind::none || !result.text.empty() ? result.text : "an error without a text";
  } catch (std::exception const& e) {
    return std::string("Kokkos cannot start or end: ") + e.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  apps::occupy_closed_streams();
  std::string const program = argc > 0 ? argv[0] : "upsweep-nbody";
  auto const arguments = nbody::split(argc, argv);
  auto const line = nbody::parse(arguments.own);
  std::string const mistake =
      !line.proceed ? (line.exit_code == 0 ? "" : line.text) : apps::kokkos_mistake(arguments.kokkos);
  // Help and version come without MPI and without a device, from one rank.
  bool const kokkos_help = apps::asks_kokkos_for_help(arguments.kokkos);
  if (kokkos_help || (mistake.empty() && !line.proceed)) {
    if (nbody::launcher_rank() != 0) return 0;
    if (!kokkos_help) return apps::answer("upsweep-nbody", line);
    argument_vector words(program, arguments.kokkos);
    Kokkos::initialize(words.count, words.pointers.data());
    Kokkos::finalize();
    return 0;
  }
  std::atexit(leave_kokkos_alone);
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int code = 0;
  {
    nbody::ending end;
    code = end.together(mistake.empty() ? run(program, arguments.kokkos, line.values) : mistake);
  }
  MPI_Finalize();
  return code;
}

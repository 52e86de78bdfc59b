// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Records of all ranks are made, numbered, sorted and written: mpiexec -n 2 21_records_over_ranks. The files are the
// same bytes on any number of ranks.

#include "example_mpi.hpp"

#include <upsweep/io/mpi/npy_file.hpp>
#include <upsweep/mpi/communicator.hpp>
#include <upsweep/mpi/pack_lists.hpp>
#include <upsweep/mpi/reduce.hpp>
#include <upsweep/mpi/sort.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

namespace mpi = upsweep::mpi;

/// What a detector saw.
struct event {
  std::int64_t number;  // among the events of all detectors, in the order of these
  double time;
  int detector;
};

constexpr std::size_t detectors = 50'000;

/// Detector k sees up to six events, at times that seem to be random.
KOKKOS_FUNCTION int events_of(std::size_t k) { return static_cast<int>(k * k % 7); }
KOKKOS_FUNCTION event make_event(std::size_t k, int which) {
  return {0, static_cast<double>((k * 2654435761 + which * 40503) % 1'000'003) / 1000, static_cast<int>(k)};
}

/// One column of a .npy file from a member of each record.
template <class T>
void write_column(mpi::communicator const& comm, std::string const& name, Kokkos::View<event*> const& events,
                  T event::* member) {
  Kokkos::DefaultExecutionSpace const space;
  Kokkos::View<T*> const column(name, events.extent(0));
  Kokkos::parallel_for("column", events.extent(0), KOKKOS_LAMBDA(std::size_t i) { column(i) = events(i).*member; });
  mpi::npy_file file(comm, name);
  file.write(space, column);
  file.commit();  // the file has its name once all of it is on the disk
}

void run() {
  mpi::communicator const comm(MPI_COMM_WORLD);
  Kokkos::DefaultExecutionSpace const space;

  // Made: every rank has a share of the detectors, and each of these emits its events.
  std::size_t const first = detectors * comm.rank() / comm.size(), last = detectors * (comm.rank() + 1) / comm.size();
  auto const made = mpi::pack_lists<event>(
      comm, space, last - first, KOKKOS_LAMBDA(std::size_t row, upsweep::emitter<event> const& emit) {
        for (int which = 0; which < events_of(first + row); ++which) emit(make_event(first + row, which));
      });

  // Numbered: lists of ranks know where their values begin among those of all.
  Kokkos::View<event*> events = made.values;
  Kokkos::View<double*> times("times", events.extent(0));
  auto const values = events;
  auto const keys = times;
  std::size_t const before = made.first_value;
  Kokkos::parallel_for(
      "number", values.extent(0), KOKKOS_LAMBDA(std::size_t i) {
        values(i).number = static_cast<std::int64_t>(before + i);
        keys(i) = values(i).time;
      });

  // Sorted by time: stable, so that events of one time stay in the order of their numbers. Ranks get even shares.
  auto const share = mpi::sort_by_key(comm, space, times, events);
  bool const is_even = events.extent(0) == share.total * (comm.rank() + 1) / comm.size() - share.offset;
  bool const all_even = mpi::reduce(comm, is_even, upsweep::logical_and<>{});

  // Written: every rank writes its rows in one piece, one rank behind the other.
  write_column(comm, "event_numbers.npy", events, &event::number);
  write_column(comm, "event_times.npy", events, &event::time);
  write_column(comm, "event_detectors.npy", events, &event::detector);

  if (comm.rank() != 0) return;
  std::vector<event> expected;
  for (std::size_t k = 0; k < detectors; ++k)
    for (int which = 0; which < events_of(k); ++which) {
      expected.push_back(make_event(k, which));
      expected.back().number = static_cast<std::int64_t>(expected.size()) - 1;
    }
  std::stable_sort(expected.begin(), expected.end(), [](event const& a, event const& b) { return a.time < b.time; });
  auto const written_numbers = upsweep::read_npy("event_numbers.npy").as<std::int64_t>();
  auto const written_times = upsweep::read_npy("event_times.npy").as<double>();
  auto const written_detectors = upsweep::read_npy("event_detectors.npy").as<int>();
  bool is_right = written_numbers.size() == expected.size();
  for (std::size_t i = 0; is_right && i < expected.size(); ++i)
    is_right = std::tie(written_numbers[i], written_times[i], written_detectors[i]) ==
               std::tie(expected[i].number, expected[i].time, expected[i].detector);
  example::expect("events", share.total, expected.size());
  example::confirm("ranks have even shares", all_even);
  example::confirm("the files have what a sort on one rank gives", is_right);
  for (char const* name : {"event_numbers.npy", "event_times.npy", "event_detectors.npy"})
    std::filesystem::remove(name);
}

int main(int argc, char** argv) { return example::run_on_ranks(argc, argv, run); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/detail/agree_and_scan/scan_call.hpp>
#include <upsweep/mpi/detail/rows/pending_records.hpp>

#include <cstddef>
#include <string>

namespace upsweep::mpi {

/// A scan over all ranks that start_exclusive_scan or start_inclusive_scan has begun. It stays where it was made. One
/// that is destroyed without finish() waits for the ranks that have not started yet; its output is not defined then.
template <bool Inclusive, class ExecutionSpace, class In, class Out, monoid_argument Monoid, class Engine>
class pending_scan {
 public:
  /// As start_exclusive_scan, which is how to make one.
  pending_scan(communicator const& comm, ExecutionSpace const& space, In const& in, Out const& out,
               Monoid const& monoid, basic_scan_options<Engine> const& options)
      : comm_(comm), work_(comm, space, in, out, monoid, options, function), failed_(work_.failed()) {
    try {
      records_.reserve(comm_);
    } catch (...) {
      failed_ = detail::current_failure();
    }
    auto const& total = work_.total();
    records_.start(comm_, failed_, work_.arguments(), &total, sizeof(total));
  }
  pending_scan(pending_scan const&) = delete;
  pending_scan& operator=(pending_scan const&) = delete;

  /// Waits for the totals of all ranks and scans the elements of this one.
  /// Pre: all ranks call it, once, in the same order among their other calls on the communicator.
  /// Cost: 2 n reads, n writes; one MPI_Allreduce of 24 bytes (and an agreement and an MPI_Allgather for states above
  /// 48 bytes).
  /// Sync: collective. With a workspace the local scan is asynchronous.
  /// Throws: on all ranks alike, out being undefined then, what mpi::exclusive_scan throws. On each rank that calls it
  /// twice precondition_error.
  void finish() {
    // Allocates nothing unless it throws: a rank that threw alone would leave the others waiting.
    if (finished_) throw precondition_error(std::string(function) + ": finish() was called before");
    finished_ = true;
    std::byte const* const records = records_.wait(comm_);
    // Without memory for records this rank has failed, as the others know.
    if (records == nullptr) agree(comm_, failed_.kind, failed_.message);
    auto const& total = work_.total();
    auto const all =
        detail::states_in_records(comm_, records, failed_, &total, sizeof(total), function, detail::monoid_arguments);
    auto const prefix = detail::fold_states(all, comm_.rank(), work_.monoid());
    all_or_none(comm_, [&] { work_.scan(prefix); });
  }

 private:
  static constexpr char const* function = Inclusive ? "mpi::start_inclusive_scan" : "mpi::start_exclusive_scan";

  communicator comm_;
  detail::local_scan<Inclusive, ExecutionSpace, In, Out, Monoid, Engine> work_;
  detail::failure failed_;
  detail::pending_records records_;
  bool finished_ = false;
};

/// mpi::exclusive_scan in two steps, so that other work hides the wait for slower ranks:
/// `auto scan = mpi::start_exclusive_scan(comm, space, counts, offsets); ...; scan.finish();`
///
/// Pre: as mpi::exclusive_scan. The elements stay as they are until finish(), and offsets is not read; the workspace
/// and the characters of options.label live as long as the scan does. Other calls on the communicator may come between,
/// on all ranks in the same order.
/// Cost: n reads (none on the last rank); starts one MPI_Iallgather of 64 bytes a rank. MPI may make progress only in
/// its own calls. 64 bytes a rank of host memory, and with no workspace one of the scan's own.
/// Sync: waits for the reduction, not for other ranks (but a rank that is out of memory does).
/// Throws: only communication_error. Everything else is thrown by finish(), on all ranks.
/// Order, Source: as mpi::exclusive_scan.
template <class ExecutionSpace, class In, class Out, monoid_argument Monoid = plus<>, class Engine = engine::automatic>
auto start_exclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& in, Out const& out,
                          Monoid const& monoid = {}, basic_scan_options<Engine> const& options = {}) {
  return pending_scan<false, ExecutionSpace, In, Out, Monoid, Engine>(comm, space, in, out, monoid, options);
}

/// The same of mpi::inclusive_scan.
template <class ExecutionSpace, class In, class Out, monoid_argument Monoid = plus<>, class Engine = engine::automatic>
auto start_inclusive_scan(communicator const& comm, ExecutionSpace const& space, In const& in, Out const& out,
                          Monoid const& monoid = {}, basic_scan_options<Engine> const& options = {}) {
  return pending_scan<true, ExecutionSpace, In, Out, Monoid, Engine>(comm, space, in, out, monoid, options);
}

}  // namespace upsweep::mpi

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/monoid.hpp>
#include <upsweep/mpi/detail/agree_and_scan/fold_ranks.hpp>
#include <upsweep/mpi/detail/agree_and_scan/monoid_parameters.hpp>

#include <type_traits>

namespace upsweep::mpi {

/// Combines one value a rank, in the order of ranks; all ranks get the result. `local` is the value, or work that
/// returns it: `double const t = mpi::reduce(comm, [&] { return upsweep::reduce<double>(space, x); }, plus<double>{});`
///
/// Pre: all ranks call it, with the same monoid; its value_type is trivially copyable. local() communicates nothing.
/// Parameters of the monoid are compared as in mpi::exclusive_scan.
/// Cost: one MPI_Allgather of 64 bytes a rank; another one for values above 48 bytes. From 4096 ranks on, for monoids
///   that are exactly associative: an MPI_Allreduce of 24 bytes and one of the value.
/// Order: a strict left fold over the ranks, behind the identity: any monoid, the same bits on all ranks and runs.
/// Sync: collective.
/// Throws: on all ranks alike: what local() threw on one; precondition_error where types or parameters of monoids
///   differ; communication_error.
template <class Local, class Monoid>
typename Monoid::value_type reduce(communicator const& comm, Local const& local, Monoid const& monoid) {
  static_assert(
      requires { typename Monoid::value_type; },
      "upsweep::mpi::reduce: say the monoid's type, plus<double>{} and not plus<>{}.");
  using value = typename Monoid::value_type;
  static_assert(std::is_trivially_copyable_v<value>,
                "upsweep: a monoid's value_type is sent as bytes, so it must be trivially copyable.");
  static constexpr char const* function = "mpi::reduce";
  internal::fingerprint arguments;
  arguments.text(function).type<Monoid>();
  detail::add_parameters(arguments, monoid);
  detail::failure failed;
  value mine = monoid.identity();
  try {
    if constexpr (std::is_invocable_v<Local const&>) mine = local();
    else mine = local;
  } catch (...) {
    failed = detail::current_failure();
  }
  return detail::combine_ranks(comm, detail::which_ranks::all, failed, arguments, monoid, mine, function);
}

}  // namespace upsweep::mpi

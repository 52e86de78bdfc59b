// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/mpi/detail/agree_and_scan/describe_combination.hpp>
#include <upsweep/mpi/detail/agree_and_scan/fold_ranks.hpp>
#include <upsweep/mpi/detail/agree_and_scan/without_communicator.hpp>

#include <type_traits>

namespace upsweep::mpi {

namespace detail {

/// The type of a value, or of what work returns.
template <class Local>
struct local_value {
  using type = Local;
};
template <class Local>
  requires std::is_invocable_v<Local const&>
struct local_value<Local> {
  using type = std::remove_cvref_t<std::invoke_result_t<Local const&>>;
};

}  // namespace detail

/// Combines one value a rank, in the order of ranks; all ranks get the result. `local` is the value, or work that
/// returns it, whose type plus<> and its kind take:
/// `double const total = mpi::reduce(comm, [&] { return upsweep::reduce<double>(space, x); });`
///
/// Pre: all ranks call it, with the same monoid; its value_type is trivially copyable. local() communicates nothing.
/// Parameters of the monoid are compared as in mpi::exclusive_scan.
/// Cost: one MPI_Allgather of 64 bytes a rank; another one for values above 48 bytes. From 4096 ranks on, for monoids
///   that are exactly associative: an MPI_Allreduce of 24 bytes and one of the value.
/// Order: a strict left fold over the ranks, behind the identity: any monoid, the same bits on all ranks and runs.
/// Sync: collective.
/// Throws: on all ranks alike: what local() threw on one; precondition_error where types or parameters of monoids
///   differ; communication_error.
template <class Local, monoid_argument Monoid = plus<>>
auto reduce(communicator const& comm, Local const& local, Monoid const& monoid = {}) {
  using given = typename detail::local_value<Local>::type;
  static_assert(!std::is_void_v<given> && !Kokkos::is_view_v<Local>,
                "upsweep::mpi::reduce: local is a value, or work that returns one, and no View.");
  auto const resolved = upsweep::internal::resolve<given>(monoid);
  using monoid_type = std::remove_const_t<decltype(resolved)>;
  static_assert(!std::is_same_v<monoid_type, plus<bool>> && !std::is_same_v<monoid_type, times<bool>>,
                "upsweep::mpi::reduce: of truth values say logical_or<> or logical_and<>, or count them as an int.");
  static constexpr char const* function = "mpi::reduce";
  auto const arguments = detail::describe_combination(function, resolved);
  detail::failure failed;
  typename monoid_type::value_type mine = resolved.identity();
  try {
    if constexpr (std::is_invocable_v<Local const&>) mine = local();
    else mine = local;
  } catch (...) {
    failed = detail::current_failure();
  }
  return detail::combine_ranks(comm, detail::which_ranks::all, failed, arguments, resolved, mine, function).all;
}

UPSWEEP_REFUSE_BEGINNING(reduce, any_space, "an upsweep::mpi::communicator and a value, or work that returns one")

}  // namespace upsweep::mpi

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/loops/neighbor_call.hpp>
#include <upsweep/neighbors/detail/loops/reduce_in_lanes.hpp>
#include <upsweep/neighbors/detail/loops/row_reduction.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace upsweep {

/// Options of loops over rows, which need no memory and do not wait.
struct row_loop_options {
  std::string_view label = {};  ///< goes into the kernel's label, in brackets
};

namespace neighbors::detail {

template <bool InVectors, class ExecutionSpace, class Rows, class F, class Finish, class Monoid>
void reduce_rows_call(ExecutionSpace const& space, Rows const& rows, F const& f, Finish const& finish,
                      Monoid const& monoid, row_loop_options const& options) {
  using sum = typename Monoid::value_type;
  static_assert(
      row_form<F, typename Rows::index_type, sum> != pair_form::does_not_fit,
      "upsweep::reduce_rows: the functor is called as f(i, j, sum), i a std::size_t; behind j it may take the image "
      "or the pair_index or both, with takes_lanes the pair_index alone; a load step's record stands before the sum.");
  static_assert(!row_functor_loses_sum<F, typename Rows::index_type, sum>,
                "upsweep::reduce_rows: the functor takes its sum by reference, or what it adds is lost.");
  static_assert(load_is_plain<F, typename Rows::index_type>,
                "upsweep::reduce_rows: what f.load(i, j) returns is trivially copyable.");
  static_assert(std::is_invocable_v<Finish const&, std::size_t, sum const&>,
                "upsweep::reduce_rows: finish is called as finish(std::size_t i, sum).");
  require_images<row_form<F, typename Rows::index_type, sum>>(rows, "reduce_rows");
  if (rows.rows == 0) return;
  auto const text = [&] { return internal::label("reduce_rows", "rows", options.label); };
  using loop_type = row_loop<Monoid, Rows, F, Finish>;
  loop_type const loop{rows, f, finish, monoid};
  [[maybe_unused]] auto const for_each_row = [&](auto const& kernel) {
    internal::for_each_index(space, text, rows.rows, kernel);
  };
  if constexpr (compat::has_warps<ExecutionSpace>) {
    using kernel = reduce_row_by_warp_lanes<loop_type, internal::lanes_of<ExecutionSpace>>;
    int const teams = internal::narrow<int>(internal::divide_up<std::size_t>(rows.rows, kernel::rows_per_team),
                                            "reduce_rows", "teams");
    Kokkos::parallel_for(text(), Kokkos::TeamPolicy<ExecutionSpace>(space, teams, kernel::team_size), kernel{loop});
  } else if constexpr (reduces_in_lanes<F, Rows, sum, ExecutionSpace>) {
    for_each_row(reduce_row_in_lanes<loop_type>{loop});
  } else if constexpr (compat::is_gpu<ExecutionSpace> || !InVectors) {
    for_each_row(reduce_place<loop_type, compat::is_gpu<ExecutionSpace>>{loop});
  } else {
    for_each_row(reduce_row_by_vectors<loop_type>{loop});
  }
}

}  // namespace neighbors::detail

/// A force loop: for every row i of a list adds up f(i, j, sum) over its neighbours and hands the sum to
/// finish(i, sum):
/// `reduce_rows<Kokkos::Array<double, 3>>(space, list, pair_force{x}, store_force{forces});`
///
/// rows: a list, the neighbor_rows of one, or chosen_rows. i is a std::size_t. f may take the image behind j,
///   f(i, j, image, sum), or the number of the pair, f(i, j, pair_index, sum), or both in this order: pair_index.hpp.
///   Images need a list that was built with options.pair_images.
///   The number is the index into what the list keeps of pairs, displacements() and distances() among them.
/// Sum starts as Sum{}, and f takes it by reference. It is an arithmetic type, a Kokkos::Array of one, or any type with
///   operator+=.
/// An f with a load step, a member load(i, j) or load(i, j, pair_index), returns there what it reads for neighbour j,
///   a trivially copyable record, which stands in front of the sum: f(i, j, loaded, sum). GPUs load the records of two
///   neighbours before f works on the two in front of them, and at the end of a row one of its neighbours again; CPUs
///   look ahead by themselves.
/// Pre: f changes nothing but its sum, and load nothing at all: vectors call them for padding, too, with a neighbour of
///   some row, and drop what f adds. None of the functors throws: on OpenMP that ends the program.
/// InVectors (CPUs): eight partial sums of a row are computed side by side, so that the compiler makes vectors of them
///   where Sum is arithmetic or an array. Default: on with clang, with AVX-512 and with -fno-trapping-math, where
///   compilers do that for an f with a condition; else off.
/// Cost: reads the list once; one launch (on CPUs tools see one kernel or two). CPUs: one thread per row; GPUs: eight
///   lanes per row, four with a load step (without warps: one thread).
///   An f with `static constexpr bool takes_lanes = true` gets four neighbours of a row at once where there is AVX2,
///   with double_lanes for each double of Sum, and pair_lanes for the number: neighbor_lanes.hpp. So does load.
/// Order: of additions, fixed by backend, InVectors, on GPUs by whether f has a load step and, with takes_lanes, by the
///   instruction set: the same bits on each run.
/// Sync: asynchronous; the list must outlive the kernel. Throws: precondition_error (f takes an image and the list
///   keeps none), overflow_error (more rows than 2^31 teams have), as list.view().
template <class Sum, bool InVectors = neighbors::detail::makes_vectors, execution_space_argument ExecutionSpace,
          class Rows, class F, class Finish>
  requires neighbors::detail::rows_or_list<Rows>
void reduce_rows(ExecutionSpace const& space, Rows const& rows, F const& f, Finish const& finish,
                 row_loop_options const& options = {}) {
  neighbors::detail::reduce_rows_call<InVectors>(space, neighbors::detail::handle_of(rows), f, finish,
                                                 neighbors::detail::added_sums<Sum>{}, options);
}

/// The same where sums start at monoid.identity() and partial sums are joined by monoid(left, right), as a smallest
/// distance together with added forces has to be:
/// `reduce_rows(space, list, pair_force{x}, store_force{forces}, force_and_nearest{});`
template <bool InVectors = neighbors::detail::makes_vectors, execution_space_argument ExecutionSpace, class Rows,
          class F, class Finish, class Monoid>
  requires neighbors::detail::rows_or_list<Rows> && requires { typename Monoid::value_type; }
void reduce_rows(ExecutionSpace const& space, Rows const& rows, F const& f, Finish const& finish, Monoid const& monoid,
                 row_loop_options const& options = {}) {
  neighbors::detail::reduce_rows_call<InVectors>(space, neighbors::detail::handle_of(rows), f, finish, monoid, options);
}

// A temporary list, whose memory ends while the kernel reads it.
template <class Sum, bool InVectors = neighbors::detail::makes_vectors, execution_space_argument ExecutionSpace,
          neighbors::detail::list_of_rows List, class F, class Finish>
void reduce_rows(ExecutionSpace const& space, List const&& list, F const& f, Finish const& finish,
                 row_loop_options const& options = {}) = delete;
template <bool InVectors = neighbors::detail::makes_vectors, execution_space_argument ExecutionSpace,
          neighbors::detail::list_of_rows List, class F, class Finish, class Monoid>
  requires requires { typename Monoid::value_type; }
void reduce_rows(ExecutionSpace const& space, List const&& list, F const& f, Finish const& finish, Monoid const& monoid,
                 row_loop_options const& options = {}) = delete;

}  // namespace upsweep

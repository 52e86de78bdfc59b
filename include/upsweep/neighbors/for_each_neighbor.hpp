// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/detail/loops/lane_sums.hpp>
#include <upsweep/neighbors/detail/loops/neighbor_call.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace upsweep {

namespace neighbors::detail {

template <class List>
void require_list_outside_of_kernels() {
  static_assert(Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename List::memory_space>::accessible,
                "upsweep: this list is in memory of the device; kernels loop over its view().");
}

/// What the functor of a reduction adds to: a value, or what a Kokkos reducer joins.
template <class Result>
struct partial_result {
  using type = Result;
};
template <class Result>
  requires(Kokkos::is_reducer<Result>::value)
struct partial_result<Result> {
  using type = typename Result::value_type;
};

}  // namespace neighbors::detail

/// The threads of a team share the neighbours of a row, as under Kokkos::TeamThreadRange: every lane of a
/// thread does the same.
template <class Member>
struct team_thread_level {
  Member const& member;
  explicit KOKKOS_FUNCTION team_thread_level(Member const& m) : member(m) {}
  KOKKOS_FUNCTION auto range(std::size_t count) const { return Kokkos::TeamThreadRange(member, count); }
};

/// The vector lanes of a thread share them, as under Kokkos::ThreadVectorRange.
template <class Member>
struct thread_vector_level {
  Member const& member;
  explicit KOKKOS_FUNCTION thread_vector_level(Member const& m) : member(m) {}
  KOKKOS_FUNCTION auto range(std::size_t count) const { return Kokkos::ThreadVectorRange(member, count); }
};

/// All lanes of all threads of a team share them, as under Kokkos::TeamVectorRange: what a bare team member stands for.
template <class Member>
struct team_vector_level {
  Member const& member;
  explicit KOKKOS_FUNCTION team_vector_level(Member const& m) : member(m) {}
  KOKKOS_FUNCTION auto range(std::size_t count) const { return Kokkos::TeamVectorRange(member, count); }
};

/// Calls f(j) for every neighbour of row i, in order, in the calling thread:
/// `for_each_neighbor(rows, i, [&](int j) { sum += charge(j); });`
///
/// f may take the image of j behind it, or the number of the pair, or both in this order: f(j, image, pair_index).
///
/// rows: neighbor_rows or chosen_rows, captured by the kernel.
/// Pre: i < rows.rows. Where f takes an image, the list was built with options.pair_images: kernels cannot throw, and
/// without them every image is image(0, 0, 0), also of pairs across a periodic border. Ask rows.has_images().
/// Cost: reads the row once. Sync: none.
template <class Rows, class F>
  requires(neighbors::detail::row_handle<Rows>)
KOKKOS_FORCEINLINE_FUNCTION void for_each_neighbor(Rows const& rows, std::size_t i, F const& f) {
  auto const run = rows.run(i);
  for (std::size_t k = 0; k < run.count; ++k) neighbors::detail::call_with_neighbor(run, k, f);
}

/// The same of a list itself, outside of kernels. They capture its view().
/// Throws: precondition_error where f takes an image and the list keeps none.
template <neighbors::detail::list_of_rows List, class F>
void for_each_neighbor(List const& list, std::size_t i, F const& f) {
  neighbors::detail::require_list_outside_of_kernels<List>();
  auto const rows = list.view();
  using index = typename decltype(list.view())::index_type;
  neighbors::detail::require_images<neighbors::detail::neighbor_form<F, index>>(rows, "for_each_neighbor");
  for_each_neighbor(rows, i, f);
}

/// The same with the neighbours shared by the lanes of a level, or by all of a team where the level is a bare member:
/// `for_each_neighbor(thread_vector_level(member), rows, i, [&](int j) { Kokkos::atomic_inc(&seen(j)); });`
///
/// Pre: every lane of the level calls it with the same i. Order: none among lanes. Sync: none; no barrier behind it, as
/// with Kokkos' nested parallel_for.
template <class Level, class Rows, class F>
  requires(neighbors::detail::row_handle<Rows>)
KOKKOS_FORCEINLINE_FUNCTION void for_each_neighbor(Level const& level, Rows const& rows, std::size_t i, F const& f) {
  if constexpr (Kokkos::is_team_handle_v<Level>) {
    for_each_neighbor(team_vector_level<Level>(level), rows, i, f);
  } else {
    auto const run = rows.run(i);
    Kokkos::parallel_for(level.range(run.count),
                         [&](std::size_t k) { neighbors::detail::call_with_neighbor(run, k, f); });
  }
}

/// Sets result to what f(j, partial) adds up over the neighbours of row i, in the calling thread; behind j, f may take
/// image and number as in for_each_neighbor:
/// `double energy; reduce_neighbors(rows, i, [&](int j, double& e) { e += pair_energy(i, j); }, energy);`
///
/// result: a value, which starts as Value{}, or a Kokkos reducer such as Kokkos::Min<double>(nearest). As with Kokkos'
/// parallel_reduce, what it held is lost.
/// Pre: as for_each_neighbor. Order: as the neighbours stand in the row.
template <class Rows, class F, class Result>
  requires(neighbors::detail::row_handle<Rows>)
KOKKOS_FORCEINLINE_FUNCTION void reduce_neighbors(Rows const& rows, std::size_t i, F const& f, Result&& result) {
  using given = std::remove_cvref_t<Result>;
  auto const run = rows.run(i);
  if constexpr (Kokkos::is_reducer<given>::value) {
    typename given::value_type partial;
    result.init(partial);
    for (std::size_t k = 0; k < run.count; ++k) neighbors::detail::call_with_neighbor(run, k, f, partial);
    result.reference() = partial;
  } else {
    static_assert(std::is_lvalue_reference_v<Result> && !std::is_const_v<std::remove_reference_t<Result>>,
                  "upsweep::reduce_neighbors: the result is a variable or a Kokkos reducer.");
    given partial{};
    for (std::size_t k = 0; k < run.count; ++k) neighbors::detail::call_with_neighbor(run, k, f, partial);
    result = partial;
  }
}

/// The same of a list itself, outside of kernels. Throws: as for_each_neighbor.
template <neighbors::detail::list_of_rows List, class F, class Result>
void reduce_neighbors(List const& list, std::size_t i, F const& f, Result&& result) {
  neighbors::detail::require_list_outside_of_kernels<List>();
  auto const rows = list.view();
  using index = typename decltype(list.view())::index_type;
  using partial = typename neighbors::detail::partial_result<std::remove_cvref_t<Result>>::type;
  neighbors::detail::require_images<neighbors::detail::neighbor_form<F, index, partial>>(rows, "reduce_neighbors");
  reduce_neighbors(rows, i, f, std::forward<Result>(result));
}

/// The same shared by the lanes of a level; every lane gets the result. A value is added up by operator+=, a
/// Kokkos::Array by component.
///
/// Pre: every lane of the level calls it with the same i. Order: partial sums of lanes, joined as the backend does it.
template <class Level, class Rows, class F, class Result>
  requires(neighbors::detail::row_handle<Rows>)
KOKKOS_FORCEINLINE_FUNCTION void reduce_neighbors(Level const& level, Rows const& rows, std::size_t i, F const& f,
                                                  Result&& result) {
  if constexpr (Kokkos::is_team_handle_v<Level>) {
    reduce_neighbors(team_vector_level<Level>(level), rows, i, f, std::forward<Result>(result));
  } else {
    using given = std::remove_cvref_t<Result>;
    auto const run = rows.run(i);
    if constexpr (Kokkos::is_reducer<given>::value) {
      using value = typename given::value_type;
      Kokkos::parallel_reduce(
          level.range(run.count),
          [&](std::size_t k, value& partial) { neighbors::detail::call_with_neighbor(run, k, f, partial); }, result);
    } else {
      Kokkos::parallel_reduce(
          level.range(run.count),
          [&](std::size_t k, given& partial) { neighbors::detail::call_with_neighbor(run, k, f, partial); },
          neighbors::detail::sum_reducer<given>(result));
    }
  }
}

}  // namespace upsweep

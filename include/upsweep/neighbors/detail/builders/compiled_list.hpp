// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/base/optional_view.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/copied_positions.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/box/system_memory.hpp>
#include <upsweep/neighbors/detail/builders/aim.hpp>
#include <upsweep/neighbors/detail/builders/is_in_library.hpp>
#include <upsweep/neighbors/image.hpp>
#include <upsweep/neighbors/neighbor_plan.hpp>
#include <upsweep/neighbors/neighbor_rows.hpp>
#include <upsweep/neighbors/options.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace upsweep::neighbors::detail {

template <class Real>
struct one_system;
template <class Real>
struct many_systems;
template <class Real, class Systems>
struct binned_particles;
template <class ExecutionSpace, class Real, class Systems>
struct list_state;

/// What neighbor_list and batched_neighbor_list are handles of: the list, what it is built by, and the builders.
/// Its members are in list_steps.hpp, and compiled in the library for float and double on Kokkos' default execution
/// space. A program that builds lists there opens none of the headers of the builders.
///
/// A build: `start(space)`, `expect(n)`, then `build(positions)`, or `plan(positions)` and `emit()`.
template <class ExecutionSpace, class Real, class Systems>
class compiled_list {
  static constexpr bool has_one_box = std::is_same_v<Systems, one_system<Real>>;

 public:
  using memory_space = typename ExecutionSpace::memory_space;
  template <class T>
  using triples = Kokkos::View<T const* [3], Kokkos::LayoutRight, memory_space>;
  using one_set = detail::one_set<Real>;
  using both_sets = detail::both_sets<Real>;

  compiled_list(ExecutionSpace const& space, box<Real> const& box, Real cutoff, neighbor_options const& options)
    requires(has_one_box);
  compiled_list(ExecutionSpace const& space, Real cutoff, neighbor_options const& options)
    requires(!has_one_box);
  compiled_list(compiled_list&& other) noexcept;
  compiled_list& operator=(compiled_list&& other) noexcept;
  ~compiled_list();

  // What the next build goes by.

  /// A plan made before is dropped.
  void set(box<Real> const& box, Real cutoff, neighbor_options const& options)
    requires(has_one_box);
  box<Real> const& given_box() const
    requires(has_one_box);
  Real cutoff() const;
  neighbor_options const& options() const;
  /// Forgets the list and the options. Keeps the memory.
  void clear()
    requires(has_one_box);

  /// Memory for the systems of a batch, which are no longer those of before.
  /// Throws: precondition_error unless there is one more offset than boxes. After an error nothing has changed.
  system_memory<Real> renew_systems(ExecutionSpace const& space, std::size_t offsets, std::size_t boxes)
    requires(!has_one_box);
  /// The systems are those that were there before the last renew_systems().
  void take_back_systems()
    requires(!has_one_box);
  int systems() const
    requires(!has_one_box);
  std::size_t bytes_of_systems() const
    requires(!has_one_box);
  /// Device memory held, of the systems, too.
  std::size_t held_bytes() const
    requires(!has_one_box);
  /// The system of each particle.
  int const* system_of() const
    requires(!has_one_box);

  // The steps of a build.

  /// Forgets both list and plan. Keeps the memory.
  void forget();
  /// Forgets the list. Throws precondition_error where it was made for another instance.
  void start(ExecutionSpace const& space);
  /// Of n particles, or of two sets. Throws for all that is wrong without their positions.
  void expect(std::int64_t n);
  void expect_two_sets(std::int64_t queries, std::int64_t points)
    requires(has_one_box);
  /// Memory for the positions of the particles that are expected, where their caller has none.
  position_memory<Real> memory_for_positions()
    requires(has_one_box);
  void build(one_set const& positions);
  void build(both_sets const& positions)
    requires(has_one_box);
  neighbor_plan const& plan(one_set const& positions);
  neighbor_plan const& plan(both_sets const& positions)
    requires(has_one_box);
  /// Takes the memory that the plan announced and fills it.
  void emit();

  // The steps of a build of some systems of a batch: `start_part()`, whose caller fills the flags, then
  // `build_part(positions)`.

  /// Memory for a flag of each system: 0 keeps its rows. Throws precondition_error unless there is a list of n
  /// particles and so many systems.
  int* start_part(ExecutionSpace const& space, std::int64_t n, std::size_t flags)
    requires(!has_one_box);
  void build_part(one_set const& positions)
    requires(!has_one_box);

  // The list.

  neighbor_plan const& last_plan() const;
  Kokkos::View<std::size_t const*, memory_space> offsets() const;
  Kokkos::View<int const*, memory_space> neighbors() const;
  optional_view<Kokkos::View<image const*, memory_space>> pair_images() const;
  optional_view<Kokkos::View<int const*, memory_space>> first_indices() const;
  optional_view<triples<int>> unwrapped_images() const;
  optional_view<triples<Real>> displacements() const;
  optional_view<Kokkos::View<Real const*, memory_space>> distances() const;
  neighbor_rows<> view() const;
  std::uint64_t hash() const
    requires(has_one_box);

 private:
  /// Throws precondition_error where the list was made for another instance.
  void require_instance(ExecutionSpace const& space) const;
  void expect(std::int64_t n, std::int64_t rows, std::int64_t first_candidate);
  template <class Positions>
  void build_of(Positions const& positions);
  template <class Positions>
  neighbor_plan const& plan_of(Positions const& positions);
  /// Puts the particles into the grid.
  template <class Positions>
  void bin(aim what, Positions const& positions);
  /// Counts the pairs of the particles in the grid, for emit().
  void count(aim what);
  /// Emits by the builder, and does to rows what it leaves to do.
  template <class Builder>
  void finish(Builder& builder);
  std::unique_ptr<list_state<ExecutionSpace, Real, Systems>> state_;
};

/// Whether a program can build such lists: else it has to compile them.
template <class ExecutionSpace, class Real, class Systems>
concept has_compiled_list =
    is_in_library<ExecutionSpace, Real> || requires { sizeof(list_state<ExecutionSpace, Real, Systems>); };
/// The same as a value, of which compilers do not explain the parts.
template <class List>
inline constexpr bool list_is_compiled = false;
template <class ExecutionSpace, class Real, class Systems>
inline constexpr bool list_is_compiled<compiled_list<ExecutionSpace, Real, Systems>> =
    has_compiled_list<ExecutionSpace, Real, Systems>;

}  // namespace upsweep::neighbors::detail

// A program with tuning constants of its own compiles its own lists.
#if defined(UPSWEEP_TUNING_HEADER)
#include <upsweep/neighbors/detail/builders/list_steps.hpp>
#elif !defined(UPSWEEP_COMPILES_LISTS)
namespace upsweep::neighbors::detail {
extern template class compiled_list<Kokkos::DefaultExecutionSpace, float, one_system<float>>;
extern template class compiled_list<Kokkos::DefaultExecutionSpace, double, one_system<double>>;
extern template class compiled_list<Kokkos::DefaultExecutionSpace, float, many_systems<float>>;
extern template class compiled_list<Kokkos::DefaultExecutionSpace, double, many_systems<double>>;
}  // namespace upsweep::neighbors::detail
#endif

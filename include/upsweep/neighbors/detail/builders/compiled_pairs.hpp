// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/neighbors/box.hpp>
#include <upsweep/neighbors/detail/box/copied_positions.hpp>
#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/builders/is_in_library.hpp>
#include <upsweep/neighbors/detail/pairs/pair_callback.hpp>
#include <upsweep/neighbors/options.hpp>

#include <cstdint>
#include <memory>

namespace upsweep::neighbors::detail {

template <class Real>
struct one_system;
template <class Real, class Systems>
struct mask_pass;
template <class ExecutionSpace, class Real>
struct pairs_state;

/// What a call of for_each_pair does that does not depend on the functor: the particles in their cells, and the rules
/// of their pairs. Its members are in pair_steps.hpp, and compiled in the library as those of compiled_list are.
///
/// A call: `expect(n)`, then `bin(positions)`, and `visit(callback)`, or on GPUs a kernel that reads `pass()`.
template <class ExecutionSpace, class Real>
class compiled_pairs {
 public:
  /// Throws precondition_error for options of lists that pairs without a list cannot have.
  compiled_pairs(ExecutionSpace const& space, box<Real> const& box, Real cutoff, neighbor_options const& options);
  ~compiled_pairs();

  /// Of n particles, or of two sets. Throws for all that is wrong without their positions.
  void expect(std::int64_t n);
  void expect_two_sets(std::int64_t queries, std::int64_t points);
  /// Memory for the positions of the particles that are expected, where their caller has none.
  position_memory<Real> memory_for_positions();
  void bin(one_set<Real> const& positions);
  void bin(both_sets<Real> const& positions);

  /// Calls back for all pairs, those of a row in its order by one thread. Waits.
  void visit(pair_callback const& callback) const
    requires(!compat::is_gpu<ExecutionSpace>);

  /// What kernels of GPUs read of the particles, valid until this object goes.
  mask_pass<Real, one_system<Real>> pass() const
    requires(compat::is_gpu<ExecutionSpace>);
  /// Whether groups are to be compared, or each particle by itself.
  bool uses_masks() const;

 private:
  void expect(std::int64_t n, std::int64_t rows, std::int64_t first_candidate);
  template <class Positions>
  void bin_all(Positions const& positions);

  std::unique_ptr<pairs_state<ExecutionSpace, Real>> state_;
};

/// Whether a program can visit such pairs: else it has to compile them.
template <class ExecutionSpace, class Real>
concept has_compiled_pairs =
    is_in_library<ExecutionSpace, Real> || requires { sizeof(pairs_state<ExecutionSpace, Real>); };

}  // namespace upsweep::neighbors::detail

// A program with tuning constants of its own compiles its own pairs.
#if defined(UPSWEEP_TUNING_HEADER)
#include <upsweep/neighbors/detail/builders/pair_steps.hpp>
#elif !defined(UPSWEEP_COMPILES_LISTS)
namespace upsweep::neighbors::detail {
extern template class compiled_pairs<Kokkos::DefaultExecutionSpace, float>;
extern template class compiled_pairs<Kokkos::DefaultExecutionSpace, double>;
}  // namespace upsweep::neighbors::detail
#endif

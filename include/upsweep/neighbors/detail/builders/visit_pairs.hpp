// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/neighbors/detail/box/prepare_positions.hpp>
#include <upsweep/neighbors/detail/builders/compiled_pairs.hpp>
#include <upsweep/neighbors/detail/pairs/pair_callback.hpp>
#include <upsweep/neighbors/detail/pairs/pair_visitor.hpp>
#if defined(UPSWEEP_HAS_GPU)
#include <upsweep/neighbors/detail/builders/visit_on_gpu.hpp>
#endif

#include <type_traits>

namespace upsweep::neighbors::detail {

/// functor(i, j) or functor(i, j, image) for the pairs of the particles that are binned. Waits for the instance.
/// Kernels of GPUs are compiled with the functor; those of CPUs are the library's, which call it.
template <class ExecutionSpace, class Real, class Functor>
void visit_pairs([[maybe_unused]] ExecutionSpace const& space, compiled_pairs<ExecutionSpace, Real> const& pairs,
                 Functor const& functor) {
  static_assert(has_compiled_pairs<ExecutionSpace, Real>,
                "upsweep::for_each_pair: the library has compiled it for float and double on Kokkos' default execution "
                "space; include <upsweep/neighbors/compile_lists.hpp> for others.");
  pair_visitor<Functor> const visitor{functor};
#if defined(UPSWEEP_HAS_GPU)
  if constexpr (compat::is_gpu<ExecutionSpace>) {
    visit_on_gpu(space, pairs.pass(), pairs.uses_masks(), visitor);
    space.fence("upsweep::for_each_pair::visit");  // the binned particles are freed
    return;
  }
#endif
  if constexpr (!compat::is_gpu<ExecutionSpace>) pairs.visit(callback_to(visitor));
}

}  // namespace upsweep::neighbors::detail

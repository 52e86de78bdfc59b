// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the first argument is an execution-space instance

#include "snippet.hpp"

#include <upsweep/pack/pack_lists.hpp>

struct emit_without_space {
  KOKKOS_FUNCTION void operator()(std::size_t, upsweep::emitter<int> const& emit) const { emit(1); }
};
void lists_without_space() {
  upsweep::pack_lists<int>(RIGHT_OR_WRONG(snippet::space(), snippet::space::memory_space()), 10, emit_without_space{});
}

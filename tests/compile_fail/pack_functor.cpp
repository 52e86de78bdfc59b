// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Expected: the functor is called as functor\(std::size_t i, upsweep::emitter<T> const& emit\)

#include "snippet.hpp"

#include <upsweep/pack/pack_lists.hpp>

struct packer {
  void operator()(std::size_t, upsweep::emitter<RIGHT_OR_WRONG(int, float)> const&) const {}
};
void pack_functor() { upsweep::pack_lists<int>(snippet::space(), 10, packer{}); }

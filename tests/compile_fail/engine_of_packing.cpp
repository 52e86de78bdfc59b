// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// A packing call has no engine to choose.
// Expected: (no matching function|no instance of)

#include "snippet.hpp"

#include <upsweep/pack/load_balance.hpp>

void engine_of_packing(snippet::view<int*> offsets, snippet::view<int*> rows) {
  using upsweep::engine::automatic, upsweep::engine::look_back;
  upsweep::load_balance(snippet::space(), offsets, rows,
                        upsweep::basic_scan_options<RIGHT_OR_WRONG(automatic, look_back)>{});
}

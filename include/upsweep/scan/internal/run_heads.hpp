// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/cpu/instruction_set.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/scan/detail/cpu/head_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::internal {

/// Whether the kernels of src/scan compare neighbouring keys: integers of 4 or 8 bytes side by side, by ==.
template <class Keys, class Equal>
inline constexpr bool has_head_kernels = false;
template <class Key>
inline constexpr bool has_head_kernels<contiguous_sequence<Key const>, equal_keys> =
    std::is_integral_v<Key> && (sizeof(Key) == 4 || sizeof(Key) == 8);

/// Bit k % 64 of words[k / 64] says whether a run begins at key begin + k. Bits of no key are not defined. On CPUs.
template <class Keys, class Equal>
void read_run_heads(Keys const& keys, Equal const& equal, std::size_t begin, std::size_t end, std::uint64_t* words) {
  using heads = scan::detail::key_heads<Keys, Equal>;
  scan::detail::head_reader<heads>({keys, equal}, begin, widest_instruction_set()).read(begin, end, words);
}

}  // namespace upsweep::internal

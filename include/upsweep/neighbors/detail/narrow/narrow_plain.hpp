// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/neighbors/detail/narrow/narrow_pass.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace upsweep::neighbors::detail {

/// One thread per row, pair by pair: for backends without passes of their own, and to compare those with.
template <class Real>
struct narrow_plain {
  struct count_kernel {
    narrow_pass<Real> pass;
    narrow_slots rows;

    KOKKOS_FUNCTION void operator()(std::int64_t row) const {
      std::size_t const length = pass.length(row);
      std::uint32_t* const words = pass.words_of(row);
      std::size_t found = 0;
      for (std::size_t first = 0; first < length; first += 32) {
        std::uint32_t bits = 0;
        for (std::size_t k = first; k < length && k < first + 32; ++k) {
          if (!pass.is_hit(row, k)) continue;
          bits |= std::uint32_t(1) << (k - first);
          ++found;
        }
        words[first / 32] = bits;
      }
      rows.offsets[row] = found;
    }
  };

  struct emit_kernel {
    narrow_pass<Real> pass;
    narrow_slots rows;

    KOKKOS_FUNCTION void operator()(std::int64_t row) const {
      std::size_t const length = pass.length(row), begin = pass.from.offsets[row];
      std::uint32_t const* const words = pass.words_of(row);
      std::size_t out = rows.offsets[row];
      for (std::size_t k = 0; k < length; ++k) {
        if ((words[k / 32] >> (k % 32) & 1u) == 0) continue;
        rows.neighbors[out] = pass.from.neighbors[begin + k];
        if (rows.images != nullptr) rows.images[out] = pass.image_now(row, k);
        ++out;
      }
    }
  };

  template <class ExecutionSpace>
  static void count(ExecutionSpace const& space, std::string const& label, narrow_pass<Real> const& pass,
                    narrow_slots const& rows) {
    Kokkos::parallel_for(label, internal::index_policy(space, pass.from.rows), count_kernel{pass, rows});
  }
  template <class ExecutionSpace>
  static void emit(ExecutionSpace const& space, std::string const& label, narrow_pass<Real> const& pass,
                   narrow_slots const& rows) {
    Kokkos::parallel_for(label, internal::index_policy(space, pass.from.rows), emit_kernel{pass, rows});
  }
};

}  // namespace upsweep::neighbors::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Scans that restart: at flags, at keys and at offsets; on the backend's own engine, and on one that any GPU can run.

#include "gate.hpp"

#include <upsweep/scan/scan_by_key.hpp>
#include <upsweep/scan/segmented_reduce.hpp>
#include <upsweep/scan/segmented_scan.hpp>
#include <upsweep/scan/segments.hpp>

namespace gate {

constexpr upsweep::basic_scan_options<upsweep::engine::look_back> look_back;

struct same_parity {
  KOKKOS_FUNCTION bool operator()(int left, int right) const { return (left ^ right) % 2 == 0; }
};

void segments(view<int> const& ints, view<bool const> const& flags, view<std::size_t const> const& offsets) {
  space const s;
  upsweep::segmented_inclusive_scan(s, ints, upsweep::head_flags{flags}, ints);
  upsweep::segmented_exclusive_scan(s, ints, upsweep::segment_offsets{offsets}, ints, upsweep::plus<>{}, look_back);
}

void reductions(view<float const> const& in, strided_view<int const> const& offsets, view<double> const& out,
                strided_view<double> const& strided, view<std::int64_t> const& longs) {
  space const s;
  upsweep::segmented_reduce(s, in, upsweep::segment_offsets{offsets}, out);
  upsweep::segmented_reduce(s, in, upsweep::segment_offsets{offsets}, strided, affine_maps{});
  upsweep::segmented_reduce(s, 10, squares{}, upsweep::segment_offsets{offsets}, longs, upsweep::max<>{});
}

void keys(view<int const> const& keys, view<float const> const& in, view<double> const& out) {
  space const s;
  upsweep::inclusive_scan_by_key(s, keys, in, out);
  upsweep::exclusive_scan_by_key(s, keys, in, out, affine_maps{}, same_parity{}, look_back);
}

}  // namespace gate

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Choosing and moving elements: in one pass where the backend has it, and elements that are too long for that.

#include "gate.hpp"

#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/equalize.hpp>
#include <upsweep/pack/flagged.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/load_balance.hpp>
#include <upsweep/pack/partition.hpp>
#include <upsweep/pack/partition_copy.hpp>
#include <upsweep/pack/reduce_by_key.hpp>
#include <upsweep/pack/run_length.hpp>
#include <upsweep/pack/unique.hpp>
#include <upsweep/scan/internal/ends_before.hpp>
#include <upsweep/scan/internal/part_bits.hpp>
#include <upsweep/scan/internal/part_counts.hpp>
#include <upsweep/scan/internal/reduce_runs.hpp>
#include <upsweep/scan/internal/run_heads.hpp>
#include <upsweep/scan/internal/runs.hpp>
#include <upsweep/scan/internal/selection.hpp>
#include <upsweep/scan/internal/temporary_bytes.hpp>

namespace gate {

struct below {
  view<double const> bound;  // a functor may capture Views
  KOKKOS_FUNCTION bool operator()(double x) const { return x < bound(0); }
};
struct even_index {
  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return i % 2 == 0; }
};

void compaction(view<double const> const& in, view<double> const& out, strided_view<double> const& strided,
                view<std::int32_t> const& indices, scalar_view<std::size_t> const& count) {
  space const s;
  upsweep::compact(s, in, out, below{in});
  upsweep::compact(s, strided, out, count, below{in});
  // A lambda of a user's own: only an extended one can be a kernel's functor.
  upsweep::compact(s, in, strided, count, KOKKOS_LAMBDA(double x) { return x > 0; });
  upsweep::compact_indices(s, 10, indices, even_index{});
  upsweep::compact_indices(s, 10, indices, count, even_index{});
}

void by_flags(view<double const> const& in, view<double> const& out, view<double> const& rest,
              view<unsigned char const> const& flags, strided_view<int const> const& strided_flags,
              scalar_view<std::size_t> const& count, view<std::size_t> const& counts) {
  space const s;
  upsweep::compact(s, in, upsweep::flagged{flags}, out);
  upsweep::compact(s, in, upsweep::flagged{strided_flags}, out, count);
  upsweep::partition(s, in, upsweep::flagged{flags}, out, counts);
  upsweep::partition_rest_reversed(s, in, upsweep::flagged{strided_flags}, out);
  upsweep::partition_copy(s, in, upsweep::flagged{flags}, out, rest);
}

void in_place(view<double> const& data, strided_view<int> const& strided, scalar_view<std::size_t> const& count,
              view<std::size_t> const& counts) {
  space const s;
  upsweep::compact_in_place(s, data, below{data});
  upsweep::compact_in_place(s, data, count, below{data});
  upsweep::unique_in_place(s, strided);
  upsweep::unique_in_place(s, data, count, upsweep::equal_keys{});
  upsweep::partition_in_place(s, data, below{data});
  upsweep::partition_in_place(s, data, counts, below{data});
}

void partitions(view<double const> const& in, view<double> const& out, strided_view<double> const& strided,
                view<std::size_t> const& counts) {
  space const s;
  upsweep::partition(s, in, strided, below{in});
  upsweep::partition(s, in, out, counts, below{in});
  upsweep::partition_rest_reversed(s, in, strided, below{in});
  upsweep::partition_rest_reversed(s, in, out, counts, below{in});
  upsweep::partition_copy(s, in, out, strided, below{in});
  upsweep::partition_copy(s, in, out, strided, counts, below{in});
  upsweep::partition_copy(s, in, out, strided, out, below{in}, below{in});
  upsweep::partition_three_way(s, strided, out, below{in}, below{out});
  upsweep::partition_three_way(s, in, out, counts, below{in}, below{out});
}

/// More bytes than are selected in one pass: GPUs mark elements.
struct long_element {
  double values[9];
  KOKKOS_FUNCTION friend bool operator==(long_element const& a, long_element const& b) {
    return a.values[0] == b.values[0];
  }
};
struct is_small {
  double bound;
  KOKKOS_FUNCTION bool operator()(long_element const& x) const { return x.values[0] < bound; }
};
void long_elements(view<long_element> const& in, view<long_element> const& out, view<long_element> const& rest,
                   view<unsigned char const> const& flags, view<std::int32_t> const& lengths,
                   view<double const> const& values, view<double> const& sums, scalar_view<std::size_t> const& count,
                   view<std::size_t> const& counts) {
  space const s;
  is_small const small{1}, medium{2};
  upsweep::compact(s, in, out, small);
  upsweep::compact(s, in, upsweep::flagged{flags}, out, count);
  upsweep::compact_in_place(s, in, small);
  upsweep::partition(s, in, out, small);
  upsweep::partition(s, in, upsweep::flagged{flags}, out, counts);
  upsweep::partition_in_place(s, in, counts, small);
  upsweep::partition_rest_reversed(s, in, out, small);
  upsweep::partition_three_way(s, in, out, counts, small, medium);
  upsweep::partition_copy(s, in, out, rest, small);
  upsweep::partition_copy(s, in, out, rest, rest, small, medium);
  upsweep::unique(s, in, out);
  upsweep::unique_in_place(s, in, count);
  upsweep::run_length(s, in, out, lengths, count);
  upsweep::reduce_by_key(s, in, values, out, sums);
}

struct nearly {
  double within;
  KOKKOS_FUNCTION bool operator()(double a, double b) const { return Kokkos::fabs(a - b) < within; }
};

void runs(view<double const> const& in, view<double> const& out, strided_view<double> const& strided,
          strided_view<std::int32_t> const& lengths, scalar_view<std::size_t> const& count) {
  space const s;
  upsweep::unique(s, in, out);
  upsweep::unique(s, strided, out, count, nearly{0.5});
  upsweep::run_length(s, in, strided, lengths);
  upsweep::run_length(s, in, out, lengths, count, nearly{0.5});
}

void reductions(view<double const> const& in, strided_view<double> const& strided, view<float const> const& values,
                view<double> const& out, scalar_view<std::size_t> const& count) {
  space const s;
  upsweep::reduce_by_key(s, in, values, strided, out);
  upsweep::reduce_by_key(s, in, values, out, strided, count, affine_maps{}, nearly{0.5});
}

void balance(view<std::size_t const> const& offsets, strided_view<int> const& signed_offsets, view<int> const& rows,
             strided_view<std::int64_t> const& strided) {
  space const s;
  upsweep::load_balance(s, offsets, rows);
  upsweep::load_balance(s, signed_offsets, strided);
}

struct bin_of_position {
  view<double const> positions;
  KOKKOS_FUNCTION int operator()(std::size_t i) const { return static_cast<int>(positions(i) * 16); }
};

void histograms(view<int const> const& bins, view<double const> const& positions,
                strided_view<std::uint32_t> const& counts, view<std::uint64_t> const& long_counts,
                view<std::size_t> const& offsets) {
  space const s;
  upsweep::histogram(s, bins, counts);
  upsweep::histogram(s, bins, long_counts, offsets);
  upsweep::histogram(s, 10, bin_of_position{positions}, long_counts);
  upsweep::histogram(s, 10, bin_of_position{positions}, counts, offsets);
  upsweep::equalize(s, offsets, counts);
}

}  // namespace gate

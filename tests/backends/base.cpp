// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Every monoid, and every function that kernels of a user may call, inside one kernel each.

#include "gate.hpp"

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/available_memory.hpp>
#include <upsweep/base/call_options.hpp>
#include <upsweep/base/compensated_plus.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/fetch.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/index_policy.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/limits.hpp>
#include <upsweep/base/internal/arguments/memory_reach.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/arguments/require_reachable.hpp>
#include <upsweep/base/internal/arguments/text_of.hpp>
#include <upsweep/base/internal/contiguous_sequence.hpp>
#include <upsweep/base/internal/cpu/cpu_fork.hpp>
#include <upsweep/base/internal/cpu/cpu_range.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/cpu/fork_time.hpp>
#include <upsweep/base/internal/cpu/guided_tickets.hpp>
#include <upsweep/base/internal/cpu/instruction_set.hpp>
#include <upsweep/base/internal/gpu/element_chunk.hpp>
#include <upsweep/base/internal/gpu/intrinsics.hpp>
#include <upsweep/base/internal/gpu/lanes.hpp>
#include <upsweep/base/internal/gpu/scratch_copies.hpp>
#include <upsweep/base/internal/memory/allocate.hpp>
#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/base/internal/memory/error_word.hpp>
#include <upsweep/base/internal/memory/never_refused_bytes.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/memory/undo_on_error.hpp>
#include <upsweep/base/internal/monoids/in_any_order.hpp>
#include <upsweep/base/internal/monoids/monoid_call.hpp>
#include <upsweep/base/internal/monoids/saturating_plus.hpp>
#include <upsweep/base/internal/monoids/state_monoid.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/into_and_from.hpp>
#include <upsweep/base/monoid.hpp>
#include <upsweep/base/optional_view.hpp>
#include <upsweep/base/printable.hpp>
#include <upsweep/base/reproducible_plus.hpp>
#include <upsweep/base/segmented.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/version.hpp>

namespace gate {

/// identity, lift, operation and lower, as every engine calls them.
template <class Monoid, class In, class Out>
struct monoid_kernel {
  Monoid op;
  In const* in;
  Out* out;
  upsweep::internal::error_word errors;
  KOKKOS_FUNCTION void operator()(int i) const {
    auto state = op.identity();
    state = op(state, upsweep::internal::lift(op, in[i]));
    if (state == op.identity())
      errors.report(static_cast<std::size_t>(i), upsweep::internal::data_error::negative_count);
    out[i] = upsweep::internal::lower<Out>(op, state);
    upsweep::compat::pause();
  }
};

template <class In, class Out, class Monoid>
void in_kernel(space const& s, upsweep::workspace& ws, Monoid const& op) {
  upsweep::require_memory(s, 10 * sizeof(In), "gate", "in");
  auto const in = upsweep::internal::allocate<In, memory>(s, 10, "gate", "in");
  auto const out = upsweep::internal::allocate<Out, memory>(s, 10, "gate", "out");
  Kokkos::parallel_for(
      Kokkos::RangePolicy<space>(s, 0, 10),
      monoid_kernel<Monoid, In, Out>{op, in.data(), out.data(), upsweep::internal::access::errors(ws, s)});
}

template <class T, class... Monoids>
void each_in_kernel(space const& s, upsweep::workspace& ws, Monoids const&... monoids) {
  (in_kernel<T, T>(s, ws, monoids), ...);
}
template <class T>
void arithmetic_monoids(space const& s, upsweep::workspace& ws) {
  each_in_kernel<T>(s, ws, upsweep::plus<T>{}, upsweep::times<T>{}, upsweep::min<T>{}, upsweep::max<T>{});
}
template <class T>
void bit_monoids(space const& s, upsweep::workspace& ws) {
  each_in_kernel<T>(s, ws, upsweep::bit_and<T>{}, upsweep::bit_or<T>{}, upsweep::bit_xor<T>{});
  each_in_kernel<T>(s, ws, upsweep::logical_and<T>{}, upsweep::logical_or<T>{});
}
template <class Real>
void precise_sums(space const& s, upsweep::workspace& ws) {
  each_in_kernel<Real>(s, ws, upsweep::compensated_plus<Real>{}, upsweep::reproducible_plus<Real>{});
}

/// All operations of the lanes that a warp or wavefront of the backend has.
struct lanes_kernel {
  using lanes = upsweep::internal::lanes_of<space>;
  std::uint64_t* out;
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& m) const {
    int const lane = m.team_rank() % lanes::size;
    auto const number = static_cast<std::uint32_t>(m.team_rank());
    auto* const copies =
        static_cast<std::uint64_t*>(m.team_scratch(0).get_shmem_aligned(256 * sizeof(std::uint64_t), 16));
    upsweep::internal::scratch_copies::begin(copies + number, out + number);
    upsweep::internal::scratch_copies::close_group();
    if (upsweep::internal::scratch_copies::has_chunks && number % 2 == 0)
      upsweep::internal::scratch_copies::begin_chunk(copies + number, out + number);
    upsweep::internal::scratch_copies::close_group();
    upsweep::internal::scratch_copies::wait_but_last();
    upsweep::internal::scratch_copies::wait();
    std::uint32_t const bit[2] = {1, 4};
    lanes::mask found =
        lanes::match_bits(number, bit) ^ lanes::ballot(lane == 3) ^ lanes::lanes_below() ^ lanes::lanes_above();
    if (lanes::uniform(lanes::all(found != 0)) != 0)
      found = static_cast<lanes::mask>(lanes::popcount(found) + lanes::lowest_set_bit(found));
    lanes::sync();
    std::uint64_t sum = copies[number ^ 1u] + lanes::reduce_sum(number) +
                        static_cast<std::uint64_t>(lanes::popcount_below(found, lane));
    sum += lanes::shuffle(sum, 5) + lanes::shuffle_up(sum, 1) + lanes::shuffle_xor(sum, 2);
    sum = upsweep::internal::fold_lanes<lanes>(upsweep::plus<std::uint64_t>{}, sum, lane);
    out[number] = upsweep::internal::scan_lanes<lanes>(upsweep::max<std::uint64_t>{}, sum + found, lane);
  }
};

struct index_kernel {
  upsweep::internal::contiguous_sequence<std::uint64_t> sums;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { sums.store(static_cast<std::size_t>(i), 1); }
};

void base() {
  space const s;
  auto const sums = upsweep::internal::allocate<std::uint64_t, memory>(s, 256, "gate", "sums");
  Kokkos::parallel_for(Kokkos::TeamPolicy<space>(s, 1, 256).set_scratch_size(0, Kokkos::PerTeam(2064)),
                       lanes_kernel{sums.data()});
  upsweep::internal::for_each_index(
      s, [] { return upsweep::printable("gate"); }, 256,
      index_kernel{upsweep::internal::contiguous_sequence<std::uint64_t>{sums.data()}});
  upsweep::workspace ws(s);
  arithmetic_monoids<int>(s, ws);
  arithmetic_monoids<float>(s, ws);
  arithmetic_monoids<double>(s, ws);
  arithmetic_monoids<std::uint64_t>(s, ws);
  bit_monoids<int>(s, ws);
  bit_monoids<std::uint64_t>(s, ws);
  precise_sums<float>(s, ws);
  precise_sums<double>(s, ws);
  upsweep::optional_view<Kokkos::View<std::uint64_t*, memory>> const optional_sums = sums;
  upsweep::internal::require_reachable<space>(optional_sums, "gate", "sums");
  in_kernel<std::uint32_t, std::uint64_t>(s, ws, upsweep::internal::saturating_plus{});
  in_kernel<upsweep::segmented_value<int>, int>(s, ws, upsweep::segmented<upsweep::plus<int>>{});
  upsweep::internal::temporary_memory memory(s, &ws);
  upsweep::internal::byte_layout layout;
  upsweep::internal::guided_tickets const tickets(100, 8);
  layout.add<int>(tickets(tickets.count() - 1).last);
  if (upsweep::internal::known_fork_time.pays_for(1)) layout.add<int>(1);
  upsweep::internal::access::reserve(memory.get(), s, layout.bytes());
  upsweep::internal::throw_data_error(upsweep::internal::access::take_error(memory.get(), s), "gate");
  ws.check(s);
}

}  // namespace gate

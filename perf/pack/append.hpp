// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// What one does without a scan: every record takes its slot from a counter. One pass, but the order is lost, and all
// threads meet at the counter. In lists of rows it is lost, too, which row a record belongs to.

#include "implementation.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perf::pack {

/// Has emitter's call, and puts records behind those of all others.
template <class T>
struct append_emitter {
  T* out;
  std::uint64_t* count;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(T const& record) const {
    out[Kokkos::atomic_fetch_add(count, std::uint64_t(1))] = record;
  }
};

template <class T>
struct append_kept {
  T const* in;
  keeps<T> keep;
  append_emitter<T> emit;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    if (keep(in[i])) emit(in[i]);
  }
};

template <class T>
struct append_records {
  make_records<T> records;
  append_emitter<T> emit;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { records(static_cast<std::int64_t>(i), emit); }
};

template <class T>
std::vector<implementation<T>> packs<T>::by_append() {
  if constexpr (sorted_type<T>) return {};
  else
    return {{"append", {operation::compact, operation::pack_lists}, [](problem<T> const& p) -> prepared {
               auto const with = [p](auto const& functor) -> prepared {
                 return {[p, functor] {
                           Kokkos::deep_copy(p.instance, p.counts, std::uint64_t(0));
                           Kokkos::parallel_for("upsweep::perf::append", range(p.instance, p.n()), functor);
                         },
                         {},
                         order::any};
               };
               append_emitter<T> const emit{p.out.data(), p.counts.data()};
               if (p.op == operation::compact) return with(append_kept<T>{p.in.data(), p.keep, emit});
               return with(append_records<T>{{p.in.data()}, emit});
             }}};
}

}  // namespace perf::pack

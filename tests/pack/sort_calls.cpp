// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "sort.hpp"

#include <upsweep/pack/sort.hpp>

namespace sorted {

template <class Key>
void sort(Kokkos::View<Key*, oracle::memory> const& keys, upsweep::sort_options const& options) {
  upsweep::sort(oracle::space{}, keys, options);
}
template <class Key>
void sort_by_key(Kokkos::View<Key*, oracle::memory> const& keys,
                 Kokkos::View<std::uint32_t*, oracle::memory> const& values, upsweep::sort_options const& options) {
  upsweep::sort_by_key(oracle::space{}, keys, values, options);
}

#define UPSWEEP_COMPILE_SORTS(KEY)                                                             \
  template void sort(Kokkos::View<KEY*, oracle::memory> const&, upsweep::sort_options const&); \
  template void sort_by_key(Kokkos::View<KEY*, oracle::memory> const&,                         \
                            Kokkos::View<std::uint32_t*, oracle::memory> const&, upsweep::sort_options const&)

UPSWEEP_COMPILE_SORTS(std::int8_t);
UPSWEEP_COMPILE_SORTS(std::uint8_t);
UPSWEEP_COMPILE_SORTS(char);
UPSWEEP_COMPILE_SORTS(std::int16_t);
UPSWEEP_COMPILE_SORTS(std::uint16_t);
UPSWEEP_COMPILE_SORTS(std::int32_t);
UPSWEEP_COMPILE_SORTS(std::uint32_t);
UPSWEEP_COMPILE_SORTS(std::int64_t);
UPSWEEP_COMPILE_SORTS(std::uint64_t);
UPSWEEP_COMPILE_SORTS(float);
UPSWEEP_COMPILE_SORTS(double);

}  // namespace sorted

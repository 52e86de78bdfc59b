// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Scans of whole sequences: on the engines of production, and one of them on all engines.

#include "gate.hpp"

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/exclusive_scan_for_each.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan_for_each.hpp>
#include <upsweep/scan/internal/reserve_scan.hpp>
#include <upsweep/scan/internal/scan_counts.hpp>
#include <upsweep/scan/options.hpp>
#include <upsweep/scan/reduce.hpp>
#include <upsweep/scan/study/engines.hpp>
#include <upsweep/scan/tuning.hpp>

namespace gate {

// The engine that `automatic` is where devices have no bulk copies. The HIP gate is for a device with wavefronts of 64.
static_assert(upsweep::scan::detail::has_warp_look_back<space>);
#if defined(KOKKOS_ENABLE_HIP)
static_assert(upsweep::internal::lanes_of<space>::size == 64 && !upsweep::compat::has_warps_of_32<space>);
#endif

void scans(view<int> const& ints, strided_view<double const> const& strided, view<float const> const& floats,
           view<double> const& doubles, view<std::int64_t> const& longs, scalar_view<double const> const& init,
           scalar_view<std::int64_t> const& total) {
  space const s;
  upsweep::workspace ws(s);
  upsweep::basic_scan_options<upsweep::engine::look_back> const look_back{.workspace = &ws, .label = "gate"};
  upsweep::basic_scan_options<upsweep::engine::two_level> const two_level{.workspace = &ws};
  upsweep::exclusive_scan(s, ints, ints);
  upsweep::exclusive_scan(s, strided, doubles, upsweep::from{init}, upsweep::max<>{}, look_back);
  upsweep::exclusive_scan(s, squares{}, longs, upsweep::into{total}, 7, upsweep::plus<>{}, two_level);
  upsweep::study::for_each_engine([&]<class Engine>(char const*, Engine) {
    upsweep::basic_scan_options<Engine> const options{.workspace = &ws};
    upsweep::internal::reserve_scan(s, floats, doubles, affine_maps{}, options);
    upsweep::inclusive_scan(s, floats, doubles, affine_maps{}, options);
  });
}

struct store_place {
  view<double> at;
  template <class Prefix, class Element>
  KOKKOS_FUNCTION void operator()(std::size_t i, Prefix const& prefix, Element const& x) const {
    at(i) = static_cast<double>(prefix) + static_cast<double>(x);
  }
};

void calls(view<int> const& ints, strided_view<float const> const& floats, view<double> const& out,
           scalar_view<std::int64_t> const& total) {
  space const s;
  upsweep::workspace ws(s);
  upsweep::basic_scan_options<upsweep::engine::two_level> const two_level{.workspace = &ws};
  upsweep::exclusive_scan_for_each(s, ints, store_place{out});
  upsweep::inclusive_scan_for_each(s, floats, store_place{out}, affine_maps{});
  upsweep::inclusive_scan_for_each(s, 10, squares{}, store_place{out}, upsweep::into{total}, 7, upsweep::plus<>{},
                                   two_level);
  // A lambda of a user's own: only an extended one can be a kernel's functor.
  upsweep::exclusive_scan_for_each<std::int64_t>(
      s, ints, KOKKOS_LAMBDA(std::size_t i, std::int64_t place, int) { out(i) = static_cast<double>(place); });
}

void reductions(view<int> const& ints, view<float const> const& floats, scalar_view<double> const& result,
                scalar_view<std::int64_t> const& whole) {
  space const s;
  upsweep::reduce(s, ints);
  upsweep::reduce<std::int64_t>(s, ints, upsweep::plus<>{});
  upsweep::reduce<double>(s, floats, affine_maps{});
  upsweep::reduce(s, 10, squares{}, upsweep::max<>{});
  upsweep::workspace ws(s);
  upsweep::reduce(s, floats, upsweep::into{result}, affine_maps{}, {.workspace = &ws});
  upsweep::reduce(s, 10, squares{}, upsweep::into{whole});
}

}  // namespace gate

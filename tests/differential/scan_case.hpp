// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "array.hpp"

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

#include <optional>
#include <type_traits>
#include <vector>

namespace differential {

/// The state that an input element becomes, and the output element that a state becomes, as the monoid says.
template <class Monoid, class In>
auto lifted(Monoid const& op, In const& x) {
  if constexpr (requires { op.lift(x); }) return op.lift(x);
  else return static_cast<typename Monoid::value_type>(x);
}
template <class Monoid, class State>
auto lowered(Monoid const& op, State const& s) {
  if constexpr (requires { op.lower(s); }) return op.lower(s);
  else return s;
}

/// What a scan of `values` behind `state` gives, one element at a time; `state` becomes the total.
template <class Out, class Monoid, class In>
std::vector<Out> serial_scan(Monoid const& op, std::vector<In> const& values, typename Monoid::value_type& state,
                             bool inclusive) {
  std::vector<Out> out;
  out.reserve(values.size());
  for (auto const& x : values) {
    auto const next = op(state, lifted(op, x));
    out.push_back(static_cast<Out>(lowered(op, inclusive ? next : state)));
    state = next;
  }
  return out;
}

/// One random form of a scan: exclusive or inclusive; no initial value, one of the host, or one of the device; no
/// total, one on the host, or one on the device; in place or not. init: what an initial value may be.
template <class Out, class Monoid, class In>
void scan_case(trial& t, Monoid const& op, std::vector<In> const& values, typename Monoid::value_type const& init,
               bool strided = false) {
  using state = typename Monoid::value_type;
  bool const inclusive = t.one_in(2);
  int const start = static_cast<int>(t.below(3)), total = start == 0 ? 0 : static_cast<int>(t.below(3));
  t.note("inclusive", inclusive);
  t.note("init", start);
  t.note("total", total);
  auto const choice = t.scan();

  state running = start == 0 ? op.identity() : init;
  auto const expected = serial_scan<Out>(op, values, running, inclusive);
  auto const expected_total = static_cast<Out>(lowered(op, running));
  Kokkos::View<state, oracle::memory> const device_init("init");
  Kokkos::deep_copy(device_init, init);
  Kokkos::View<Out, oracle::memory> const device_total("total");
  Out host_total{};

  auto const scan_with = [&](auto const& options, auto const& from, auto const& to) {
    auto const call = [&](auto const&... more) {
      if (inclusive) upsweep::inclusive_scan(t.space(), from, to, more...);
      else upsweep::exclusive_scan(t.space(), from, to, more...);
    };
    auto const with = [&](auto const& initial) {
      if (total == 0) call(initial, op, options);
      else if (total == 1) call(upsweep::into{device_total}, initial, op, options);
      else if (inclusive) upsweep::inclusive_scan(t.space(), from, to, upsweep::into{host_total}, initial, op, options);
      else upsweep::exclusive_scan(t.space(), from, to, upsweep::into{host_total}, initial, op, options);
    };
    if (start == 0) call(op, options);
    else if (start == 1) with(init);
    else with(upsweep::from{device_init});
    t.space().fence();
  };
  auto const scan = [&](auto const& from, auto const& to) {
    choice.with_options([&](auto const& options) { scan_with(options, from, to); });
  };

  array_maker const make{t, strided};
  auto in = make(values);
  if constexpr (std::is_same_v<In, Out>) {
    if (t.one_in(3)) {
      t.note("in_place", 1);
      if (strided) scan(in.strided(), in.strided());
      else scan(in.contiguous(), in.contiguous());
      in.expect(expected, "the output in place");
      return;
    }
  }
  auto out = make(std::vector<Out>(values.size()));
  if (strided) scan(in.strided(), out.strided());
  else scan(in.contiguous(), out.contiguous());
  in.expect(values, "the input");
  out.expect(expected, "the output");
  if (total == 1) Kokkos::deep_copy(host_total, device_total);
  if (total != 0 && !(host_total == expected_total)) throw mismatch("the total is wrong");
}

}  // namespace differential

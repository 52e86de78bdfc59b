// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Scans that hand each prefix to a functor.

#include "../oracle/monoids.hpp"
#include "operations.hpp"
#include "scan_case.hpp"

#include <upsweep/scan/exclusive_scan_for_each.hpp>
#include <upsweep/scan/inclusive_scan_for_each.hpp>

namespace differential {
namespace {

/// Stores what it is called with, and counts the calls of each index.
template <class Prefix, class Element>
struct keeps_calls {
  Kokkos::View<Prefix*, oracle::memory, Kokkos::MemoryUnmanaged> prefixes;
  Kokkos::View<Element*, oracle::memory, Kokkos::MemoryUnmanaged> elements;
  Kokkos::View<int*, oracle::memory, Kokkos::MemoryUnmanaged> calls;
  KOKKOS_FUNCTION void operator()(std::size_t i, Prefix const& prefix, Element const& x) const {
    prefixes(i) = prefix;
    elements(i) = x;
    Kokkos::atomic_inc(&calls(i));
  }
};

template <class Prefix, class Monoid, class T>
void for_each_prefix(trial& t, Monoid const& op, std::vector<T> const& values,
                     typename Monoid::value_type const& init) {
  bool const inclusive = t.one_in(2), strided = t.one_in(4);
  int const form = static_cast<int>(t.below(3));  // no initial value; one; and a total
  t.note("inclusive", inclusive);
  t.note("form", form);
  auto const choice = t.scan();
  auto state = form == 0 ? op.identity() : init;
  auto const expected = serial_scan<Prefix>(op, values, state, inclusive);
  array_maker const make{t, strided};
  auto in = make(values);
  array_maker const plain{t, false};
  auto prefixes = plain(std::vector<Prefix>(values.size()));
  auto elements = plain(std::vector<T>(values.size()));
  auto calls = plain(std::vector<int>(values.size()));
  keeps_calls<Prefix, T> const functor{prefixes.contiguous(), elements.contiguous(), calls.contiguous()};
  Prefix total{};
  auto const scan_with = [&](auto const& options, auto const& from) {
    auto const call = [&](auto const&... more) {
      if (inclusive) upsweep::inclusive_scan_for_each<Prefix>(t.space(), from, functor, more...);
      else upsweep::exclusive_scan_for_each<Prefix>(t.space(), from, functor, more...);
    };
    if (form == 0) call(op, options);
    else if (form == 1) call(init, op, options);
    else if (inclusive)
      upsweep::inclusive_scan_for_each<Prefix>(t.space(), from, functor, upsweep::into{total}, init, op, options);
    else upsweep::exclusive_scan_for_each<Prefix>(t.space(), from, functor, upsweep::into{total}, init, op, options);
  };
  auto const scan = [&](auto const& from) {
    choice.with_options([&](auto const& options) { scan_with(options, from); });
  };
  if (strided) scan(in.strided());
  else scan(in.contiguous());
  t.space().fence();
  prefixes.expect(expected, "the prefixes");
  elements.expect(values, "the elements that the functor saw");
  calls.expect(std::vector<int>(values.size(), 1), "the calls of each index");
  in.expect(values, "the input");
  if (form == 2 && !(total == static_cast<Prefix>(lowered(op, state)))) throw mismatch("the total is wrong");
}

void sums(trial& t) {
  auto const n = t.size(std::size_t(1) << 20);
  for_each_prefix<std::int64_t>(t, upsweep::plus<std::int64_t>{},
                                oracle::random_values<int>(n, -99, 99, static_cast<unsigned>(t.random()())),
                                std::int64_t(1) << 40);
}
void maps(trial& t) {
  std::vector<oracle::affine> values(t.size(std::size_t(1) << 18));
  for (auto& m : values) m = {t.random()() | 1, t.random()()};
  for_each_prefix<oracle::affine>(t, oracle::affine_maps{}, values, {3, 5});
}

}  // namespace

std::vector<operation> scans_for_each() { return {{"for_each_sum", sums}, {"for_each_maps", maps}}; }

}  // namespace differential

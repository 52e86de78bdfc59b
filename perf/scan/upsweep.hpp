// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Our own scans; one set for each engine asked for.

#include "implementation.hpp"

#include <upsweep/pack/reduce_by_key.hpp>
#include <upsweep/scan/batched_scan.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/exclusive_scan_for_each.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/reduce.hpp>
#include <upsweep/scan/scan_by_key.hpp>
#include <upsweep/scan/segmented_reduce.hpp>
#include <upsweep/scan/segmented_scan.hpp>
#include <upsweep/scan/study/engines.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace perf {

template <class Engine, class T>
prepared<T> prepare_upsweep(operation op, problem<T> const& p) {
  auto const workspace = std::make_shared<upsweep::workspace>(p.instance);
  upsweep::basic_scan_options<Engine> const options{.workspace = workspace.get()};
  typename element<T>::monoid const monoid;
  switch (op) {
    case operation::inclusive_scan:
      return {[=] { upsweep::inclusive_scan(p.instance, p.in, p.out, monoid, options), static_cast<void>(workspace); }};
    case operation::exclusive_scan_with_total:
      return {[=] {
        upsweep::exclusive_scan(p.instance, p.in, p.out, upsweep::into{p.total}, monoid.identity(), monoid, options);
        static_cast<void>(workspace);
      }};
    default:
      return {[=] { upsweep::exclusive_scan(p.instance, p.in, p.out, monoid, options), static_cast<void>(workspace); }};
  }
}

/// What has segments, rows or a functor: of the types that have all operations.
template <class T>
prepared<T> prepare_parts(operation op, problem<T> const& p) {
  auto const workspace = std::make_shared<upsweep::workspace>(p.instance);
  upsweep::scan_options const options{.workspace = workspace.get()};
  typename element<T>::monoid const monoid;
  auto const sums = Kokkos::subview(p.out, Kokkos::make_pair(std::size_t(0), segments_of(p.n())));
  switch (op) {
    case operation::exclusive_scan_for_each:
      return {[=] {
        upsweep::exclusive_scan_for_each(p.instance, p.in, store_prefix<T>{p.out.data()}, monoid, options);
        static_cast<void>(workspace);
      }};
    case operation::segmented_by_flags:
      return {[=] {
        upsweep::segmented_inclusive_scan(p.instance, p.in, upsweep::head_flags{p.flags}, p.out, monoid, options),
            static_cast<void>(workspace);
      }};
    case operation::segmented_by_offsets:
      return {[=] {
        upsweep::segmented_inclusive_scan(p.instance, p.in, upsweep::segment_offsets{p.offsets}, p.out, monoid,
                                          options);
        static_cast<void>(workspace);
      }};
    case operation::reduce_by_key:
      return {[=] {
        upsweep::reduce_by_key(p.instance, p.keys, p.in, p.run_keys, sums, p.runs, monoid, upsweep::equal_keys{},
                               options);
        static_cast<void>(workspace);
      }};
    case operation::segmented_reduce:
      return {[=] {
        upsweep::segmented_reduce(p.instance, p.in, upsweep::segment_offsets{p.offsets}, sums, monoid, options);
        static_cast<void>(workspace);
      }};
    default: {
      std::size_t const length = row_length(op);
      Kokkos::View<T const**, Kokkos::LayoutRight, memory> const in(p.in.data(), p.n() / length, length);
      Kokkos::View<T**, Kokkos::LayoutRight, memory> const out(p.out.data(), p.n() / length, length);
      return {
          [=] { upsweep::batched_inclusive_scan(p.instance, in, out, monoid, options), static_cast<void>(workspace); }};
    }
  }
}

/// What is measured with the default engine only.
template <class T>
prepared<T> prepare_others(operation op, problem<T> const& p) {
  auto const workspace = std::make_shared<upsweep::workspace>(p.instance);
  upsweep::scan_options const options{.workspace = workspace.get()};
  typename element<T>::monoid const monoid;
  if (op == operation::reduce)
    return {[=] {
      upsweep::reduce(p.instance, p.in, upsweep::into{p.total}, monoid, options), static_cast<void>(workspace);
    }};
  if (op == operation::inclusive_scan_by_key)
    return {[=] {
      upsweep::inclusive_scan_by_key(p.instance, p.keys, p.in, p.out, monoid, options), static_cast<void>(workspace);
    }};
  if constexpr (has_all_operations<T>) return prepare_parts<T>(op, p);
  else return {};
}

template <class T>
std::vector<implementation<T>> scans<T>::by_upsweep(engine_names const& engines) {
  std::vector<operation> const of_engines{operation::exclusive_scan, operation::inclusive_scan,
                                          operation::exclusive_scan_with_total};
  std::vector<operation> const others =
      operations_of<T>({operation::inclusive_scan_by_key, operation::reduce},
                       {operation::exclusive_scan_for_each, operation::segmented_by_flags,
                        operation::segmented_by_offsets, operation::batched_32, operation::batched_1024,
                        operation::batched_65536, operation::reduce_by_key, operation::segmented_reduce});
  std::vector<implementation<T>> all;
  for (auto const& name : engines) {
    upsweep::study::with_engine(name, [&]<class Engine>(Engine) {
      constexpr bool automatic = std::is_same_v<Engine, upsweep::engine::automatic>;
      std::vector<operation> operations = of_engines;
      if (automatic) operations.insert(operations.end(), others.begin(), others.end());
      all.push_back({"upsweep", automatic ? "" : "_" + name, operations, [=](operation op, problem<T> const& p) {
                       bool const other = std::find(others.begin(), others.end(), op) != others.end();
                       return other ? prepare_others<T>(op, p) : prepare_upsweep<Engine, T>(op, p);
                     }});
    });
  }
  return all;
}

}  // namespace perf

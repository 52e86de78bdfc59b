// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Our own scans; one set for each engine asked for.

#include "engines.hpp"
#include "implementation.hpp"

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/reduce.hpp>
#include <upsweep/scan/scan_by_key.hpp>

#include <memory>

namespace perf {

template <class T>
prepared<T> prepare_upsweep(operation op, problem<T> const& p, upsweep::study::engine_name engine) {
  auto const workspace = std::make_shared<upsweep::workspace>(p.instance);
  upsweep::study::scan_options const options{.engine = engine, .workspace = workspace.get()};
  typename element<T>::monoid const monoid;
  switch (op) {
    case operation::inclusive_scan:
      return {[=] { upsweep::inclusive_scan(p.instance, p.in, p.out, monoid, options), static_cast<void>(workspace); }};
    case operation::exclusive_scan_with_total:
      return {[=] {
        upsweep::exclusive_scan(p.instance, p.in, p.out, monoid.identity(), monoid, options, p.total);
        static_cast<void>(workspace);
      }};
    default:
      return {[=] { upsweep::exclusive_scan(p.instance, p.in, p.out, monoid, options), static_cast<void>(workspace); }};
  }
}

/// What is measured with the default engine only.
template <class T>
prepared<T> prepare_others(operation op, problem<T> const& p) {
  auto const workspace = std::make_shared<upsweep::workspace>(p.instance);
  upsweep::scan_options const options{.workspace = workspace.get()};
  typename element<T>::monoid const monoid;
  if (op == operation::reduce)
    return {[=] { upsweep::reduce(p.instance, p.in, monoid, p.total, options), static_cast<void>(workspace); }};
  return {[=] { upsweep::inclusive_scan_by_key(p.instance, p.keys, p.in, p.out, monoid, options), static_cast<void>(workspace); }};
}

template <class T>
std::vector<implementation<T>> upsweep_scans(engine_names const& engines) {
  std::vector<implementation<T>> all;
  for (auto const& name : engines) {
    auto const engine = engine_of(name);
    bool const automatic = engine == upsweep::study::engine_name::automatic;
    std::vector<operation> operations{operation::exclusive_scan, operation::inclusive_scan, operation::exclusive_scan_with_total};
    if (automatic) operations.insert(operations.end(), {operation::inclusive_scan_by_key, operation::reduce});
    all.push_back({"upsweep", automatic ? "" : "_" + name, operations, [engine](operation op, problem<T> const& p) {
                     bool const other = op == operation::inclusive_scan_by_key || op == operation::reduce;
                     return other ? prepare_others<T>(op, p) : prepare_upsweep<T>(op, p, engine);
                   }});
  }
  return all;
}

}  // namespace perf

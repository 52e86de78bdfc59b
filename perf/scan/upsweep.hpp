// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

// Our own scans; one set for each engine asked for.

#include "engines.hpp"
#include "implementation.hpp"

#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

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

template <class T>
std::vector<implementation<T>> upsweep_scans(engine_names const& engines) {
  std::vector<implementation<T>> all;
  for (auto const& name : engines) {
    auto const engine = engine_of(name);
    auto const suffix = engine == upsweep::study::engine_name::automatic ? "" : "_" + name;
    all.push_back({"upsweep", suffix,
                   {operation::exclusive_scan, operation::inclusive_scan, operation::exclusive_scan_with_total},
                   [engine](operation op, problem<T> const& p) { return prepare_upsweep<T>(op, p, engine); }});
  }
  return all;
}

}  // namespace perf

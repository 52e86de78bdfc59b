// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "measure.hpp"

#include "../scan/buffers.hpp"
#include "../scan/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>

namespace perf::autotune {
namespace {

using call = std::function<void()>;

template <class T>
scan_of<T> const& scan_in(candidate const& c) {
  if constexpr (sizeof(T) == 4) return c.of_int32;
  else return c.of_int64;
}

double median(std::vector<double>& values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class T>
class measurement {
 public:
  measurement(std::vector<candidate> const& candidates, problem<T> const& p, buffers<T> const& data,
              measurements& result)
      : candidates_(candidates), p_(p), data_(data), result_(result), calls_(candidates.size()) {}

  row run(int count) {
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      auto const& scan = scan_in<T>(candidates_[k]);
      if (!result_.refused[k].empty() || p_.n() < scan.least || p_.n() > scan.most) continue;
      try {
        calls_[k] = scan.prepare(p_);
        if (!right(k)) calls_[k] = nullptr;
      } catch (std::exception const& e) {
        result_.refused[k] = e.what();
        calls_[k] = nullptr;
      }
    }
    row times{static_cast<int>(sizeof(T)), p_.n(), 0, std::vector<double>(candidates_.size(), 0.0)};
    time(count, times);
    for (std::size_t k = 0; k < candidates_.size(); ++k)
      if (calls_[k] && !right(k)) times.seconds[k] = 0;
    return times;
  }

 private:
  /// Once around for each measurement, so that a machine that becomes slower meanwhile does so for all. Before each a
  /// call that is not timed: caches are as the candidate itself leaves them.
  void time(int count, row& times) {
    stopwatch watch(p_.instance);
    int const batch = calls_per_measurement(p_.n());
    auto const seconds_of = [&](auto const& run) {
      run();
      watch.start();
      for (int i = 0; i < batch; ++i) run();
      return watch.stop() / batch;
    };
    auto const copy = [&] { copy_bytes(p_.instance, p_.out.data(), p_.in.data(), p_.n() * sizeof(T)); };
    std::vector<double> of_copy;
    std::vector<std::vector<double>> of(calls_.size());
    for (int i = 0; i < count; ++i) {
      of_copy.push_back(seconds_of(copy));
      for (std::size_t k = 0; k < calls_.size(); ++k)
        if (calls_[k]) of[k].push_back(seconds_of(calls_[k]));
    }
    times.copy_s = median(of_copy);
    for (std::size_t k = 0; k < calls_.size(); ++k)
      if (calls_[k]) times.seconds[k] = median(of[k]);
  }

  bool right(std::size_t k) {
    data_.poison(p_);
    calls_[k]();
    std::size_t const at = verify(operation::exclusive_scan, p_, p_.total.data());
    if (at == all_right) return true;
    result_.wrong.push_back(fmt::format("{} ({}): {} elements of {}: wrong from element {}", candidates_[k].group,
                                        candidates_[k].name, p_.n(), type_name<T>(), at));
    return false;
  }

  std::vector<candidate> const& candidates_;
  problem<T> p_;
  buffers<T> const& data_;
  measurements& result_;
  std::vector<call> calls_;
};

template <class T>
void measure_type(std::vector<candidate> const& candidates, std::vector<std::size_t> const& sizes, int count,
                  measurements& result) {
  // Input, output, and a tenth for temporary memory.
  std::size_t const most = free_memory() / 22 * 10 / sizeof(T);
  std::vector<std::size_t> fitting;
  for (std::size_t n : sizes)
    if (n < most) fitting.push_back(n);
    else
      fmt::print(stderr, "upsweep-autotune: {} elements of {} do not fit into the memory that is free; left out\n", n,
                 type_name<T>());
  if (fitting.empty()) return;
  buffers<T> const data(*std::max_element(fitting.begin(), fitting.end()));
  for (std::size_t n : fitting) {
    fmt::print(stderr, "{} elements of {}\n", n, type_name<T>());
    int const rounds = count > 0 ? count : n * sizeof(T) <= (std::size_t(1) << 24) ? 51 : 15;
    result.rows.push_back(measurement<T>(candidates, data.first(n), data, result).run(rounds));
  }
}

}  // namespace

measurements measure(std::vector<candidate> const& candidates, std::vector<std::size_t> const& sizes, int count) {
  measurements result{{}, std::vector<std::string>(candidates.size()), {}};
  measure_type<std::int32_t>(candidates, sizes, count, result);
  measure_type<std::int64_t>(candidates, sizes, count, result);
  return result;
}

}  // namespace perf::autotune

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Several host threads scan at once, each with an instance and a workspace of its own.

#include "../oracle/engines.hpp"
#include "../oracle/instances.hpp"
#include "../oracle/views.hpp"

#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>
#include <upsweep/scan/reduce.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <iterator>
#include <latch>
#include <numeric>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

/// The calls of one host thread, with data, length and initial value of its own.
class caller {
 public:
  explicit caller(unsigned seed)
      : length_(30011 + seed * 977),
        init_(static_cast<int>(seed)),
        counts_(oracle::random_values<int>(length_, 0, 9, seed)),
        expected_(length_ + 1),
        in_(oracle::to_device(counts_)),
        out_("out", length_),
        offsets_("offsets", length_ + 1),
        fractions_out_("fractions_out", length_),
        host_out_("host_out", length_),
        host_offsets_("host_offsets", length_ + 1),
        host_fractions_("host_fractions", length_) {
    std::inclusive_scan(counts_.begin(), counts_.end(), expected_.begin() + 1);
    std::vector<double> fractions(length_);
    for (std::size_t i = 0; i < length_; ++i) fractions[i] = 1.0 / (counts_[i] + 3.0 * (init_ + 1));
    fractions_ = oracle::to_device(fractions);
    // What this thread alone gets, on the default instance: the bits that the others must not change.
    oracle::for_production_engines([&]<class Engine>() {
      oracle::space const space;
      upsweep::inclusive_scan(space, fractions_, fractions_out_, upsweep::plus<>{},
                              upsweep::basic_scan_options<Engine>{});
      quiet_.push_back(oracle::to_host(fractions_out_));
    });
  }

  /// Every call, one of them with every engine of production, with a workspace and without, a few times; the first
  /// wrong result, or nothing.
  std::string run(oracle::space const& instance) const try {
    upsweep::workspace workspace(instance);
    std::string first_wrong;
    for (int repetition = 0; repetition < 3; ++repetition) {
      std::size_t e = 0;
      oracle::for_production_engines([&]<class Engine>() {
        for (auto* const memory : {&workspace, static_cast<upsweep::workspace*>(nullptr)}) {
          auto const wrong = run(instance, quiet_[e], upsweep::basic_scan_options<Engine>{.workspace = memory});
          if (first_wrong.empty() && !wrong.empty())
            first_wrong =
                wrong + ", engine " + oracle::name_of<Engine>() + ", repetition " + std::to_string(repetition);
        }
        ++e;
      });
    }
    return first_wrong;
  } catch (std::exception const& failed) {
    return failed.what();
  }

 private:
  template <class Engine>
  std::string run(oracle::space const& instance, std::vector<double> const& quiet,
                  upsweep::basic_scan_options<Engine> const& options) const {
    upsweep::scan_options const by_default{.workspace = options.workspace};
    upsweep::exclusive_scan(instance, in_, out_, init_, upsweep::plus<int>{}, by_default);
    upsweep::counts_to_offsets(instance, in_, offsets_, by_default);
    upsweep::inclusive_scan(instance, fractions_, fractions_out_, upsweep::plus<>{}, options);
    Kokkos::deep_copy(instance, host_out_, out_);
    Kokkos::deep_copy(instance, host_offsets_, offsets_);
    Kokkos::deep_copy(instance, host_fractions_, fractions_out_);
    auto const sum = upsweep::reduce(instance, in_, upsweep::plus<>{}, by_default);
    instance.fence("contracts::host_threads");
    for (std::size_t i = 0; i < length_; ++i)
      if (host_out_.data()[i] != expected_[i] + init_) return "exclusive_scan, element " + std::to_string(i);
    for (std::size_t i = 0; i <= length_; ++i)
      if (host_offsets_.data()[i] != expected_[i]) return "counts_to_offsets, element " + std::to_string(i);
    if (std::memcmp(host_fractions_.data(), quiet.data(), sizeof(double) * length_) != 0)
      return "inclusive_scan of double";
    return sum == expected_.back() ? std::string() : "reduce";
  }

  template <class T>
  using host_view = Kokkos::View<T*, Kokkos::HostSpace>;

  std::size_t length_;
  int init_;
  std::vector<int> counts_, expected_;
  std::vector<std::vector<double>> quiet_;  // one for each engine
  Kokkos::View<int*, oracle::memory> in_, out_, offsets_;
  Kokkos::View<double*, oracle::memory> fractions_, fractions_out_;
  host_view<int> host_out_, host_offsets_;
  host_view<double> host_fractions_;
};

/// A host thread for each instance; all begin together.
void scan_at_once(std::vector<oracle::space> const& instances) {
  std::vector<caller> callers;
  for (std::size_t t = 0; t < instances.size(); ++t) callers.emplace_back(static_cast<unsigned>(t));
  std::vector<std::string> wrong(instances.size(), "did not run");
  std::latch start(static_cast<std::ptrdiff_t>(instances.size()));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < instances.size(); ++t)
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      wrong[t] = callers[t].run(instances[t]);
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(wrong, std::vector<std::string>(instances.size()));
}

std::size_t const host_threads = 6;

#if defined(KOKKOS_ENABLE_THREADS)
bool const one_thread_only = std::is_same_v<oracle::space, Kokkos::Threads>;
#else
bool const one_thread_only = false;
#endif

// What a user of any backend writes. On OpenMP, Kokkos 5 gives the same instance several times unless
// OMP_MAX_ACTIVE_LEVELS is 2 at least, and runs the kernels of one instance one after the other: right as well, but not
// at the same time.
TEST(contracts, many_instances_and_host_threads_at_once) {
  if (one_thread_only) GTEST_SKIP() << "Kokkos::Threads takes calls of the thread that has initialised it only";
  std::size_t parts = host_threads;
#if defined(KOKKOS_ENABLE_OPENMP)
  // Kokkos 4 stops a program that divides its threads into more parts than there are.
  if constexpr (std::is_same_v<oracle::space, Kokkos::OpenMP>)
    parts = std::min(parts, static_cast<std::size_t>(oracle::space().concurrency()));
#endif
  scan_at_once(Kokkos::Experimental::partition_space(oracle::space(), std::vector<int>(parts, 1)));
}

#if defined(KOKKOS_ENABLE_OPENMP)
// Instances with threads of their own, whose kernels do run at the same time, whatever OMP_MAX_ACTIVE_LEVELS says.
TEST(contracts, openmp_instances_with_threads_of_their_own_at_once) {
  if constexpr (std::is_same_v<oracle::space, Kokkos::OpenMP>) {
    auto const instances = oracle::instances<oracle::space>(host_threads);
    for (std::size_t t = 1; t < host_threads; ++t) EXPECT_NE(instances[0], instances[t]);
    scan_at_once(instances);
  } else {
    GTEST_SKIP() << "the default execution space is another one";
  }
}
#endif

}  // namespace

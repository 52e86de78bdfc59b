// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

#include "../measure.hpp"
#include "../names.hpp"
#include "batches.hpp"
#include "particles.hpp"

#include <upsweep/neighbors/batched_neighbor_list.hpp>
#include <upsweep/neighbors/neighbor_list.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perf::neighbors {
namespace {

constexpr double batch_cutoff = 6;
constexpr char const *crystals = "crystals", *molecules = "molecules";
constexpr char const *batched = "upsweep", *same_systems = "upsweep_again", *one_by_one = "upsweep_each";

template <class Real>
struct batch {
  positions<Real> x;
  std::vector<std::int64_t> offsets{0};
  Kokkos::View<std::int64_t*, memory> batch_offsets;
  std::vector<upsweep::box<Real>> boxes;

  std::pair<std::size_t, std::size_t> part(std::size_t system) const {
    return {static_cast<std::size_t>(offsets[system]), static_cast<std::size_t>(offsets[system + 1])};
  }
};

/// The crystals of at least n particles.
template <class Real>
void fill_crystals(std::size_t n, batch<Real>& made, std::vector<double>& x) {
  constexpr double edge = 4.12;
  constexpr int cells = 4;
  auto const length = static_cast<Real>(cells * edge);
  while (x.size() < 3 * n) {
    for (int k = 0; k < 2 * cells * cells * cells; ++k) {
      int const cell[3] = {k / 2 % cells, k / 2 / cells % cells, k / 2 / cells / cells};
      for (int const c : cell) x.push_back((c + (k % 2 == 0 ? 0.25 : 0.75)) * edge);
    }
    made.boxes.emplace_back(upsweep::box<Real>({0, 0, 0}, {length, length, length}));
    made.offsets.push_back(static_cast<std::int64_t>(x.size() / 3));
  }
}

/// Molecules of n particles, of which the last is what is left.
template <class Real>
void fill_molecules(std::size_t n, batch<Real>& made, std::vector<double>& x) {
  while (x.size() < 3 * n) {
    std::size_t const size = std::min<std::size_t>(20 + splitmix64(made.boxes.size()) % 81, n - x.size() / 3);
    double const edge = std::cbrt(static_cast<double>(size) / 0.1);
    for (std::size_t k = 0; k < 3 * size; ++k) x.push_back(edge * random(x.size()));
    auto const length = static_cast<Real>(edge * 1.0001);
    made.boxes.emplace_back(upsweep::box<Real>({0, 0, 0}, {length, length, length}, {false, false, false}));
    made.offsets.push_back(static_cast<std::int64_t>(x.size() / 3));
  }
}

template <class T, class From>
auto to_device(std::string const& label, std::size_t n, From const& at) {
  Kokkos::View<T*, memory> const all(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), n);
  auto const host = Kokkos::create_mirror_view(all);
  for (std::size_t k = 0; k < n; ++k) host(k) = static_cast<T>(at[k]);
  Kokkos::deep_copy(all, host);
  return all;
}

template <class Real>
std::shared_ptr<batch<Real> const> make_batch(std::string const& workload, std::size_t n) {
  auto const made = std::make_shared<batch<Real>>();
  std::vector<double> x;
  if (workload == crystals) fill_crystals(n, *made, x);
  else fill_molecules(n, *made, x);
  made->batch_offsets = to_device<std::int64_t>("upsweep::perf::offsets", made->offsets.size(), made->offsets);
  auto const flat = to_device<Real>("upsweep::perf::flat", x.size(), x);
  made->x = positions<Real>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::positions"), x.size() / 3);
  Kokkos::deep_copy(Kokkos::View<Real*, memory, Kokkos::MemoryUnmanaged>(made->x.data(), x.size()), flat);
  return made;
}

template <class Real>
using list_of_all = upsweep::batched_neighbor_list<space, Real>;

/// One system after the other, in the memory of one list.
template <class Real>
class lists_one_by_one {
 public:
  explicit lists_one_by_one(space const& instance, batch<Real> const& b)
      : list_(instance, b.boxes[0], static_cast<Real>(batch_cutoff)) {}

  upsweep::neighbor_list<space, Real> const& build(space const& instance, batch<Real> const& b, std::size_t system) {
    list_.update(instance, Kokkos::subview(b.x, b.part(system), Kokkos::ALL), b.boxes[system]);
    return list_;
  }

 private:
  upsweep::neighbor_list<space, Real> list_;
};

/// Systems spread over the batch, all of a small one: as many as their lists alone take a moment.
std::vector<std::size_t> sample_of(std::size_t systems) {
  std::size_t const most = 512, count = std::min(most, systems);
  std::vector<std::size_t> sample;
  for (std::size_t k = 0; k < count; ++k) sample.push_back(k * systems / count);
  return sample;
}

/// The first system of a sample whose rows are not those of its list alone; -1 if there is none.
template <class Real>
std::int64_t wrong_system(space const& instance, batch<Real> const& b, list_of_all<Real> const& list) {
  auto const offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list.offsets());
  auto const neighbors = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list.neighbors());
  lists_one_by_one<Real> lists(instance, b);
  for (std::size_t const s : sample_of(b.boxes.size())) {
    auto const& alone = lists.build(instance, b, s);
    auto const own_offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), alone.offsets());
    auto const own = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), alone.neighbors());
    auto const [first, end] = b.part(s);
    bool same = true;
    for (std::size_t i = first; i <= end; ++i) same = same && offsets(i) - offsets(first) == own_offsets(i - first);
    for (std::size_t k = 0; same && k < own.extent(0); ++k)
      same = neighbors(offsets(first) + k) == own(k) + static_cast<int>(first);
    if (!same) return static_cast<std::int64_t>(s);
  }
  return -1;
}

template <class Real>
void run_batch(benchmark::State& state, std::string const& impl, batch<Real> const& b,
               list_selection const& selection) {
  space const instance;
  auto const time = [&](auto const& build) {
    time_for_a_while(state, instance, {selection.measurements, 15, 0.7}, 1, [] {}, build);
  };
  try {
    list_of_all<Real> list(instance, b.x, b.batch_offsets, b.boxes, static_cast<Real>(batch_cutoff));
    if (auto const s = wrong_system(instance, b, list); s >= 0)
      return state.SkipWithError(("system " + std::to_string(s) + " is wrong").c_str());
    if (impl == one_by_one) {
      lists_one_by_one<Real> lists(instance, b);
      time([&] {
        for (std::size_t s = 0; s < b.boxes.size(); ++s) lists.build(instance, b, s);
      });
    } else if (impl == batched) {
      time([&] { list.update(instance, b.x, b.batch_offsets, b.boxes); });
    } else {
      time([&] { list.update(instance, b.x); });
    }
    state.counters["pairs"] = static_cast<double>(list.pairs());
    state.counters["bytes"] = static_cast<double>(list.last_plan().bytes());
  } catch (std::exception const& e) {
    state.SkipWithError(e.what());
  }
}

template <class Real>
void add_batches_of(list_selection const& selection) {
  if (!chosen(selection.types, type_name<Real>())) return;
  for (auto const& workload : batch_workloads()) {
    if (!chosen(selection.workloads, workload)) continue;
    std::vector<std::size_t> sizes = selection.sizes;
    if (sizes.empty()) sizes = {workload == crystals ? std::size_t(1024 * 128) : std::size_t(226000)};
    for (std::size_t const size : sizes) {
      if (size == 0) continue;
      std::size_t const n = workload == crystals ? (size + 127) / 128 * 128 : size;
      for (auto const& impl : batch_impls())
        if (chosen(selection.impls, impl))
          add(key("neighbors", impl, workload, type_name<Real>(), n), 1, [=](benchmark::State& state) {
            run_batch<Real>(state, impl, *make_batch<Real>(workload, n), selection);
          });
    }
  }
}

}  // namespace

std::vector<std::string> batch_workloads() { return {crystals, molecules}; }
std::vector<std::string> batch_impls() { return {batched, same_systems, one_by_one}; }

void add_batches(list_selection const& selection) {
  add_batches_of<float>(selection);
  add_batches_of<double>(selection);
}

}  // namespace perf::neighbors

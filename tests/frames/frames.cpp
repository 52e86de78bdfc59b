// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// How deep calls are: the functions of namespace upsweep that stand between a public call and each kernel that it
// launches, as a debugger shows them. This file is compiled without optimisation (tests/CMakeLists.txt), so none of
// them is inlined.

// Without this, lists would be those that the library has compiled, with optimisation.
#define UPSWEEP_COMPILES_LISTS

#include <upsweep/neighbors/neighbor_list.hpp>
#include <upsweep/scan/exclusive_scan.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#if __has_include(<execinfo.h>) && __has_include(<dlfcn.h>) && __has_include(<cxxabi.h>)
#define HAS_BACKTRACE
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

// Not an anonymous namespace: functions with internal linkage, and templates with arguments that have it, have no names
// for dladdr().
namespace frames {

using space = Kokkos::DefaultExecutionSpace;
using memory = space::memory_space;

// On GPUs launch_pipeline() is not inlined, so that a program has one copy of each kernel; on CPUs a launch, and the
// choice between it and the calling thread, are calls of their own.
constexpr std::size_t most_of_a_scan = upsweep::compat::is_gpu<space> ? 6 : 7;
constexpr std::size_t most_of_a_list = upsweep::compat::is_gpu<space> ? 11 : 12;

/// A kernel of the library's.
struct launch {
  std::string label;
  std::vector<std::string> ours;  ///< functions of namespace upsweep, the innermost first
  bool ends = false;              ///< whether the function that made the call was found behind them
};

/// Callbacks of Kokkos' tools get no argument of the caller's, so what they need is kept here.
struct recording {
  void const* caller = nullptr;
  std::vector<launch> launches;
};
recording& current() {
  static recording of_test;
  return of_test;
}

#if defined(HAS_BACKTRACE)

/// Whether a mangled name is that of a function of namespace upsweep, or of a lambda in one. Kokkos' functions have the
/// namespace in their template arguments.
bool is_ours(std::string_view mangled) {
  if (mangled.substr(0, 2) != "_Z") return false;
  // Z is for what is local to a function, N for a nested name, K and R for a member function's qualifiers.
  std::size_t const at = mangled.find_first_not_of("ZNKR", 2);
  return at != std::string_view::npos && mangled.substr(at, 8) == "7upsweep";
}

std::string demangled(char const* name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string const result = status == 0 ? text : name;
  std::free(text);
  return result.size() <= 150 ? result : result.substr(0, 150) + "...";
}

void record(char const* label, std::uint32_t, std::uint64_t*) {
  // Kokkos fills memory by kernels of its own, also from code of the library that is optimised.
  if (std::string_view(label).substr(0, 9) != "upsweep::") return;
  launch seen{label, {}};
  void* stack[256];
  int const depth = backtrace(stack, 256);
  for (int k = 0; k < depth && !seen.ends; ++k) {
    Dl_info info{};
    // A return address may lie behind the last instruction of the function.
    bool const is_named = dladdr(static_cast<char*>(stack[k]) - 1, &info) != 0 && info.dli_sname != nullptr;
    if (is_named && info.dli_saddr == current().caller) seen.ends = true;
    else if (!is_named) seen.ours.push_back("(a function without a name, which may be ours)");
    else if (is_ours(info.dli_sname)) seen.ours.push_back(demangled(info.dli_sname));
  }
  current().launches.push_back(seen);
}

/// The launches of a function.
std::vector<launch> launches_of(void (*function)()) {
  namespace tools = Kokkos::Tools::Experimental;
  current() = {reinterpret_cast<void const*>(function), {}};
  auto const set = [](auto const& callback) {
    tools::set_begin_parallel_for_callback(callback);
    tools::set_begin_parallel_reduce_callback(callback);
    tools::set_begin_parallel_scan_callback(callback);
  };
  set(&record);
  function();
  set(nullptr);
  return current().launches;
}

#endif

std::string text_of(launch const& seen) {
  std::string text = seen.label + ", " + std::to_string(seen.ours.size()) + " frames:";
  for (auto const& name : seen.ours) text += "\n  " + name;
  return text;
}

/// Checks every launch of a function that makes one call of a public function; the call itself is one of the `most`
/// frames.
void check(std::size_t most, std::string const& call, void (*function)()) {
#if defined(HAS_BACKTRACE)
  std::size_t deepest = 0;
  for (launch const& seen : launches_of(function)) {
    EXPECT_TRUE(seen.ends) << "the caller is not on the stack of " << text_of(seen);
    EXPECT_LE(seen.ours.size(), most) << text_of(seen);
    ASSERT_FALSE(seen.ours.empty()) << text_of(seen);
    EXPECT_NE(seen.ours.back().find("upsweep::" + call), std::string::npos) << text_of(seen);
    deepest = std::max(deepest, seen.ours.size());
  }
  EXPECT_GE(deepest, most / 2) << "frames are not seen, or inlined";
#else
  static_cast<void>(most), static_cast<void>(call), static_cast<void>(function);
  GTEST_SKIP() << "this C library has no backtrace()";
#endif
}

struct ones {
  KOKKOS_FUNCTION int operator()(std::size_t) const { return 1; }
};

/// A monoid that no kernel of the library's is compiled for.
struct largest_remainder {
  using value_type = long;
  KOKKOS_FUNCTION long identity() const { return 0; }
  KOKKOS_FUNCTION long operator()(long a, long b) const { return Kokkos::max(a, b % 1000); }
};

// What goes by one thread, and by several.
constexpr std::size_t few = 100, many = 1'000'000;

template <class T>
Kokkos::View<T*, memory> elements(std::size_t n) {
  return Kokkos::View<T*, memory>("elements", n);
}

template <std::size_t N>
void scan() {
  upsweep::exclusive_scan(space(), elements<int>(N), elements<int>(N));
}
template <std::size_t N>
void scan_with_workspace_and_initial_value() {
  space const instance;
  upsweep::workspace temporary(instance);
  upsweep::exclusive_scan(instance, elements<double>(N), elements<double>(N), 1.0, upsweep::plus<>{},
                          {.workspace = &temporary});
}
template <std::size_t N>
void scan_of_a_functor() {
  upsweep::exclusive_scan(space(), ones{}, elements<long>(N), largest_remainder{});
}
template <std::size_t N>
void scan_with_total_in_a_view() {
  Kokkos::View<int, memory> const total("total");
  upsweep::exclusive_scan(space(), elements<int>(N), elements<int>(N), total, 0, upsweep::plus<>{});
}
template <std::size_t N>
void scan_with_total_in_a_variable() {
  int total = 0;
  upsweep::exclusive_scan(space(), elements<int>(N), elements<int>(N), total, 0, upsweep::plus<>{});
}

template <std::size_t N>
void check_scans() {
  for (auto const function : {&scan<N>, &scan_with_workspace_and_initial_value<N>, &scan_of_a_functor<N>,
                              &scan_with_total_in_a_view<N>, &scan_with_total_in_a_variable<N>})
    check(most_of_a_scan, "exclusive_scan", function);
}
TEST(frames, of_scans_of_few_elements) { check_scans<few>(); }
TEST(frames, of_scans_of_many_elements) { check_scans<many>(); }
TEST(frames, of_scans_of_nothing) {
  for (auto const function : {&scan_with_total_in_a_view<0>, &scan_with_total_in_a_variable<0>})
    check(2, "exclusive_scan", function);
}

// Lists in a periodic box, two particles a cell, spread by multiples of irrational numbers.
struct spread {
  double length;
  KOKKOS_FUNCTION Kokkos::Array<double, 3> operator()(std::int64_t i) const {
    double const x[3] = {0.8191725134 * double(i), 0.6710436067 * double(i), 0.5497004779 * double(i)};
    Kokkos::Array<double, 3> at;
    for (int d = 0; d < 3; ++d) at[d] = (x[d] - Kokkos::floor(x[d])) * length;
    return at;
  }
};
struct fill_positions {
  spread from;
  Kokkos::View<double* [3], memory> to;
  KOKKOS_FUNCTION void operator()(int i) const {
    for (int d = 0; d < 3; ++d) to(i, d) = from(i)[d];
  }
};

template <std::int64_t N>
struct particles {
  double length = std::cbrt(double(N) / 2);
  upsweep::box<double> box{{0, 0, 0}, {length, length, length}};
  Kokkos::View<double* [3], memory> positions { "positions", N };

  particles() {
    Kokkos::parallel_for("fill", Kokkos::RangePolicy<space>(0, int(N)), fill_positions{{length}, positions});
  }
};
constexpr std::int64_t small_list = 300, large_list = 20'000;

template <std::int64_t N>
void list_in_default_order() {
  particles<N> const p;
  upsweep::neighbor_list<space, double> const list(space(), p.positions, p.box, 1.0);
}
template <std::int64_t N>
void list_of_a_functor() {
  particles<N> const p;
  upsweep::neighbor_list<space, double> const list(space(), std::int64_t{N}, spread{p.length}, p.box, 1.0);
}
template <std::int64_t N>
void list_of_two_sets() {
  particles<N> const p;
  upsweep::neighbor_list<space, double> const list(space(), p.positions, p.positions, p.box, 1.0);
}
template <std::int64_t N, upsweep::neighbor_builder Builder>
void list_with_all_options() {
  particles<N> const p;
  Kokkos::View<int*, memory> const types("types", N);
  Kokkos::View<double**, Kokkos::LayoutRight, memory> const cutoffs("cutoffs", 1, 1);
  Kokkos::deep_copy(cutoffs, 1.0);
  upsweep::neighbor_options options;
  options.builder = Builder;
  options.half = options.pair_images = true;
  options.types = types;
  options.type_cutoffs = cutoffs;
  options.order = upsweep::row_order::sorted;
  options.memory_budget = 40 * N;
  upsweep::neighbor_list<space, double> const list(space(), p.positions, p.box, 1.0, options);
}
template <std::int64_t N>
void list_of_the_plain_builder() {
  particles<N> const p;
  upsweep::neighbor_list<space, double> const list(space(), p.positions, p.box, 1.0,
                                                   {.builder = upsweep::neighbor_builder::plain});
}

template <std::int64_t N>
void check_lists() {
  for (auto const function :
       {&list_in_default_order<N>, &list_of_a_functor<N>, &list_of_two_sets<N>, &list_of_the_plain_builder<N>,
        &list_with_all_options<N, upsweep::neighbor_builder::automatic>,
        &list_with_all_options<N, upsweep::neighbor_builder::plain>})
    check(most_of_a_list, "neighbor_list", function);
}
TEST(frames, of_small_lists) { check_lists<small_list>(); }
TEST(frames, of_large_lists) { check_lists<large_list>(); }

/// A list that is built again, in another box.
template <std::int64_t N, upsweep::neighbor_builder Builder>
void list_again() {
  particles<N> const p;
  upsweep::neighbor_list<space, double> list(space(), p.box, 1.0, {.builder = Builder});
  list.update(space(), p.positions);
  list.update(space(), p.positions, p.box);
  list.update(space(), p.positions, p.box, 1.1, {.builder = Builder});
}
TEST(frames, of_lists_that_are_built_again) {
  check(most_of_a_list, "neighbor_list", &list_again<small_list, upsweep::neighbor_builder::automatic>);
  check(most_of_a_list, "neighbor_list", &list_again<small_list, upsweep::neighbor_builder::plain>);
}

}  // namespace frames

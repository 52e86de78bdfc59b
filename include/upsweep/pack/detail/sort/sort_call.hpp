// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/error.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/pack/detail/sort/sort_cpu.hpp>
#include <upsweep/pack/detail/sort/sort_route.hpp>
#include <upsweep/pack/detail/sort/sort_single_pass.hpp>
#include <upsweep/pack/detail/sort/sort_teams.hpp>
#include <upsweep/pack/sort_options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace upsweep::pack::detail {

/// Whether elements can be sorted in a View's place. Bodies of sorts ask, so that one error is enough.
template <class V>
concept sorted_in_place = view_of_rank_1<V> && !std::is_const_v<typename V::value_type> &&
                          std::is_trivially_copyable_v<typename V::value_type>;

/// What keys and values have in common. `auto`, so that the sentences below come before what follows from
/// the same mistake.
template <class ExecutionSpace, class V>
auto check_sorted_view(V const& view, char const* function, char const* name) {
  static_assert(Kokkos::is_execution_space_v<ExecutionSpace>,
                "upsweep: the first argument of a sort is an execution-space instance.");
  static_assert(view_of_rank_1<V> && !std::is_const_v<typename V::value_type>,
                "upsweep: a sort is given Views of rank 1 with elements that can be assigned.");
  static_assert(internal::reachable<ExecutionSpace, V>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
  static_assert(std::is_trivially_copyable_v<typename V::value_type>,
                "upsweep: what is sorted must be trivially copyable.");
  if constexpr (!compat::is_contiguous_rank1<V>)
    internal::require(view.extent(0) < 2 || compat::stride(view, 0) != 0, function,
                      [&] { return std::string(name) + " has stride 0: one element stands for all"; });
  return view.extent(0);
}

/// The digits that options ask for.
template <class Key>
digit_plan checked_digits(sort_options const& options, char const* function) {
  int const bits = 8 * static_cast<int>(sizeof(Key));
  int const last = options.last_bit == sort_options::all_bits ? bits : options.last_bit;
  internal::require(options.first_bit >= 0 && options.first_bit <= last && last <= bits, function, [&] {
    return "bits [" + std::to_string(options.first_bit) + ", " + std::to_string(last) + ") are not a range of the " +
           std::to_string(bits) + " bits of a key";
  });
  return digit_plan::of(options.first_bit, last);
}

/// Refuses keys and values that share memory. Views of equal stride may interleave; of other strided ones only the
/// first element is compared.
template <class Keys, class Values>
void require_separate_values(Keys const& keys, Values const& values, char const* function) {
  if (keys.extent(0) == 0) return;
  auto const address = [](auto const& v) { return reinterpret_cast<std::uintptr_t>(v.data()); };
  auto const step = [](auto const& v) {
    if constexpr (compat::is_contiguous_rank1<std::remove_cvref_t<decltype(v)>>)
      return static_cast<std::ptrdiff_t>(sizeof(*v.data()));
    else return compat::stride(v, 0) * static_cast<std::ptrdiff_t>(sizeof(*v.data()));
  };
  auto const last = static_cast<std::ptrdiff_t>(keys.extent(0) - 1);
  auto const range = [&](auto const& v) {
    return internal::byte_range{
        address(v) + static_cast<std::uintptr_t>(std::min<std::ptrdiff_t>(0, last * step(v))),
        address(v) + static_cast<std::uintptr_t>(std::max<std::ptrdiff_t>(0, last * step(v))) + sizeof(*v.data())};
  };
  bool apart = internal::are_apart(range(keys), range(values));
  std::ptrdiff_t const stride = step(keys);
  if (!apart && stride == step(values)) {
    std::uintptr_t const size = static_cast<std::uintptr_t>(stride < 0 ? -stride : stride);
    // How far behind a key the next value begins.
    std::uintptr_t const behind = address(values) >= address(keys)
                                      ? (address(values) - address(keys)) % size
                                      : (size - (address(keys) - address(values)) % size) % size;
    apart = behind >= sizeof(*keys.data()) && behind + sizeof(*values.data()) <= size;
  } else if (!apart) {
    apart = stride != static_cast<std::ptrdiff_t>(sizeof(*keys.data())) &&
            step(values) != static_cast<std::ptrdiff_t>(sizeof(*values.data())) && address(keys) != address(values);
  }
  if (!apart) internal::throw_overlap(function, "keys", "values", {address(keys), 0}, {address(values), 0});
}

/// Checks the arguments of a sort; returns the digits that it sorts by. Throws precondition_error.
template <class ExecutionSpace, class Keys>
digit_plan checked_sort(sort_options const& options, char const* function, Keys const& keys) {
  static_cast<void>(check_sorted_view<ExecutionSpace>(keys, function, "keys"));
  using key = typename Keys::value_type;
  static_assert(radix_key<key>, "upsweep::sort: keys are integers or floating-point numbers of up to 64 bits.");
  return checked_digits<key>(options, function);
}
template <class ExecutionSpace, class Keys, class Values>
digit_plan checked_sort(sort_options const& options, char const* function, Keys const& keys, Values const& values) {
  std::size_t const n = check_sorted_view<ExecutionSpace>(keys, function, "keys");
  std::size_t const count = check_sorted_view<ExecutionSpace>(values, function, "values");
  internal::require_same_extent(n, count, function, "keys", "values");
  auto const digits = checked_sort<ExecutionSpace>(options, function, keys);
  require_separate_values(keys, values, function);
  return digits;
}

/// Copies elements between contiguous memory and a strided View.
template <class From, class To>
struct copy_elements_kernel {
  From from;
  To to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    to.store(static_cast<std::size_t>(i), from.load(static_cast<std::size_t>(i)));
  }
};
template <class ExecutionSpace, class From, class To>
void copy_elements(ExecutionSpace const& space, From const& from, To const& to, std::size_t n, char const* function,
                   std::string_view part, std::string_view caller) {
  internal::for_each_index(
      space, [&] { return internal::label(function, part, caller); }, n, copy_elements_kernel<From, To>{from, to});
}

/// Contiguous elements for a View: its own, or those of a copy that lasts as long as this object.
template <class ExecutionSpace, class V>
class packed_elements {
  using T = typename V::value_type;
  static constexpr bool is_copy = !compat::is_contiguous_rank1<V>;

 public:
  packed_elements(ExecutionSpace const& space, V const& view, char const* function, std::string_view caller)
      : space_(space), view_(view), function_(function), caller_(caller) {
    if constexpr (is_copy) {
      copy_ = internal::allocate<T, typename ExecutionSpace::memory_space>(space, view.extent(0), function, "packed");
      copy_elements(space_, internal::make_sequence(view_), internal::contiguous_sequence<T>{copy_.data()},
                    view.extent(0), function_, "pack", caller_);
    }
  }
  T* data() const {
    if constexpr (is_copy) return copy_.data();
    else return view_.data();
  }
  /// Sends the elements back. Waits for the instance where they are a copy, which ends with this object.
  void put_back() const {
    if constexpr (is_copy) {
      copy_elements(space_, internal::contiguous_sequence<T>{copy_.data()}, internal::make_output_sequence(view_),
                    view_.extent(0), function_, "unpack", caller_);
      space_.fence(internal::label(function_, "unpack"));
    }
  }

 private:
  ExecutionSpace space_;
  V view_;
  char const* function_;
  std::string_view caller_;
  Kokkos::View<T*, typename ExecutionSpace::memory_space> copy_;
};

/// Whatever suits the space.
template <class ExecutionSpace, class Key, class Value>
using sort_engine = std::conditional_t<
    !compat::is_gpu<ExecutionSpace> && compat::launches_wait<ExecutionSpace>, cpu_sort<ExecutionSpace, Key, Value>,
    std::conditional_t<compat::has_warps_of_32<ExecutionSpace>, single_pass_sort<ExecutionSpace, Key, Value>,
                       team_sort<ExecutionSpace, Key, Value>>>;

/// Sorts contiguous arrays.
template <class ExecutionSpace, class Key, class Value>
void sort_contiguous(ExecutionSpace const& space, sort_route<Key, Value> const& route, std::size_t n,
                     digit_plan const& digits, sort_options const& options, char const* function) {
  key_order<Key> const order{options.order == sort_order::descending ? static_cast<key_word<Key>>(~key_word<Key>(0))
                                                                     : key_word<Key>(0)};
  internal::temporary_memory memory(space, options.workspace);
  internal::access::require_same_instance(memory.get(), space);
  using engine = sort_engine<ExecutionSpace, Key, Value>;
  if constexpr (std::is_same_v<engine, cpu_sort<ExecutionSpace, Key, Value>>)
    engine(space, route, n, order, digits, function, options.label).run(memory.get());
  else engine::run_route(space, route, n, order, digits, memory.get(), function, options.label);
}

}  // namespace upsweep::pack::detail

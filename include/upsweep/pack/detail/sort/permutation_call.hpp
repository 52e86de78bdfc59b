// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/byte_layout.hpp>
#include <upsweep/base/internal/memory/temporary_memory.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/kokkos_compat.hpp>
#include <upsweep/pack/detail/sort/key_order.hpp>
#include <upsweep/pack/detail/sort/sort_call.hpp>
#include <upsweep/pack/detail/sort/sort_route.hpp>
#include <upsweep/pack/sort_options.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace upsweep::pack::detail {

/// What takes a permutation.
template <class V>
concept permutation_output =
    view_of_rank_1<V> && std::is_integral_v<typename V::value_type> && !std::is_const_v<typename V::value_type> &&
    !std::is_same_v<typename V::value_type, bool> && compat::is_contiguous_rank1<V>;

/// Compile-time rules for the output of sort_permutation.
template <class ExecutionSpace, class Key, class Permutation>
constexpr void require_sort_permutation() {
  static_assert(Kokkos::is_execution_space_v<ExecutionSpace>,
                "upsweep: the first argument is an execution-space instance.");
  static_assert(radix_key<Key>,
                "upsweep::sort_permutation: keys are integers or floating-point numbers of up to 64 bits.");
  static_assert(permutation_output<Permutation>,
                "upsweep::sort_permutation: permutation is a contiguous View of an integer type that can be assigned.");
  static_assert(internal::reachable<ExecutionSpace, Permutation>(),
                "upsweep: a View's memory cannot be reached by kernels of this execution space.");
}

/// Copies keys, which the sort moves, and numbers them, one thread per key.
template <class From, class Index>
struct number_keys_kernel {
  From from;
  typename From::value_type* keys;
  Index* indices;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    keys[i] = from.load(static_cast<std::size_t>(i));
    indices[i] = static_cast<Index>(i);
  }
};

template <class ExecutionSpace, class From, class Permutation>
void sort_permutation_call(ExecutionSpace const& space, From const& from, Permutation const& permutation,
                           sort_options const& options, char const* function) {
  using key = typename From::value_type;
  using index = typename Permutation::value_type;
  using engine = sort_engine<ExecutionSpace, key, index>;
  auto const digits = checked_digits<key>(options, function);
  std::size_t const n = permutation.extent(0);
  if (n == 0) return;
  internal::narrow<index>(n - 1, function, "the last index");

  bool const sorts = n > 1 && digits.passes > 0;
  internal::byte_layout layout;
  // What the engine takes comes first.
  layout.add<std::byte>(sorts ? engine::own_bytes(space, n, digits, function) : 0);
  std::size_t const keys = layout.add<key>(n), other_keys = layout.add<key>(n), other = layout.add<index>(n);
  internal::temporary_memory memory(space, options.workspace);
  std::byte* const base = internal::access::reserve(memory.get(), space, layout.bytes());
  sort_arrays<key, index> const data{reinterpret_cast<key*>(base + keys), permutation.data()};
  internal::for_each_index(
      space, [&] { return internal::label(function, "number", options.label); }, n,
      number_keys_kernel<From, index>{from, data.keys, data.values});
  if (!sorts) return;
  sort_options inner = options;
  inner.workspace = &memory.get();
  sort_contiguous<ExecutionSpace, key, index>(
      space, {data, data, {reinterpret_cast<key*>(base + other_keys), reinterpret_cast<index*>(base + other)}}, n,
      digits, inner, function);
}

}  // namespace upsweep::pack::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/base/internal/memory/access.hpp>
#include <upsweep/base/concepts.hpp>
#include <upsweep/base/internal/arguments/label.hpp>
#include <upsweep/base/internal/arguments/overlap.hpp>
#include <upsweep/base/internal/cpu/for_each_index.hpp>
#include <upsweep/base/internal/memory/fetch.hpp>
#include <upsweep/base/internal/sequence.hpp>
#include <upsweep/base/workspace.hpp>
#include <upsweep/mpi/internal/fingerprint.hpp>
#include <upsweep/scan/scan_by_key.hpp>
#include <upsweep/scan/segmented_scan.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace upsweep::mpi::detail {

// What separates segments: flags or keys. Marks say on the device whether a segment starts at an element, and on the
// host whether one goes on from rank to rank, by what the ranks have sent of their ends.

/// A functor from `first` on.
template <class Functor>
struct shifted_functor {
  Functor functor;
  std::size_t first;
  KOKKOS_FUNCTION auto operator()(std::size_t i) const { return functor(first + i); }
};
/// Elements [first, last) of a View or functor.
template <class In>
auto elements_between(In const& in, std::size_t first, std::size_t last) {
  if constexpr (Kokkos::is_view_v<In>) return Kokkos::subview(in, std::make_pair(first, last));
  else return shifted_functor<In>{in, first};
}

/// Refuses marks that are not as many as elements, or that share memory with the output.
template <class Marks, class Out>
void require_marks(Marks const& marks, Out const& out, char const* function, char const* name) {
  if constexpr (Kokkos::is_view_v<Marks>) internal::require_same_extent(marks.extent(0), out.extent(0), function, name);
  internal::require_apart(marks, out, function, name, "output");
}

template <class Flags>
struct flag_marks {
  static_assert(std::is_integral_v<internal::sequence_value_t<Flags>>,
                "upsweep: head flags are a View of rank 1 or a functor of the index, of an integer type or bool.");
  struct ends_type {};
  Flags flags;

  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return flags(i) != 0; }

  template <class Out>
  void check(Out const& out, char const* function) const {
    require_marks(flags, out, function, "head_flags");
  }
  void describe(internal::fingerprint&) const {}
  template <class ExecutionSpace>
  ends_type ends(ExecutionSpace const&, std::size_t, workspace&, char const*, std::string_view) const {
    return {};
  }
  bool goes_on(ends_type const&, ends_type const&) const { return true; }

  /// Scans elements from `first` on, which starts a segment.
  template <bool Inclusive, class ExecutionSpace, class In, class Out, class Monoid, class Options>
  void scan_from(ExecutionSpace const& space, std::size_t first, In const& in, Out const& out, Monoid const& monoid,
                 Options const& options) const {
    auto const heads = elements_between(flags, first, first + out.extent(0));
    if constexpr (Inclusive) upsweep::segmented_inclusive_scan(space, in, head_flags{heads}, out, monoid, options);
    else upsweep::segmented_exclusive_scan(space, in, head_flags{heads}, out, monoid, options);
  }
};

/// A comparison of keys.
template <class Equal, class Keys>
concept equality_of = std::predicate<Equal const&, internal::sequence_value_t<Keys>, internal::sequence_value_t<Keys>>;

template <class Keys, class Key>
struct load_end_keys {
  Keys keys;
  std::size_t last;
  Key* ends;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { ends[i] = keys(i == 0 ? 0 : last); }
};

template <class Keys, class Equal>
struct key_marks {
  static_assert(sequence_argument<Keys>, "upsweep: keys are a View of rank 1 or a functor of the index.");
  using key = internal::sequence_value_t<Keys>;
  static_assert(std::is_trivially_copyable_v<key> && std::is_default_constructible_v<key>,
                "upsweep: keys are sent as bytes, so they must be trivially copyable and default constructible.");
  struct ends_type {
    key first, last;
  };
  Keys keys;
  Equal equal;

  KOKKOS_FUNCTION bool operator()(std::size_t i) const { return i > 0 && !equal(keys(i - 1), keys(i)); }

  template <class Out>
  void check(Out const& out, char const* function) const {
    require_marks(keys, out, function, "keys");
  }
  void describe(internal::fingerprint& arguments) const { arguments.type<key>(); }
  /// The first and the last of n keys; waits for the instance.
  template <class ExecutionSpace>
  ends_type ends(ExecutionSpace const& space, std::size_t n, workspace& memory, char const* function,
                 std::string_view caller) const {
    if (n == 0) return {};
    key* const device = reinterpret_cast<key*>(upsweep::internal::access::reserve(memory, space, 2 * sizeof(key)));
    upsweep::internal::for_each_index(
        space, [&] { return internal::label(function, "ends", caller); }, 2,
        load_end_keys<Keys, key>{keys, n - 1, device});
    key host[2];
    internal::fetch(space, device, host, 2, internal::label(function, "fetch"));
    return {host[0], host[1]};
  }
  bool goes_on(ends_type const& before, ends_type const& next) const { return equal(before.last, next.first); }

  template <bool Inclusive, class ExecutionSpace, class In, class Out, class Monoid, class Options>
  void scan_from(ExecutionSpace const& space, std::size_t first, In const& in, Out const& out, Monoid const& monoid,
                 Options const& options) const {
    auto const here = elements_between(keys, first, first + out.extent(0));
    if constexpr (Inclusive) upsweep::inclusive_scan_by_key(space, here, in, out, monoid, equal, options);
    else upsweep::exclusive_scan_by_key(space, here, in, out, monoid, equal, options);
  }
};

}  // namespace upsweep::mpi::detail

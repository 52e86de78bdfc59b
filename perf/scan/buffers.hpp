// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "implementation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <typeindex>

namespace perf {

template <class T>
struct fill_elements {
  T *in, *out;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    in[i] = element<T>::at(i);
    out[i] = element<T>::poison();
  }
};

template <class T>
struct fill_poison {
  T* out;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { out[i] = element<T>::poison(); }
};

struct fill_keys {
  std::int32_t* keys;
  std::int8_t* flags;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    keys[i] = static_cast<std::int32_t>(i / key_length);
    flags[i] = i % key_length == 0 ? 1 : 0;
  }
};

struct fill_offsets {
  std::int64_t* offsets;
  std::size_t n;
  KOKKOS_FUNCTION void operator()(std::size_t s) const {
    offsets[s] = static_cast<std::int64_t>(Kokkos::min(n, s * key_length));
  }
};

struct fill_wrong_runs {
  std::int32_t* keys;
  std::uint64_t* runs;
  KOKKOS_FUNCTION void operator()(std::size_t r) const {
    keys[r] = -1;
    if (r == 0) *runs = 0;
  }
};

/// Input and output for the largest problem of one type; smaller problems are the first elements. Offsets end with the
/// number of elements, so that each problem gets its own.
template <class T>
class buffers {
 public:
  explicit buffers(std::size_t largest)
      : in_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::in"), largest + 1),
        out_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::out"), largest + 1),
        keys_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::keys"), std::min(largest, most_keys)),
        flags_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::flags"), keys_.extent(0)),
        total_("upsweep::perf::total"),
        runs_("upsweep::perf::runs") {
    Kokkos::parallel_for("upsweep::perf::fill", range(keys_.extent(0)), fill_keys{keys_.data(), flags_.data()});
    Kokkos::parallel_for("upsweep::perf::fill", range(largest + 1), fill_elements<T>{in_.data(), out_.data()});
    space().fence("upsweep::perf::fill");
  }

  std::size_t largest() const { return in_.extent(0) - 1; }

  problem<T> first(std::size_t n) const {
    auto const all = Kokkos::make_pair(std::size_t(0), n),
               keyed = Kokkos::make_pair(std::size_t(0), std::min(n, keys_.extent(0)));
    std::size_t const bounds = offsets_of(keyed.second);
    Kokkos::View<std::int64_t*, memory> const offsets(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::offsets"), bounds);
    Kokkos::parallel_for("upsweep::perf::fill", range(bounds), fill_offsets{offsets.data(), keyed.second});
    space().fence("upsweep::perf::fill");
    Kokkos::View<std::int32_t*, memory> const run_keys(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "upsweep::perf::run_keys"), bounds - 1);
    return {space(),
            Kokkos::subview(in_, all),
            Kokkos::subview(out_, all),
            total_,
            Kokkos::subview(keys_, keyed),
            Kokkos::subview(flags_, keyed),
            offsets,
            run_keys,
            runs_};
  }

  /// Makes sure that what an earlier call left in the output cannot pass for the result of the next.
  void poison(problem<T> const& p) const {
    Kokkos::parallel_for("upsweep::perf::poison", range(p.n() + 1), fill_poison<T>{out_.data()});
    Kokkos::parallel_for("upsweep::perf::poison", range(1), fill_poison<T>{total_.data()});
    Kokkos::parallel_for("upsweep::perf::poison", range(p.run_keys.extent(0)),
                         fill_wrong_runs{p.run_keys.data(), runs_.data()});
    p.instance.fence("upsweep::perf::poison");
  }

 private:
  static auto range(std::size_t n) { return Kokkos::RangePolicy<space, Kokkos::IndexType<std::size_t>>(space(), 0, n); }

  Kokkos::View<T*, memory> in_, out_;
  Kokkos::View<std::int32_t*, memory> keys_;
  Kokkos::View<std::int8_t*, memory> flags_;
  Kokkos::View<T, memory> total_;
  Kokkos::View<std::size_t, memory> runs_;
};

/// The buffers of the type that is being measured; those of the type before are freed.
class current_buffers {
 public:
  template <class T>
  buffers<T>& of(std::size_t largest) {
    auto const wanted = std::type_index(typeid(T));
    if (type_ != wanted || static_cast<buffers<T>*>(buffers_.get())->largest() < largest) {
      buffers_.reset();
      buffers_ = std::make_shared<buffers<T>>(largest);
      type_ = wanted;
    }
    return *static_cast<buffers<T>*>(buffers_.get());
  }

 private:
  std::shared_ptr<void> buffers_;
  std::type_index type_ = typeid(void);
};

}  // namespace perf

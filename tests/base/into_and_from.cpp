// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The marks of totals and initial values: what they can be made from, and what they hold then.

#include <upsweep/base/into_and_from.hpp>

#include <gtest/gtest.h>

#include <type_traits>

namespace {

using view = Kokkos::View<int, Kokkos::HostSpace>;

TEST(into, refers_to_a_variable) {
  int total = 3;
  upsweep::into const mark{total};
  static_assert(std::is_same_v<decltype(mark), upsweep::into<int> const>);
  mark.variable = 7;
  EXPECT_EQ(total, 7);
}

TEST(into, keeps_a_view) {
  view const total("total");
  upsweep::into const mark{total};
  static_assert(std::is_same_v<decltype(mark), upsweep::into<view> const>);
  EXPECT_EQ(mark.view.data(), total.data());
  view other = total;
  static_assert(std::is_same_v<decltype(upsweep::into{other}), upsweep::into<view>>);
  Kokkos::View<int*, Kokkos::HostSpace> const several("several", 3);
  EXPECT_EQ(upsweep::into{Kokkos::subview(several, 1)}.view.data(), several.data() + 1);
}

TEST(from, keeps_a_view) {
  view const init("init");
  upsweep::from const mark{init};
  static_assert(std::is_same_v<decltype(mark), upsweep::from<view> const>);
  EXPECT_EQ(mark.view.data(), init.data());
  using const_view = Kokkos::View<int const, Kokkos::HostSpace>;
  static_assert(std::is_same_v<decltype(upsweep::from{const_view(init)}), upsweep::from<const_view>>);
}

}  // namespace

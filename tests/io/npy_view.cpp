// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "data_file.hpp"

#include <upsweep/io/npy_view.hpp>

#include <Kokkos_Core.hpp>

#include <utility>
#include <vector>

namespace {

using upsweep_test::temporary_folder;

/// Numbers that say where they are.
template <class View>
void number(View const& view) {
  auto const host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < view.extent(0); ++i)
    for (std::size_t j = 0; j < view.extent(1); ++j) host(i, j) = static_cast<float>(10 * i + j);
  Kokkos::deep_copy(view, host);
}
std::vector<float> numbers(std::size_t rows, std::size_t columns) {
  std::vector<float> result;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) result.push_back(static_cast<float>(10 * i + j));
  return result;
}

}  // namespace

TEST(npy_view, any_layout_and_memory) {
  temporary_folder folder;
  using space = Kokkos::DefaultExecutionSpace;
  auto const expect = [&](auto const& instance, auto const& view, std::vector<std::uint64_t> const& shape,
                          std::vector<float> const& values) {
    upsweep::write_npy(instance, folder / "x.npy", view);
    auto const array = upsweep::read_npy(folder / "x.npy");
    EXPECT_EQ(array.shape, shape);
    EXPECT_EQ(array.as<float>(), values);
  };
  Kokkos::View<float**, Kokkos::LayoutLeft, space> const left("left", 7, 3);
  Kokkos::View<float* [3], Kokkos::LayoutRight, space> const right("right", 7);
  number(left);
  number(right);
  expect(space(), left, {7, 3}, numbers(7, 3));
  expect(space(), right, {7, 3}, numbers(7, 3));
  expect(space(), Kokkos::View<float const**, Kokkos::LayoutLeft, space>(left), {7, 3}, numbers(7, 3));
  expect(Kokkos::DefaultHostExecutionSpace(), Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), left), {7, 3},
         numbers(7, 3));
  // Rows 2 to 4, a column, and one element.
  auto const some = std::make_pair(2, 5);
  auto const rows = Kokkos::subview(right, some, Kokkos::ALL);
  auto const gaps = Kokkos::subview(left, some, std::make_pair(0, 3));
  auto const all = numbers(7, 3);
  std::vector<float> const inner(all.begin() + 6, all.begin() + 15);
  expect(space(), rows, {3, 3}, inner);
  expect(space(), gaps, {3, 3}, inner);
  expect(space(), Kokkos::subview(right, Kokkos::ALL, 1), {7}, {1, 11, 21, 31, 41, 51, 61});
  expect(space(), Kokkos::subview(left, 6, 2), {}, {62});
  expect(space(), Kokkos::View<float* [3], space>("none", 0), {0, 3}, {});
  expect(space(), Kokkos::View<float** [2][2], Kokkos::LayoutLeft, space>("four", 2, 1), {2, 1, 2, 2},
         std::vector<float>(8, 0));
}

TEST(npy_view, goes_in_pieces) {
  temporary_folder folder;
  using space = Kokkos::DefaultExecutionSpace;
  // 24 MiB: a whole piece of 16 MiB, and half of one, which begins within a row.
  std::size_t const rows = std::size_t(1) << 21;
  Kokkos::View<float* [3], Kokkos::LayoutLeft, space> const left("left", rows);
  Kokkos::View<float* [3], Kokkos::LayoutRight, space> const right("right", rows);
  number(left);
  number(right);
  auto const expected = numbers(rows, 3);
  upsweep::write_npy(space(), folder / "x.npy", left);
  EXPECT_TRUE(upsweep::read_npy(folder / "x.npy").as<float>() == expected);
  upsweep::write_npy(space(), folder / "x.npy", right);
  EXPECT_TRUE(upsweep::read_npy(folder / "x.npy").as<float>() == expected);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Rows sorted, each value once: of tables, and of functors.

#include "../oracle/message_of.hpp"
#include "row_table.hpp"

#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/pack_unique_rows.hpp>
#include <upsweep/pack/sort_and_unique_rows.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using oracle::memory;
using oracle::space;
using row_table::on_host;

template <class T>
void check_all_calls(row_table::table<T> const& in, upsweep::workspace& ws) {
  auto const expected = row_table::sorted_and_unique(in);
  space const instance;
  auto const offsets = oracle::to_device(in.offsets);
  auto const values = oracle::to_device(in.values);
  Kokkos::View<T const*, memory> const read_only = values;
  auto const found = upsweep::sort_and_unique_rows(instance, offsets, read_only);
  ASSERT_EQ(on_host(found), expected);
  EXPECT_EQ(oracle::to_host(values), in.values) << "the table has changed";
  ASSERT_EQ(on_host(upsweep::sort_and_unique_rows(instance, upsweep::lists<T>{offsets, values}, {.workspace = &ws})),
            expected);
  row_table::emit_row<T> const functor{offsets, values};
  auto const n = in.rows();
  ASSERT_EQ(on_host(upsweep::pack_unique_rows<T>(instance, n, functor, {.workspace = &ws})), expected);

  // Into memory with room for three more, which keep what they have.
  upsweep::lists<T> kept{Kokkos::View<std::size_t*, memory>("offsets", in.rows() + 1),
                         Kokkos::View<T*, memory>("values", expected.values.size() + 3)};
  row_table::table<T> with_room = expected;
  with_room.values.insert(with_room.values.end(), 3, T(7));
  oracle::fill(kept.values, T(7));
  EXPECT_EQ(
      upsweep::sort_and_unique_rows_into(instance, offsets, values, kept.offsets, kept.values, {.workspace = &ws}),
      expected.values.size());
  ASSERT_EQ(on_host(kept), with_room);
  oracle::fill(kept.values, T(7));
  EXPECT_EQ(upsweep::pack_unique_rows_into(instance, n, kept.offsets, kept.values, functor, {.workspace = &ws}),
            expected.values.size());
  ASSERT_EQ(on_host(kept), with_room);
}

template <class T>
class unique_rows : public testing::Test {};
using types = testing::Types<std::int32_t, std::int64_t, std::uint32_t, std::uint64_t, std::int16_t>;
TYPED_TEST_SUITE(unique_rows, types);

TYPED_TEST(unique_rows, are_those_of_the_standard_library) {
  upsweep::workspace ws{space{}};
  for (auto const& [name, in] : row_table::shapes<TypeParam>()) {
    SCOPED_TRACE(name);
    check_all_calls(in, ws);
  }
}

TEST(sort_and_unique_rows, offsets_of_other_types) {
  auto const in = row_table::of_lengths<int>(row_table::lengths_up_to(300));
  auto const expected = row_table::sorted_and_unique(in);
  auto const values = oracle::to_device(in.values);
  auto const with = [&](auto offset) {
    std::vector<decltype(offset)> const offsets(in.offsets.begin(), in.offsets.end());
    EXPECT_EQ(on_host(upsweep::sort_and_unique_rows(space{}, oracle::to_device(offsets), values)), expected);
  };
  with(int());
  with(unsigned());
  with(std::int64_t());
}

TEST(sort_and_unique_rows, every_run_gives_the_same) {
  auto const in = row_table::shapes<int>().back().second;
  auto const offsets = oracle::to_device(in.offsets);
  auto const values = oracle::to_device(in.values);
  auto const first = on_host(upsweep::sort_and_unique_rows(space{}, offsets, values));
  for (int run = 0; run < 5; ++run) ASSERT_EQ(on_host(upsweep::sort_and_unique_rows(space{}, offsets, values)), first);
}

/// Teams sort all rows in memory: what GPUs without warps do, and all GPUs with long rows.
template <class T>
void check_teams(row_table::table<T> const& in) {
  namespace detail = upsweep::pack::detail;
  auto const expected = row_table::sorted_and_unique(in);
  auto const offsets = oracle::to_device(in.offsets);
  auto const values = oracle::to_device(in.values);
  using table = detail::table_rows<T, std::size_t>;
  EXPECT_EQ(on_host(detail::unique_rows_call<T, space, table, detail::short_rows_by::nobody>(
                        space{}, table{values.data(), offsets.data()}, in.rows(), {}, "test")
                        .pack()),
            expected);
  using emitted = detail::functor_rows<row_table::emit_row<T>>;
  EXPECT_EQ(on_host(detail::unique_rows_call<T, space, emitted, detail::short_rows_by::nobody>(
                        space{}, emitted{{offsets, values}}, in.rows(), {}, "test")
                        .pack()),
            expected);
}

TEST(sort_and_unique_rows, teams_sort_rows_in_memory) {
  auto lengths = row_table::lengths_up_to(2048);
  lengths.push_back(131073);
  check_teams(row_table::of_lengths<int>(lengths));
  check_teams(row_table::of_lengths<std::uint64_t>(lengths));
}

TEST(sort_and_unique_rows, wrong_offsets_name_the_row_before_anything_is_written) {
  auto const values = oracle::to_device(oracle::random_values<int>(100, 0, 9));
  upsweep::workspace ws{space{}};
  auto const refused = [&](auto const& offsets) {
    Kokkos::View<std::size_t*, memory> const out_offsets("offsets", offsets.size());
    Kokkos::View<int*, memory> const out("values", 100);
    oracle::fill(out_offsets, std::size_t(5));
    oracle::fill(out, 5);
    auto const in = oracle::to_device(offsets);
    auto const into = oracle::message_of<upsweep::precondition_error>(
        [&] { upsweep::sort_and_unique_rows_into(space{}, in, values, out_offsets, out, {.workspace = &ws}); });
    EXPECT_EQ(oracle::to_host(out_offsets), std::vector<std::size_t>(offsets.size(), 5));
    EXPECT_EQ(oracle::to_host(out), std::vector<int>(100, 5));
    auto const what =
        oracle::message_of<upsweep::precondition_error>([&] { upsweep::sort_and_unique_rows(space{}, in, values); });
    EXPECT_EQ(into, what.substr(0, 20) + "_into" + what.substr(20));
    return what;
  };
  using offsets = std::vector<std::size_t>;
  EXPECT_EQ(refused(offsets{0, 10, 7, 100}),
            "sort_and_unique_rows: offsets(2) is wrong, the end of row 1: it is less than the one before, or more than "
            "the 100 values");
  EXPECT_NE(refused(offsets{1, 10, 20}).find("offsets(0) is wrong: it is not 0"), std::string::npos);
  EXPECT_NE(refused(offsets{0, 10, 101}).find("offsets(2) is wrong, the end of row 1"), std::string::npos);
  EXPECT_NE(refused(offsets{0, 10, std::numeric_limits<std::size_t>::max(), 20}).find("offsets(2)"), std::string::npos);
  EXPECT_NE(refused(std::vector<int>{0, -1, 20, 3}).find("the end of row 0"), std::string::npos);
  EXPECT_NE(refused(std::vector<std::int64_t>{0, 4, -1, 20}).find("the end of row 1"), std::string::npos);
  // The first of many.
  offsets many(200001, 100);
  many[0] = 0;
  many[70000] = 3;
  many[150000] = 3;
  EXPECT_NE(refused(many).find("offsets(70000) is wrong, the end of row 69999"), std::string::npos);
  EXPECT_NE(refused(offsets{}).find("offsets has no entries"), std::string::npos);
  // The workspace is as good as new.
  auto const in = row_table::of_lengths<int>({3, 0, 50});
  EXPECT_EQ(on_host(upsweep::sort_and_unique_rows(space{}, oracle::to_device(in.offsets), oracle::to_device(in.values),
                                                  {.workspace = &ws})),
            row_table::sorted_and_unique(in));
}

TEST(sort_and_unique_rows, values_may_be_longer_than_the_rows) {
  auto const offsets = oracle::to_device<std::size_t>({0, 3, 3, 5});
  auto const values = oracle::to_device<int>({7, 2, 7, 5, 4, -1, -1});
  row_table::table<int> const expected{{0, 2, 2, 4}, {2, 7, 4, 5}};
  EXPECT_EQ(on_host(upsweep::sort_and_unique_rows(space{}, offsets, values)), expected);
}

TEST(sort_and_unique_rows, outputs_are_checked) {
  auto const offsets = oracle::to_device<std::size_t>({0, 3, 3, 5});
  auto const values = oracle::to_device<int>({7, 2, 7, 5, 4});
  Kokkos::View<std::size_t*, memory> const out_offsets("offsets", 4), short_offsets("offsets", 3);
  Kokkos::View<int*, memory> const out("values", 5), three("values", 3);
  auto const into = [&](auto const& to_offsets, auto const& to) {
    return [&] { upsweep::sort_and_unique_rows_into(space{}, offsets, values, to_offsets, to); };
  };
  EXPECT_EQ(oracle::message_of<upsweep::precondition_error>(into(short_offsets, out)),
            "sort_and_unique_rows_into: out_offsets has 3 entries, offsets has 4");
  EXPECT_NE(
      oracle::message_of<upsweep::precondition_error>(into(out_offsets, values)).find("values and out_values overlap"),
      std::string::npos);
  EXPECT_NE(oracle::message_of<upsweep::precondition_error>(into(offsets, out)).find("offsets and out_offsets overlap"),
            std::string::npos);
  // No room: the offsets are right, and nothing else is written.
  oracle::fill(three, 9);
  EXPECT_EQ(oracle::message_of<upsweep::overflow_error>(into(out_offsets, three)),
            "sort_and_unique_rows_into: the rows have 4 different values, but the output has room for 3");
  EXPECT_EQ(oracle::to_host(out_offsets), (std::vector<std::size_t>{0, 2, 2, 4}));
  EXPECT_EQ(oracle::to_host(three), (std::vector<int>{9, 9, 9}));
}

TEST(sort_and_unique_rows, budget) {
  auto const with = [](std::size_t length, std::size_t budget) {
    auto const in = row_table::of_lengths<int>({3, length});
    return oracle::message_of<upsweep::out_of_memory_error>([&] {
      upsweep::sort_and_unique_rows(space{}, oracle::to_device(in.offsets), oracle::to_device(in.values),
                                    {.memory_budget = budget});
    });
  };
  EXPECT_EQ(with(30, 0).substr(0, 36), "sort_and_unique_rows: counting needs");
  EXPECT_EQ(with(30, 100000), "nothing thrown");
  EXPECT_EQ(with(100000, 300000).substr(0, 45), "sort_and_unique_rows: sorting long rows needs");
  EXPECT_EQ(with(100000, 500000), "nothing thrown");
  EXPECT_EQ(with(200000, 1600000).substr(0, 45), "sort_and_unique_rows: sorting long rows needs");
  EXPECT_EQ(with(200000, 3000000), "nothing thrown");
}

/// Row i has `records` records; some rows are not what they should be.
struct misbehaving {
  Kokkos::View<int*, memory> calls;
  int records;
  bool fails, impure;
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<int> const& emit) const {
    int const call = Kokkos::atomic_fetch_add(&calls(i), 1);
    if (fails && i >= 77) emit.fail(5);
    for (int k = 0; k < records + (impure && i >= 30 ? call : 0); ++k) emit(k);
  }
};

TEST(pack_unique_rows, functors_that_fail_or_are_not_pure) {
  auto const with = [](int records, bool fails) {
    misbehaving const functor{Kokkos::View<int*, memory>("calls", 100), records, fails, !fails};
    auto const call = [&] { upsweep::pack_unique_rows<int>(space{}, 100, functor); };
    return fails ? oracle::message_of<upsweep::user_failure_error>(call)
                 : oracle::message_of<upsweep::count_mismatch_error>(call);
  };
  for (int records : {3, 60, 1000, 20000}) {
    EXPECT_EQ(with(records, true), "pack_unique_rows: row 77 failed with code 5") << records;
    EXPECT_EQ(with(records, false).substr(0, 38), "pack_unique_rows: row 30 emitted a dif") << records;
  }
  EXPECT_EQ(oracle::message_of<upsweep::precondition_error>(
                [] { upsweep::pack_unique_rows<int>(space{}, -1, misbehaving{{}, 0, false, false}); }),
            "pack_unique_rows: n = -1 is negative");
}

/// Hexahedra, eight nodes each.
struct hex_mesh {
  int cells, points = cells + 1;

  KOKKOS_FUNCTION int node(int element, int corner) const {
    int const x = element % cells, y = element / cells % cells, z = element / cells / cells;
    return ((z + corner / 4) * points + y + corner / 2 % 2) * points + x + corner % 2;
  }
};

/// The nodes of a node's elements.
struct nodes_around {
  hex_mesh mesh;
  Kokkos::View<int const*, memory> first_element, elements;
  KOKKOS_FUNCTION void operator()(std::size_t node, upsweep::emitter<int> const& emit) const {
    for (int k = first_element(node); k < first_element(node + 1); ++k)
      for (int corner = 0; corner < 8; ++corner) emit(mesh.node(elements(k), corner));
  }
};

/// What pack.md shows: from elements to the graph of nodes.
TEST(pack_unique_rows, graph_of_a_mesh) {
  hex_mesh const mesh{7};
  int const nodes = mesh.points * mesh.points * mesh.points, elements = mesh.cells * mesh.cells * mesh.cells;
  std::vector<int> table, first(std::size_t(nodes) + 1), next, around(std::size_t(elements) * 8);
  for (int e = 0; e < elements; ++e)
    for (int corner = 0; corner < 8; ++corner) table.push_back(mesh.node(e, corner));
  for (int node : table) ++first[std::size_t(node) + 1];
  for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
  next = first;
  for (std::size_t k = 0; k < table.size(); ++k) around[std::size_t(next[std::size_t(table[k])]++)] = int(k / 8);
  auto const graph = on_host(upsweep::pack_unique_rows<int>(
      space{}, nodes, nodes_around{mesh, oracle::to_device(first), oracle::to_device(around)}));
  // A node's neighbours are the points of the lattice around it.
  row_table::table<int> expected;
  int const p = mesh.points;
  for (int node = 0; node < nodes; ++node) {
    std::vector<int> row;
    for (int other = 0; other < nodes; ++other)
      if (std::abs(other % p - node % p) <= 1 && std::abs(other / p % p - node / p % p) <= 1 &&
          std::abs(other / p / p - node / p / p) <= 1)
        row.push_back(other);
    expected.add(row);
  }
  EXPECT_EQ(graph, expected);
}

}  // namespace

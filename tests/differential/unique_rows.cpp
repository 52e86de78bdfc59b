// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Rows of random lengths and values, sorted, each value once: of a table or of a functor.

#include "../pack/row_table.hpp"
#include "array.hpp"
#include "operations.hpp"

#include <upsweep/pack/pack_unique_rows.hpp>
#include <upsweep/pack/sort_and_unique_rows.hpp>

namespace differential {
namespace {

std::size_t row_length(trial& t, std::size_t shape) {
  switch (shape) {
    case 0: return t.below(4);
    case 1: return t.below(200);
    case 2: return t.one_in(50) ? t.below(9000) : t.below(70);
    default: return t.one_in(3) ? 0 : t.below(30);
  }
}

template <class T>
row_table::table<T> some_table(trial& t) {
  auto const shape = t.below(4);
  t.note("shape", shape);
  std::size_t const rows = t.size(shape == 0 ? 100000 : 2000);
  bool const any_bits = t.one_in(3), has_huge_row = t.one_in(8);
  t.note("any_bits", any_bits);
  std::size_t const values = 1 + t.below(100), huge = t.below(rows + 1);
  row_table::table<T> in;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<T> row(has_huge_row && i == huge ? t.below(300000) : row_length(t, shape));
    for (auto& x : row) x = static_cast<T>(any_bits ? t.random()() : t.below(values));
    in.add(row);
  }
  return in;
}

template <class T>
void sort_rows(trial& t) {
  auto const in = some_table<T>(t);
  auto const expected = row_table::sorted_and_unique(in);
  auto const offsets = oracle::to_device(in.offsets);
  auto const values = oracle::to_device(in.values);
  upsweep::unique_rows_options const options{.workspace = t.workspace()};
  auto const rows = in.rows();
  row_table::emit_row<T> const functor{offsets, values};
  auto const form = t.below(4);
  t.note("form", form);
  if (form < 2) {
    auto const found = form == 0 ? upsweep::sort_and_unique_rows(t.space(), offsets, values, options)
                                 : upsweep::pack_unique_rows<T>(t.space(), rows, functor, options);
    if (row_table::on_host(found) != expected) throw mismatch("the rows are wrong");
    return;
  }
  array_maker const make{t, false};
  auto out_offsets = make(std::vector<std::size_t>(in.rows() + 1));
  auto out = make(std::vector<T>(expected.values.size()));
  auto const total = form == 2 ? upsweep::sort_and_unique_rows_into(t.space(), offsets, values,
                                                                    out_offsets.contiguous(), out.contiguous(), options)
                               : upsweep::pack_unique_rows_into(t.space(), rows, out_offsets.contiguous(),
                                                                out.contiguous(), functor, options);
  t.expect_equal(total, expected.values.size(), "the total");
  out_offsets.expect(expected.offsets, "the offsets");
  out.expect(expected.values, "the values");
}

}  // namespace

std::vector<operation> unique_rows() {
  return {{"unique_rows_int32", sort_rows<std::int32_t>}, {"unique_rows_uint64", sort_rows<std::uint64_t>}};
}

}  // namespace differential

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Packing records of your own: every item emits as many as it likes, and they lie one behind the other.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/pack/pack_lists.hpp>

#include <cstddef>
#include <cstdlib>
#include <ostream>
#include <vector>

struct record {
  char object;
  int number;

  friend bool operator==(record const&, record const&) = default;
  friend std::ostream& operator<<(std::ostream& out, record const& r) { return out << r.object << r.number; }
};

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Kokkos::DefaultExecutionSpace const space;

  // The picture of the slides: A has three records, B two, C none, D one and E two.
  auto const counts = example::to_device<int>({3, 2, 0, 1, 2});
  auto const emit_records = KOKKOS_LAMBDA(std::size_t i, upsweep::emitter<record> const& emit) {
    for (int k = 0; k < counts(i); ++k) emit(record{static_cast<char>('A' + i), k});
  };
  auto const packed = upsweep::pack_lists<record>(space, 5, emit_records);
  example::expect("offsets", upsweep::to_host(space, packed.offsets), {0, 3, 5, 5, 6, 8});
  example::expect("records", upsweep::to_host(space, packed.values),
                  {{'A', 0}, {'A', 1}, {'A', 2}, {'B', 0}, {'B', 1}, {'D', 0}, {'E', 0}, {'E', 1}});

  // The motivating problem of the slides: for every object, those that differ by less than some amount.
  std::size_t const n = 20'000, amount = 5;
  auto const near = KOKKOS_LAMBDA(std::size_t i, upsweep::emitter<int> const& emit) {
    // The objects are the numbers 0, 1, 3, 6, 10, ..., modulo n.
    std::size_t const mine = i * (i + 1) / 2 % n;
    for (std::size_t j = i > 50 ? i - 50 : 0; j < i + 50 && j < n; ++j) {
      std::size_t const other = j * (j + 1) / 2 % n;
      if (j != i && other < mine + amount && mine < other + amount) emit(static_cast<int>(j));
    }
  };
  // In two steps: how much memory it takes is known before it is taken.
  auto const plan = upsweep::count_lists<int>(space, n, near);
  std::cout << plan.total << " near objects in " << plan.bytes() << " bytes, at most " << plan.largest_row
            << " in a row\n";
  auto const lists = upsweep::emit_lists(space, plan, near);

  auto const offsets = upsweep::to_host(space, lists.offsets);
  auto const values = upsweep::to_host(space, lists.values);
  std::vector<std::size_t> expected_offsets{0};
  std::vector<int> expected;
  auto const object = [](std::size_t k) { return static_cast<int>(k * (k + 1) / 2 % n); };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i > 50 ? i - 50 : 0; j < i + 50 && j < n; ++j)
      if (j != i && std::abs(object(j) - object(i)) < static_cast<int>(amount)) expected.push_back(static_cast<int>(j));
    expected_offsets.push_back(expected.size());
  }
  example::confirm("the lists are those of two loops", offsets == expected_offsets && values == expected);
  return example::exit_code();
}

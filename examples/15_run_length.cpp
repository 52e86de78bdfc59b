// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Run-length coding and back: a scan of the lengths says where each run begins, and load_balance of which run each
// character is.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/pack/load_balance.hpp>
#include <upsweep/pack/run_length.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>

#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

struct coded {
  std::vector<char> values;
  std::vector<int> lengths;
};

coded encode(std::vector<char> const& text) {
  Kokkos::DefaultExecutionSpace const space;
  // Room for as many runs as there can be.
  Kokkos::View<char*> const values("values", text.size());
  Kokkos::View<int*> const lengths("lengths", text.size());
  auto const runs = upsweep::run_length(space, example::to_device(text), values, lengths);
  auto const first = std::make_pair(std::size_t(0), static_cast<std::size_t>(runs));
  return {upsweep::to_host(space, Kokkos::subview(values, first)),
          upsweep::to_host(space, Kokkos::subview(lengths, first))};
}

std::vector<char> decode(coded const& code) {
  Kokkos::DefaultExecutionSpace const space;
  auto const values = example::to_device(code.values);
  auto const lengths = example::to_device(code.lengths);
  Kokkos::View<int*> const offsets("offsets", lengths.extent(0) + 1);
  std::size_t total = 0;
  upsweep::counts_to_offsets(space, lengths, offsets, upsweep::into{total});
  Kokkos::View<int*> const runs("runs", total);
  upsweep::load_balance(space, offsets, runs);
  Kokkos::View<char*> const text("text", total);
  Kokkos::parallel_for(
      "decode", Kokkos::RangePolicy<>(space, 0, total), KOKKOS_LAMBDA(std::size_t i) { text(i) = values(runs(i)); });
  return upsweep::to_host(space, text);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);

  std::string const line = "wwwwwwwwwbbbwwwwbwwwwwwww";
  auto const code = encode({line.begin(), line.end()});
  std::cout << line << '\n';
  example::expect("runs of", code.values, {'w', 'b', 'w', 'b', 'w'});
  example::expect("lengths", code.lengths, {9, 3, 4, 1, 8});
  auto const again = decode(code);
  example::expect("decoded", std::string(again.begin(), again.end()), line);

  // A long text with runs of random lengths, some of which meet and become one.
  std::mt19937 random(1);
  std::vector<char> text;
  while (text.size() < 1'000'000) text.insert(text.end(), 1 + random() % 2000, "abc"[random() % 3]);
  coded expected;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 0 || text[i] != text[i - 1]) {
      expected.values.push_back(text[i]);
      expected.lengths.push_back(0);
    }
    ++expected.lengths.back();
  }
  auto const found = encode(text);
  example::confirm("a million characters have the runs of a loop",
                   found.values == expected.values && found.lengths == expected.lengths);
  example::confirm("decoded they are the same", decode(found) == text);
  return example::exit_code();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Message buffers: one piece of memory for many channels, each with room for just its messages, and each aligned.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>

#include <cstddef>
#include <random>
#include <vector>

constexpr int aligned_to = 4;  // a channel's messages begin at a multiple of so many
constexpr int nobody = -1;     // what is in the gaps

struct buffers {
  std::vector<int> begins;    // where each channel's messages begin, and the end of all
  std::vector<int> messages;  // of all channels, with gaps
};

/// Message i, of the value i, goes to channel channels[i]. Messages of a channel stay in order.
buffers fill(std::vector<int> const& channels, int channel_count) {
  Kokkos::DefaultExecutionSpace const space;
  auto const keys = example::to_device(channels);
  std::size_t const n = channels.size();
  Kokkos::View<int*> const counts("counts", channel_count), offsets("offsets", channel_count + 1),
      begins("begins", channel_count + 1), messages("messages", n);

  // How many messages each channel has, without gaps and with them.
  upsweep::histogram(space, keys, counts, offsets);
  std::size_t total = 0;
  upsweep::counts_to_offsets(
      space, KOKKOS_LAMBDA(std::size_t c) { return (counts(c) + aligned_to - 1) / aligned_to * aligned_to; }, begins,
      upsweep::into{total});

  // The sort is stable: it puts the messages of a channel side by side, in their order.
  Kokkos::parallel_for(
      "number", Kokkos::RangePolicy<>(space, 0, n),
      KOKKOS_LAMBDA(std::size_t i) { messages(i) = static_cast<int>(i); });
  upsweep::sort_by_key(space, keys, messages);
  Kokkos::View<int*> const buffer("buffer", total);
  Kokkos::deep_copy(space, buffer, nobody);
  Kokkos::parallel_for(
      "place", Kokkos::RangePolicy<>(space, 0, n), KOKKOS_LAMBDA(std::size_t i) {
        int const c = keys(i);
        buffer(begins(c) + static_cast<int>(i) - offsets(c)) = messages(i);
      });
  return {upsweep::to_host(space, begins), upsweep::to_host(space, buffer)};
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);

  auto const small = fill({2, 0, 2, 3, 0, 2, 0, 2, 2, 0}, 4);
  example::expect("channels begin at", small.begins, {0, 4, 4, 12, 16});
  example::expect("messages", small.messages, {1, 4, 6, 9, 0, 2, 5, 7, 8, -1, -1, -1, 3, -1, -1, -1});

  std::mt19937 random(1);
  std::vector<int> channels;
  for (int i = 0; i < 200'000; ++i) channels.push_back(static_cast<int>(random() % 1000));
  auto const found = fill(channels, 1000);
  std::vector<std::vector<int>> expected(1000);
  for (std::size_t i = 0; i < channels.size(); ++i) expected[channels[i]].push_back(static_cast<int>(i));
  bool is_right = found.begins[0] == 0;
  for (std::size_t c = 0; c < 1000; ++c) {
    while (expected[c].size() % aligned_to != 0) expected[c].push_back(nobody);
    std::vector<int> const mine(found.messages.begin() + found.begins[c], found.messages.begin() + found.begins[c + 1]);
    is_right = is_right && mine == expected[c];
  }
  example::confirm("1000 channels have their messages in order", is_right);
  return example::exit_code();
}

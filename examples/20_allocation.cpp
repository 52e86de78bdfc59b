// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// Allocation: everyone says how much they want, and a scan says what is theirs. A sandwich, camp slots, market space,
// and one piece of memory for the messages of many channels.

#include "example.hpp"

#include <upsweep/base/fetch.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/histogram.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/scan/counts_to_offsets.hpp>
#include <upsweep/scan/exclusive_scan.hpp>
#include <upsweep/scan/inclusive_scan.hpp>

#include <cstddef>
#include <random>
#include <vector>

using space_type = Kokkos::DefaultExecutionSpace;

/// The sandwich of the lecture: 100 inches for 10 people. Where to cut?
void cut_a_sandwich() {
  space_type const space;
  std::vector<int> const wanted{3, 5, 2, 7, 28, 4, 3, 0, 8, 1};
  Kokkos::View<int*> const cuts("cuts", wanted.size());
  int total = 0;
  upsweep::inclusive_scan(space, example::to_device(wanted), cuts, upsweep::into{total});
  example::print("inches of a sandwich", wanted);
  example::expect("cut at", upsweep::to_host(space, cuts), {3, 8, 10, 17, 45, 49, 52, 52, 60, 61});
  example::expect("inches left", 100 - total, 39);
}

/// A camp with 20 slots in a row: groups get slots side by side, in the order of their arrival, as long as there are
/// enough. Those for whom there are not are turned away.
void assign_camp_slots() {
  space_type const space;
  int const slots = 20;
  auto const wanted = example::to_device<int>({4, 3, 7, 9, 2, 3});
  Kokkos::View<int*> const first("first", wanted.extent(0)), turned_away("turned away", wanted.extent(0));
  upsweep::exclusive_scan(space, wanted, first);
  auto const count = upsweep::compact_indices(
      space, wanted.extent(0), turned_away, KOKKOS_LAMBDA(std::size_t i) { return first(i) + wanted(i) > slots; });
  example::expect("first slot of each group", upsweep::to_host(space, first), {0, 4, 7, 14, 23, 25});
  auto groups = upsweep::to_host(space, turned_away);
  groups.resize(count);
  example::expect("groups that find no room", groups, {3, 4, 5});
}

/// A market: stalls of different widths, in centimetres. Each begins at a full metre, so what is scanned is computed
/// from what is wanted.
void assign_market_space() {
  space_type const space;
  auto const widths = example::to_device<int>({250, 100, 420, 90, 300});
  Kokkos::View<int*> const metres("metres", widths.extent(0));
  int length = 0;
  upsweep::exclusive_scan(
      space, KOKKOS_LAMBDA(std::size_t i) { return (widths(i) + 99) / 100; }, metres, upsweep::into{length});
  example::expect("stalls begin at metre", upsweep::to_host(space, metres), {0, 3, 4, 9, 10});
  example::expect("metres in all", length, 13);
}

constexpr int aligned_to = 4;  // a channel's messages begin at a multiple of so many
constexpr int nobody = -1;     // what is in the gaps

struct buffers {
  std::vector<int> begins;    // where each channel's messages begin, and the end of all
  std::vector<int> messages;  // of all channels, with gaps
};

/// Message i, of the value i, goes to channel channels[i]. Each has room for just its messages, which stay in order.
buffers fill_buffers(std::vector<int> const& channels, int channel_count) {
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

/// Checks the buffers of a few channels, and of many.
void allocate_message_buffers() {
  auto const small = fill_buffers({2, 0, 2, 3, 0, 2, 0, 2, 2, 0}, 4);
  example::expect("channels begin at", small.begins, {0, 4, 4, 12, 16});
  example::expect("messages", small.messages, {1, 4, 6, 9, 0, 2, 5, 7, 8, -1, -1, -1, 3, -1, -1, -1});

  std::mt19937 random(1);
  std::vector<int> channels;
  for (int i = 0; i < 200'000; ++i) channels.push_back(static_cast<int>(random() % 1000));
  auto const found = fill_buffers(channels, 1000);
  std::vector<std::vector<int>> expected(1000);
  for (std::size_t i = 0; i < channels.size(); ++i) expected[channels[i]].push_back(static_cast<int>(i));
  bool is_right = found.begins[0] == 0;
  for (std::size_t c = 0; c < 1000; ++c) {
    while (expected[c].size() % aligned_to != 0) expected[c].push_back(nobody);
    std::vector<int> const mine(found.messages.begin() + found.begins[c], found.messages.begin() + found.begins[c + 1]);
    is_right = is_right && mine == expected[c];
  }
  example::confirm("1000 channels have their messages in order", is_right);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  cut_a_sandwich();
  assign_camp_slots();
  assign_market_space();
  allocate_message_buffers();
  return example::exit_code();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The look-back protocol run by threads, each a team of one, for the thread sanitizer. Exit code 1 for a wrong
// result; the sanitizer ends the program with its own code at the first race. Threads are OpenMP's where
// UPSWEEP_TSAN_OPENMP is set.

#include "../oracle/monoids.hpp"

#include <upsweep/scan/detail/hand_over/decoupled_look_back.hpp>

#include <cstdio>
#include <thread>
#include <vector>

namespace {

namespace detail = upsweep::scan::detail;

using prefixes = detail::decoupled_look_back<oracle::adjacent_only, upsweep::internal::one_lane>;

constexpr std::size_t tile_size = 50;

oracle::run fold(std::vector<oracle::run> const& in, std::size_t tile) {
  oracle::adjacent_only const op;
  oracle::run sum = op.identity();
  for (std::size_t i = tile * tile_size; i < (tile + 1) * tile_size; ++i) sum = op(sum, in[i]);
  return sum;
}

void scan_tiles(prefixes const& shared, std::vector<oracle::run> const& in, std::vector<oracle::run>& out,
                std::size_t calls_of_this_thread) {
  oracle::adjacent_only const op;
  for (std::size_t k = 0; k < calls_of_this_thread; ++k) {
    std::size_t const tile = Kokkos::atomic_fetch_add(&shared.control->ticket, std::uint64_t(1));
    auto const epoch = static_cast<std::uint32_t>(upsweep::compat::load_word(&shared.control->epoch));
    if (tile % 7 == 3) std::this_thread::yield();  // some owners are slow: others fall back
    shared.publish(tile, epoch, fold(in, tile));
    oracle::run running =
        shared.wait_for_prefix(tile, epoch, op, oracle::run{0, 1}, 0, [&](std::size_t t) { return fold(in, t); })
            .exclusive;
    for (std::size_t i = tile * tile_size; i < (tile + 1) * tile_size; ++i) {
      out[i] = running;
      running = op(running, in[i]);
    }
    shared.finish(shared.tiles, epoch, 0);
  }
}

/// Runs body on as many threads at once.
template <class Body>
void run_threads(int threads, Body const& body) {
#if defined(UPSWEEP_TSAN_OPENMP)
#pragma omp parallel num_threads(threads)
  body();
#else
  std::vector<std::thread> team;
  for (int t = 0; t < threads; ++t) team.emplace_back(body);
  for (auto& t : team) t.join();
#endif
}

int check(int threads, int polls) {
  std::size_t const per_thread = 60, tiles = per_thread * static_cast<std::size_t>(threads), n = tiles * tile_size;
  std::vector<oracle::run> in(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = {std::int64_t(i) + 1, std::int64_t(i) + 2};
  std::vector<std::uint64_t> region(detail::control_words + prefixes::words(tiles));
  prefixes const shared{reinterpret_cast<detail::look_back_control*>(region.data()),
                        region.data() + detail::control_words,
                        tiles,
                        prefixes::words(tiles),
                        3,
                        polls,
                        false};
  for (int call = 0; call < 10; ++call) {
    std::vector<oracle::run> out(n);
    run_threads(threads, [&] { scan_tiles(shared, in, out, per_thread); });
    for (std::size_t i = 0; i < n; ++i)
      if (!(out[i] == oracle::run{0, std::int64_t(i) + 1})) {
        std::printf("%d threads, call %d: wrong at %zu\n", threads, call, i);
        return 1;
      }
  }
  return 0;
}

}  // namespace

int main() {
  for (int threads : {1, 2, 3, 8})
    for (int polls : {1, 1000})
      if (check(threads, polls) != 0) return 1;
  std::puts("look-back protocol: right on 1, 2, 3 and 8 threads");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors

// The relay of prefixes between threads of the host, for the thread sanitizer: groups by ticket and groups by thread, many more
// than the relay has slots. Exit code 1 for a wrong result.

#include "../oracle/monoids.hpp"

#include <upsweep/scan/detail/prefix_relay.hpp>

#include <cstdio>
#include <thread>
#include <vector>

namespace {

using relay = upsweep::detail::prefix_relay<oracle::run>;

void work_on(relay& r, std::size_t group, std::vector<oracle::run>& prefixes) {
  if (group % 7 == 3) std::this_thread::yield();
  oracle::adjacent_only const op;
  oracle::run const prefix = group == 0 ? oracle::run{0, 1} : r.receive(group);
  auto const g = static_cast<std::int64_t>(group);
  if (group + 1 < prefixes.size()) r.send(group + 1, op(prefix, oracle::run{g + 1, g + 2}));
  prefixes[group] = prefix;
}

bool check(std::size_t threads, bool ticketed) {
  std::vector<oracle::run> prefixes(ticketed ? 1000 : threads);
  relay r;
  std::vector<std::thread> team;
  for (std::size_t t = 0; t < threads; ++t)
    team.emplace_back([&, t] {
      if (!ticketed) return work_on(r, t, prefixes);
      for (std::size_t group = r.take(); group < prefixes.size(); group = r.take()) work_on(r, group, prefixes);
    });
  for (auto& thread : team) thread.join();
  for (std::size_t g = 0; g < prefixes.size(); ++g)
    if (!(prefixes[g] == oracle::run{0, static_cast<std::int64_t>(g) + 1})) {
      std::printf("%zu threads, ticketed %d: wrong at %zu\n", threads, int(ticketed), g);
      return false;
    }
  return true;
}

}  // namespace

int main() {
  for (std::size_t threads : {1, 2, 3, 8})
    for (int call = 0; call < 5; ++call)
      if (!check(threads, true) || !check(threads, false)) return 1;
  std::puts("prefix relay: right on 1, 2, 3 and 8 threads");
}

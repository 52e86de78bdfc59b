// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "measure.hpp"

#include <upsweep/mpi/sort.hpp>
#include <upsweep/pack/sort.hpp>

#include <vector>

namespace perf::ranks {
namespace {

using words = Kokkos::View<std::uint32_t*, memory>;

/// Random keys, and their places as values.
struct fill_pairs {
  words keys, values;
  bool has_values;
  std::uint64_t first;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    auto const k = static_cast<std::size_t>(i);
    keys(k) = static_cast<std::uint32_t>(mix(first + k));
    if (has_values) values(k) = static_cast<std::uint32_t>(first + k);
  }
};
/// What is wrong on one rank: an order, or a value that is not its key's.
struct count_wrong {
  words keys, values;
  bool has_values;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::uint64_t& wrong) const {
    auto const k = static_cast<std::size_t>(i);
    if (k > 0 && keys(k) < keys(k - 1)) ++wrong;
    if (!has_values) return;
    if (static_cast<std::uint32_t>(mix(values(k))) != keys(k)) ++wrong;
    if (k > 0 && keys(k) == keys(k - 1) && values(k) <= values(k - 1)) ++wrong;
  }
};
struct add_keys {
  words keys;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::uint64_t& sum) const {
    sum += mix(keys(static_cast<std::size_t>(i)));
  }
};

enum class call { distributed, plain };

class sorted_pairs {
 public:
  sorted_pairs(mpi::communicator const& comm, std::size_t n, bool has_values)
      : comm_(comm),
        first_(begin_of_share(n, comm.rank(), comm.size())),
        own_(begin_of_share(n, comm.rank() + 1, comm.size()) - first_),
        has_values_(has_values),
        keys_(make_view<words>(instance_, "keys", own_)),
        values_(make_view<words>(instance_, "values", has_values ? own_ : 0)),
        workspace_(instance_) {
    fill();
    sum_ = sum_of_ranks(comm_, sum_of(instance_, own_, add_keys{keys_}));
  }

  space const& instance() const { return instance_; }
  /// The sort gives each rank as many as it had, so there is place for them again.
  void fill() const { for_each_index(instance_, own_, fill_pairs{keys_, values_, has_values_, first_}); }
  void sort(call which) {
    upsweep::sort_options const options{.workspace = &workspace_};
    if (which == call::plain && has_values_) upsweep::sort_by_key(instance_, keys_, values_, options);
    else if (which == call::plain) upsweep::sort(instance_, keys_, options);
    else if (has_values_) mpi::sort_by_key(comm_, instance_, keys_, values_, options);
    else mpi::sort(comm_, instance_, keys_, options);
  }
  bool is_right() const {
    // All ranks make the same calls, also where one of them has a wrong result.
    std::uint64_t const wrong = keys_.extent(0) == own_ ? 0 : 1;
    if (sum_of_ranks(comm_, wrong) != 0) return false;
    if (sum_of_ranks(comm_, sum_of(instance_, own_, add_keys{keys_})) != sum_) return false;
    std::uint32_t ends[2] = {0, 0};
    for (int e = 0; e < 2 && own_ > 0; ++e) Kokkos::deep_copy(ends[e], Kokkos::subview(keys_, e == 0 ? 0 : own_ - 1));
    std::vector<std::uint32_t> all(2 * static_cast<std::size_t>(comm_.size()));
    mpi::check(comm_, MPI_Allgather(ends, 2, MPI_UINT32_T, all.data(), 2, MPI_UINT32_T, comm_.get()), "MPI_Allgather");
    bool right = sum_of(instance_, own_, count_wrong{keys_, values_, has_values_}) == 0;
    for (std::size_t r = 1; r < all.size() / 2; ++r) right = right && all[2 * r - 1] <= all[2 * r];
    return right;
  }

 private:
  mpi::communicator comm_;
  space instance_;
  std::size_t first_, own_;
  bool has_values_;
  words keys_, values_;
  upsweep::workspace workspace_;
  std::uint64_t sum_ = 0;
};

void run(benchmark::State& state, mpi::communicator const& comm, std::size_t n, call which, bool has_values) {
  sorted_pairs pairs(comm, n, has_values);
  time_on_ranks(
      state, comm, pairs.instance(), 1, (has_values ? 16.0 : 8.0) * static_cast<double>(n), [&] { pairs.fill(); },
      [&] { pairs.sort(which); }, [&] { return pairs.is_right(); });
}

}  // namespace

void add_sorts(session const& s) {
  for (bool const has_values : {false, true}) {
    char const* const operation = has_values ? "sort_by_key" : "sort";
    if (!wanted(s, operation)) continue;
    auto const of = [has_values](call which) {
      return [which, has_values](benchmark::State& state, mpi::communicator const& comm, std::size_t n) {
        run(state, comm, n, which, has_values);
      };
    };
    for (std::size_t const n : s.sizes) {
      // Values are places of 32 bits.
      if (has_values && n > std::size_t(1) << 32) continue;
      double const bytes = (has_values ? 8.0 : 4.0) * static_cast<double>(n);
      if (s.all.size() > 1 && has_memory(s, on_all_ranks(s), operation, n, 4 * bytes / s.all.size()))
        add_on_all(s, on_all_ranks(s), operation, "uint32", n, of(call::distributed));
      if (!has_memory(s, on_one_rank, operation, n, 2.5 * bytes)) continue;
      add_on_first(s, on_one_rank, operation, "uint32", n, of(call::distributed));
      add_on_first(s, without_ranks, operation, "uint32", n, of(call::plain));
    }
  }
}

}  // namespace perf::ranks

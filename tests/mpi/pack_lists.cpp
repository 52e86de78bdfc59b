// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "testing.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/mpi/pack_lists.hpp>

#include <type_traits>

using namespace testing_mpi;
namespace mpi = upsweep::mpi;

namespace {

/// Row i of a rank has (3 i + rank) % 5 records that say where they come from.
struct tagged_records {
  int rank;
  KOKKOS_FUNCTION void operator()(std::size_t i, upsweep::emitter<std::int64_t> const& emit) const {
    auto const row = static_cast<std::int64_t>(i);
    for (std::int64_t k = 0; k < (3 * row + rank) % 5; ++k) emit(rank * 1000000 + row * 10 + k);
  }
  template <class Other>
    requires(!std::is_same_v<Other, std::size_t>)
  void operator()(Other, upsweep::emitter<std::int64_t> const&) const = delete;  // indices are std::size_t
};

std::int64_t rows_of(int rank, int size, int shape) {
  switch (shape) {
    case 0: return 0;
    case 1: return rank == size - 1 ? 500 : 0;
    default: return rank % 3 == 1 ? 0 : 90 + rank;
  }
}

}  // namespace

TEST(mpi_pack_lists, offsets_count_over_all_ranks) {
  auto const& comm = world();
  for (int shape = 0; shape < 3; ++shape) {
    // Lists of all rows, one rank behind the other.
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::int64_t> values;
    std::size_t first_row = 0;
    for (int r = 0; r < comm.size(); ++r) {
      if (r == comm.rank()) first_row = offsets.size() - 1;
      for (std::int64_t i = 0; i < rows_of(r, comm.size(), shape); ++i) {
        for (std::int64_t k = 0; k < (3 * i + r) % 5; ++k) values.push_back(r * 1000000 + i * 10 + k);
        offsets.push_back(values.size());
      }
    }
    std::int64_t const n = rows_of(comm.rank(), comm.size(), shape);
    auto const l = mpi::pack_lists<std::int64_t>(comm, space_type(), n, tagged_records{comm.rank()});
    static_assert(std::is_same_v<decltype(l.all_rows), std::size_t> &&
                  std::is_same_v<decltype(l.all_values), std::size_t>);
    EXPECT_EQ(l.first_row, first_row);
    EXPECT_EQ(l.all_rows, offsets.size() - 1);
    EXPECT_EQ(l.first_value, offsets[first_row]);
    EXPECT_EQ(l.all_values, values.size());
    EXPECT_EQ(gathered(comm, to_vector(l.values)), values);
    auto const got = to_vector(l.global_offsets(space_type()));
    ASSERT_EQ(got.size(), static_cast<std::size_t>(n) + 1);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], offsets[first_row + i]);
    EXPECT_EQ(to_vector(l.offsets)[0], 0u);
  }
}

TEST(mpi_pack_lists, errors_on_all_ranks) {
  auto const& comm = world();
  bool const last = comm.rank() == comm.size() - 1;
  auto const text = message_of<upsweep::precondition_error>(
      [&] { mpi::pack_lists<std::int64_t>(comm, space_type(), last ? -1 : 5, tagged_records{0}); });
  EXPECT_EQ(text.rfind("rank " + std::to_string(comm.size() - 1) + ": pack_lists: n = -1", 0), 0u) << text;
}

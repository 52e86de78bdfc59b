// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/internal/arguments/index.hpp>
#include <upsweep/base/internal/arguments/require.hpp>
#include <upsweep/io/mpi/npy_file.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/exclusive_offset.hpp>
#include <upsweep/mpi/internal/all_or_none_checked.hpp>

namespace upsweep::mpi {

void npy_file::write_rows(std::string const& descr, std::size_t item, std::span<std::uint64_t const> row_shape,
                          internal::byte_pieces& pieces) {
  std::uint64_t row = item;
  internal::fingerprint arguments;
  arguments.text(descr.c_str()).value(item).value(row_shape.size());
  for (auto const extent : row_shape) arguments.value(extent);
  internal::all_or_none_checked(comm_, arguments, "npy_file::write", "the type and the shape of rows", [&] {
    for (auto const extent : row_shape) row = internal::checked_multiply(row, extent, "npy_file::write", "a row");
    internal::require(!file_.complete(), "npy_file::write",
                      [&] { return file_.path().string() + " is written already"; });
    internal::require(row != 0 && pieces.size() % row == 0, "npy_file::write", [&] {
      return std::to_string(pieces.size()) + " bytes are no whole rows of " + std::to_string(row);
    });
    pieces.prepare();
  });
  auto const rows = exclusive_offset(comm_, pieces.size() / row);
  std::string header;
  all_or_none(comm_, [&] {
    std::vector<std::uint64_t> shape{rows.total};
    shape.insert(shape.end(), row_shape.begin(), row_shape.end());
    if (comm_.rank() == 0) header = npy_header(descr, shape);
  });
  internal::whole_bytes head(std::as_bytes(std::span(header)));
  internal::byte_pieces* const sections[] = {&head, &pieces};
  file_.write_pieces(sections);
}

}  // namespace upsweep::mpi

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <upsweep/mpi/communicator.hpp>

#include <mpi.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace upsweep_test {

/// A folder of its own for one test, known to all ranks, removed at its end.
class shared_folder {
 public:
  explicit shared_folder(upsweep::mpi::communicator const& comm) : comm_(comm) {
    auto name = (std::filesystem::temp_directory_path() / "upsweep-XXXXXX").string();
    if (comm.rank() == 0 && ::mkdtemp(name.data()) == nullptr) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, comm.get());
    path_ = name;
  }
  shared_folder(shared_folder const&) = delete;
  shared_folder& operator=(shared_folder const&) = delete;
  ~shared_folder() {
    std::error_code ignored;
    MPI_Barrier(comm_.get());
    if (comm_.rank() == 0) std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(std::string const& name) const { return path_ / name; }
  std::filesystem::path const& path() const { return path_; }

 private:
  upsweep::mpi::communicator comm_;
  std::filesystem::path path_;
};

inline std::string contents(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline int files_in(shared_folder const& folder) {
  auto entries = std::filesystem::directory_iterator(folder.path());
  return static_cast<int>(std::distance(begin(entries), end(entries)));
}

}  // namespace upsweep_test

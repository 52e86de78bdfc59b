// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace testing_mpi {

/// Sets an environment variable within a scope.
class environment_variable {
 public:
  environment_variable(char const* name, std::string const& value) : name_(name) {
    if (char const* const before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  environment_variable(environment_variable const&) = delete;
  environment_variable& operator=(environment_variable const&) = delete;
  ~environment_variable() {
    if (before_) setenv(name_, before_->c_str(), 1);
    else unsetenv(name_);
  }

 private:
  char const* name_;
  std::optional<std::string> before_;
};

}  // namespace testing_mpi

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <set>
#include <string>
#include <vector>

namespace nbody {

/// An object of JSON that is read member by member. A member that is missing or not as expected is an input_error that
/// names it.
class checked_json {
 public:
  using json = nlohmann::ordered_json;

  /// place: where the object is, for messages: "run.checkpoint: header". The object is not copied.
  checked_json(json const& object, std::string place);

  json const& member(std::string const& key, char const* expected) const;
  checked_json object(std::string const& key) const;
  /// double, std::int64_t or std::uint64_t: a finite number, `least` or more.
  template <class Number>
  Number number(std::string const& key, Number least) const;
  /// A finite number. JSON has no NaN: it is written as null, and null is read as NaN.
  double number_or_nan(std::string const& key) const;
  std::string text(std::string const& key) const;
  bool boolean(std::string const& key) const;
  json const& array(std::string const& key) const;
  /// The finite numbers of an array.
  std::vector<double> numbers(std::string const& key) const;
  bool has(std::string const& key) const;

  /// Refuses members that nobody has asked for.
  void require_no_others() const;
  [[noreturn]] void fail(std::string const& expected) const;

 private:
  json const& object_;
  std::string place_;
  mutable std::set<std::string> seen_;
};

}  // namespace nbody

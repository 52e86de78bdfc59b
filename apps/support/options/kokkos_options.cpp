// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "kokkos_options.hpp"

#include "read_number.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>

namespace apps {
namespace {

enum class value_kind { threads, device, boolean, device_order, text, help };

struct kokkos_option {
  std::string_view name;
  value_kind kind;
};

/// The options of Kokkos 4.6 to 5.2.
constexpr std::array<kokkos_option, 11> known{{{"--kokkos-num-threads", value_kind::threads},
                                               {"--kokkos-device-id", value_kind::device},
                                               {"--kokkos-map-device-id-by", value_kind::device_order},
                                               {"--kokkos-disable-warnings", value_kind::boolean},
                                               {"--kokkos-print-configuration", value_kind::boolean},
                                               {"--kokkos-tune-internals", value_kind::boolean},
                                               {"--kokkos-tools-libs", value_kind::text},
                                               {"--kokkos-tools-library", value_kind::text},
                                               {"--kokkos-tools-args", value_kind::text},
                                               {"--kokkos-tools-help", value_kind::help},
                                               {"--kokkos-help", value_kind::help}}};

/// What a value of this kind must be; empty where this one is good.
std::string expected(value_kind kind, std::string_view value) {
  auto const one_of = [&](auto... words) {
    std::string lower(value);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ((lower == words) || ...);
  };
  auto const number = read_number<int>(value);
  switch (kind) {
    case value_kind::threads: return number && *number >= 1 ? "" : "an integer, 1 or more";
    case value_kind::device: {
      // -1 where the program was built for CPUs only; the option has no effect then.
      int const devices = Kokkos::num_devices();
      if (devices < 0) return number && *number >= 0 ? "" : "an integer, 0 or more";
      return number && *number >= 0 && *number < devices ? "" : "the number of a device, less than " + plain(devices);
    }
    case value_kind::boolean:
      return one_of("yes", "true", "1", "no", "false", "0") ? "" : "yes, true, 1, no, false or 0";
    case value_kind::device_order: return value == "random" || value == "mpi_rank" ? "" : "random or mpi_rank";
    case value_kind::text: return value.empty() ? "a value" : "";
    case value_kind::help: return "no value";
  }
  return "";
}

std::string mistake_in(std::string const& word) {
  auto const sign = word.find('=');
  std::string const name = word.substr(0, sign);
  auto const option = std::find_if(known.begin(), known.end(), [&](auto const& o) { return o.name == name; });
  if (option == known.end()) return word + ": Kokkos has no such option (see --kokkos-help)";
  bool const may_be_bare = option->kind == value_kind::boolean || option->kind == value_kind::help;
  if (sign == std::string::npos) return may_be_bare ? "" : word + ": expected " + name + "=VALUE";
  auto const wanted = expected(option->kind, std::string_view(word).substr(sign + 1));
  return wanted.empty() ? "" : word + ": expected " + wanted;
}

/// "--kokkos-num-threads" can be given as KOKKOS_NUM_THREADS, too.
std::string variable_of(std::string_view option) {
  std::string name(option.substr(2));
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace

std::string kokkos_mistake(std::vector<std::string> const& words) {
  for (auto const& word : words)
    if (auto mistake = mistake_in(word); !mistake.empty()) return mistake;
  for (auto const& option : known) {
    // Names of tools may be empty; an option for help has no variable.
    if (option.kind == value_kind::help || option.kind == value_kind::text) continue;
    auto const name = variable_of(option.name);
    char const* const value = std::getenv(name.c_str());
    if (value == nullptr) continue;
    if (auto const wanted = expected(option.kind, value); !wanted.empty())
      return "environment variable " + name + "=" + value + ": expected " + wanted;
  }
  return {};
}

bool asks_kokkos_for_help(std::vector<std::string> const& words) {
  return std::any_of(words.begin(), words.end(),
                     [](auto const& w) { return w == "--kokkos-help" || w == "--kokkos-tools-help"; });
}

}  // namespace apps

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "averages_record.hpp"
#include "options.hpp"
#include "thermo_row.hpp"
#include "trajectory_record.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nbody {

/// An array of a checkpoint: rows of particles in order of ids.
struct checkpoint_array {
  std::string name;
  std::string type;  ///< NumPy's, such as "<f8"
  std::uint64_t columns = 1;
  std::uint32_t checksum = 0;  ///< CRC-32 of its bytes
};

/// What a checkpoint says in front of its arrays, which follow it in the order given here.
struct checkpoint_header {
  std::int64_t step = 0;
  std::int64_t particles = 0;
  std::array<double, 3> lo{}, hi{}, tilt{};
  std::vector<double> masses;  ///< of type 1, 2, ...; empty: all are 1
  options chosen;              ///< those of stored_options() alone
  thermo_row first;            ///< the first line of the table, which later ones are compared with
  std::optional<trajectory_record> trajectory;
  std::optional<rdf_record> rdf;
  std::vector<msd_row> msd;  ///< with the array "msd_reference"; empty: without
  std::vector<checkpoint_array> arrays;
};

/// Calls f(key, name of the option, value) for the options that decide how particles move. A run takes up those of its
/// checkpoint which its command line does not give.
template <class Options, class F>
void for_each_stored_option(Options& o, F&& f) {
  f("cutoff", "--cutoff", o.cutoff);
  f("skin", "--skin", o.skin);
  f("dt", "--dt", o.dt);
  f("pair", "--pair", o.pair);
  f("shift", "--shift", o.shift);
  f("seed", "--seed", o.seed);
  f("thermostat", "--thermostat", o.thermostat);
  f("thermostat_temperature", "--thermostat-temperature", o.thermostat_temperature);
  f("thermostat_time", "--thermostat-time", o.thermostat_time);
}

/// The options of a run that goes on from a checkpoint: those that it has and the command line does not give.
/// Throws: input_error where the run would end before the checkpoint's step.
options resumed_options(options o, checkpoint_header const& header);

/// The first line of a checkpoint, which says how long the header is and what its checksum is. It has always so many
/// bytes: "upsweep-nbody checkpoint 1 00000000000000000873 89abcdef\n".
inline constexpr std::size_t bytes_of_first_line = 57;

/// The header's length and checksum.
struct checkpoint_start {
  std::uint64_t bytes = 0;  ///< of the header, without the first line
  std::uint32_t checksum = 0;
};

/// The first line and the header: JSON, filled up with blanks to a multiple of 64 bytes.
std::string to_text(checkpoint_header const& header);

/// Reads the first line. Throws: input_error "name: message" for any other file, and for other versions.
checkpoint_start read_first_line(std::string const& name, std::string_view line);

/// Reads the header behind the first line. Throws: input_error for what is not a header, and for values that a run
/// could not start from.
checkpoint_header read_header(std::string const& name, checkpoint_start const& start, std::string_view text);

/// Bytes of one row of an array. 0: the type is none that arrays have.
std::uint64_t bytes_of_row(checkpoint_array const& array);

}  // namespace nbody

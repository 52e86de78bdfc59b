// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#pragma once

#include "../measurements/averages_record.hpp"
#include "../measurements/thermo_row.hpp"
#include "../options.hpp"
#include "../trajectory/trajectory_record.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
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
  std::array<bool, 3> periodic{true, true, true};
  std::vector<double> masses;                   ///< of type 1, 2, ...; empty: those of the array "masses"
  std::map<std::int32_t, std::string> species;  ///< names of types
  options chosen;                               ///< those of for_each_stored_option, and coefficients
  thermo_row first;                             ///< the first line of the table; health.hpp compares later ones with it
  std::optional<trajectory_record> trajectory;
  std::optional<rdf_record> rdf;
  std::vector<msd_row> msd;  ///< with the array "msd_reference"; empty: without
  std::vector<checkpoint_array> arrays;
};

/// Copies the box between checkpoint_header and upsweep::particle_data, which have it in the same members.
template <class From, class To>
void copy_box(From const& from, To& to) {
  to.lo = from.lo;
  to.hi = from.hi;
  to.tilt = from.tilt;
  to.periodic = from.periodic;
}

/// Calls f(key, name of the option, member of options) for the options that decide how particles move. A restart takes
/// from the checkpoint those that its command line does not give.
template <class F>
void for_each_stored_option(F&& f) {
  f("cutoff", "--cutoff", &options::cutoff);
  f("skin", "--skin", &options::skin);
  f("dt", "--dt", &options::dt);
  f("pair", "--pair", &options::pair);
  f("shift", "--shift", &options::shift);
  f("seed", "--seed", &options::seed);
  f("thermostat", "--thermostat", &options::thermostat);
  f("thermostat_temperature", "--thermostat-temperature", &options::thermostat_temperature);
  f("thermostat_time", "--thermostat-time", &options::thermostat_time);
}

/// The options of a restart: o, with the stored options of the checkpoint where the command line does not give them.
/// Throws: input_error where the run would end before the checkpoint's step, its thermostat has no temperature, or
/// --open names other directions than the checkpoint has open.
options resumed_options(options o, checkpoint_header const& header);

/// The length of a checkpoint's first line, which has the length and the checksum of the header:
/// "upsweep-nbody checkpoint 1 00000000000000000873 89abcdef\n".
inline constexpr std::size_t bytes_of_first_line = 57;

/// The header's length and checksum, from the first line.
struct checkpoint_start {
  std::uint64_t bytes = 0;  ///< of the header, without the first line
  std::uint32_t checksum = 0;
};

/// The first line and the header: JSON, filled up with blanks to a multiple of 64 bytes.
std::string to_text(checkpoint_header const& header);

/// Reads the first line. Throws: input_error "name: message" for any other file, and for other versions.
checkpoint_start read_first_line(std::string const& name, std::string_view line);

/// Reads the header, which follows the first line. Throws: input_error for what is not a header, and for values that no
/// run could start from.
checkpoint_header read_header(std::string const& name, checkpoint_start const& start, std::string_view text);

/// Bytes of one row of an array; 0 where checkpoints have no such type.
std::uint64_t bytes_of_row(checkpoint_array const& array);

}  // namespace nbody

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "checkpoint_header.hpp"

#include "../text.hpp"
#include "checked_json.hpp"
#include "checksum.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/base/printable.hpp>
#include <upsweep/io/npy.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace nbody {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view magic = "upsweep-nbody checkpoint ";
constexpr int version = 1;
constexpr std::size_t digits_of_length = 20, digits_of_checksum = 8;

json to_json(options const& o) {
  json result = json::object();
  for_each_stored_option([&](char const* key, char const*, auto member) { result[key] = o.*member; });
  return result;
}

json to_json(thermo_row const& row) {
  json result{{"step", row.step}};
  for_each_number(row, [&](char const* name, double value) { result[name] = value; });
  return result;
}

std::array<double, 3> three_numbers(checked_json const& from, char const* key) {
  auto const values = from.numbers(key);
  if (values.size() != 3) from.fail("'" + std::string(key) + "', three numbers");
  return {values[0], values[1], values[2]};
}

/// Reads an option's value from a member of the header.
struct read_option {
  checked_json const& from;
  options& into;

  void operator()(char const* key, char const*, double options::* member) const {
    double const value = from.number<double>(key, 0);
    bool const may_be_zero = std::string_view(key) == "skin" || std::string_view(key) == "thermostat_temperature";
    if (value == 0 && !may_be_zero) from.fail("'" + std::string(key) + "' above 0");
    into.*member = value;
  }
  void operator()(char const* key, char const*, bool options::* member) const { into.*member = from.boolean(key); }
  void operator()(char const* key, char const*, std::uint64_t options::* member) const {
    into.*member = from.number<std::uint64_t>(key, 0);
  }
  void operator()(char const* key, char const*, std::string options::* member) const {
    auto const value = from.text(key);
    bool const of_pair = std::string_view(key) == "pair";
    bool const known = of_pair ? is_pair(value) : value == "none" || value == "langevin" || value == "rescale";
    if (!known) from.fail("'" + std::string(key) + (of_pair ? "' lj, soft or own" : "' none, langevin or rescale"));
    into.*member = value;
  }
};

options read_options(checked_json const& from) {
  options o;
  for_each_stored_option(read_option{from, o});
  from.require_no_others();
  return o;
}

thermo_row read_row(checked_json const& from) {
  thermo_row row;
  row.step = from.number<std::int64_t>("step", 0);
  for_each_number(row, [&](char const* name, double& value) { value = from.number_or_nan(name); });
  from.require_no_others();
  return row;
}

std::uint32_t read_checksum(checked_json const& from, char const* key) {
  auto const checksum = from.number<std::uint64_t>(key, 0);
  if (checksum > UINT32_MAX) from.fail("'" + std::string(key) + "' of 32 bits");
  return static_cast<std::uint32_t>(checksum);
}

trajectory_record read_trajectory(checked_json const& from, std::int64_t step) {
  trajectory_record record;
  record.bytes = from.number<std::uint64_t>("bytes", 0);
  record.last_frame_at = from.number<std::uint64_t>("last_frame_at", 0);
  record.last_checksum = read_checksum(from, "last_crc32");
  for (auto const& value : from.array("frames")) {
    bool const good =
        value.is_number_unsigned() && value <= step && (record.frames.empty() || value > record.frames.back());
    if (!good) from.fail("'frames', ascending steps");
    record.frames.push_back(value.get<std::int64_t>());
  }
  if (from.has("files"))
    for (auto const& value : from.array("files")) {
      bool const good = value.is_number_unsigned() && (record.files.empty() || value > record.files.back()) &&
                        std::binary_search(record.frames.begin(), record.frames.end(), value.get<std::int64_t>());
      if (!good) from.fail("'files', ascending steps of frames");
      record.files.push_back(value.get<std::int64_t>());
    }
  if (!record.files.empty() && (record.files[0] != record.frames[0] || record.last_frame_at != 0))
    from.fail("'files' with all frames");
  if (record.last_frame_at > record.bytes || record.bytes > INT64_MAX) from.fail("'last_frame_at' in the file");
  from.require_no_others();
  return record;
}

/// The coefficients, written as lines of a file of --pair-coefficients, so that the same checks apply.
std::vector<pair_coefficient> read_pairs(checked_json const& from, std::string const& name) {
  std::string lines;
  for (auto const& row : from.array("coefficients")) {
    bool const good = row.is_array() && row.size() == 5 &&
                      std::all_of(row.begin(), row.end(), [](auto const& v) { return v.is_number(); });
    if (!good) from.fail("'coefficients', rows of five numbers");
    for (std::size_t k = 0; k < 5; ++k)
      if (k < 4 || row[k] != 0) lines += row[k].dump() + " ";
    lines += "\n";
  }
  return read_coefficients(name + ": header, coefficients", lines);
}

/// step: of the checkpoint, which older ones do not have a later sample than.
rdf_record read_rdf(checked_json const& from, std::int64_t step) {
  rdf_record record;
  record.samples = from.number<std::int64_t>("samples", 0);
  record.last_step = from.has("last_step") ? from.number<std::int64_t>("last_step", -1) : step;
  if (record.last_step > step) from.fail("'last_step' up to the checkpoint's step");
  record.reach = from.number<double>("reach", 0);
  for (auto const& value : from.array("counts")) {
    if (!value.is_number_unsigned() || value > INT64_MAX) from.fail("'counts', integers, 0 or more");
    record.counts.push_back(value.get<std::int64_t>());
  }
  from.require_no_others();
  return record;
}

msd_row read_msd(json const& value, std::string const& place) {
  checked_json const from(value, place);
  msd_row const row{from.number<std::int64_t>("step", 0), from.number_or_nan("value")};
  from.require_no_others();
  return row;
}

/// Whether a name can stand in a column.
bool is_word(std::string const& name) {
  return !name.empty() && name.find(' ') == std::string::npos && upsweep::printable(name) == name;
}

checkpoint_array read_array(json const& value, std::string const& place) {
  checked_json const from(value, place);
  checkpoint_array a;
  a.name = from.text("name");
  a.type = from.text("type");
  a.columns = from.number<std::uint64_t>("columns", 1);
  if (a.columns > 3 || bytes_of_row(a) == 0) from.fail("1 to 3 columns of float64 or int32 as this machine has them");
  a.checksum = read_checksum(from, "crc32");
  from.require_no_others();
  return a;
}

}  // namespace

options resumed_options(options o, checkpoint_header const& header) {
  for_each_stored_option([&](char const*, char const* name, auto member) {
    if (!o.given.contains(name)) o.*member = header.chosen.*member;
  });
  if (o.pair_coefficients.empty()) o.coefficients = header.chosen.coefficients;
  if (o.steps < header.step)
    throw upsweep::input_error("--steps " + std::to_string(o.steps) + ": expected at least " +
                               std::to_string(header.step) + ", the step of " + o.restart);
  std::array<bool, 3> open{};
  for (std::size_t d = 0; d < 3; ++d) open[d] = !header.periodic[d];
  if (o.given.contains("--open") && o.open != open) {
    auto const letters = open_letters(header.periodic);
    throw upsweep::input_error("--open: other directions than those of " + o.restart + " (expected " +
                               (letters.empty() ? "no --open: its box is periodic" : "--open " + letters) + ")");
  }
  bool const has_temperature = o.given.contains("--thermostat-temperature") || header.chosen.thermostat != "none";
  auto const mistake = thermostat_mistake(o, has_temperature);
  if (!mistake.empty()) throw upsweep::input_error(mistake);
  return o;
}

std::uint64_t bytes_of_row(checkpoint_array const& array) {
  std::uint64_t const item = array.type == upsweep::npy_descr<double>()         ? 8
                             : array.type == upsweep::npy_descr<std::int32_t>() ? 4
                                                                                : 0;
  return item * array.columns;
}

std::string to_text(checkpoint_header const& header) {
  json j;
  j["step"] = header.step;
  j["particles"] = header.particles;
  j["box"] = {{"lo", header.lo}, {"hi", header.hi}, {"tilt", header.tilt}};
  // Versions that know no open directions refuse what they do not know.
  if (!open_letters(header.periodic).empty()) j["box"]["periodic"] = header.periodic;
  j["masses"] = header.masses;
  for (auto const& [type, name] : header.species) j["species"].push_back({type, name});
  j["options"] = to_json(header.chosen);
  j["first_row"] = to_json(header.first);
  for (auto const& c : header.chosen.coefficients)
    j["coefficients"].push_back({c.first, c.second, c.epsilon, c.sigma, c.cutoff});
  if (header.trajectory)
    j["trajectory"] = {{"bytes", header.trajectory->bytes},
                       {"last_frame_at", header.trajectory->last_frame_at},
                       {"last_crc32", header.trajectory->last_checksum},
                       {"frames", header.trajectory->frames}};
  if (header.trajectory && !header.trajectory->files.empty()) j["trajectory"]["files"] = header.trajectory->files;
  if (header.rdf)
    j["rdf"] = {{"samples", header.rdf->samples},
                {"last_step", header.rdf->last_step},
                {"reach", header.rdf->reach},
                {"counts", header.rdf->counts}};
  if (!header.msd.empty()) {
    j["msd"] = json::array();
    for (auto const& row : header.msd) j["msd"].push_back({{"step", row.step}, {"value", row.value}});
  }
  j["arrays"] = json::array();
  for (auto const& a : header.arrays)
    j["arrays"].push_back({{"name", a.name}, {"type", a.type}, {"columns", a.columns}, {"crc32", a.checksum}});
  auto body = j.dump(1) + "\n";
  body.insert(body.size() - 1, (64 - (bytes_of_first_line + body.size()) % 64) % 64, ' ');
  return std::string(magic) +
         text("%d %020llu %08x\n", version, static_cast<unsigned long long>(body.size()),
              static_cast<unsigned>(crc32_of(body.data(), body.size()))) +
         body;
}

checkpoint_start read_first_line(std::string const& name, std::string_view line) {
  auto const refuse = [&](std::string const& what) { throw upsweep::input_error(name + ": " + what); };
  if (!line.starts_with(magic)) refuse("no checkpoint of upsweep-nbody");
  line.remove_prefix(magic.size());
  auto const number = line.substr(0, line.find(' '));
  if (number != std::to_string(version)) {
    // The rest of the line may be any bytes, which do not belong in a message.
    bool const plain = number.size() < 8 &&
                       std::all_of(number.begin(), number.end(), [](unsigned char c) { return c >= '0' && c <= '9'; });
    refuse("checkpoint of version " + (plain ? std::string(number) : "?") + " (expected version " +
           std::to_string(version) + ")");
  }
  checkpoint_start start;
  line.remove_prefix(number.size());
  auto const take = [&](std::size_t digits, auto& value, int base) {
    auto const word = line.substr(std::min<std::size_t>(1, line.size()), digits);
    auto const [end, code] = std::from_chars(word.data(), word.data() + word.size(), value, base);
    if (code != std::errc{} || end != word.data() + word.size() || word.size() != digits || line[0] != ' ')
      refuse("first line damaged (expected length and checksum of the header)");
    line.remove_prefix(1 + digits);
  };
  take(digits_of_length, start.bytes, 10);
  take(digits_of_checksum, start.checksum, 16);
  if (line != "\n") refuse("first line damaged (expected its end)");
  return start;
}

checkpoint_header read_header(std::string const& name, checkpoint_start const& start, std::string_view text) {
  if (text.size() != start.bytes || crc32_of(text.data(), text.size()) != start.checksum)
    throw upsweep::input_error(name + ": header damaged (its checksum differs)");
  auto const j = json::parse(text, nullptr, false);
  if (j.is_discarded()) throw upsweep::input_error(name + ": header damaged (expected JSON)");
  checked_json const from(j, name + ": header");
  checkpoint_header h;
  h.step = from.number<std::int64_t>("step", 0);
  h.particles = from.number<std::int64_t>("particles", 1);
  auto const box = from.object("box");
  h.lo = three_numbers(box, "lo");
  h.hi = three_numbers(box, "hi");
  h.tilt = three_numbers(box, "tilt");
  if (box.has("periodic")) {
    auto const& flags = box.array("periodic");
    bool const good =
        flags.size() == 3 && std::all_of(flags.begin(), flags.end(), [](auto const& f) { return f.is_boolean(); });
    if (!good) box.fail("'periodic', three times true or false");
    for (std::size_t d = 0; d < 3; ++d) h.periodic[d] = flags[d].template get<bool>();
  }
  box.require_no_others();
  h.masses = from.numbers("masses");
  if (std::any_of(h.masses.begin(), h.masses.end(), [](double m) { return !(m > 0); })) from.fail("'masses' above 0");
  if (from.has("species"))
    for (auto const& row : from.array("species")) {
      bool const good = row.is_array() && row.size() == 2 && row[0].is_number_unsigned() && row[0] >= 1 &&
                        row[0] <= INT32_MAX && row[1].is_string() && is_word(row[1].get<std::string>());
      if (!good) from.fail("'species', rows of a type and a name");
      h.species[row[0].get<std::int32_t>()] = row[1].get<std::string>();
    }
  h.chosen = read_options(from.object("options"));
  h.first = read_row(from.object("first_row"));
  if (from.has("coefficients")) h.chosen.coefficients = read_pairs(from, name);
  if (from.has("trajectory")) h.trajectory = read_trajectory(from.object("trajectory"), h.step);
  if (from.has("rdf")) h.rdf = read_rdf(from.object("rdf"), h.step);
  if (from.has("msd"))
    for (auto const& value : from.array("msd")) h.msd.push_back(read_msd(value, name + ": header, msd"));
  for (auto const& value : from.array("arrays")) h.arrays.push_back(read_array(value, name + ": header, arrays"));
  from.require_no_others();
  return h;
}

}  // namespace nbody

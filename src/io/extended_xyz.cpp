// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include <upsweep/base/printable.hpp>
#include <upsweep/io/extended_xyz.hpp>

#include "line_reader.hpp"
#include "tokens.hpp"
#include "xyz_columns.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace upsweep {
namespace io::detail {
namespace {

/// Takes the next key=value, or key, off the second line of a frame; values may be in quotes.
bool next_key(std::string_view& rest, std::string_view& key, std::string_view& value, line_reader const& reader) {
  rest = trim(rest);
  if (rest.empty()) return false;
  auto const end = rest.find_first_of("= \t");
  key = rest.substr(0, end);
  rest.remove_prefix(key.size());
  value = {};
  if (!rest.starts_with('=')) return true;
  rest.remove_prefix(1);
  if (!rest.starts_with('"')) {
    value = rest.substr(0, rest.find_first_of(" \t"));
    rest.remove_prefix(value.size());
    return true;
  }
  auto const closing = rest.find('"', 1);
  if (closing == std::string_view::npos) reader.fail("no end of the value of " + quote(key) + " (expected \")");
  value = rest.substr(1, closing - 1);
  rest.remove_prefix(closing + 1);
  return true;
}

class frame_reader {
 public:
  explicit frame_reader(line_reader& reader) : reader_(reader) {}

  /// False at the end of the file.
  bool read(particle_data& into) {
    std::string_view line;
    if (!first_line(line)) return false;
    std::int64_t const n = count(line);
    data_ = {};
    species_.clear();
    if (!reader_.next(line)) reader_.fail("cut short (expected Lattice=\"...\" and Properties=...)");
    header(line);
    for (std::int64_t i = 0; i < n; ++i) {
      if (!reader_.next(line))
        reader_.fail("cut short after " + std::to_string(i) + " particles (expected " + std::to_string(n) + ")");
      particle(line, i);
    }
    if (auto const twice = sort_by_id(data_))
      reader_.fail("id " + std::to_string(*twice) + " twice (expected each once)");
    if (!one_name_each_) data_.species.clear();
    into = std::move(data_);
    return true;
  }

 private:
  /// Skips blank lines, which may follow a frame. At most 1000: a file of line ends alone must not take minutes.
  bool first_line(std::string_view& line) {
    for (int blank = 0; reader_.next(line); ++blank) {
      if (!trim(line).empty() || reader_.line() == 1) return true;
      if (blank == 1000) reader_.fail("a thousand blank lines (expected a frame, or the end)");
    }
    return false;
  }

  std::int64_t count(std::string_view line) const {
    std::int64_t n = 0;
    auto const word = next_word(line);
    if (parse_number(word, n) != number_status::good || n < 1 || !trim(line).empty())
      reader_.fail("number of particles is " + quote(word) + " (expected an integer, 1 or more)");
    return n;
  }

  void header(std::string_view line) {
    columns_ = {};
    one_name_each_ = true;
    bool lattice = false, origin = false, properties = false, pbc = false;
    std::string_view key, value;
    auto const first_time = [&](bool& given) {
      if (given) reader_.fail(quote(key) + " given twice (expected once)");
      given = true;
    };
    while (next_key(line, key, value, reader_)) {
      if (key == "Lattice") first_time(lattice), set_lattice(value);
      else if (key == "Origin") first_time(origin), set_origin(value);
      else if (key == "Properties") first_time(properties), columns_ = xyz_columns(value, reader_);
      else if (key == "pbc") first_time(pbc), set_periodic(value);
      else if (!key.empty()) data_.skipped.emplace_back(key);
    }
    data_.skipped.insert(data_.skipped.end(), columns_.skipped().begin(), columns_.skipped().end());
    if (!lattice) reader_.fail("no Lattice (expected Lattice=\"ax ay az bx by bz cx cy cz\")");
    for (std::size_t d = 0; d < 3; ++d) {
      data_.lo[d] = origin_[d];
      data_.hi[d] = origin_[d] + lengths_[d];
      if (!std::isfinite(data_.hi[d]) || !(data_.hi[d] > data_.lo[d]))
        reader_.fail("a box without a size (expected finite lengths above 0)");
    }
    origin_ = {};
  }

  template <std::size_t N>
  std::array<double, N> numbers(std::string_view text, char const* what) const {
    std::array<double, N> result{};
    for (auto& number : result) number = finite(next_word(text), what);
    if (!trim(text).empty()) reader_.fail(std::string(what) + " has more numbers (expected " + std::to_string(N) + ")");
    return result;
  }
  double finite(std::string_view word, char const* what) const {
    double number = 0;
    if (parse_number(word, number) != number_status::good || !std::isfinite(number))
      reader_.fail(std::string(what) + " is " + quote(word) + " (expected a finite number)");
    return number;
  }

  double above_0(std::string_view word, char const* what) const {
    double const number = finite(word, what);
    if (!(number > 0)) reader_.fail(std::string(what) + " is " + quote(word) + " (expected more than 0)");
    return number;
  }

  void set_periodic(std::string_view pbc) {
    auto rest = pbc;
    for (bool& periodic : data_.periodic) {
      auto const word = next_word(rest);
      periodic = word == "T" || word == "True" || word == "true";
      if (!periodic && word != "F" && word != "False" && word != "false") refuse_pbc(pbc);
    }
    if (!trim(rest).empty()) refuse_pbc(pbc);
  }
  void refuse_pbc(std::string_view pbc) const {
    reader_.fail("pbc is " + quote(pbc) + " (expected three of T and F, such as \"T T F\")");
  }

  void set_lattice(std::string_view text) {
    auto const l = numbers<9>(text, "Lattice");
    if (l[1] != 0 || l[2] != 0 || l[5] != 0 || !(l[0] > 0 && l[4] > 0 && l[8] > 0))
      reader_.fail("Lattice " + quote(text) + " (expected a along x, b in the x-y plane, and lengths above 0)");
    lengths_ = {l[0], l[4], l[8]};
    data_.tilt = {l[3], l[6], l[7]};
  }
  void set_origin(std::string_view text) { origin_ = numbers<3>(text, "Origin"); }

  void particle(std::string_view line, std::int64_t index) {
    std::int64_t id = index + 1;
    std::optional<std::int32_t> type, of_species;
    std::array<double, 3> position{}, velocity{};
    std::string_view name;
    std::optional<double> mass;
    std::array<std::int32_t, 3> edges{};
    for (auto const& column : columns_.all()) {
      for (std::size_t k = 0; k < column.width; ++k) {
        auto const word = next_word(line);
        if (word.empty()) reader_.fail("cut short (expected " + std::to_string(columns_.width()) + " columns)");
        switch (column.what) {
          case xyz_column::position: position[k] = finite(word, "a coordinate"); break;
          case xyz_column::velocity: velocity[k] = finite(word, "a velocity"); break;
          case xyz_column::mass: mass = above_0(word, "a mass"); break;
          case xyz_column::edges: edges[k] = integer<std::int32_t>(word, "map_shift"); break;
          case xyz_column::id: id = integer<std::int64_t>(word, "id"); break;
          case xyz_column::type: type = integer<std::int32_t>(word, "type"); break;
          case xyz_column::species:
            name = word;
            of_species = number_of(word);
            break;
          default: break;
        }
      }
    }
    if (!next_word(line).empty())
      reader_.fail("more than " + std::to_string(columns_.width()) + " columns (expected those of Properties)");
    auto const number = type.value_or(of_species.value_or(1));
    if (number < 1) reader_.fail("type is " + std::to_string(number) + " (expected 1 or more)");
    if (!name.empty()) one_name_each_ &= data_.species.try_emplace(number, name).first->second == name;
    data_.ids.push_back(id);
    data_.types.push_back(number);
    data_.positions.insert(data_.positions.end(), position.begin(), position.end());
    data_.velocities.insert(data_.velocities.end(), velocity.begin(), velocity.end());
    data_.image_flags.insert(data_.image_flags.end(), edges.begin(), edges.end());
    if (mass) data_.particle_masses.push_back(*mass);
  }

  template <class Integer>
  Integer integer(std::string_view word, char const* what) const {
    Integer number = 0;
    if (parse_number(word, number) != number_status::good)
      reader_.fail(std::string(what) + " is " + quote(word) + " (expected an integer)");
    return number;
  }

  std::int32_t number_of(std::string_view name) {
    return species_.try_emplace(std::string(name), static_cast<std::int32_t>(species_.size() + 1)).first->second;
  }

  line_reader& reader_;
  particle_data data_;
  xyz_columns columns_;
  std::array<double, 3> lengths_{}, origin_{};
  std::map<std::string, std::int32_t> species_;
  bool one_name_each_ = true;  ///< whether particles of one type have one species, in this frame
};

}  // namespace
}  // namespace io::detail

particle_data read_extended_xyz(std::filesystem::path const& path) {
  io::detail::line_reader reader(path);
  io::detail::frame_reader frames(reader);
  particle_data last;
  if (!frames.read(last)) reader.fail("no frame (expected the number of particles)");
  while (frames.read(last)) {
  }
  return last;
}

}  // namespace upsweep

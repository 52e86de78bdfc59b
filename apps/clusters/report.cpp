// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "report.hpp"

#include "../support/outputs/gnuplot.hpp"
#include "../support/options/read_number.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/mpi/reduce.hpp>
#include <upsweep/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>

namespace clusters {
namespace {

/// The part of a summary that ranks add up.
struct counts {
  std::int64_t noise, groups, in_catalogue, spanning, largest_size, largest_label;
  std::array<std::int64_t, 48> groups_of, members_of;
};

struct join_counts {
  using value_type = counts;
  counts identity() const { return {0, 0, 0, 0, 0, -1, {}, {}}; }
  /// Of two groups of the largest size the first, which is on the lower rank.
  counts operator()(counts a, counts const& b) const {
    a.noise += b.noise;
    a.groups += b.groups;
    a.in_catalogue += b.in_catalogue;
    a.spanning += b.spanning;
    for (std::size_t k = 0; k < a.groups_of.size(); ++k) {
      a.groups_of[k] += b.groups_of[k];
      a.members_of[k] += b.members_of[k];
    }
    if (b.largest_size > a.largest_size) {
      a.largest_size = b.largest_size;
      a.largest_label = b.largest_label;
    }
    return a;
  }
};

counts count(group_table const& table, std::int64_t min_members) {
  counts all = join_counts{}.identity();
  all.noise = static_cast<std::int64_t>(table.noise_number.size());
  all.groups = static_cast<std::int64_t>(table.groups());
  for (std::size_t g = 0; g < table.groups(); ++g) {
    std::int64_t const size = table.size[g];
    all.in_catalogue += size >= min_members ? 1 : 0;
    all.spanning += table.spans[g];
    auto const bin = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(size)) - 1);
    ++all.groups_of[bin];
    all.members_of[bin] += size;
    if (size > all.largest_size) {
      all.largest_size = size;
      all.largest_label = table.label[g];
    }
  }
  return all;
}

bool labels_points(std::string const& phase) {
  for (char const* name : {"migrate", "halo", "cores", "link", "label"})
    if (phase == name) return true;
  return false;
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

}  // namespace

double summary::rate() const {
  double seconds = 0;
  for (auto const& [name, time] : phases) seconds += labels_points(name) ? time : 0;
  return seconds > 0 ? static_cast<double>(points) / seconds : 0;
}

summary summarize(upsweep::mpi::communicator const& comm, group_table const& table, std::int64_t points,
                  std::int64_t min_members, double length) {
  auto const all = upsweep::mpi::reduce(comm, [&] { return count(table, min_members); }, join_counts{});
  return {points,
          all.noise,
          all.groups,
          all.in_catalogue,
          all.spanning,
          all.largest_size,
          all.largest_label,
          all.groups_of,
          all.members_of,
          length,
          {}};
}

std::vector<std::pair<std::string, double>> over_ranks(upsweep::mpi::communicator const& comm,
                                                       apps::phase_times const& times) {
  auto phases = times.phases();
  for (auto& [name, seconds] : phases) seconds = upsweep::mpi::reduce(comm, seconds, upsweep::max<double>{});
  return phases;
}

std::string to_text(summary const& s, options const& o, upsweep::box<double> const& box, int ranks) {
  std::string periodic;
  for (int d = 0; d < 3; ++d)
    if (box.periodic(d)) periodic += box.direction_name(d);
  std::string text = "upsweep-clusters " UPSWEEP_VERSION_STRING ": " + std::to_string(s.points) + " points in " +
                     number(box.length(0)) + " x " + number(box.length(1)) + " x " + number(box.length(2)) +
                     (periodic.empty() ? ", open" : ", periodic in " + periodic) + ", " + std::to_string(ranks) +
                     (ranks == 1 ? " rank, " : " ranks, ") + space_type::name() + "\n";
  text += (o.how == method::friends ? "friends of friends" : "DBSCAN, cores of " + std::to_string(o.min_points)) +
          ", linking length " + number(s.length) + "\n";
  text += std::to_string(s.groups) + " groups, the largest " + std::to_string(s.largest_size) + " (label " +
          std::to_string(s.largest_label) + "), " + std::to_string(s.spanning) + " span the box, " +
          std::to_string(s.noise) + " points are noise\n";
  text += "   members      groups      points\n";
  for (std::size_t k = 0; k < s.groups_of.size(); ++k) {
    if (s.groups_of[k] == 0) continue;
    char line[80];
    std::snprintf(line, sizeof line, "%10lld+ %10lld %11lld\n", 1ll << k, static_cast<long long>(s.groups_of[k]),
                  static_cast<long long>(s.members_of[k]));
    text += line;
  }
  for (auto const& [name, seconds] : s.phases) {
    char line[80];
    std::snprintf(line, sizeof line, "%12s %9.4f s\n", name.c_str(), seconds);
    text += line;
  }
  return text + number(s.rate()) + " points a second labelled\n";
}

std::string to_json(summary const& s, options const& o, upsweep::box<double> const& box, int ranks) {
  using nlohmann::ordered_json;
  ordered_json json;
  json["program"] = "upsweep-clusters";
  json["version"] = UPSWEEP_VERSION_STRING;
  json["backend"] = space_type::name();
  json["ranks"] = ranks;
  json["threads"] = Kokkos::DefaultHostExecutionSpace().concurrency();
  json["method"] = o.how == method::friends ? "friends" : "dbscan";
  json["linking_length"] = s.length;
  json["min_points"] = o.how == method::dbscan ? ordered_json(o.min_points) : ordered_json(nullptr);
  json["points"] = s.points;
  json["noise"] = s.noise;
  json["groups"] = s.groups;
  json["min_members"] = o.min_members;
  json["groups_in_catalogue"] = s.in_catalogue;
  json["spanning_groups"] = s.spanning;
  json["largest"] = {{"label", s.largest_label}, {"size", s.largest_size}};
  json["box"] = {{"periodic", {box.periodic(0), box.periodic(1), box.periodic(2)}}, {"edges", ordered_json::array()}};
  for (int k = 0; k < 3; ++k) json["box"]["edges"].push_back({box.edge(k)[0], box.edge(k)[1], box.edge(k)[2]});
  json["sizes"] = ordered_json::array();
  for (std::size_t k = 0; k < s.groups_of.size(); ++k)
    if (s.groups_of[k] != 0)
      json["sizes"].push_back({{"from", std::int64_t(1) << k},
                               {"to", (std::int64_t(2) << k) - 1},
                               {"groups", s.groups_of[k]},
                               {"points", s.members_of[k]}});
  json["seconds"] = ordered_json::object();
  for (auto const& [name, seconds] : s.phases) json["seconds"][name] = seconds;
  json["points_per_second"] = s.rate();
  return json.dump(2) + "\n";
}

void plot(std::string const& file, summary const& s) {
  std::string script = "$sizes << end\n";
  for (std::size_t k = 0; k < s.groups_of.size(); ++k)
    if (s.groups_of[k] != 0)
      script +=
          apps::plain(1.5 * static_cast<double>(std::int64_t(1) << k)) + " " + std::to_string(s.groups_of[k]) + "\n";
  // gnuplot finds no ranges where there is nothing to draw.
  bool const empty = s.groups == 0;
  std::string const end = empty ? "10]" : "*]";
  script += "end\nset title " +
            apps::quoted(std::to_string(s.groups) + " groups of " + std::to_string(s.points) + " points") +
            "\nset logscale xy\nset grid\nset xrange [0.8:" + end + "\nset yrange [0.5:" + end +
            "\nset xlabel 'members'\nset ylabel 'groups'\nplot " +
            (empty ? "NaN notitle\n" : "$sizes using 1:2:($1/3) with boxes fill solid 0.4 notitle\n");
  apps::draw("upsweep-clusters", file, 640, 420, script);
}

}  // namespace clusters

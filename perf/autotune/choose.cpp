// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>

namespace perf::autotune {
namespace {

/// By how much another candidate must be faster than the library's own: less is noise.
constexpr double clearly = 1.01;

/// The groups that are ways for inputs of growing size: few tiles, small and large, and one of two engines for more.
std::array<std::string, 2> const few{"few_tiles", "few_large_tiles"};
std::array<std::string, 2> const many{"pipelined", "look_back"};

/// The ways for smaller inputs than those of a group.
std::vector<std::string> smaller_ways(std::string const& group) {
  if (std::find(many.begin(), many.end(), group) != many.end()) return {few.begin(), few.end()};
  return {few.begin(), group == few[1] ? few.begin() + 1 : few.begin()};
}

using indices = std::vector<std::size_t>;
/// The best candidate of a group, by size of elements.
using choices = std::map<int, std::size_t>;
using row_list = std::vector<row const*>;

bool ran(row const& r, std::size_t k) { return r.seconds[k] > 0; }

indices members_of(std::vector<candidate> const& candidates, std::string const& group) {
  indices members;
  for (std::size_t k = 0; k < candidates.size(); ++k)
    if (candidates[k].group == group) members.push_back(k);
  return members;
}

/// The rows that all of the given candidates were run for.
row_list common_rows(measurements const& measured, indices const& members, int element_bytes) {
  row_list common;
  for (auto const& r : measured.rows)
    if ((element_bytes == 0 || r.element_bytes == element_bytes) &&
        std::all_of(members.begin(), members.end(), [&](std::size_t k) { return ran(r, k); }))
      common.push_back(&r);
  return common;
}

/// Logarithm of how much slower than a copy it is, on average.
double slowness(std::size_t k, row_list const& rows) {
  double sum = 0;
  for (auto const* r : rows) sum += std::log(r->seconds[k] / r->copy_s);
  return sum / static_cast<double>(rows.size());
}

/// The best of those that the machine runs; none where they have no size in common.
std::optional<std::size_t> best_of(std::vector<candidate> const& candidates, measurements const& measured,
                                   std::string const& group, int element_bytes) {
  auto members = members_of(candidates, group);
  std::erase_if(members, [&](std::size_t k) { return !measured.refused[k].empty(); });
  auto rows = common_rows(measured, members, element_bytes);
  for (auto const& smaller : smaller_ways(group)) {
    // Sizes that another way may be taken for do not count, unless there are no others.
    auto const others = members_of(candidates, smaller);
    auto large = rows;
    std::erase_if(large, [&](row const* r) {
      return std::any_of(others.begin(), others.end(), [&](std::size_t k) { return ran(*r, k); });
    });
    if (!large.empty()) rows = large;
  }
  if (members.empty() || rows.empty()) return std::nullopt;
  auto const slower = [&](std::size_t a, std::size_t b) { return slowness(a, rows) < slowness(b, rows); };
  std::size_t const best = *std::min_element(members.begin(), members.end(), slower);
  for (std::size_t k : members)
    if (candidates[k].own.for_elements_of(element_bytes) &&
        slowness(k, rows) < slowness(best, rows) + std::log(clearly))
      return k;
  return best;
}

std::string replaced(std::string text, int element_bytes) {
  if (auto const at = text.find("{}"); at != std::string::npos) text.replace(at, 2, std::to_string(element_bytes));
  return text;
}

std::string size_text(std::size_t n) {
  int const log = static_cast<int>(std::round(std::log2(static_cast<double>(n))));
  return n >= 1024 && n == std::size_t(1) << log ? fmt::format("2^{}", log) : std::to_string(n);
}

/// Up to how many bytes a way is to be used, where others could be: where the sum of logarithms of all times is least.
decision limit_of(std::string const& way, measurements const& measured, choices const& small,
                  std::vector<choices> const& others) {
  std::map<std::size_t, double> gain;  // by bytes
  decision result{way + "_bytes", 0, {}, {way + ", speed-up over other ways by bytes of the input:"}};
  for (auto const& r : measured.rows) {
    auto const s = small.find(r.element_bytes);
    if (s == small.end() || !ran(r, s->second)) continue;
    double other = 0;
    for (auto const& o : others)
      if (auto const k = o.find(r.element_bytes); k != o.end() && ran(r, k->second))
        other = other == 0 ? r.seconds[k->second] : std::min(other, r.seconds[k->second]);
    if (other == 0) continue;
    double const ratio = other / r.seconds[s->second];
    gain[r.n * static_cast<std::size_t>(r.element_bytes)] += std::log(ratio);
    result.measured.push_back(fmt::format("  {} of int{}: {:.2f}", size_text(r.n), 8 * r.element_bytes, ratio));
  }
  if (gain.empty()) return result;
  double sum = 0, most = 0;
  std::size_t limit = gain.begin()->first - 1;
  for (auto const& [bytes, here] : gain) {
    sum += here;
    if (sum >= most) most = sum, limit = bytes;
  }
  // Where it is never the slower one, the limit is what it can do.
  std::string const value =
      limit == gain.rbegin()->first ? "std::numeric_limits<std::size_t>::max()" : std::to_string(limit);
  result.declarations = {"static constexpr std::size_t " + way + "_bytes = " + value + ";"};
  return result;
}

}  // namespace

std::vector<decision> choose(std::vector<candidate> const& candidates, measurements const& measured) {
  std::vector<decision> decisions;
  std::map<std::string, choices> chosen;  // by group and size of elements
  for (std::size_t first = 0; first < candidates.size();
       first += members_of(candidates, candidates[first].group).size()) {
    auto const& group = candidates[first].group;
    bool const by_size = candidates[first].declarations.front().find("{}") != std::string::npos;
    for (int const bytes : by_size ? std::vector{4, 8} : std::vector{0}) {
      auto const best = best_of(candidates, measured, group, bytes);
      if (!best) continue;
      chosen[group][bytes] = *best;
      decision d{group, bytes, {}, table_of(candidates, measured, group, bytes)};
      bool const is_own = candidates[*best].own.for_elements_of(bytes);
      d.measured.push_back("chosen: " + candidates[*best].name + (is_own ? ", as without this header" : ""));
      for (auto const& text : candidates[*best].declarations) d.declarations.push_back(replaced(text, bytes));
      decisions.push_back(std::move(d));
    }
  }
  std::vector<choices> others{chosen[many[0]].empty() ? chosen[many[1]] : chosen[many[0]]};
  std::vector<decision> limits;
  for (auto way = few.rbegin(); way != few.rend(); ++way) {
    if (auto limit = limit_of(*way, measured, chosen[*way], others); !limit.declarations.empty())
      limits.push_back(std::move(limit));
    others.push_back(chosen[*way]);
  }
  decisions.insert(decisions.end(), std::make_move_iterator(limits.rbegin()), std::make_move_iterator(limits.rend()));
  return decisions;
}

std::vector<std::string> table_of(std::vector<candidate> const& candidates, measurements const& measured,
                                  std::string const& group, int element_bytes) {
  auto const members = members_of(candidates, group);
  std::size_t width = 0;
  for (std::size_t k : members) width = std::max(width, candidates[k].name.size());
  std::vector<std::string> lines;
  for (int const bytes : element_bytes == 0 ? std::vector{4, 8} : std::vector{element_bytes}) {
    row_list rows;
    for (auto const& r : measured.rows)
      if (r.element_bytes == bytes &&
          std::any_of(members.begin(), members.end(), [&](std::size_t k) { return ran(r, k); }))
        rows.push_back(&r);
    if (rows.empty()) continue;
    std::string head = fmt::format("{:<{}}", fmt::format("int{}, fraction of a copy", 8 * bytes), width + 2);
    for (auto const* r : rows) head += fmt::format("{:>8}", size_text(r->n));
    lines.push_back(head);
    for (std::size_t k : members) {
      std::string line = fmt::format("  {:<{}}", candidates[k].name, width);
      for (auto const* r : rows)
        line += ran(*r, k) ? fmt::format("{:>8.3f}", r->copy_s / r->seconds[k]) : fmt::format("{:>8}", "-");
      lines.push_back(
          measured.refused[k].empty() ? line : fmt::format("  {:<{}}  cannot run here", candidates[k].name, width));
    }
  }
  return lines;
}

}  // namespace perf::autotune

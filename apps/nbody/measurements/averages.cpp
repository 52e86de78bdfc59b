// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "averages.hpp"

#include "../../support/outputs/gnuplot.hpp"

#include <upsweep/base/error.hpp>
#include <upsweep/io/replace_file.hpp>
#include <upsweep/mpi/agree.hpp>

#include <string>

namespace nbody {
namespace {

std::string panel(char const* labels, char const* data, std::string const& lines) {
  return std::string(labels) + "$" + data + " << end\n" + lines + "end\nplot $" + data;
}

}  // namespace

averages::averages(upsweep::mpi::communicator const& comm, space_type const& space, options const& o,
                   run_start const& start)
    : comm_(comm), options_(o) {
  auto const letters = open_letters(start.particles.data.periodic);
  if (!o.rdf.empty() && !letters.empty())
    throw upsweep::input_error("--rdf " + o.rdf + ": the box is open in " + letters +
                               " (expected a periodic one: g(r) is relative to the density in the box)");
  if (!o.rdf.empty()) rdf_.emplace(comm, space, o.cutoff, start.rdf ? &*start.rdf : nullptr);
  upsweep::mpi::all_or_none(comm, [&] {
    if (o.rdf.empty()) idle_rdf_ = start.rdf;
    if (o.msd.empty()) {
      idle_msd_ = start.msd;
      idle_reference_ = start.msd_reference;
      return;
    }
    msd_.emplace(comm, space, start.particles.total);
    if (!start.msd.empty()) msd_->resume(start.msd, start.msd_reference);
  });
}

void averages::sample(atoms const& a, neighborhood const& near, upsweep::box<double> const& box, std::int64_t step) {
  if (wants_rdf(step)) rdf_->sample(near, step);
  if (wants_msd(step)) msd_->sample(a, box, step);
}

void averages::add_to(checkpoint_header& header) const {
  if (rdf_) header.rdf = rdf_->total();
  upsweep::mpi::all_or_none(comm_, [&] {
    if (!rdf_) header.rdf = idle_rdf_;
    header.msd = msd_ ? msd_->rows() : idle_msd_;
  });
}

std::vector<std::string> averages::idle() const {
  std::vector<std::string> names;
  if (idle_rdf_) names.emplace_back("--rdf");
  if (!idle_msd_.empty()) names.emplace_back("--msd");
  return names;
}

void averages::write_files(std::int64_t particles, double volume) const {
  rdf_record pairs;
  if (rdf_) pairs = rdf_->total();
  upsweep::mpi::all_or_none(comm_, [&] {
    if (comm_.rank() != 0) return;
    std::vector<std::string> panels;
    if (rdf_) {
      auto const lines = rdf_text(pairs, particles, volume);
      upsweep::replace_file(options_.rdf, lines);
      panels.push_back(panel("set xlabel 'r'\nset ylabel 'g(r)'\nunset key\n", "rdf", lines) +
                       " using 1:2 with lines lw 2\n");
    }
    if (msd_) {
      auto const lines = msd_text(msd_->rows(), options_.dt);
      upsweep::replace_file(options_.msd, lines);
      panels.push_back(panel("set xlabel 'time'\nset ylabel 'mean squared displacement'\nunset key\n", "msd", lines) +
                       " using 2:3 with lines lw 2\n");
    }
    if (options_.plot.empty()) return;
    std::string script = "set grid\nset multiplot layout 1," + std::to_string(panels.size()) + "\n";
    for (auto const& text : panels) script += text;
    apps::draw("upsweep-nbody", options_.plot, 480 * static_cast<int>(panels.size()), 360,
               script + "unset multiplot\n");
  });
}

}  // namespace nbody

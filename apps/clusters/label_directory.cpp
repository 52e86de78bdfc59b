// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPDX-FileCopyrightText: The Upsweep authors
#include "label_directory.hpp"

#include "gathered.hpp"
#include "points.hpp"

#include <upsweep/base/monoid.hpp>
#include <upsweep/io/mpi/lammps_data.hpp>
#include <upsweep/mpi/agree.hpp>
#include <upsweep/mpi/redistribute.hpp>
#include <upsweep/pack/compact.hpp>
#include <upsweep/pack/reduce_by_key.hpp>
#include <upsweep/pack/sort.hpp>
#include <upsweep/pack/unique.hpp>

#include <cstddef>

namespace clusters {
namespace {

using upsweep::mpi::all_or_none;

struct is_renamed {
  labelled_sets of;
  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    return of.sets.parent(i) == static_cast<int>(i) && of.smallest(i) != of.first(i);
  }
};

/// Entries of labels.
struct entry_rows {
  numbers entry, label;

  std::size_t size() const { return entry.extent(0); }
};

/// A renamed set's label is an update of the entry of its first label and of that of its label before.
struct write_updates {
  labelled_sets of;
  numbers before;
  indices renamed;
  std::int64_t sets;
  entry_rows to;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    int const root = renamed(k % sets);
    to.entry(k) = k < sets ? of.first(root) : before(root);
    to.label(k) = of.smallest(root);
  }
};

/// What goes to the ranks that have entries: updates, then questions.
struct messages {
  entry_rows rows;
  indices asker;  ///< -1: nobody asks
  indices rank;
};

struct write_messages {
  entry_rows updates;
  numbers asked;
  std::int64_t total;
  int rank, ranks;
  messages to;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    auto const first_question = static_cast<std::int64_t>(updates.entry.extent(0));
    bool const asks = k >= first_question;
    std::int64_t const entry = asks ? asked(k - first_question) : updates.entry(k);
    to.rows.entry(k) = entry;
    to.rows.label(k) = asks ? entry : updates.label(k);
    to.asker(k) = asks ? rank : -1;
    to.rank(k) = rank_of(entry, total, ranks);
  }
};

struct begin_entries {
  numbers entries;
  std::int64_t first;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { entries(i) = first + i; }
};

/// A question, whose label is its entry, changes nothing.
struct lower_entry {
  numbers entries;
  entry_rows came;
  std::int64_t first;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    Kokkos::atomic_min(&entries(came.entry(k) - first), came.label(k));
  }
};

struct is_question {
  indices asker;
  KOKKOS_FUNCTION bool operator()(std::size_t k) const { return asker(k) >= 0; }
};

struct write_answers {
  numbers entries;
  messages came;
  indices questions;
  std::int64_t first;
  messages to;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    int const q = questions(k);
    std::int64_t const entry = came.rows.entry(q);
    to.rows.entry(k) = entry;
    to.rows.label(k) = entries(entry - first);
    to.rank(k) = came.asker(q);
  }
};

/// Answers come in the order of the questions, which ascend, as the ranks' ranges do.
struct take_answers {
  labelled_sets of;
  numbers before;
  indices renamed;
  entry_rows answers;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    std::int64_t& label = of.smallest(renamed(k));
    std::size_t begin = 0, end = answers.entry.extent(0);
    while (end - begin > 1) {
      std::size_t const middle = begin + (end - begin) / 2;
      if (answers.entry(middle) <= label) begin = middle;
      else end = middle;
    }
    label = Kokkos::min(label, answers.label(begin));
    before(renamed(k)) = label;
  }
};

entry_rows make_rows(space_type const& space, std::size_t n) {
  return {make<numbers>(space, "entries", n), make<numbers>(space, "labels", n)};
}
messages make_messages(space_type const& space, std::size_t n) {
  return {make_rows(space, n), make<indices>(space, "askers", n), make<indices>(space, "ranks", n)};
}

/// The smallest update of each entry: however many sets have one label, its entry hears once of it from a rank.
entry_rows updates_of(space_type const& space, labelled_sets const& sets, numbers const& before,
                      indices const& renamed) {
  std::size_t const n = renamed.extent(0);
  auto const all = make_rows(space, 2 * n), updates = make_rows(space, 2 * n);
  Kokkos::parallel_for("upsweep-clusters::write_updates", points_range(space, 2 * n),
                       write_updates{sets, before, renamed, static_cast<std::int64_t>(n), all});
  upsweep::sort_by_key(space, all.entry, all.label);
  auto const entries =
      upsweep::reduce_by_key(space, all.entry, all.label, updates.entry, updates.label, upsweep::min<>{});
  return {first_rows(updates.entry, entries), first_rows(updates.label, entries)};
}

/// The labels that the sets have, each once, ascending.
numbers labels_of(space_type const& space, labelled_sets const& sets, indices const& renamed) {
  auto const labels = gathered(space, sets.smallest, renamed);
  upsweep::sort(space, labels);
  return first_rows(labels, upsweep::unique_in_place(space, labels));
}

}  // namespace

void label_directory::make_entries(space_type const& space, numbers const& first_labels, std::int64_t first,
                                   std::int64_t last) {
  if (made_) return;
  auto const n = static_cast<std::size_t>(last - first);
  entries_ = make<numbers>(space, "directory", n);
  Kokkos::parallel_for("upsweep-clusters::begin_entries", points_range(space, n), begin_entries{entries_, first});
  before_ = make<numbers>(space, "before", first_labels.extent(0));
  Kokkos::deep_copy(space, before_, first_labels);
  made_ = true;
}

void label_directory::follow(space_type const& space, labelled_sets const& sets) {
  auto const range = upsweep::mpi::even_range(total_, comm_.rank(), comm_.size());
  indices renamed;
  messages moved;
  all_or_none(comm_, [&] {
    make_entries(space, sets.first, range.first, range.last);
    std::size_t const all = sets.first.extent(0);
    auto const roots = make<indices>(space, "roots", all);
    renamed = first_rows(roots, upsweep::compact_indices(space, all, roots, is_renamed{sets}));
    auto const updates = updates_of(space, sets, before_, renamed);
    auto const asked = labels_of(space, sets, renamed);
    std::size_t const n = updates.size() + asked.extent(0);
    moved = make_messages(space, n);
    Kokkos::parallel_for("upsweep-clusters::write_messages", points_range(space, n),
                         write_messages{updates, asked, total_, comm_.rank(), comm_.size(), moved});
  });
  upsweep::mpi::redistribute(comm_, space, moved.rank, moved.rows.entry, moved.rows.label, moved.asker);
  auto answers = all_or_none(comm_, [&] {
    std::size_t const n = moved.rows.size();
    Kokkos::parallel_for("upsweep-clusters::lower_entry", points_range(space, n),
                         lower_entry{entries_, moved.rows, range.first});
    auto const questions = make<indices>(space, "questions", n);
    auto const asked = upsweep::compact_indices(space, n, questions, is_question{moved.asker});
    auto const made = make_messages(space, asked);
    Kokkos::parallel_for("upsweep-clusters::write_answers", points_range(space, asked),
                         write_answers{entries_, moved, questions, range.first, made});
    return made;
  });
  upsweep::mpi::redistribute(comm_, space, answers.rank, answers.rows.entry, answers.rows.label);
  Kokkos::parallel_for("upsweep-clusters::take_answers", points_range(space, renamed.extent(0)),
                       take_answers{sets, before_, renamed, answers.rows});
}

}  // namespace clusters

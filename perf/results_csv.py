# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Reads the CSV files that upsweep-perf writes, about scans, packing operations and neighbour lists."""

import csv
import math
from pathlib import Path
from typing import NamedTuple, Optional

# Results from before 2026-11-28 have no spread.
COLUMNS = "date,git,machine,backend,impl,operation,type,n,median_us,gb_per_s,fraction_of_copy,spread".split(",")
LIST_COLUMNS = "date,git,machine,backend,impl,workload,type,n,median_ms,pairs,pairs_per_s,bytes,spread".split(",")


class BadCsv(Exception):
    """What is wrong, with file and line."""


class Row(NamedTuple):
    machine: str
    backend: str
    impl: str
    operation: str  # of lists: the workload
    type: str
    n: int
    median_us: float
    rate: float  # GB/s; of lists: pairs a second
    fraction_of_copy: Optional[float]  # None where no copy was measured
    spread: Optional[float]  # of the measurements: the distance of quartiles over the median; None: not known
    date: str
    git: str

    @property
    def key(self):
        return self[:6]

    @property
    def is_ours(self):
        return self.impl.startswith("upsweep")

    @property
    def is_peer(self):
        return not self.is_ours and self.impl != "copy"


class Results(NamedTuple):
    rows: list
    are_lists: bool


def number(text, kind, where, column, smallest):
    try:
        value = kind(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= smallest):
        raise BadCsv(f"{where}: {column} is '{text}'")
    return value


def common_columns(text, where):
    """What all kinds of results end with."""
    spread = text.get("spread")
    known = number(spread, float, where, "spread", 0) if spread else None
    return {"spread": known, "date": text["date"], "git": text["git"]}


def moved_row(text, where):
    """A scan's or a packing operation's."""
    copy = text["fraction_of_copy"]
    return Row(
        *(text[name] for name in ("machine", "backend", "impl", "operation", "type")),
        n=number(text["n"], int, where, "n", 0),
        median_us=number(text["median_us"], float, where, "median_us", 1e-6),
        rate=number(text["gb_per_s"], float, where, "gb_per_s", 0),
        fraction_of_copy=number(copy, float, where, "fraction_of_copy", 0) if copy else None,
        **common_columns(text, where),
    )


def list_row(text, where):
    return Row(
        *(text[name] for name in ("machine", "backend", "impl", "workload", "type")),
        n=number(text["n"], int, where, "n", 0),
        median_us=number(text["median_ms"], float, where, "median_ms", 1e-6) * 1e3,
        rate=number(text["pairs_per_s"], float, where, "pairs_per_s", 0),
        fraction_of_copy=None,
        **common_columns(text, where),
    )


def with_fractions(rows):
    """Lists compared with the copy of as many neighbours."""
    copies = {(*row.key[:2], *row.key[3:]): row.median_us for row in rows if row.impl == "copy"}
    for row in rows:
        copy = copies.get((*row.key[:2], *row.key[3:]))
        yield row._replace(fraction_of_copy=copy / row.median_us if copy else None)


def read(path):
    """The results of one file. Raises BadCsv."""
    try:
        text = Path(path).read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise BadCsv(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    lines = list(csv.reader(text.splitlines()))
    columns = lines[0] if lines else []
    if columns not in (COLUMNS, COLUMNS[:-1], LIST_COLUMNS, LIST_COLUMNS[:-1]):
        raise BadCsv(f"{path}:1: the columns are not {','.join(COLUMNS)} or {','.join(LIST_COLUMNS)}")
    are_lists = "workload" in columns
    rows = {}
    for line, values in enumerate(lines[1:], 2):
        where = f"{path}:{line}"
        if len(values) != len(columns):
            raise BadCsv(f"{where}: {len(values)} columns, not {len(columns)}")
        row = (list_row if are_lists else moved_row)(dict(zip(columns, values)), where)
        if row.key in rows:
            raise BadCsv(f"{where}: a second row of {' '.join(map(str, row.key))}")
        rows[row.key] = row
    if not rows:
        raise BadCsv(f"{path}: no rows")
    return Results(list(with_fractions(rows.values()) if are_lists else rows.values()), are_lists)

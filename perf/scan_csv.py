# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Reads the CSV files that upsweep-perf writes about scans."""

import csv
import math
from pathlib import Path
from typing import NamedTuple, Optional

COLUMNS = "date,git,machine,backend,impl,operation,type,n,median_us,gb_per_s,fraction_of_copy".split(",")


class BadCsv(Exception):
    """What is wrong, with file and line."""


class Row(NamedTuple):
    machine: str
    backend: str
    impl: str
    operation: str
    type: str
    n: int
    median_us: float
    gb_per_s: float
    fraction_of_copy: Optional[float]  # None where no copy was measured

    @property
    def key(self):
        return self[:6]


def number(text, kind, where, column, smallest):
    try:
        value = kind(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= smallest):
        raise BadCsv(f"{where}: {column} is '{text}'")
    return value


def read(path):
    """The rows of one file. Raises BadCsv."""
    try:
        text = Path(path).read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise BadCsv(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    lines = list(csv.reader(text.splitlines()))
    if not lines or lines[0] != COLUMNS:
        raise BadCsv(f"{path}:1: the columns are not {','.join(COLUMNS)}")
    rows = {}
    for line, values in enumerate(lines[1:], 2):
        where = f"{path}:{line}"
        if len(values) != len(COLUMNS):
            raise BadCsv(f"{where}: {len(values)} columns, not {len(COLUMNS)}")
        text = dict(zip(COLUMNS, values))
        row = Row(
            *(text[name] for name in ("machine", "backend", "impl", "operation", "type")),
            n=number(text["n"], int, where, "n", 0),
            median_us=number(text["median_us"], float, where, "median_us", 1e-6),
            gb_per_s=number(text["gb_per_s"], float, where, "gb_per_s", 0),
            fraction_of_copy=number(text["fraction_of_copy"], float, where, "fraction_of_copy", 0) if text["fraction_of_copy"] else None,
        )
        if row.key in rows:
            raise BadCsv(f"{where}: a second row of {' '.join(map(str, row.key))}")
        rows[row.key] = row
    if not rows:
        raise BadCsv(f"{path}: no rows")
    return list(rows.values())

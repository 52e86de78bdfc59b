# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Small trees of files, on which the checks of this folder are checked themselves."""

import contextlib
import tempfile
from pathlib import Path


@contextlib.contextmanager
def tree_of(files):
    """A folder with these files, {path: text}, while the context lasts."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        yield folder


def wrong_numbers(check, examples):
    """What is wrong with a check, check(folder), by examples: {name: (violations expected, files)}."""
    wrong = []
    for name, (expected, files) in examples.items():
        with tree_of(files) as folder:
            number = len(check(folder)[0])
        if number != expected:
            wrong.append(f"the example {name!r} gives {number} violations, not {expected}")
    return wrong

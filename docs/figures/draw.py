#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors
"""Draws the figures of docs/scan.md from the algorithms themselves.

docs/figures/draw.py writes the SVG files beside it.
"""

from pathlib import Path

CELL, ROW, SIZE = 46, 56, 30
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
    'font-family="sans-serif" font-size="12">\n'
)
ARROW = (
    '<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
    '<path d="M0 0 L8 4 L0 8 z" fill="#555"/></marker></defs>\n<rect width="100%" height="100%" fill="white"/>\n'
)


def box(x, y, text, fill="#eef2f7"):
    return (
        f'<rect x="{x - SIZE / 2}" y="{y - SIZE / 2}" width="{SIZE}" height="{SIZE}" rx="5" '
        f'fill="{fill}" stroke="#789"/>'
        f'<text x="{x}" y="{y + 4}" text-anchor="middle">{text}</text>\n'
    )


def line(x0, y0, x1, y1, arrow=True):
    end = ' marker-end="url(#a)"' if arrow else ""
    return f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="#555"{end}/>\n'


def bar(x, y, width, text, fill):
    return (
        f'<rect x="{x}" y="{y - 16}" width="{width}" height="32" fill="{fill}" stroke="#789"/>'
        f'<text x="{x + width / 2}" y="{y + 4}" text-anchor="middle">{text}</text>\n'
    )


def network(name, values, steps):
    """One row of values a step.

    A step: (caption, function from values to new values and the (from, to) pairs it used).
    """
    left, top = 130, 34
    out = ""
    rows = [("input", values, [])]
    for caption, step in steps:
        values, used = step(list(values))
        rows.append((caption, values, used))
    for r, (caption, row, used) in enumerate(rows):
        y = top + r * ROW
        out += f'<text x="{left - 30}" y="{y + 4}" text-anchor="end">{caption}</text>\n'
        for source, target in used:
            x0, x1 = left + source * CELL, left + target * CELL
            out += line(x0, y - ROW + SIZE / 2, x1, y - SIZE / 2 - 1, source != target)
        changed = {target for source, target in used if source != target}
        for i, value in enumerate(row):
            out += box(left + i * CELL, y, value, "#cfe3d4" if i in changed else "#eef2f7")
    w, h = left + len(values) * CELL, top + len(rows) * ROW - 20
    (Path(__file__).parent / f"{name}.svg").write_text(HEAD.format(w=w, h=h) + ARROW + out + "</svg>\n")


def kogge_stone(distance):
    def step(v):
        used = [(i - distance, i) for i in range(distance, len(v))] + [(i, i) for i in range(len(v))]
        return [v[i - distance] + v[i] if i >= distance else v[i] for i in range(len(v))], used

    return f"distance {distance}", step


def add_behind(name, first, distance):
    """Every value at first, first + 2 distance, ... gets the value `distance` to its left added."""

    def step(v):
        at = range(first, len(v), 2 * distance)
        used = [(i - distance, i) for i in at] + [(i, i) for i in at]
        for i in at:
            v[i] += v[i - distance]
        return v, used

    return f"{name} {distance}", step


def up(distance):
    return add_behind("up", 2 * distance - 1, distance)


def down_brent_kung(distance):
    return add_behind("down", 3 * distance - 1, distance)


def clear(v):
    v[-1] = 0
    return v, []


def down_blelloch(distance):
    def step(v):
        at = range(2 * distance - 1, len(v), 2 * distance)
        used = [(i, i - distance) for i in at] + [(i - distance, i) for i in at] + [(i, i) for i in at]
        for i in at:
            v[i - distance], v[i] = v[i], v[i] + v[i - distance]
        return v, used

    return f"down {distance}", step


def engines():
    """How often each engine touches an element: one bar a pass over global memory."""
    passes = {
        "scan_then_propagate": ["read, scan blocks", "write", "read", "add, write"],
        "reduce_then_scan, two_level": ["read, reduce blocks", "read", "scan, write"],
        "chained, look_back, pipelined, cache_tiles": ["read", "scan, write"],
    }
    out, top, left, width = "", 26, 290, 150
    for r, (name, bars) in enumerate(passes.items()):
        y = top + r * 52
        out += f'<text x="{left - 12}" y="{y + 4}" text-anchor="end">{name}</text>\n'
        for k, text in enumerate(bars):
            fill = "#f3d9c4" if "write" in text else "#cfe0f3"
            out += bar(left + k * width, y, width - 6, text, fill)
    w, h = left + 4 * width, top + 3 * 52 - 16
    (Path(__file__).parent / "engines.svg").write_text(HEAD.format(w=w, h=h) + ARROW + out + "</svg>\n")


def look_back():
    """One tile on its way back: sums are collected until a prefix is met."""
    prefix, sum_of = "#cfe3d4", "#f6ecc4"
    tiles = [("P 9", prefix), ("P 14", prefix), ("S 3", sum_of), ("S 7", sum_of), ("A 2", sum_of), ("?", "#fff")]
    names = ["group 0", "group 1", "group 2", "group 3", "a tile", "this tile"]
    out, left, y, wide = "", 60, 80, 92
    for k, (text, fill) in enumerate(tiles):
        x = left + k * wide
        out += f'<rect x="{x - 36}" y="{y - 18}" width="72" height="36" rx="5" fill="{fill}" stroke="#789"/>'
        out += f'<text x="{x}" y="{y + 4}" text-anchor="middle">{text}</text>'
        out += f'<text x="{x}" y="{y + 38}" text-anchor="middle" fill="#555">{names[k]}</text>\n'
    for k in (4, 3, 2, 1):
        x0, x1 = left + (k + 1) * wide - 8, left + k * wide + 8
        curve = f"M{x0} {y - 20} Q{(x0 + x1) / 2} {y - 58} {x1} {y - 20}"
        out += f'<path d="{curve}" fill="none" stroke="#555" marker-end="url(#a)"/>\n'
    caption = "((14 + 3) + 7) + 2 = 26 stands before this tile, the second one of group 4"
    out += f'<text x="{left + 3 * wide}" y="{y + 66}" text-anchor="middle">{caption}</text>\n'
    w, h = left + 5 * wide + 60, y + 84
    (Path(__file__).parent / "look_back.svg").write_text(HEAD.format(w=w, h=h) + ARROW + out + "</svg>\n")


def pipelined():
    """What the three kinds of warps of one team do at the same time."""
    rows = [
        ("copy warp", ["copy 2 in", "0 out, 3 in", "1 out, 4 in", "2 out, 5 in"], "#cfe0f3"),
        ("workers", ["fold 1 | scan 0", "fold 2 | scan 1", "fold 3 | scan 2", "fold 4 | scan 3"], "#f3d9c4"),
        ("look-back warp", ["prefix of 1", "prefix of 2", "prefix of 3", "prefix of 4"], "#cfe3d4"),
    ]
    out, top, left, width = "", 26, 130, 150
    for r, (name, bars, fill) in enumerate(rows):
        y = top + r * 46
        out += f'<text x="{left - 12}" y="{y + 4}" text-anchor="end">{name}</text>\n'
        for k, text in enumerate(bars):
            out += bar(left + k * width, y, width - 6, text, fill)
    w, h = left + 4 * width, top + 3 * 46 + 4
    out += f'<path d="M{left} {h - 14} L{w - 14} {h - 14}" stroke="#555" marker-end="url(#a)"/>'
    out += f'<text x="{left - 12}" y="{h - 10}" text-anchor="end">time</text>\n'
    (Path(__file__).parent / "pipelined.svg").write_text(HEAD.format(w=w, h=h) + ARROW + out + "</svg>\n")


VALUES = [3, 1, 7, 0, 4, 1, 6, 3]
network("kogge_stone", VALUES, [kogge_stone(1), kogge_stone(2), kogge_stone(4)])
network("brent_kung", VALUES, [up(1), up(2), up(4), down_brent_kung(2), down_brent_kung(1)])
clear_root = ("clear the root", clear)
network("blelloch", VALUES, [up(1), up(2), clear_root, down_blelloch(4), down_blelloch(2), down_blelloch(1)])
engines()
look_back()
pipelined()

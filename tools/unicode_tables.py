#!/usr/bin/env python3
"""Writes nn/text/unicode_tables.inc: lower case, and characters without their accents.

usage: tools/unicode_tables.py >nn/text/unicode_tables.inc
"""

import unicodedata
import textwrap


def lower_case_ranges():
    """[first, last, step, distance]: neighbours, or every second character, at one distance."""
    ranges = []
    for code in range(0x110000):
        lower = chr(code).lower()
        if len(lower) != 1 or lower == chr(code):
            continue
        distance = ord(lower) - code
        if ranges and ranges[-1][3] == distance:
            first, last, step, _ = ranges[-1]
            gap = code - last
            if gap == step or (first == last and gap <= 2):
                ranges[-1] = [first, code, gap, distance]
                continue
        ranges.append([code, code, 1, distance])
    return ranges


def without_accents():
    """[character, what remains of its canonical decomposition, ..., filled up with zeros]."""
    rows = []
    for code in range(0x110000):
        if 0xAC00 <= code <= 0xD7A3 or 0xD800 <= code <= 0xDFFF:
            continue  # Hangul syllables are computed; surrogates are no characters
        if unicodedata.category(chr(code)) == "Mn":
            continue
        parts = unicodedata.normalize("NFD", chr(code))
        rest = [ord(part) for part in parts if unicodedata.category(part) != "Mn"]
        if rest != [code]:
            rows.append([code] + rest + [0] * (3 - len(rest)))
    return rows


def show(kind, name, rows):
    cells = ["{" + ", ".join(f"{n:#x}" if n >= 0 else f"-{-n:#x}" for n in row) + "}" for row in rows]
    print(f"constexpr {kind} {name}[] = {{")
    print(textwrap.fill(", ".join(cells).replace("}, {", "},\t{").replace(", ", ",\N{NO-BREAK SPACE}").replace("\t", " "),
                        width=99, initial_indent="    ", subsequent_indent="    ").replace("\N{NO-BREAK SPACE}", " ") + "};")


print(f"// Unicode {unicodedata.unidata_version}, by tools/unicode_tables.py; not to be changed by hand.")
print("// clang-format off")
show("LowerCase", "kLowerCase", lower_case_ranges())
single = [row[:2] for row in without_accents() if not row[2]]
several = [row for row in without_accents() if row[2]]
show("Single", "kWithoutAccents", single)
show("Several", "kSeveralWithoutAccents", several)
print("// clang-format on")

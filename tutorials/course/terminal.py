"""Formats the course's output for a terminal or a pipe: colours, lines as wide as the window, a program's output as it
comes."""

import os
import re
import shutil
import sys
import textwrap

COLOURS = {"red": "31", "green": "32", "yellow": "33", "bold": "1", "dim": "2"}
CODES = re.compile(r"\x1b\[[0-9;]*[mK]")


def is_terminal():
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def coloured(words, colour):
    return f"\x1b[{COLOURS[colour]}m{words}\x1b[0m" if is_terminal() else words


def verdicts(text):
    """A check's output with RED and green in their colours. In a pipe there are no colours, not even a compiler's."""
    if not is_terminal():
        return CODES.sub("", text)
    text = re.sub(r"^RED\b", coloured("RED", "red"), text, flags=re.M)
    return re.sub(r"^green\b", coloured("green", "green"), text, flags=re.M)


def folded(text, most=8):
    """A check's output, with a long run of green lines shortened to one line."""

    def fold(run):
        count = run[0].count("\n")
        return f"green  {count} steps hold, the last: {run[1]}\n" if count > most else run[0]

    return re.sub(r"(?:^green\b *(.*)\n)+", fold, text + "\n", flags=re.M)[:-1]


def wrapped(text):
    """Wraps paragraphs and items ("- ") to the window's width; leaves code, which is indented, unchanged."""
    width = max(40, min(100, shutil.get_terminal_size().columns))

    def filled(block):
        if re.search(r"^ {4}|^```", block, re.M):
            return block
        items = re.split(r"\n(?=- )", block)
        return "\n".join(
            textwrap.fill(" ".join(item.split()), width, subsequent_indent="  " * item.startswith("- ")) for item in items
        )

    return "\n\n".join(map(filled, text.split("\n\n")))


def bar(done, of, width=24):
    full = round(width * done / of) if of else 0
    return "█" * full + "░" * (width - full)


class Parts:
    """Shows a chapter's output line by line: the marks of its parts, [name] before and after, become headings."""

    def __init__(self):
        self.open = None

    def shown(self, line):
        mark = re.fullmatch(r"\[(\w+)\]\n", line)
        if not mark:
            return line
        self.open = None if self.open == mark[1] else mark[1]
        return coloured(self.open.replace("_", " ").capitalize(), "bold") + "\n" if self.open else ""

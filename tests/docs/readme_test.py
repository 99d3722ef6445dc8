"""Holds README.md to the truth: its C++ example is readme_example.cpp, and what follows it is what that prints.

usage: readme_test.py README.md readme_example.cpp PROGRAM
"""

import difflib
import subprocess
import sys


def block_after(text, opening, begin=0):
    """The lines of the first fenced block that begins with `opening`, and where it ends."""
    start = text.index(opening + "\n", begin) + len(opening) + 1
    end = text.index("\n```", start)
    return text[start:end].splitlines(), end


def require_equal(what, got, wanted):
    if got != wanted:
        lines = difflib.unified_diff(got, wanted, "README.md", what, lineterm="")
        sys.exit(f"README.md does not show {what}:\n" + "\n".join(lines))


readme_path, source_path, program = sys.argv[1:]
with open(readme_path, encoding="utf-8") as file:
    readme = file.read()
with open(source_path, encoding="utf-8") as file:
    source = file.read().split("// [example]\n")[1]
shown_code, end = block_after(readme, "```cpp")
shown_output, _ = block_after(readme, "```text", end)
require_equal("its example", shown_code, source.splitlines())
printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
require_equal("what its example prints", shown_output, printed.splitlines())

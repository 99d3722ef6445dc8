"""Holds a page to the truth: its C++ programs are these sources, in order, and what it says that one prints, that one prints.

A page says so in the text block that follows the program, or in the comment of the line that prints.

usage: programs_test.py PAGE.md (SOURCE.cpp PROGRAM)...
"""

import difflib
import pathlib
import re
import subprocess
import sys


def require_equal(what, got, wanted):
    if got != wanted:
        sys.exit("\n".join([f"{page.name} does not show {what}:", *difflib.unified_diff(got, wanted, page.name, what, lineterm="")]))


page, *examples = map(pathlib.Path, sys.argv[1:])
blocks = re.findall(r"^```(cpp|text)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
shown = [(code.splitlines(), [text for language, text in blocks[i + 1 : i + 2] if language == "text"])
         for i, (language, code) in enumerate(blocks) if language == "cpp"]
if len(shown) != len(examples) / 2:
    sys.exit(f"{page.name} shows {len(shown)} programs, the test has {len(examples) // 2}")
for (code, output), source, program in zip(shown, examples[::2], examples[1::2]):
    require_equal(source.name, code, source.read_text(encoding="utf-8").split("// [example]\n")[1].splitlines())
    said = output[0].splitlines() if output else [line.split(";  // ")[1] for line in code if "std::cout" in line]
    printed = subprocess.run([program.resolve()], check=True, capture_output=True, text=True).stdout
    require_equal(f"what {source.name} prints", said, printed.splitlines())

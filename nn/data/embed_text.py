"""Writes a C++ source that holds the bundled texts: embed_text.py TEXT... SOURCE.

gcc and clang take one literal of any length, and compile it faster than numbers.
The build runs this, so that the program finds its texts wherever it is started or installed.
"""

import json
import sys
from pathlib import Path

*texts, source = map(Path, sys.argv[1:])
names = ", ".join(text.name for text in texts)
lines = [f"// Made from {names} by embed_text.py; change those and build again.", '#include "nn/data/corpus.h"']
lines += ['#pragma GCC diagnostic ignored "-Woverlength-strings"', ""]
for text in texts:
    data = text.read_bytes()
    if not data.isascii():
        sys.exit(f"{text}: must be plain ASCII")
    rows = (json.dumps(row) for row in data.decode().splitlines(keepends=True))
    lines += [f"static const char k_{text.stem}[] =", "\n".join(rows) + ";", ""]
lines += ["std::optional<std::string_view> gradus::bundled_text(std::string_view name) {"]
lines += [f'  if (name == "{t.stem}") return std::string_view(k_{t.stem}, sizeof k_{t.stem} - 1);' for t in texts]
lines += ["  return std::nullopt;", "}"]
source.write_text("\n".join(lines) + "\n")

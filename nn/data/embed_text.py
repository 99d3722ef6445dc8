"""Writes a C++ source that holds a text file: embed_text.py TEXT SOURCE.

Numbers and not a string literal: compilers need not take literals above 65536 characters.
The build runs this, so that the program finds its corpus wherever it is started or installed.
"""

import sys
from pathlib import Path

text, source = map(Path, sys.argv[1:])
data = text.read_bytes()
if not data.isascii():
    sys.exit(f"{text}: must be plain ASCII")
rows = (",".join(map(str, data[i : i + 32])) for i in range(0, len(data), 32))
source.write_text(
    f"// Made from {text.name} by embed_text.py; change that and build again.\n"
    '#include "nn/data/corpus.h"\n\n'
    "static const char kFables[] = {\n" + ",\n".join(rows) + "};\n\n"
    "std::string_view gradus::bundled_fables() { return {kFables, sizeof kFables}; }\n"
)

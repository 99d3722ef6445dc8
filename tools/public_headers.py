#!/usr/bin/env python3
"""Prints the headers to install: all that include neither the vector kernels nor JSON, not even through others.

These headers compile to the same code under any flags: none of them depends on the width of the machine's
vectors.
"""

import functools
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
INSIDE = {f"autograd/kernels/{name}.h" for name in ("few_rows", "gemm_bf16", "loops", "rearrange", "rows", "scratch", "vector_math")}


@functools.cache
def is_public(header):
    included = re.findall(r'^#include ["<](.*?)[">]', (root / header).read_text(), re.MULTILINE)
    return (
        header not in INSIDE
        and not any(other.startswith("nlohmann/") for other in included)
        and all(is_public(other) for other in included if (root / other).is_file())
    )


for folder in ("autograd", "gradus", "nn"):
    for path in sorted((root / folder).rglob("*.h")):
        if is_public(header := path.relative_to(root).as_posix()):
            print(header)

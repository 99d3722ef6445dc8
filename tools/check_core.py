"""Holds the core of the engine to what docs/architecture.md says of it: its size, and who includes whom.

usage: check_core.py ROOT
"""

import pathlib
import re
import sys

MOST_LINES = 3000  # of autograd/ and autograd/ops/, headers and comments included
MOST_GRAPH_LINES = 350  # of graph.h and graph.cpp: what an op needs of the graph
# The ops with a second, fused path, each of which asks uses_fused() once.
DISPATCH = {"elementwise", "attention", "cross_entropy", "norm", "softmax"}


def sources(folder):
    return sorted(path for path in folder.iterdir() if path.suffix in (".h", ".cpp"))


def lines(paths):
    return sum(len(path.read_text().splitlines()) for path in paths)


def includes(path):
    return re.findall(r'#include "([^"]+)"', path.read_text())


def faults(root):
    engine = root / "autograd"
    core = sources(engine) + sources(engine / "ops")
    if lines(core) > MOST_LINES:
        yield f"autograd/ and autograd/ops/ have {lines(core)} lines, more than {MOST_LINES}"
    graph = [engine / "graph.h", engine / "graph.cpp"]
    if lines(graph) > MOST_GRAPH_LINES:
        yield f"graph.h and graph.cpp have {lines(graph)} lines, more than {MOST_GRAPH_LINES}"
    for path in core:
        for header in includes(path):
            if header.startswith("autograd/fused/") and not (path.suffix == ".cpp" and path.stem in DISPATCH):
                yield f"{path.relative_to(root)} includes {header}, and has no second path"
            if header.startswith("autograd/more/"):
                yield f"{path.relative_to(root)} includes {header}: the core is read without the further ops"
            if header.startswith("autograd/inspect/"):
                yield f"{path.relative_to(root)} includes {header}: the core does not know who looks at it"
    for path in sources(engine / "kernels"):
        for header in includes(path):
            if not re.match(r"autograd/(kernels/|scalar\.h|shape\.h|check\.h)", header):
                yield f"{path.relative_to(root)} includes {header}: kernels know no Tensor"
    for path in [path for room in [engine, *filter(pathlib.Path.is_dir, engine.iterdir())] for path in sources(room)]:
        for header in includes(path):
            if not header.startswith("autograd/"):
                yield f"{path.relative_to(root)} includes {header}: the engine stands by itself"


def main():
    found = list(faults(pathlib.Path(sys.argv[1])))
    print(*found, sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())

"""Holds the core of the engine to what docs/architecture.md says of it: its size, file by file, and who includes whom.

usage: check_core.py [ROOT], by default the current folder
"""

import pathlib
import re
import sys

MOST_LINES = 3000  # of autograd/ and autograd/ops/, headers and comments included
MOST_GRAPH_LINES = 350  # of the nodes and the pass through them, comments included
GRAPH = ("graph.h", "graph.cpp", "backward.cpp")
# The sources of the core's ops with a second, fused path.
DISPATCH = {"elementwise", "attention", "cross_entropy", "norm", "softmax"}


def sources(folder):
    return sorted(path for path in folder.iterdir() if path.suffix in (".h", ".cpp"))


def rooms(root):
    return [root / "autograd", *filter(pathlib.Path.is_dir, (root / "autograd").iterdir())]


def lines(paths):
    return sum(len(path.read_text().splitlines()) for path in paths if path.is_file())


def includes(path):
    return re.findall(r'#include "([^"]+)"', path.read_text())


def wrong_dispatch(path):
    """Fused paths that an op's source calls without asking uses_fused() once for each, or asks for in vain."""
    text = path.read_text()
    called = re.findall(r"\bfused::(\w+)\(", text)
    asked = text.count("uses_fused()")
    if asked != len(called) or len(set(called)) != len(called):
        yield f"{path} asks uses_fused() {asked} times and calls {', '.join(called) or 'no fused path'}, not once for each"


def out_of_order(root, core):
    """What docs/reading_order.txt lists before a file of the core that it includes, or not at all."""
    listed = (root / "docs/reading_order.txt").read_text().split()
    place = {name: i for i, name in enumerate(listed)}
    for path in sorted({str(path.relative_to(root)) for path in core} ^ set(listed)):
        yield f"docs/reading_order.txt lists {path}, which is not of the core, or leaves it out"
    for name in filter(lambda name: (root / name).is_file(), listed):
        for header in includes(root / name):
            if place.get(header, -1) > place[name]:
                yield f"docs/reading_order.txt lists {name} before {header}, which it includes"


def wrong_counts(root):
    """The numbers of lines and files that docs/architecture.md prints and that are no longer true."""
    page = (root / "docs/architecture.md").read_text()
    listed = {name: int(count) for count, name in re.findall(r"^ +(\d+) (autograd/\S+|total)$", page, re.M)}
    true = {name: lines([root / name]) for name in listed if name != "total"}
    true["total"] = sum(true.values())
    for folder, files, count in re.findall(r"^\| `(autograd/\w+/)` \| (\d+) \| ([\d,]+) \|", page, re.M):
        listed |= {folder: int(count.replace(",", "")), f"{folder}, files": int(files)}
        true |= {folder: lines(sources(root / folder)), f"{folder}, files": len(sources(root / folder))}
    (everything,) = re.findall(r"^All of `autograd/` has ([\d,]+) lines", page, re.M)
    listed["autograd/, all of it"] = int(everything.replace(",", ""))
    true["autograd/, all of it"] = sum(lines(sources(room)) for room in rooms(root))
    for name in listed:
        if listed[name] != true[name]:
            yield f"docs/architecture.md says {listed[name]} of {name}, which has {true[name]}"


def faults(root):
    engine = root / "autograd"
    core = sources(engine) + sources(engine / "ops")
    if lines(core) > MOST_LINES:
        yield f"autograd/ and autograd/ops/ have {lines(core)} lines, more than {MOST_LINES}"
    if (graph := lines(engine / name for name in GRAPH)) > MOST_GRAPH_LINES:
        yield f"{', '.join(GRAPH)} have {graph} lines, more than {MOST_GRAPH_LINES}"
    yield from out_of_order(root, core)
    yield from wrong_counts(root)
    for path in core:
        for header in includes(path):
            if header.startswith("autograd/fused/") and not (path.suffix == ".cpp" and path.stem in DISPATCH):
                yield f"{path.relative_to(root)} includes {header}, and has no second path"
            if header.startswith("autograd/more/"):
                yield f"{path.relative_to(root)} includes {header}: the core is read without the further ops"
            if header.startswith("autograd/inspect/"):
                yield f"{path.relative_to(root)} includes {header}: the core does not know who looks at it"
    for path in core + sources(engine / "more"):
        yield from wrong_dispatch(path)
    for path in sources(engine / "kernels"):
        for header in includes(path):
            if not re.match(r"autograd/(kernels/|scalar\.h|shape\.h|check\.h)", header):
                yield f"{path.relative_to(root)} includes {header}: kernels know no Tensor"
    for path in [path for room in rooms(root) for path in sources(room)]:
        for header in includes(path):
            if not header.startswith("autograd/"):
                yield f"{path.relative_to(root)} includes {header}: the engine stands by itself"


def main():
    root = pathlib.Path(*sys.argv[1:2])
    if len(sys.argv) > 2 or not (root / "autograd").is_dir():
        sys.exit(__doc__.strip() + f"\nthere is no {root / 'autograd'}" * (len(sys.argv) <= 2))
    found = list(faults(root))
    print(*found, sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())

"""Checks the direction of includes: each folder includes only folders below it, and no header includes itself through
others.

usage: check_core.py [ROOT], by default the current folder
"""

import functools
import pathlib
import re
import sys

# Maps each folder to the folders right below it. A folder may include these, the folders below them, and itself. A file that is
# named here counts as a separate folder; autograd/ops and the files beside it may include each other.
BELOW = {
    "autograd/scalar.h autograd/check.h autograd/shape.h autograd/shape.cpp": "",
    "autograd/kernels": "autograd/shape.h",
    "autograd autograd/ops": "autograd/kernels",
    "autograd/inspect": "autograd",
    "nn": "autograd/inspect",
    "nn/layers": "nn",
    "nn/models": "nn/layers",
    "nn/generate": "nn/models",
    "nn/optim": "nn",
    "nn/text": "nn",
    "nn/files": "nn/models nn/optim nn/text",
    "nn/data": "nn/files",
    "nn/examples": "nn/data",
    "nn/train": "nn/data",
    "nn/tasks": "nn/examples nn/generate nn/train",
    "cli/program": "nn/tasks",
    "cli/attention": "cli/program",
    "cli/cluster": "cli/program",
    "cli/tasks": "cli/program",
    "cli/run": "cli/cluster cli/tasks",
    "cli/commands": "cli/attention cli/run",
    "cli": "cli/commands",
}
GROUP = {name: group for group in BELOW for name in group.split()}
CHECKED = ("autograd", "cli", "nn")


@functools.cache
def may_include(group):
    """The groups that a group may include: itself and all groups below it."""
    return {group}.union(*(may_include(GROUP[name]) for name in BELOW[group].split()))


def group_of(file):
    """The group of a file, or None if its folder is not in the table."""
    return GROUP.get(file) or GROUP.get(file.rpartition("/")[0])


def includes(path):
    return re.findall(r'#include "([^"]+)"', path.read_text())


def circles(included):
    """The circles in a graph {file: the files that it includes}, each as a list of files."""
    done = set()

    def visit(name, way):
        if name in way:
            yield [*way[way.index(name) :], name]
        elif name not in done:
            for other in included.get(name, ()):
                yield from visit(other, [*way, name])
            done.add(name)

    for name in included:
        yield from visit(name, [])


def faults(root):
    sources = [path for folder in CHECKED for path in sorted((root / folder).rglob("*")) if path.suffix in (".h", ".cpp")]
    included = {path.relative_to(root).as_posix(): includes(path) for path in sources}
    for name, headers in included.items():
        if not group_of(name):
            yield f"{name} is in no folder of BELOW (tools/check_core.py): add it, with the folders right below it"
            continue
        for header in headers:
            if group_of(header) not in may_include(group_of(name)):
                yield f"{name} includes {header}, which is not below it"
    for circle in circles(included):
        yield " includes ".join(circle) + ": a circle"


def main():
    root = pathlib.Path(*sys.argv[1:2])
    if len(sys.argv) > 2 or not (root / "autograd").is_dir():
        sys.exit(__doc__.strip() + f"\nthere is no {root / 'autograd'}" * (len(sys.argv) <= 2))
    found = list(faults(root))
    for fault in found:
        print(fault)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())

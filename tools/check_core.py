"""Checks which way includes point in autograd/: kernels know no Tensor, ops do not include inspect/, the engine stands alone, and no
header includes itself by way of others.

usage: check_core.py [ROOT], by default the current folder
"""

import pathlib
import re
import sys

KERNELS_MAY = ("autograd/kernels/", "autograd/scalar.h", "autograd/shape.h", "autograd/check.h")


def includes(path):
    return re.findall(r'#include "([^"]+)"', path.read_text())


def circles(included):
    """The circles in a graph of {file: the files that it includes}, each as the files on its way."""
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
    included = {path.relative_to(root).as_posix(): includes(path) for path in sorted((root / "autograd").rglob("*")) if path.suffix in (".h", ".cpp")}
    for name, headers in included.items():
        for header in headers:
            if not header.startswith("autograd/"):
                yield f"{name} includes {header}: the engine stands alone"
            if name.startswith("autograd/kernels/") and not header.startswith(KERNELS_MAY):
                yield f"{name} includes {header}: kernels know no Tensor"
            if header.startswith("autograd/inspect/") and not name.startswith("autograd/inspect/"):
                yield f"{name} includes {header}: what inspect/ looks at does not include it"
    for circle in circles(included):
        yield " includes ".join(circle) + ": a circle"


def main():
    root = pathlib.Path(*sys.argv[1:2])
    if len(sys.argv) > 2 or not (root / "autograd").is_dir():
        sys.exit(__doc__.strip() + f"\nthere is no {root / 'autograd'}" * (len(sys.argv) <= 2))
    found = list(faults(root))
    print(*found, sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())

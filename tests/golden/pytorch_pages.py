#!/usr/bin/env python3
"""Runs the chapters' fold-outs "Same in PyTorch" and keeps what they print: tutorials/*/pytorch*.txt.

The test `course` compares those numbers with what the chapters' own programs print, without PyTorch.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tutorials" / "course"))

from pytorch import digest  # noqa: E402


def write():
    for script in sorted(ROOT.glob("tutorials/*/pytorch*.py")):
        if script.parent.name == "course":
            continue
        run = subprocess.run([sys.executable, script], cwd=ROOT, capture_output=True, text=True, check=True)
        script.with_suffix(".txt").write_text(digest(script) + run.stdout)
        print(script.with_suffix(".txt").relative_to(ROOT))


if __name__ == "__main__":
    write()

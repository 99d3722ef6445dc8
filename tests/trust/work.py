"""The interface between `./run trust` and its rows.

A row is a module of this folder:

    '''One sentence for the table.'''
    TARGETS = {'build': ['gradus']}        # what ./run trust compiles first: folder, targets of ninja
    def NEEDS(part): return ['strace']     # packages beyond a compiler's, by their names in ./run; none by default
    SHARE = 2                              # the row's part of the time beside other rows', 1 by default
    def parts(): return ['a', 'b']         # if it has several lines in the table; work.part is the line's name
    def run(work): ...                     # takes about work.seconds, returns a Result
"""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path


@dataclasses.dataclass
class Work:
    """What a row works with."""
    seconds: float   # how long it may take
    seed: int        # of everything that it draws
    root: Path       # the sources
    build: Path      # ./run's build folder
    temporary: Path  # an empty folder, removed after the row
    kept: Path       # a folder for inputs that repeat a finding; it stays
    part: str = ''
    began: float = dataclasses.field(default_factory=time.monotonic)

    def folder(self, name: str) -> Path:
        """A build folder beside `build`, such as build-trust."""
        return self.build.parent / name

    def left(self) -> float:
        """The seconds that are left."""
        return self.began + self.seconds - time.monotonic()


@dataclasses.dataclass
class Result:
    """What a row found."""
    count: int            # how many things were tried
    unit: str             # what was counted: inputs, graphs, kills
    findings: list[str] = dataclasses.field(default_factory=list)  # each with the command that repeats it
    note: str = ''        # for the table, such as what was left out and why

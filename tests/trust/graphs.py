"""Random graphs of all ops against naive loops, in double and in float."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path

from work import Result, Work

SHARE = 2


def parts() -> list[str]:
    return ['double', 'float']


def TARGETS(part: str) -> dict[str, list[str]]:
    return {'build': [f'tests/graphs_{part}']}


def draw_graphs(program: Path, work: Work, variables: dict[str, str] | None = None) -> Result:
    """Runs the program for the row's time, in one process for each core."""
    environment = os.environ | (variables or {})
    cores = os.cpu_count() or 1
    running = [subprocess.Popen([program, '--seconds', str(max(1.0, work.seconds)), '--seed', str(work.seed * cores + core)],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace',
                                env=environment) for core in range(cores)]
    result = Result(0, 'graphs')
    undecided = 0
    try:
        for process in running:
            said = process.communicate()[0]
            if counts := re.search(r'^(\d+) graphs agree, (\d+) undecided', said, re.M):
                result.count += int(counts[1])
                undecided += int(counts[2])
            if process.returncode != 0:
                number = re.search(r'^graph (\d+): ', said, re.M)
                again = [str(program), *(['--graph', number[1]] if number else process.args[1:])]
                settings = [f'{name}={value}' for name, value in (variables or {}).items()]
                result.findings.append(f'{said.strip()[-3000:] or process.returncode}\n  again: '
                                       f'{shlex.join(settings + again)}')
    finally:
        for process in running:
            process.kill()
            process.wait()
    if undecided > 0:
        result.note = f'{undecided} more compare numbers too near to each other'
    return result


def run(work: Work) -> Result:
    return draw_graphs(work.build / 'tests' / f'graphs_{work.part}', work)

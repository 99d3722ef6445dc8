"""The graphs on every kernel that OpenBLAS may choose, and in builds for older processors."""

from __future__ import annotations

import subprocess
from pathlib import Path

import graphs
from work import Result, Work

CORES = {'Prescott': 'pni', 'Haswell': 'avx2', 'Zen': 'avx2', 'SkylakeX': 'avx512vl', 'Cooperlake': 'avx512_bf16'}
LEVELS = {'v2': 'sse4_2', 'v3': 'avx2', 'v4': 'avx512vl'}


def parts() -> list[str]:
    return [*CORES, *LEVELS]


def can_run(part: str) -> bool:
    """Whether this processor has the instructions; elsewhere than on Linux, only what every x86-64 has."""
    try:
        flags = Path('/proc/cpuinfo').read_text().split()
    except OSError:
        return part in ('Prescott', 'v2')
    return (CORES | LEVELS)[part] in flags


def TARGETS(part: str) -> dict[str, list[str]]:
    if not can_run(part):
        return {}
    return {f'build-{part}' if part in LEVELS else 'build': ['tests/graphs_double', 'tests/graphs_float']}


def run(work: Work) -> Result:
    if not can_run(work.part):
        return Result(0, 'graphs', note=f'left out: this processor has no {(CORES | LEVELS)[work.part]}')
    build = work.folder(f'build-{work.part}') if work.part in LEVELS else work.build
    variables = {'OPENBLAS_CORETYPE': work.part} if work.part in CORES else {}
    if variables:
        program = build / 'tests/graphs_float'
        said = subprocess.run([program, '--graphs', '1'], capture_output=True, text=True,
                              env={**variables, 'OPENBLAS_VERBOSE': '2'}).stderr
        if f'Core: {work.part}' not in said:
            return Result(0, 'graphs', note=f"left out: OpenBLAS chose {said.strip() or 'kernels without a name'}")
    total = Result(0, 'graphs')
    work.seconds /= 2
    for precision in ('double', 'float'):
        result = graphs.draw_graphs(build / 'tests' / f'graphs_{precision}', work, variables)
        total.count += result.count
        total.findings += result.findings
    return total

"""Long runs: the resident memory must not grow. A training is killed and resumed again and again; a text is written far beyond the
model's window. The memory is VmRSS of /proc, so this row runs on Linux only."""

from __future__ import annotations

import os
import random
import re
import shlex
import subprocess
import time
from pathlib import Path

from work import Result, Work

SHARE = 2
TARGETS = {'build': ['gradus']}
GROWTH = 1.01  # of the memory after the first third
TOKEN_BYTES = 8  # generate() returns all tokens of a text in a vector: 4 bytes each, and as much again while it grows
FLAGS = ['--text', 'fables', '--n_layer=2', '--n_head=2', '--n_embd=32', '--block_size=32', '--batch_size=4', '--eval_interval=50',
         '--eval_iters=2', '--log_interval=1', '--max_iters=100000000', '--lr_decay_iters=1000']


def parts() -> list[str]:
    return ['train', 'sample']


def resident(pid: int) -> int:
    """KB in memory; 0 if the process has ended."""
    try:
        found = re.search(r'^VmRSS:\s+(\d+) kB', Path(f'/proc/{pid}/status').read_text(), re.M)
    except OSError:
        found = None
    return int(found[1]) if found else 0


def growth(sizes: list[int], what: str, again: str, kept: int = 0) -> list[str]:
    """A finding if the memory has grown after the first third of the time, by more than `kept` KB that are accounted for."""
    third = len(sizes) // 3
    if third == 0:
        return [f'{what}: ended too soon\n  again: {again}']
    before, after = max(sizes[:third]), max(sizes[-third:])
    if after <= GROWTH * before + kept:
        return []
    return [f'{what}: the resident memory must not grow by more than 1% and {kept} KB, grew from {before} KB to {after} KB\n  again: {again}']


def watched(process: subprocess.Popen, seconds: float) -> list[int]:
    """The memory of a process, every 50 ms of this time or until it ends."""
    sizes: list[int] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        if size := resident(process.pid):
            sizes.append(size)
        time.sleep(0.05)
    return sizes


def soak_training(work: Work) -> Result:
    number = random.Random(work.seed)
    folder = work.temporary / 'out'
    begin = [str(work.build / 'gradus'), 'train', *FLAGS, f'--out_dir={folder}']
    resume = [str(work.build / 'gradus'), 'train', '--init_from=resume', f'--out_dir={folder}']
    result = Result(0, 'slices')
    largest = 0
    while result.count < 2 or work.left() > 3:
        command = resume if (folder / 'last').exists() else begin
        if folder.exists() and command is begin:
            command = [*begin, '--overwrite']
        with open(work.temporary / 'errors', 'w+', errors='replace') as errors:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
            try:
                # The last slice is the longest, as a leak shows late.
                sizes = watched(process, max(3, work.left() / 2) if result.count else number.uniform(3, 6))
                ended = process.poll()
            finally:
                process.kill()
                process.wait()
            errors.seek(0)
            said = errors.read()
        result.count += 1
        largest = max([largest, *sizes])
        if ended is not None:
            result.findings.append(f'ended with {ended}: {said[-500:]}\n  again: {shlex.join(command)}')
            return result
        result.findings += growth(sizes, 'training', shlex.join(command))
    result.note = f'at most {largest / 1024:.0f} MB'
    return result


def soak_sampling(work: Work) -> Result:
    folder = work.temporary / 'out'
    program = str(work.build / 'gradus')
    subprocess.run([program, 'train', *FLAGS, '--max_iters=50', f'--out_dir={folder}'], check=True, capture_output=True)
    command = [program, 'sample', f'--out_dir={folder}', '--max_new_tokens=2000000000', f'--seed={work.seed}']
    text = work.temporary / 'text'
    with open(text, 'wb') as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE)
        try:
            sizes = watched(process, max(5, work.left()))
            ended = process.poll()
        finally:
            process.kill()
            said = process.communicate()[1].decode(errors='replace')
    written = text.stat().st_size  # at least as many as tokens, as this vocabulary is of characters
    result = Result(written, 'bytes', growth(sizes, 'sampling', shlex.join(command), TOKEN_BYTES * written // 1024))
    if ended is not None:
        result.findings.append(f'ended with {ended}: {said[-500:]}\n  again: {shlex.join(command)}')
    if sizes:
        result.note = f'at most {max(sizes) / 1024:.0f} MB'
    return result


def run(work: Work) -> Result:
    if not os.path.exists('/proc/self/status'):
        return Result(0, 'slices', note='left out: needs /proc')
    return soak_training(work) if work.part == 'train' else soak_sampling(work)

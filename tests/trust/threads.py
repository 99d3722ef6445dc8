"""The bits of a training depend on the number of threads, and on nothing else: not on the load of the machine, and not on chance.
docs/architecture.md promises this for one machine and one build."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shlex
import subprocess
import sys
from pathlib import Path

from work import Result, Work

TARGETS = {'build': ['gradus']}
COUNTS = [1, 2, 3, 4, 8, 16, 64]
# Large enough that ops are split over threads.
FLAGS = ['--text', 'fables', '--n_layer=2', '--n_head=2', '--n_embd=64', '--block_size=64', '--batch_size=8', '--dropout=0.1',
         '--eval_interval=4', '--eval_iters=1', '--max_iters=6', '--log_interval=1', '--overwrite']
KINDS = [[], ['--optimizer=muon'], ['--position=rotary', '--norm=rms', '--activation=swiglu'], ['--gradient_accumulation_steps=2'],
         ['--position=t5'], ['--token_shift']]


def bits_of(folder: Path) -> str:
    """A digest of the weights, of the optimiser's state and of the losses."""
    digest = hashlib.sha256()
    for name in ('last/model.safetensors', 'last/optimizer.safetensors', 'best/model.safetensors'):
        digest.update((folder / name).read_bytes())
    for line in (folder / 'log.jsonl').read_text().splitlines():
        entry = json.loads(line)
        digest.update(repr([entry.get(key) for key in ('step', 'loss', 'train_loss', 'val_loss')]).encode())
    return digest.hexdigest()


def run(work: Work) -> Result:
    number = random.Random(work.seed)
    result = Result(0, 'trainings')
    known: dict[tuple[int, int], str] = {}  # bits by kind and number of threads
    busy = 0
    while not result.findings and (result.count < 2 * len(COUNTS) or work.left() > 0):
        if result.count % len(COUNTS) == 0:  # every count runs in turn, each with the same kinds, idle and busy
            kind = (result.count // len(COUNTS) // 2) % len(KINDS)
        count = COUNTS[result.count % len(COUNTS)]
        folder = work.temporary / 'out'
        command = [str(work.build / 'gradus'), 'train', *FLAGS, *KINDS[kind], f'--out_dir={folder}']
        is_busy = result.count // len(COUNTS) % 2 == 1
        beside = [subprocess.Popen([sys.executable, '-c', 'while True: pass'])
                  for _ in range(number.randint(1, 2 * (os.cpu_count() or 1)) if is_busy else 0)]
        try:
            done = subprocess.run(command, env=os.environ | {'OMP_NUM_THREADS': str(count)}, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, errors='replace')
        finally:
            for process in beside:
                process.kill()
                process.wait()
        result.count += 1
        busy += is_busy
        again = f'again, twice: OMP_NUM_THREADS={count} {shlex.join(command)}'
        if done.returncode != 0:
            result.findings.append(f'ended with {done.returncode}: {done.stderr[-500:]}\n  {again}')
        elif known.setdefault((kind, count), bits_of(folder)) != bits_of(folder):
            result.findings.append(f'with {count} threads, other bits than before\n  {again}')
    result.note = f'{busy} of them beside busy processes'
    return result

"""A tiny training that the rows about sudden deaths interrupt, resume and compare with one that was not interrupted."""

from __future__ import annotations

import json
import os
import random
import shlex
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Callable, Iterator

from work import Result, Work

SIZES = ('--tokenizer=byte --block_size=8 --batch_size=2 --gradient_accumulation_steps=2 --n_layer=1 --n_head=1 --n_embd=4 '
         '--n_inner=4 --learning_rate=0.05 --lr_decay_iters=12 --eval_interval=3 --eval_iters=1 --log_interval=1').split()
CHECKPOINTS = ('best', 'last')
LONGEST = 120  # seconds; on an idle machine a training takes a third of one


class Training:
    """One configuration of a training of so many steps, and the files with which it ends."""

    def __init__(self, work: Work, steps: int, launcher: list[str] | None = None):
        self.program, self.steps, self.launcher = work.build / 'gradus', steps, launcher or []
        self.text = work.kept / 'text.txt'
        self.text.write_text(''.join(f'The fox number {i} met a crow, and said: what a fine day!\n' for i in range(60)))
        # Without gnuplot in the PATH, no loss curve is drawn.
        self.environment = {'PATH': '/nonexistent', 'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1'}
        if self.launcher:
            self.environment = os.environ | self.environment | {'PATH': os.environ['PATH'], 'TMPDIR': '/tmp'}
        self.expected: dict[str, object] = {}

    def command(self, out_dir: Path, *, resumed: str = '', steps: int = 0) -> list[str]:
        """The command of a new training, or of one that continues from the checkpoint `resumed`."""
        run = [f'--out_dir={out_dir}', f'--max_iters={steps or self.steps}']
        if resumed:
            return [*self.launcher, str(self.program), 'train', '--init_from=resume', f'--checkpoint={resumed}',
                    '--log_interval=1', *run]
        return [*self.launcher, str(self.program), 'train', f'--text={self.text}', *SIZES, *run]

    def run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, errors='replace',
                              timeout=LONGEST, stdin=subprocess.DEVNULL)

    def start(self, command: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True, errors='replace')

    def shown(self, command: list[str]) -> str:
        """The command as a line for a shell."""
        settings = [] if self.launcher else ['env', *(f'{name}={value}' for name, value in self.environment.items())]
        return shlex.join([*settings, *command])

    def learn_expected(self, out_dir: Path) -> None:
        """Trains to the end without an interruption."""
        ended = self.run(self.command(out_dir))
        if ended.returncode != 0:
            raise RuntimeError(f'{self.shown(self.command(out_dir))} ended with {ended.returncode}: {ended.stderr[-500:]}')
        self.expected = results_of(out_dir)

    def continue_to_end(self, out_dir: Path, must_have: set[str] = frozenset(), *, lines_lost: bool = False) -> str:
        """Checks what an interrupted training has left, continues it, and compares the files at its end.

        Returns what is wrong, or ''. `must_have` are the checkpoints that there must be.
        """
        present = {name for name in CHECKPOINTS if is_there(out_dir, name)}
        for name in must_have - present:
            return f'{name} is gone'
        for name in present:
            read = self.run([str(self.program), 'info', f'--out_dir={out_dir}', f'--checkpoint={name}'])
            if read.returncode != 0:
                return f'{name} cannot be read: {read.stderr.strip()}'
        command = self.command(out_dir, resumed=newest_of(out_dir))
        ended = self.run(command)
        if ended.returncode != 0:
            return f'cannot be continued: {self.shown(command)} ended with {ended.returncode}: {ended.stderr.strip()[-500:]}'
        left_over = {file.name for file in out_dir.iterdir()} - {*CHECKPOINTS, 'log.jsonl', 'run.json', 'loss.svg'}
        if left_over:
            return f'left over after continuing: {", ".join(sorted(left_over))}'
        return self.difference(out_dir, lines_lost=lines_lost)

    def difference(self, out_dir: Path, *, lines_lost: bool = False) -> str:
        """Where the files of a finished training differ from those of the uninterrupted one; '' if nowhere."""
        got = results_of(out_dir)
        for name in sorted(self.expected.keys() | got.keys()):
            wanted, found = self.expected.get(name), got.get(name)
            if name == 'log.jsonl' and wanted is not None and found is not None:
                if lines_lost and all(line in wanted for line in found):
                    continue
                lost = [line for line in wanted if line not in found]
                if lost:
                    return f'log.jsonl has lost {len(lost)} of {len(wanted)} lines, first {lost[0]}'
            if wanted != found:
                return f'{name} differs from the one of the uninterrupted training'
        return ''


def is_there(out_dir: Path, name: str) -> bool:
    """Whether a checkpoint exists, also where an interrupted swap in two steps has put it."""
    return (out_dir / name).is_dir() or (out_dir / f'.{name}.old').is_dir()


def newest_of(out_dir: Path) -> str:
    """The checkpoint from which to continue, or '' if there is none."""
    return next((name for name in reversed(CHECKPOINTS) if is_there(out_dir, name)), '')


def results_of(out_dir: Path) -> dict[str, object]:
    """All files of both checkpoints, and the lines of the log without times."""
    found: dict[str, object] = {f'{name}/{file.name}': file.read_bytes()
                                for name in CHECKPOINTS if (out_dir / name).is_dir()
                                for file in (out_dir / name).iterdir()}
    lines = []
    for line in (out_dir / 'log.jsonl').read_text(errors='replace').splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            lines.append(f'damaged: {line!r}')
            continue
        lines.append(json.dumps({key: value for key, value in entry.items() if key not in ('ms', 'tokens_per_second')}))
    return found | {'log.jsonl': lines}


def run_cases(work: Work, unit: str, cases: Iterator[object], tried: Callable[[object, Path], tuple[int, str]],
              at_once: int = 0) -> Result:
    """Tries cases until the time is up, one on each core. `tried(case, folder)` returns how many things it counts and
    what is wrong."""
    result = Result(0, unit)
    lock = threading.Lock()
    numbered = enumerate(cases)

    def try_next() -> bool:
        with lock:
            if len(result.findings) >= 5 or (work.left() <= 0 and result.count > 0):
                return False
            number, case = next(numbered, (-1, None))
        if number < 0:
            return False
        folder = work.temporary / f'case{number}'
        folder.mkdir()
        count, finding = tried(case, folder)
        shutil.rmtree(folder, ignore_errors=True)
        with lock:
            result.count += count
            result.findings += [finding] if finding else []
        return True

    def keep_trying() -> None:
        while try_next():
            pass

    workers = at_once or os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(keep_trying) for _ in range(workers)]:
            done.result()
    return result


def draws(seed: int) -> Iterator[random.Random]:
    """An endless series of generators that the seed determines."""
    number = 0
    while True:
        yield random.Random(f'{seed} {number}')
        number += 1

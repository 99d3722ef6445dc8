"""Trainings that end at once, at any moment, are continued and end in the same bits."""

from __future__ import annotations

import dataclasses
import os
import random
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from training import CHECKPOINTS, Training, draws, is_there, newest_of, run_cases
from work import Result, Work

SHARE = 3
# The system calls that change files. An error in place of one of the next fails to read a file or folder.
CHANGING = ['openat', 'write', 'pwrite64', 'ftruncate', 'fsync', 'rename', 'renameat2', 'mkdir', 'unlink', 'unlinkat', 'rmdir',
            'close']
READING = ['read', 'getdents64']
ERRORS = ['ENOSPC', 'EIO', 'EMFILE', 'EROFS', 'EACCES', 'EINTR']
NO_EXCHANGE = 'inject=renameat2:error=EINVAL'  # as on a file system that cannot swap two folders


def parts() -> list[str]:
    return ['random', 'calls', 'errors', 'ranks']


def NEEDS(part: str) -> list[str]:
    return {'calls': ['strace'], 'errors': ['strace'], 'ranks': ['mpirun', 'mpicxx']}.get(part, [])


def TARGETS(part: str) -> dict[str, list[str]]:
    return {'build': ['gradus']}


def run(work: Work) -> Result:
    for need in NEEDS(work.part):
        if shutil.which(need) is None:
            return Result(0, 'kills', note=f'left out: there is no {need}')
    return {'random': run_random, 'calls': run_calls, 'errors': run_errors, 'ranks': run_ranks}[work.part](work)


# Kills at random moments.

def kill_at(process: subprocess.Popen[str], out_dir: Path, seconds: float, kill) -> set[str] | None:
    """Kills a process so many seconds after it has taken its out_dir. Returns the checkpoints that were there just before,
    or None if the process had ended."""
    while process.poll() is None and not (out_dir / '.lock').exists():
        time.sleep(0.0005)
    time.sleep(seconds)
    present = {name for name in CHECKPOINTS if is_there(out_dir, name)}
    if process.poll() is not None:
        return None
    kill()
    return present


def run_random(work: Work) -> Result:
    training = Training(work, 60)
    began = time.monotonic()
    training.learn_expected(work.temporary / 'expected')
    longest = (time.monotonic() - began) / 2  # the first half is spent before the training

    def tried(draw: random.Random, folder: Path) -> tuple[int, str]:
        out_dir, kills, resumed, repeats = folder / 'out', 0, '', []
        must_have: set[str] = set()
        while True:
            seconds = draw.uniform(0, longest)
            command = training.command(out_dir, resumed=resumed)
            process = training.start(command)
            present = kill_at(process, out_dir, seconds, process.kill)
            process.communicate()
            if present is not None:
                kills += 1
                must_have |= present
                repeats.append(f'{training.shown(command)} & sleep {seconds:.4f}; kill -9 $!')
            resumed = newest_of(out_dir)
            if present is None or draw.random() < 0.5:
                break
        if present is None:
            trouble = training.difference(out_dir)
        else:
            trouble = training.continue_to_end(out_dir, must_have)
        return kills, f'{trouble}\n  again: ' + '\n  '.join(repeats) if trouble else ''

    return run_cases(work, 'kills', draws(work.seed), tried)


# Kills and errors at each system call.

@dataclasses.dataclass
class Call:
    """One system call of a training."""
    name: str
    number: int            # of the calls with this name, from 1
    finished: set[str]     # the checkpoints that are in place before it
    path: str              # the file, below out_dir


def calls_of(training: Training, folder: Path, names: list[str], exchange: bool) -> list[Call]:
    """The calls of a training that touch its out_dir, in order; without `exchange`, not the calls of renameat2, which fail."""
    out_dir = folder / 'out'
    log = folder / 'calls'
    traced = [shutil.which('strace'), '-f', '-y', '-o', str(log), '-e', f'trace={",".join(names)}',
              *([] if exchange else ['-e', NO_EXCHANGE])]
    ended = training.run([*traced, *training.command(out_dir)])
    if ended.returncode != 0:
        raise RuntimeError(f'strace ended with {ended.returncode}: {ended.stderr[-500:]}')
    counts: dict[str, int] = {}
    finished: set[str] = set()
    calls = []
    for line in log.read_text(errors='replace').splitlines():
        found = re.match(r'\d+ +(\w+)\((.*)', line)
        if found is None:
            continue
        name, rest = found[1], found[2]
        counts[name] = counts.get(name, 0) + 1
        paths = re.findall(rf'{re.escape(str(out_dir))}[^">]*', rest)
        if paths and (exchange or name != 'renameat2'):
            calls.append(Call(name, counts[name], set(finished), paths[0].removeprefix(f'{out_dir}').lstrip('/') or '.'))
        if name.startswith('rename') and rest.endswith('= 0') and len(paths) == 2:
            finished |= {checkpoint for checkpoint in CHECKPOINTS if paths[1] == f'{out_dir}/{checkpoint}'}
    shutil.rmtree(out_dir)
    return calls


def injected(training: Training, out_dir: Path, call: Call, what: str, exchange: bool) -> list[str]:
    """The command of a training in which something happens in place of this call."""
    names = call.name if exchange else f'{call.name},renameat2'
    return [shutil.which('strace'), '-f', '-o', '/dev/null', '-e', f'trace={names}', *([] if exchange else ['-e', NO_EXCHANGE]),
            '-e', f'inject={call.name}:{what}:when={call.number}', *training.command(out_dir)]


def run_calls(work: Work) -> Result:
    training = traced_training(work)
    training.learn_expected(work.temporary / 'expected')
    cases = [(call, exchange) for exchange in (True, False)
             for call in calls_of(training, work.temporary, CHANGING, exchange)]

    def tried(case: tuple[Call, bool], folder: Path) -> tuple[int, str]:
        call, exchange = case
        out_dir = folder / 'out'
        command = injected(training, out_dir, call, 'signal=KILL', exchange)
        ended = training.run(command)
        again = f'\n  again: {training.shown(command)}'
        if ended.returncode != -signal.SIGKILL:
            return 0, f'{call.name} {call.number}: was not killed, but ended with {ended.returncode}{again}'
        trouble = training.continue_to_end(out_dir, call.finished)
        return 1, f'{call.name} {call.number} of {call.path}: {trouble}{again}' if trouble else ''

    random.Random(work.seed).shuffle(cases)
    result = run_cases(work, 'kills', iter(cases), tried)
    result.note = f'of {len(cases)} calls'
    return result


def run_errors(work: Work) -> Result:
    training = traced_training(work)
    training.learn_expected(work.temporary / 'expected')
    cases = [(call, exchange, error, lasting) for exchange in (True, False)
             for call in calls_of(training, work.temporary, CHANGING + READING, exchange) for error in (ERRORS if call.name in CHANGING else ['EIO', 'EACCES'])
             for lasting in ('', '+') if call.name != 'write' or not lasting]  # messages are written too

    def tried(case: tuple[Call, bool, str, str], folder: Path) -> tuple[int, str]:
        call, exchange, error, lasting = case
        out_dir = folder / 'out'
        command = injected(training, out_dir, call, f'error={error}', exchange)
        command = [word + lasting if word.startswith(f'inject={call.name}:error={error}') else word for word in command]
        ended = training.run(command)
        said = [line for line in ended.stderr.splitlines() if line.startswith('gradus: ')]
        trouble = ''
        if ended.returncode == 0:
            trouble = training.difference(out_dir)
        elif ended.returncode != 1:
            trouble = f'ended with {ended.returncode}: {ended.stderr[-500:]}'
        elif not any(str(path) in line for line in said for path in (folder, training.text)):
            trouble = f'no message names the file or folder: {said}'
        else:
            # A line that could not be written into the log is lost, as the message says.
            trouble = training.continue_to_end(out_dir, call.finished, lines_lost=call.name == 'write')
        if not trouble:
            return 1, ''
        return 1, (f'{error} for {call.name} {call.number}{lasting} of {call.path}: {trouble}'
                   f'\n  again: {training.shown(command)}')

    random.Random(work.seed).shuffle(cases)
    result = run_cases(work, 'errors', iter(cases), tried)
    result.note = f'of {len(cases)} pairs of call and error'
    return result


def traced_training(work: Work) -> Training:
    """Two evaluations: two checkpoints that are new, and two that replace others."""
    return Training(work, 6)


# Kills of one of two processes.

def run_ranks(work: Work) -> Result:
    launcher = ['mpirun', '-n', '2', '--bind-to', 'none', '--oversubscribe']
    if os.getuid() == 0:
        launcher.append('--allow-run-as-root')
    training = Training(work, 60, launcher)
    began = time.monotonic()
    training.learn_expected(work.temporary / 'expected')
    longest = (time.monotonic() - began) / 4

    def tried(draw: random.Random, folder: Path) -> tuple[int, str]:
        out_dir = folder / 'out'
        command, seconds = training.command(out_dir), draw.uniform(0, longest)
        how = draw.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
        process = training.start(command)
        victim = 0

        def kill() -> None:
            nonlocal victim
            ranks = ranks_of(process.pid, training.program)
            if ranks:
                victim = draw.choice(ranks)
                os.kill(victim, how)

        present = kill_at(process, out_dir, seconds, kill)
        killed_at = time.monotonic()
        try:
            said = process.communicate(timeout=30)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            return 1, f'still runs 30 seconds after {how.name} to one rank\n  again: {training.shown(command)}'
        if present is None or victim == 0:
            return 0, training.difference(out_dir)
        if process.returncode == 0:
            trouble = training.difference(out_dir)
        else:
            trouble = training.continue_to_end(out_dir, present)
        return 1, (f'{how.name} to one rank {seconds:.2f} s after the start; ended {time.monotonic() - killed_at:.1f} s later '
                   f'with {process.returncode}: {trouble}\n  {said[-300:]}\n  again: {training.shown(command)} & sleep '
                   f'{seconds:.2f}; pkill -{how.value} -n -P $!' if trouble else '')

    return run_cases(work, 'kills', draws(work.seed), tried, at_once=1)


def ranks_of(pid: int, program: Path) -> list[int]:
    """The children of mpirun that run the program."""
    found = []
    for child in Path(f'/proc/{pid}/task/{pid}/children').read_text().split():
        try:
            if os.readlink(f'/proc/{child}/exe') == str(program.resolve()):
                found.append(int(child))
        except OSError:
            pass
    return found

"""Power loss: a training's operations on files, of which those not yet synced may be lost, and what then continues.

strace records the operations of a training. The row then draws a moment and forgets, as a disk does without power:

- from each file, the end of what was written since the last fsync of the file, or it puts zeros in place of the data;
- from each folder, the last of the operations (new, renamed and removed names) since the last fsync of the folder.
"""

from __future__ import annotations

import json
import random
import re
import shlex
import shutil
import signal
from pathlib import Path
from typing import Iterator

from deaths import CHANGING, NO_EXCHANGE, Call, calls_of
from training import CHECKPOINTS, Training, draws, newest_of, run_cases
from work import Result, Work

SHARE = 2
STEPS = 12
MOMENTS = 25  # of each recorded training


def NEEDS(part: str) -> list[str]:
    return ['strace']


def TARGETS(part: str) -> dict[str, list[str]]:
    return {'build': ['gradus']}


class Node:
    """A file or folder: its operations so far, of which the first `synced` are on the disk."""

    def __init__(self) -> None:
        self.operations: list[tuple] = []
        self.synced = 0


class File(Node):
    """Operations: ('size', bytes) and ('write', offset, data)."""

    @staticmethod
    def content(operations: list[tuple]) -> bytearray:
        out = bytearray()
        for kind, number, *data in operations:
            if kind == 'size':
                out = out[:number].ljust(number, b'\0')
            else:
                out = out.ljust(number, b'\0')
                out[number:number + len(data[0])] = data[0]
        return out


class Folder(Node):
    """Operations: ('add', name, node), ('remove', name), ('rename', from, to) and ('exchange', one, other)."""

    @staticmethod
    def content(operations: list[tuple]) -> dict[str, Node]:
        out: dict[str, Node] = {}
        for kind, name, *rest in operations:
            if kind == 'add':
                out[name] = rest[0]
            elif kind == 'remove':
                del out[name]
            elif kind == 'rename':
                out[rest[0]] = out.pop(name)
            else:
                out[name], out[rest[0]] = out[rest[0]], out[name]
        return out


class Disk:
    """Carries out recorded system calls on the files below a folder that exists already."""

    def __init__(self, root: str):
        self.root, self.top = root, Folder()
        self.opened: dict[tuple[str, str], list] = {}  # process and descriptor: path, node, position or None for appending

    def find(self, path: str) -> Node | None:
        node: Node | None = self.top
        for name in path.removeprefix(self.root).strip('/').split('/'):
            if name:
                node = node.content(node.operations).get(name) if isinstance(node, Folder) else None
        return node

    def change(self, path: str, kind: str, *rest: object) -> None:
        folder, name = path.rsplit('/', 1)
        parent = self.find(folder)
        assert isinstance(parent, Folder), path
        parent.operations.append((kind, name, *rest))

    def carry_out(self, line: str) -> str:
        """Carries out a line of strace; returns a description, or '' if it changes nothing here."""
        found = re.match(r'(\d+) +(\w+)\((.*)\) = (\d+)', line)
        if found is None:
            return ''  # failed, or not a call
        process, call, arguments, result = found.groups()
        texts = [bytes.fromhex(text.replace('\\x', '')) for text in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', arguments)]
        descriptor = (process, re.match(r'\d*', arguments)[0])
        if call in ('write', 'pwrite64', 'ftruncate', 'fsync', 'fdatasync'):
            if descriptor not in self.opened:
                return ''
            opened = self.opened[descriptor]
            path, node, position = opened
            if call in ('fsync', 'fdatasync'):
                node.synced = len(node.operations)
            elif call == 'ftruncate':
                node.operations.append(('size', int(arguments.rsplit(', ', 1)[1])))
            else:
                if call == 'pwrite64':
                    position = int(arguments.rsplit(', ', 1)[1])
                elif position is None:
                    position = len(File.content(node.operations))
                node.operations.append(('write', position, texts[0][:int(result)]))
                if call == 'write' and opened[2] is not None:
                    opened[2] += int(result)
            return f'{call} {path.removeprefix(self.root)}'
        paths = [text.decode() for text in texts]
        if descriptor in self.opened:  # relative to an open folder
            paths[0] = f'{self.opened[descriptor][0]}/{paths[0]}'
        if not all(f'{path}/'.startswith(self.root + '/') for path in paths):
            return ''
        if call == 'openat':
            node = self.find(paths[0])
            if node is None:
                node = File()
                self.change(paths[0], 'add', node)
            if 'O_TRUNC' in arguments and node.operations:
                node.operations.append(('size', 0))
            self.opened[process, result] = [paths[0], node, None if 'O_APPEND' in arguments else 0]
            if 'O_CREAT' not in arguments:
                return ''
        elif call == 'mkdir':
            self.change(paths[0], 'add', Folder())
        elif call in ('unlink', 'unlinkat', 'rmdir'):
            self.change(paths[0], 'remove')
        else:
            assert paths[0].rsplit('/', 1)[0] == paths[1].rsplit('/', 1)[0], f'{line} moves to another folder'
            self.change(paths[0], 'exchange' if 'EXCHANGE' in arguments else 'rename', paths[1].rsplit('/', 1)[1])
        return ' '.join([call, *(path.removeprefix(self.root) for path in paths)])


def after_power_loss(folder: Folder, draw: random.Random, lost: list[str], path: str = '') -> dict[str, object]:
    """What the disk holds, as bytes of files and dictionaries of folders. `lost` collects what was forgotten."""

    def first_lost(node: Node) -> int:
        everything = len(node.operations)
        return draw.choice([node.synced, everything, draw.randint(node.synced, everything)])

    kept = first_lost(folder)
    lost += [f'{path}/: {" ".join(word for word in operation if isinstance(word, str))}'
             for operation in folder.operations[kept:]]
    out: dict[str, object] = {}
    for name, node in Folder.content(folder.operations[:kept]).items():
        if isinstance(node, Folder):
            out[name] = after_power_loss(node, draw, lost, f'{path}/{name}')
            continue
        kept_of_file = first_lost(node)
        operations = node.operations[:kept_of_file]
        if kept_of_file < len(node.operations):
            cut = node.operations[kept_of_file]
            if cut[0] == 'write':
                operations.append((*cut[:2], cut[2][:draw.randint(0, len(cut[2]))]))
            lost.append(f'{path}/{name}: {len(node.operations) - kept_of_file} operations')
        content = File.content(operations)
        if kept_of_file < len(node.operations) and draw.random() < 0.25:  # the size was written, but not the data
            content = content.ljust(len(File.content(node.operations)), b'\0')
        out[name] = bytes(content)
    return out


def write_out(content: dict[str, object], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, inside in content.items():
        if isinstance(inside, dict):
            write_out(inside, folder / name)
        else:
            (folder / name).write_bytes(inside)


def step_of(checkpoint: object) -> int:
    """The step of a checkpoint in the contents of a disk; -1 if it is not a whole one."""
    try:
        return json.loads(checkpoint['trainer.json'])['step']
    except (TypeError, KeyError, ValueError):
        return -1


def durable_steps(disk: Disk, out_dir: str) -> dict[str, int]:
    """The steps of the checkpoints in a folder that has just been synced."""
    found = {}
    folder = disk.find(out_dir)
    inside = Folder.content(folder.operations)
    for name in CHECKPOINTS:
        node = inside.get(name)
        state = Folder.content(node.operations).get('trainer.json') if node else None
        if state:
            found[name] = step_of({'trainer.json': bytes(File.content(state.operations))})
    return found


def record(training: Training, folder: Path, draw: random.Random, calls: dict[bool, list[Call]]) -> list[str]:
    """The calls of a training that ends or is killed, and is continued. `calls` are the calls of a training, by whether the
    system can swap folders."""
    out_dir, logs = folder / 'new' / 'out', []
    exchange = draw.random() < 0.7
    folder.mkdir(parents=True)

    def traced(name: str, injections: list[str], command: list[str]) -> int:
        logs.append(folder.parent / f'{folder.name}.{name}')
        changes = [word for text in injections + ([] if exchange else [NO_EXCHANGE]) for word in ('-e', text)]
        return training.run([shutil.which('strace'), '-f', '-y', '-xx', '-s', '1000000', '-o', str(logs[-1]),
                             '-e', f'trace={",".join(CHANGING)}', *changes, *command]).returncode

    if draw.random() < 0.5:  # ends by itself, and is continued for more steps
        code = traced('first', [], training.command(out_dir, steps=STEPS // 2))
        wanted = 0
    else:  # is killed, in half of the cases soon after renaming a folder
        place = draw.randrange(len(calls[exchange]))
        if draw.random() < 0.5:
            renamed = [i for i, call in enumerate(calls[exchange]) if call.name.startswith('rename')]
            place = min(draw.choice(renamed) + draw.randint(1, 4), len(calls[exchange]) - 1)
        call = calls[exchange][place]
        code = traced('first', [f'inject={call.name}:signal=KILL:when={call.number}'], training.command(out_dir))
        wanted = -signal.SIGKILL
    if code != wanted:
        raise RuntimeError(f'the training to record ended with {code}')
    if traced('second', [], training.command(out_dir, resumed=newest_of(out_dir))) != 0:
        raise RuntimeError('the training to record cannot be continued')
    here = ''.join(f'\\x{byte:02x}' for byte in str(folder).encode())
    lines = [line for log in logs for line in log.read_text().splitlines() if here in line and ' close(' not in line]
    shutil.rmtree(folder)
    return lines


def run(work: Work) -> Result:
    if shutil.which('strace') is None:
        return Result(0, 'losses', note='left out: there is no strace')
    training = Training(work, STEPS)
    training.learn_expected(work.temporary / 'expected')
    calls = {exchange: calls_of(training, work.temporary, CHANGING, exchange) for exchange in (True, False)}
    recorded = 0

    def cases() -> Iterator[tuple]:
        nonlocal recorded
        for draw in draws(work.seed):
            root = work.temporary / f'recorded{recorded}'
            lines = record(training, root, draw, calls)
            near = [i for i, line in enumerate(lines) if re.search(r' (rename|renameat2|unlinkat)\(', line)]
            recorded += 1
            for _ in range(MOMENTS):
                moment = draw.randint(0, len(lines))
                if draw.random() < 0.5:  # half of the moments are near a renamed or removed file
                    moment = min(draw.choice(near) + draw.randint(0, 3), len(lines))
                yield str(root), lines, moment, draw.randrange(1 << 60)

    def tried(case: tuple[str, list[str], int, int], folder: Path) -> tuple[int, str]:
        root, lines, moment, seed = case
        draw = random.Random(seed)
        disk, durable, done = Disk(root), {}, []
        for line in lines[:moment]:
            what = disk.carry_out(line)
            done += [what] if what else []
            if what == 'fsync /new/out':
                durable |= durable_steps(disk, f'{root}/new/out')
        lost: list[str] = []
        left = after_power_loss(disk.top, draw, lost)
        write_out(left, folder)
        out = left.get('new', {}).get('out', {})
        trouble = ''
        for name, step in durable.items():
            found = max(step_of(out.get(name)), step_of(out.get(f'.{name}.old')))
            if found < step:
                trouble = f'{name} of step {step} had been synced, but ' + (f'step {found} is there' if found >= 0 else 'is gone')
        if not trouble:
            trouble = training.continue_to_end(folder / 'new/out', set(durable))
        if not trouble:
            return 1, ''
        kept = work.kept / f'{work.seed}.{seed}'
        write_out(left, kept)
        command = training.command(Path('t/new/out'), resumed='last' if 'last' in out or '.last.old' in out else 'best')
        return 1, (f'{trouble}\n  power lost after {done[-1] if done else "nothing"}; lost: ' + '; '.join(lost[:8]) +
                   f'\n  again: rm -rf t; cp -r {shlex.quote(str(kept))} t; {training.shown(command)}')

    result = run_cases(work, 'losses', cases(), tried)
    result.note = f'in {recorded} recorded trainings'
    return result

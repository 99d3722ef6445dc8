"""Attacks gradus for some minutes, prints a table and fails on any finding: see docs/trust.md.

    python3 tests/trust BUILD [--minutes M] [--seed N] [ROW...]
    python3 tests/trust BUILD --targets [ROW...]     prints packages that the rows need, then what they need compiled, one
                                                     folder a line

A row is a module of this folder, such as `graphs`, or one part of it, such as `fuzz.safetensors`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

from work import Result, Work

HERE = Path(__file__).resolve().parent


def modules() -> dict[str, object]:
    """All rows' modules by name."""
    names = sorted(file.stem for file in HERE.glob('*.py') if file.stem not in ('__main__', 'work'))
    found = {name: importlib.import_module(name) for name in names}
    return {name: module for name, module in found.items() if hasattr(module, 'run')}


def parts_of(module: object) -> list[str]:
    return module.parts() if hasattr(module, 'parts') else ['']


def chosen(words: list[str]) -> list[tuple[str, object, str]]:
    """The rows that these words name, each with its module and part; all rows for no words."""
    rows = [(f'{name}.{part}' if part else name, module, part)
            for name, module in modules().items() for part in parts_of(module)]
    for word in words:
        if not any(name == word or name.split('.')[0] == word for name, _, _ in rows):
            sys.exit(f'trust: {word}: is not a row (must be one of {", ".join(name for name, _, _ in rows)})')
    return [row for row in rows if not words or row[0] in words or row[0].split('.')[0] in words]


def print_targets(rows: list[tuple[str, object, str]]) -> None:
    needed: dict[str, list[str]] = {'needs': []}
    for _, module, part in rows:
        needed['needs'] += [need for need in (module.NEEDS(part) if hasattr(module, 'NEEDS') else [])
                            if need not in needed['needs']]
        targets = getattr(module, 'TARGETS', {})
        for folder, names in (targets(part) if callable(targets) else targets).items():
            listed = needed.setdefault(folder, [])
            listed += [name for name in names if name not in listed]
    for folder, names in needed.items():
        if names:
            print(folder, *names)


def run_row(name: str, module: object, part: str, seconds: float, options: argparse.Namespace,
            memory: Path | None) -> Result:
    temporary = Path(tempfile.mkdtemp(prefix='gradus_trust_', dir=memory))
    kept = options.build / 'trust' / name
    kept.mkdir(parents=True, exist_ok=True)
    try:
        return module.run(Work(seconds=seconds, seed=options.seed, root=HERE.parent.parent, build=options.build,
                               temporary=temporary, kept=kept, part=part))
    except Exception:  # a row that cannot run has found nothing, and must not look as if all were well
        return Result(0, '', [f'the row itself failed: {traceback.format_exc().strip()}'])
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog='trust', description=__doc__.split('\n')[0])
    parser.add_argument('build', type=lambda text: Path(text).resolve())
    parser.add_argument('--targets', action='store_true')
    parser.add_argument('--minutes', type=float, default=5)
    parser.add_argument('--seed', type=int, default=int(time.time()) % 1_000_000)
    parser.add_argument('rows', nargs='*')
    options = parser.parse_intermixed_args()  # options may stand between the rows
    rows = chosen(options.rows)
    if options.targets:
        print_targets(rows)
        return 0
    memory = Path('/dev/shm') if os.access('/dev/shm', os.W_OK) else None
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    shares = [getattr(module, 'SHARE', 1) / len(parts_of(module)) for _, module, _ in rows]
    width = max((len(name) for name, _, _ in rows), default=3)
    failed: list[tuple[str, str]] = []
    done = 0
    print(f'trust: {options.minutes:g} minutes, seed {options.seed}')
    print(f'{"row":{width}}  {"tried":>12}  {"of":10}  {"seconds":>7}  findings', flush=True)
    stopped = False
    for (name, module, part), share in zip(rows, shares):
        began = time.monotonic()
        try:
            result = run_row(name, module, part, options.minutes * 60 * share / sum(shares), options, memory)
        except KeyboardInterrupt:
            stopped = True
            break
        done += 1
        failed += [(name, finding) for finding in result.findings]
        print(f'{name:{width}}  {result.count:12,}  {result.unit:10}  {time.monotonic() - began:7.0f}  '
              f'{len(result.findings) or "none"}{"  (" + result.note + ")" if result.note else ""}', flush=True)
    for name, finding in failed:
        print(f'\n{name}: {finding}')
    if stopped:
        print(f'stopped after {done} of {len(rows)} rows')
    print(f'{done - len({name for name, _ in failed})} passed, {len({name for name, _ in failed})} failed')
    return 130 if stopped else 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())

"""Rows of small trainings in hard surroundings. Each case is a script for bash, which cases.sh begins: the script of a
finding is kept, and repeats it."""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterable

from work import Result, Work

SLOWEST = 120  # seconds for a script; on an idle machine most take less than one

Case = tuple[str, str]  # name and script


def can_mount() -> bool:
    """Whether this user may mount disks in a name space of their own."""
    try:
        return subprocess.run(['unshare', '--map-root-user', '--mount', 'true'], capture_output=True).returncode == 0
    except OSError:
        return False


def run_script(work: Work, name: str, script: str) -> str:
    """The finding, or nothing."""
    file = work.kept / (re.sub(r'\W+', '_', f'{name} {work.seed}') + '.sh')
    file.write_text(f'gradus={shlex.quote(str(work.build / "gradus"))}\n{script.strip()}\n'.replace(
        'begin\n', f'source {shlex.quote(str(work.root / "tests/trust/cases.sh"))}\n', 1))
    environment = {name: value for name, value in os.environ.items() if not name.startswith('GRADUS_')}
    process = subprocess.Popen(['bash', file], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env=environment | {'TMPDIR': str(work.temporary)}, start_new_session=True)
    try:
        said = process.communicate(timeout=SLOWEST)[0].decode(errors='replace').strip()
        code = process.returncode
    except subprocess.TimeoutExpired:
        said, code = f'has not ended after {SLOWEST} seconds', 1
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.communicate()
    if code == 0:
        file.unlink()
        return ''
    return f'{name}: {said[-1500:] or code}\n  again: bash {file}'


def run_cases(work: Work, draw: Callable[[random.Random], Iterable[Case]], note: str = '') -> Result:
    """Runs the cases that `draw` makes, and draws again until the time is over; all of them at least once. A case that has
    failed is not tried again."""
    result = Result(0, 'cases', note=note)
    failed: set[str] = set()
    number = random.Random(work.seed)
    while True:
        for name, script in draw(number):
            if result.count > 0 and failed and work.left() < 0 or name in failed:
                continue
            finding = run_script(work, name, script)
            result.count += 1
            if finding:
                failed.add(name)
                result.findings.append(finding)
        if work.left() < 0:
            return result

"""Signals and closed pipes at random moments."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator

from cases import Case, run_cases
from work import Result, Work

TARGETS = {'build': ['gradus']}
USES = ['sample --out_dir=whole --max_new_tokens=100000', 'eval --out_dir=whole', 'info --out_dir=whole --json', 'train --help-all',
        'help', 'predict --out_dir=whole --held_out', 'attention --out_dir=whole --text fox',
        'tokenize --out_dir=whole --encode fox', 'train --text text.txt --dry_run --out_dir=none']


def draw(number: random.Random) -> Iterator[Case]:
    def wait() -> str:
        return f'sleep {number.choice([0.03, 0.1, 0.5, 1.5]) * number.random():.3f}'

    endless = '''started "$gradus" train "${tiny[@]}" --max_iters=1000000 --out_dir=out
'''
    for name in ('INT', 'TERM', 'HUP', 'USR1'):
        code = 128 + getattr(signal, f'SIG{name}')
        yield f'SIG{name}', f'''begin
set -m
{endless}{wait()}
kill -{name} $pid
ended_by {code}
goes_on out
'''
    first, second = number.choices(['INT', 'TERM', 'HUP'], k=2)
    codes = {128 + getattr(signal, f'SIG{name}') for name in (first, second)}
    yield 'two signals', f'''begin
set -m
{endless}{wait()}
kill -{first} $pid
sleep {0.01 * number.random():.4f}
kill -{second} $pid 2>/dev/null
ended_by '{" ".join(map(str, sorted(codes)))}'
goes_on out
'''
    yield 'SIGSTOP and SIGCONT', f'''begin
set -m
{endless}{wait()}
for number in {{1..5}}; do kill -STOP $pid; sleep 0.05; kill -CONT $pid; sleep 0.0{number.randint(0, 9)}; done
kill -TERM $pid
ended_by 143
goes_on out
'''
    yield 'SIGHUP that the caller ignores', f'''begin
set -m
trap '' HUP
{endless}trap - HUP
until [[ -e out/last ]]; do sleep 0.01; done
kill -HUP $pid
sleep 0.2
kill -TERM $pid 2>/dev/null
ended_by '129 143'
goes_on out
'''
    lines = number.randint(1, 60)
    yield 'train into a closed pipe', f'''begin
"$gradus" train "${{tiny[@]}}" --max_iters=1000000 --out_dir=out 2>&1 >/dev/null </dev/null | head -n {lines} >"$err"
code=${{PIPESTATUS[0]}}
[[ $code == 141 ]] || broken "the exit code must be 141, got $code"
goes_on out
'''
    taken = number.choice([0, 1, number.randint(2, 4000)])
    yield 'results into a closed pipe', '''begin
gives 0 "$gradus" train "${tiny[@]}" --max_iters=12 --out_dir=whole
''' + ''.join(f'''"$gradus" {words} 2>"$err" </dev/null | head -c {taken} >"$out"
codes=(${{PIPESTATUS[@]}})
ended '0 1 2 141' ${{codes[0]}} '{words}'
''' for words in USES)
    use = number.choice(USES[:1])
    yield 'a signal while text is written', f'''begin
set -m
gives 0 "$gradus" train "${{tiny[@]}}" --max_iters=12 --out_dir=whole
started "$gradus" {use}0000
{wait()}
kill -{first} $pid
ended_by {128 + getattr(signal, f'SIG{first}')}
'''


def run(work: Work) -> Result:
    return run_cases(work, draw)

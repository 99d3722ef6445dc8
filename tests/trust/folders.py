"""Folders that change while a run uses them: removed, replaced, moved, shared, or with times of another age."""

from __future__ import annotations

import random
from collections.abc import Iterator

from cases import Case, run_cases
from work import Result, Work

TARGETS = {'build': ['gradus']}
ENDLESS = '"${tiny[@]}" --max_iters=1000000'


def draw(number: random.Random) -> Iterator[Case]:
    def wait() -> str:
        return f'sleep {number.choice([0.01, 0.05, 0.3, 1]) * number.random():.3f}'

    # What happens to the folder `out` of a run, with the exit codes that are right. A run that keeps its folder must be stopped.
    for name, change, codes in (
            ('removed', 'rm -rf out 2>/dev/null; rm -rf out 2>/dev/null', '1 143'),
            ('replaced by a file', 'mv out moved && : >out', '1 143'),
            ('replaced by a folder', 'mv out moved && mkdir out', '1 143'),
            ('replaced by a link to nothing', 'mv out moved && ln -s nothing out', '1 143'),
            ('moved and linked', 'mv out moved && ln -s moved out', '1 143'),
            ('robbed of its log', 'rm -f out/log.jsonl', '143'),
            ('robbed of its record', 'rm -f out/run.json', '143'),
            ('robbed of its checkpoints', 'rm -rf out/last out/best', '1 143')):
        yield f'a folder {name} while a run uses it', f'''begin
started "$gradus" train {ENDLESS} --out_dir=out
until [[ -e out/log.jsonl ]]; do sleep 0.01; done
{wait()}
{change} || true
sleep 0.2
kill -TERM $pid
ended_by '{codes}'
if [[ $status == 1 ]]; then says '^gradus: out(/[^ ]*)?: '; fi
if [[ -d out && ! -L out ]]; then is_whole out/last out/best; fi
if [[ -d moved ]]; then is_whole moved/last moved/best; fi
'''
    runs = number.randint(2, 5)
    yield 'runs in one folder at the same time', f'''begin
for number in {{1..{runs}}}; do
  "$gradus" train "${{tiny[@]}}" --max_iters=60 --out_dir=out --overwrite --seed=$number >/dev/null 2>err$number </dev/null &
  pids[number]=$!
  {wait()}
done
done=0
for number in {{1..{runs}}}; do
  wait ${{pids[number]}}
  code=$?
  cp err$number "$err"
  ended '0 1' $code "run $number"
  if [[ $code == 1 ]]; then says '^gradus: out: .* is training in this folder'; else done=1; fi
done
[[ $done == 1 ]] || broken 'one of the runs must end'
is_whole out/last out/best
'''
    yield 'resumed twice at the same time', f'''begin
gives 0 "$gradus" train "${{tiny[@]}}" --max_iters=12 --out_dir=out
for number in 1 2; do
  "$gradus" train --init_from=resume --max_iters=60 --out_dir=out >/dev/null 2>err$number </dev/null &
  pids[number]=$!
  {wait()}
done
for number in 1 2; do
  wait ${{pids[number]}}
  code=$?
  cp err$number "$err"
  ended '0 1' $code "run $number"
  if [[ $code == 1 ]]; then says '^gradus: out: .* is training in this folder'; fi
done
[[ $(steps_of out/last) == 60 ]] || broken 'one of the runs must end'
goes_on out
'''
    yield 'a folder read while a run writes', f'''begin
started "$gradus" train {ENDLESS} --out_dir=out
until [[ -e out/best && -e out/last ]]; do sleep 0.01; done
for number in {{1..20}}; do
  for command in 'info --checkpoint=out/last' 'info --out_dir=out' 'eval --out_dir=out' 'sample --out_dir=out --max_new_tokens=3'; do
    "$gradus" $command >"$out" 2>"$err.read" </dev/null || {{ cp "$err.read" "$err"; broken "$command must read a checkpoint that a run replaces"; }}
  done
done
kill -TERM $pid
ended_by 143
goes_on out
'''
    year = number.choice([1902, 1970, 1980, 2037, 2100, 2400])
    yield 'a clock set back or far ahead', f'''begin
gives 0 "$gradus" train "${{tiny[@]}}" --max_iters=12 --out_dir=out
find out text.txt -exec touch -h -d {year}-0{number.randint(1, 9)}-01 {{}} +
gives 0 "$gradus" sample --out_dir=out --max_new_tokens=3
goes_on out
if command -v faketime >/dev/null; then
  gives 0 faketime '{year}-01-02' "$gradus" train --init_from=resume --out_dir=out --max_iters=30
  goes_on out
fi
'''


def run(work: Work) -> Result:
    return run_cases(work, draw)

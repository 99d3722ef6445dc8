"""Environments: variables, closed streams, folders without a name. The trained weights must be the same bits in all of them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from cases import Case, run_cases
from work import Result, Work

TARGETS = {'build': ['gradus']}

VARIABLES = ['-u HOME', '-u PATH', '-u TERM', 'TERM=dumb', 'LANG=C', 'LC_ALL=C', 'LC_ALL=POSIX', 'LC_ALL=de_DE.ISO-8859-1',
             'LC_ALL=tr_TR.UTF-8', 'LC_ALL=no_such', 'LC_NUMERIC=de_DE.UTF-8', 'TMPDIR=/no/such', 'COLUMNS=0', 'COLUMNS=-1',
             'COLUMNS=99999999999999999999', 'NO_COLOR=1', 'OMP_DYNAMIC=true', 'OMP_SCHEDULE=guided', 'OMP_WAIT_POLICY=active',
             'OMP_STACKSIZE=no', 'OMP_PROC_BIND=true', 'OMP_PLACES={0}', 'OMP_NESTED=true', 'OMP_THREAD_LIMIT=1', 'GOMP_SPINCOUNT=0',
             'OPENBLAS_NUM_THREADS=7', 'GOTO_NUM_THREADS=3', 'MALLOC_PERTURB_=165', 'MALLOC_ARENA_MAX=1', 'LD_BIND_NOW=1',
             'POSIXLY_CORRECT=1', 'GRADUS_PROGRAM=', "GRADUS_PROGRAM=$'a b\\n'", 'GRADUS_KEEP_ENVIRONMENT=1',
             '"X=$(printf %100000s)"', 'GLIBC_TUNABLES=glibc.malloc.check=3']
STREAMS = ['<&-', '>/dev/null 2>&-', '<&- 2>&-', '>/dev/null 2>/dev/null </dev/zero', '</ ', '<>text.txt']


def same_bits(command: str, codes: str = '0') -> str:
    return f'''begin
gives 0 "$gradus" train "${{tiny[@]}}" --max_iters=24 --out_dir=plain
{command}
ended '{codes}' $? '{command.split(" >")[0].replace("'", "")}'
is_whole other/last other/best
cmp plain/last/model.safetensors other/last/model.safetensors || broken 'the weights must be the same bits'
[[ $(cut -d, -f 1-3 plain/log.jsonl) == "$(cut -d, -f 1-3 other/log.jsonl)" ]] || broken 'the log must hold the log alone'
'''


def draw(number: random.Random) -> Iterator[Case]:
    train = '"$gradus" train "${tiny[@]}" --max_iters=24 --out_dir=other'
    said = '>"$out" 2>"$err" </dev/null'
    yield 'env -i', same_bits(f'env -i OMP_NUM_THREADS=1 {train} {said}')
    drawn = number.sample(VARIABLES, k=number.randint(1, 6))
    drawn.sort(key=lambda word: not word.startswith('-'))  # env takes its options first
    yield 'variables', same_bits(f'env {" ".join(drawn)} {train} {said}')
    stream = number.choice(STREAMS)
    yield 'streams', same_bits(f'{train} >"$out" 2>"$err" {stream}')
    yield 'closed standard output', same_bits(f'{train} 2>"$err" </dev/null >&-', '1')
    yield 'all streams closed', same_bits(f': >"$err"; {train} <&- >&- 2>&-', '1')
    threads = number.choice(['0', '-1', 'abc', '', '1,2', '99999999999999999999', '1000'])
    yield 'odd numbers of threads', f'''begin
export OMP_NUM_THREADS='{threads}'
"$gradus" train "${{tiny[@]}}" --max_iters=2 --out_dir=other {said}
ended '0 1 2' $? 'OMP_NUM_THREADS={threads}'
is_whole other/last
'''
    yield 'umask', same_bits(f'(umask {number.choice(["0777", "0077", "0000"])}; {train} {said})')
    yield 'no name for the program', same_bits(f"(exec -a '' {train}) {said}")
    yield 'a current folder that is gone', f'''begin
here=$PWD
mkdir gone
cd gone
rmdir ../gone
for words in 'train --text fables --max_iters=2' 'train' 'sample' 'info' 'help' 'tokenize --text fables --tokenizer word --out_dir=x'; do
  "$gradus" $words >"$out" 2>"$err" </dev/null
  ended '0 1 2' $? "$words"
done
"$gradus" train --text "$here/text.txt" "${{tiny[@]:2}}" --max_iters=24 --out_dir="$here/other" {said}
ended 0 $? 'full paths'
is_whole "$here/other/last"
'''


def run(work: Work) -> Result:
    return run_cases(work, draw)

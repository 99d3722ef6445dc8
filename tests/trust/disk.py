"""Disks that are full, read-only or limited."""

from __future__ import annotations

import random
from collections.abc import Iterator

from cases import Case, can_mount, run_cases
from work import Result, Work

TARGETS = {'build': ['gradus']}

# Every command that writes to standard output.
PRINTING = ['sample --out_dir=whole', 'eval --out_dir=whole', 'info --out_dir=whole', 'info --out_dir=whole --json',
            'predict --out_dir=whole --text fox', 'tokenize --out_dir=whole --encode fox',
            'attention --out_dir=whole --text fox', 'train --help', 'help', '--version']


def draw(number: random.Random) -> Iterator[Case]:
    resumed = '''begin
gives 0 "$gradus" train "${tiny[@]}" --max_iters=12 --out_dir=whole
'''
    run = 'gives "0 1" "$gradus" train '
    fresh, again = '"${tiny[@]}" --max_iters=60 --out_dir=$run', '--init_from=resume --max_iters=60 --out_dir=$run'
    if can_mount():
        space = number.choice([number.randint(0, 60), number.randint(60, 400)])
        inodes = number.randint(3, 40)
        for name, options in (('full disk', f'size={4 + space}k'), ('full table of files', f'nr_inodes={inodes}')):
            yield f'{name}, new run', f'''mounts=yes
begin
disk {options}
run=disk/out
{run}{fresh}
if [[ $status == 1 ]]; then says '^gradus: disk/out.*: cannot be written: No space left on device'; fi
[[ -d $run ]] || exit 0
cp -r $run after
goes_on after
'''
        for name, options in (('full disk', f'size={{}}k'), ('full table of files', 'nr_inodes={}')):
            extra = space if 'size' in options else inodes
            yield f'{name}, resumed', f'''mounts=yes
{resumed}needed=$({'find whole | wc -l' if 'inodes' in options else 'du -sk --apparent-size whole | cut -f 1'})
disk {options.format(f"$((needed * 2 + {extra}))")}
cp -r whole disk/out || exit 0
run=disk/out
{run}{again}
if [[ $status == 1 ]]; then says '^gradus: disk/out.*: cannot be written: No space left on device'; fi
cp -r $run after
[[ -e after/last && -e after/best ]] || broken 'the earlier checkpoint must stay'
goes_on after
'''
        yield 'a disk that fills while a run writes', f'''mounts=yes
begin
disk size=1000k
run=disk/out
started "$gradus" train "${{tiny[@]}}" --max_iters=1000000 --out_dir=$run
sleep 0.{number.randint(0, 999):03}
cat /dev/zero >disk/filler 2>/dev/null
ended_by 1
says '^gradus: disk/out.*: cannot be written: No space left on device'
rm disk/filler
cp -r $run after 2>/dev/null || exit 0
goes_on after
'''
        yield 'read-only disk', f'''mounts=yes
{resumed}disk size=1000k
cp -r whole text.txt disk/
mount -o remount,ro disk
for how in '--init_from=resume --out_dir=disk/whole --max_iters=14' '--text text.txt --out_dir=disk/new' \\
  '--text text.txt --out_dir=disk/whole --overwrite'; do
  gives 1 "$gradus" train $how
  says '^gradus: disk/.*: cannot be written: Read-only file system'
done
gives 1 "$gradus" tokenize --text text.txt --tokenizer word --out_dir=disk/words
says '^gradus: disk/words.*: cannot be written: Read-only file system'
is_whole disk/whole/last disk/whole/best
cd disk
for command in sample eval info; do "$gradus" $command --out_dir=whole >/dev/null 2>"$err" || broken "$command only reads"; done
'''
    kilobytes, descriptors = number.randint(0, 40), number.randint(3, 14)
    for limit in (f'-f {kilobytes}', f'-n {descriptors}'):
        yield f'limit {limit[:2]}, new run', f'''begin
run=out
(ulimit {limit}; exec "$gradus" train {fresh}) 2>&1 >/dev/null </dev/null | cat >"$err"
ended '0 1' ${{PIPESTATUS[0]}} train
goes_on out
'''
        yield f'limit {limit[:2]}, resumed', f'''{resumed}cp -r whole out
run=out
(ulimit {limit}; exec "$gradus" train {again}) 2>&1 >/dev/null </dev/null | cat >"$err"
ended '0 1' ${{PIPESTATUS[0]}} train
goes_on out
'''
    yield 'standard output on a full disk', resumed + ''.join(f'''"$gradus" {words} >/dev/full 2>"$err" </dev/null
ended 1 $? '{words}'
says '^gradus: standard output: cannot be written: No space left on device'
''' for words in PRINTING)


def run(work: Work) -> Result:
    return run_cases(work, draw, '' if can_mount() else 'left out: full and read-only disks, as unshare may not mount')

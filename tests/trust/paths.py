"""Names of files and folders: blanks, quotes, line ends, other alphabets, bytes that are not UTF-8, links, long names. The
commands that gradus prints must work when they are copied into a shell."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator

from cases import Case, run_cases
from work import Result, Work

TARGETS = {'build': ['gradus']}

PIECES = [' ', '  ', "'", '"', '`', '$HOME', '$(touch pwned)', '\\', '\\n', '\n', '\t', '\x1b[31m', '*', '?', '[a]', '{a,b}', '~', '#', '!',
          '&', ';', '|', '<', '>', '=', '%s', '%n', ',', ':', '-', '--', '.', 'é', 'e\u0301', '漢字', '🦊', '\u202e', '\ufeff', '\u00a0',
          'a', 'Z', '0']
INVALID = ['\udcff', '\udcc3(', '\udce2\udc82']  # bytes that are not UTF-8, as Python keeps them


def quoted(name: str) -> str:
    """A word of bash."""
    return "$'" + ''.join(f'\\x{byte:02x}' for byte in name.encode(errors='surrogateescape')) + "'"


def draw(number: random.Random) -> Iterator[Case]:
    def a_name(pieces: list[str]) -> str:
        name = ''.join(number.choices(pieces, k=number.randint(1, 8)))
        return name if name not in ('.', '..') else 'a'

    # A text whose name is not UTF-8 cannot be written into run.json, so it must be named again to resume.
    for what, text, folder in (('names', PIECES, PIECES), ('a folder that is not UTF-8', PIECES, PIECES + INVALID * 5),
                               ('a text that is not UTF-8', INVALID, PIECES)):
        valid = text is not INVALID
        yield what, f'''begin
text=$PWD/{quoted('t' + a_name(text))}
name={quoted(a_name(folder))}
also={shlex.quote('' if valid else '--text "$text"')}
mkdir "./$name" || exit 0
cp text.txt "$text"
started "$gradus" train --text "$text" "${{tiny[@]:2}}" --max_iters=1000000 --out_dir="./$name/out"
until [[ -e ./$name/out/last ]] || ! kill -0 $pid 2>/dev/null; do sleep 0.01; done
kill -TERM $pid
ended_by 143
resume=$(sed -n '/^to resume: /,$p' "$err")
resume=${{resume#to resume: }}
[[ -n $resume ]] || broken 'a stopped run must print the command that resumes it'
eval "$resume --max_iters=\\$((\\$(steps_of \\"./\\$name/out/last\\") + 4)) $also" >"$out" 2>"$err" </dev/null
ended 0 $? "$resume"
next=$(sed -n '/^next: /,$p' "$err")
next=${{next#next: }}
eval "$next --max_new_tokens=3" >"$out" 2>"$err" </dev/null
ended 0 $? "$next"
[[ ! -e pwned ]] || broken 'no name may be run as a command'
is_whole "./$name/out/last" "./$name/out/best"
'''
    long = number.randint(240, 300)
    yield 'long names', f'''begin
name=$(printf 'x%.0s' {{1..{long}}})
gives '0 1' "$gradus" train "${{tiny[@]}}" --max_iters=2 --out_dir=$name
[[ $status == 0 || {long} -gt 240 ]] || broken 'the name is short enough'
is_whole $name/last
deep=.
for number in {{1..{number.randint(10, 24)}}}; do deep+=/$(printf 'y%.0s' {{1..200}}); done
gives '0 1' "$gradus" train "${{tiny[@]}}" --max_iters=2 --out_dir=$deep
gives '1 2' "$gradus" train --text $name$name "${{tiny[@]:2}}" --max_iters=2 --out_dir=short
gives 1 "$gradus" sample --out_dir=$name$name
gives '0 1 2' "$gradus" train --init_from=$deep --text text.txt --out_dir=short --max_iters=1
'''
    yield 'links', '''begin
mkdir real
ln -s real out
ln -s text.txt linked.txt
ln -s loop loop
ln -s nothing dangling
gives 0 "$gradus" train --text linked.txt "${tiny[@]:2}" --max_iters=12 --out_dir=out
[[ -L out && -d real/last ]] || broken 'a link to a folder stays a link'
goes_on out
gives 1 "$gradus" train "${tiny[@]}" --max_iters=12 --out_dir=loop
says '^gradus: loop'
gives 1 "$gradus" train "${tiny[@]}" --max_iters=12 --out_dir=dangling/out
says '^gradus: dangling'
gives 1 "$gradus" train --text dangling --max_iters=12 --out_dir=none
says '^gradus: dangling: does not exist'
gives 1 "$gradus" train --text loop --max_iters=12 --out_dir=none
says '^gradus: loop: '
ln -s ../real/last real/linked
is_whole out/linked
'''
    ends = number.choice(['/', '//', '/.', '/../out', '/./', '/../out/'])
    yield 'spellings of a folder', f'''begin
mkdir out
gives 0 "$gradus" train "${{tiny[@]}}" --max_iters=12 --out_dir=out{ends}
goes_on out{ends}
goes_on "$PWD/out"
cd out
gives 0 "$gradus" info --out_dir=.
gives 0 "$gradus" sample --out_dir=../out/ --max_new_tokens=3
cd last
gives 0 "$gradus" info --checkpoint=.
for bad in '' /dev/null /proc/self; do
  gives '1 2' "$gradus" train --text ../../text.txt "${{tiny[@]:2}}" --max_iters=2 --out_dir="$bad"
done
'''
    words = shlex.quote(number.choice(['-', '--', '-out', '--out', '-1']))
    yield 'names that look like flags', f'''begin
cp text.txt ./{words}.txt
gives '0 1 2' "$gradus" train --text={words}.txt "${{tiny[@]:2}}" --max_iters=12 --out_dir={words}
[[ $status != 0 ]] || is_whole ./{words}/last
'''


def run(work: Work) -> Result:
    return run_cases(work, draw)

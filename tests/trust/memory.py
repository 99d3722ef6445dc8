"""Memory: a training must stay below what its plan says, texts of any size must be read within a bound, and absurd sizes must be
refused in an address space that is too small for them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from cases import Case, run_cases
from work import Result, Work

TARGETS = {'build': ['gradus']}
SLACK = 1.15  # times what a plan says, which counts weights, activations and text, but not every small block

# Sizes that no machine has room for, or that overflow if they are multiplied.
ABSURD = [2**31 - 1, 2**31, 2**32 - 1, 2**32 + 1, 2**48, 2**62, 2**63 - 1, 10**9, 10**6]
SIZES = ['--n_layer', '--n_head', '--n_embd', '--block_size', '--batch_size', '--n_inner', '--vocab_size', '--eval_iters',
         '--gradient_accumulation_steps', '--eval_interval', '--log_interval', '--warmup_iters', '--seed', '--patience']

PEAK = '''begin
peak() {  # peak COMMAND...: runs it, and puts the largest resident memory, in MB, into $peak
  python3 -c 'import resource, subprocess, sys
code = subprocess.call(sys.argv[2:], stdout=open(sys.argv[1] + ".out", "w"), stderr=open(sys.argv[1] + ".err", "w"), stdin=0)
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)' "$folder/said" "$@" >peak.txt </dev/null
  read -r status peak <peak.txt
}
'''
PLANNED = f'''planned=$(sed -nE 's/^  memory +about ([0-9.]+) ([KMG])iB.*/\\1 \\2/p' "$err" |
  awk '{{ print int($1 * ($2 == "G" ? 1024 : $2 == "M" ? 1 : 1 / 1024)) }}')
[[ -n $planned ]] || broken 'a plan must say how much memory is needed'
[[ $peak -le $(awk "BEGIN {{ print int($planned * {SLACK}) }}") ]] || broken "memory must stay below the planned $planned MB, got $peak MB"
'''


def draw_for(megabytes: int):
    """`megabytes`: of the largest text."""
    def draw(number: random.Random) -> Iterator[Case]:
        heads = number.choice([1, 2, 4])
        flags = [f'--n_layer={number.randint(1, 4)}', f'--n_head={heads}', f'--n_embd={heads * number.choice([16, 32, 64])}',
                 f'--block_size={number.choice([32, 64, 256])}', f'--batch_size={number.choice([1, 4, 12, 32])}',
                 f'--position={number.choice(["learned", "rotary", "none", "alibi", "t5"])}',
                 f'--norm={number.choice(["layer", "rms"])}', f'--activation={number.choice(["gelu_new", "relu2", "swiglu"])}',
                 f'--optimizer={number.choice(["adamw", "muon", "sgd"])}', f'--dropout={number.choice(["0", "0.2"])}',
                 f'--average={number.choice(["0", "0.9"])}', f'--gradient_accumulation_steps={number.choice([1, 1, 3])}',
                 f'--tokenizer={number.choice(["char", "byte"])}']
        yield 'a model within its plan', f'''{PEAK}
peak "$gradus" train --text tales {' '.join(flags)} --max_iters=3 --eval_iters=1 --out_dir=out
if [[ $status == 2 ]]; then explains; exit 0; fi
[[ $status == 0 ]] || broken "the exit code must be 0, got $status"
{PLANNED}'''
        kind = number.choice(['char', 'byte', 'word', 'bpe'])
        size = number.randint(megabytes // 2, megabytes) * 1000000
        for name, join, size in (('a large text', '', size), ('a text of one long line', "tr '\\n' ' ' | ", size // 5)):
            text = f"yes 'The fox met a crow, and said: what a fine day!' | {join}head -c {size} >large.txt"
            yield f'{name} within its plan', f"""{PEAK}
{text}
peak "$gradus" train --text large.txt "${{tiny[@]:2}}" --tokenizer={kind} --max_iters=2 --out_dir=out
[[ $status == 0 ]] || broken "the exit code must be 0, got $status"
{PLANNED}"""
            yield f'{name} for a tokenizer', f"""{PEAK}
{text}
peak "$gradus" tokenize --text large.txt --tokenizer={kind} --out_dir=tokens
[[ $status == 0 || $status == 2 ]] || broken "the exit code must be 0, got $status"
most={size * 10 // 1000000 + 64}
[[ $peak -le $most ]] || broken "memory must stay below $most MB: 64 MB, and 10 bytes for each byte of the text; got $peak MB"
"""
        given = number.sample(SIZES, k=number.randint(1, 3))
        absurd = ' '.join(f'{name}={number.choice(ABSURD)}' for name in given)
        limit = number.choice([1, 2, 4]) * 1000000
        yield 'absurd sizes', f'''begin
(ulimit -v {limit}; timeout 60 "$gradus" train "${{tiny[@]}}" --max_iters=2 --out_dir=out {absurd}) >"$out" 2>"$err" </dev/null
ended '0 1 2' $? '{absurd}'
is_whole out/last
'''
        absurd = f'--max_new_tokens=3 {number.choice(["--top_k", "--seed"])}={number.choice(ABSURD)}'
        yield 'absurd sizes for a model', f'''begin
gives 0 "$gradus" train "${{tiny[@]}}" --max_iters=2 --out_dir=out
for words in 'sample {absurd}' 'eval --text text.txt --block_size={number.choice(ABSURD)}' \\
  'attention --text fox --layer={number.choice(ABSURD)}' 'predict --text fox --top={number.choice(ABSURD)}'; do
  (ulimit -v {limit}; exec timeout 60 "$gradus" $words --out_dir=out) >"$out" 2>"$err" </dev/null
  ended '0 1 2' $? "$words"
done
'''
    return draw


def run(work: Work) -> Result:
    megabytes = min(1000, max(10, int(work.seconds * 2)))
    return run_cases(work, draw_for(megabytes), f'texts of up to {megabytes} MB')

# The text that users find when they ask for help.

mkdir help && cd help || exit 1
top=$here/../..
for command in train finetune sample eval predict info tokenize attention vectors doctor; do
  succeeds "help $command" help "$command"
  says 'is that of the command' out "^usage: .*gradus $command \[FLAGS\]"
  holds 'in 80 columns, but for commands to copy' bash -c '! grep -E "^([^ ].|.[^ ]).{79}" out'
  holds 'without runs of empty lines' awk '/^$/ && last == "" && NR > 1 {exit 1} {last = $0}' out
done
succeeds 'train --help' train --help
says 'has the common flags' out '^  --text FILE '
holds 'alone' test "$(grep -c '^  --' out)" -lt 15
says 'shows the default of the recipe that is in force' out '^  --max_iters N .*\[1200\]$'
says 'and where the others are' out '--help-all'
says 'the minutes of a text' out '^  --minutes X .*'
holds 'which can be given' bash -c "! grep -A2 -e '--minutes' out | grep -q '\[0\]'"
succeeds 'with another recipe' train --recipe nanogpt --help
says 'it shows its default' out '^  --max_iters N .*\[5000\]$'
succeeds 'the strong recipe' train --recipe strong --help-all
holds 'its weights decay' bash -c "grep -A2 '^  --weight_decay X ' out | grep -q '\[2\]$'"
says 'and its rate falls to a hundredth' out '^  --min_lr X .*\[3e-05\]$'
succeeds 'train --help-all' train --help-all
says 'has all' out '^  --beta2 X '
says 'with what follows from others' out '^  --lr_decay_iters N .*\[1200\]$'
holds 'groups have headings' test "$(grep -cE '^(Task|Text|Model|Recipe|Run)$' out)" -ge 5
succeeds 'finetune --help' finetune --help
holds 'shows its own defaults' bash -c "grep -q -e '--max_iters N .*\[300\]' out && ! grep -q '\[5000\]' out"
succeeds 'attention --help' attention --help
holds 'counts layers from 1, without a default of 0' bash -c '! grep -E -- "--(layer|head) N.*\[0\]" out'
succeeds 'sample --help' sample --help
holds 'a low temperature draws probable tokens' grep -q 'below 1: probable tokens are' out
(GRADUS_PROGRAM=./run "$gradus" help train >out 2>err)
says 'started by ./run, it is called so' out '^usage: ./run train'
holds 'throughout' bash -c '! grep -qE "(^|[ (])gradus (train|sample|predict)" out'
(GRADUS_PROGRAM=./run "$gradus" sample >out 2>err)
says 'in hints too' err "run './run train'"

succeeds 'names for completion' train --flag-names
says 'with what a flag can be' out '^--model gpt bert '
completes() {  # completes NAME WANTED WORDS...: bash must offer WANTED for the last of the words
  local got
  got=$(bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gradus; echo "${COMPREPLY[*]}"' \
    - "$top/tools/completion.bash" "${@:3}")
  [[ $got == "$2" ]]
  verdict $? "$1" "got '$got', wanted '$2'"
}
completes 'completion of a command' 'train' "$gradus" tr
completes 'of a flag' '--model' "$gradus" train --mod
completes 'of a value' 'bert' "$gradus" train --model be
completes 'of a value after =' 'bert' "$gradus" train --model = be
completes 'of a recipe' 'own' "$gradus" train --recipe o
completes 'of all recipes' 'own fast strong nanogpt' "$gradus" train --recipe ''
completes 'of a tokenizer' 'word wordpiece' "$gradus" train --tokenizer wo
completes 'of a tokenizer to learn' 'bpe' "$gradus" tokenize --tokenizer bp
completes 'of a part of a text' 'val' "$gradus" eval --split v
completes 'of a part of a model' 'cross' "$gradus" attention --part = c
call doctor
holds 'doctor says its verdict first, and an exit code that goes with it' \
  grep -qE "$([[ $status == 0 ]] && echo '^All is well\.$' || echo ' found \(exit code 1\):$')" <(head -n 1 out)
says 'and what bfloat16 gains' out '^  product, bfloat16 +([0-9]+ GFLOP/s, [0-9.]+ times float32: gradus train --dtype=bfloat16|none: this CPU)'
holds 'man page' bash -c "'$top/tools/man_page.sh' '$gradus' | grep -q '^.SH GRADUS TRAIN'"

mkdir -p meson-info
echo '[{"name": "unit nn", "suite": ["gradus:unit"], "depends": ["a@exe"]},
  {"name": "printers", "suite": ["gradus:docs", "gradus:gdb"], "depends": []}]' >meson-info/intro-tests.json
echo "[{\"id\": \"a@exe\", \"filename\": [\"$PWD/tests/a\"]}, {\"id\": \"b@exe\", \"filename\": [\"$PWD/b\"]}]" \
  >meson-info/intro-targets.json
names() { python3 "$top/tools/named_tests.py" . "$@"; }
holds 'a named test needs its own files' diff - <(names 'unit*') <<<$'unit\ntests/a'
holds 'and the packages that its suites name' diff - <(names printers --verbose) <<<$'docs gdb\n'
names printer 2>err
says 'a test that there is not' err "no test is called 'printer' \(did you mean 'printers'"
bash "$top/run" help docs >out 2>err
says './run help COMMAND' out '^  docs --check '
bash "$top/run" help nix 2>err
holds 'unknown to ./run' grep -q 'unknown command: nix' err
cd "$work" || exit 1

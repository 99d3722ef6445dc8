#!/usr/bin/env bash
# Tests the gradus command as its users see it: run.sh PATH_TO_GRADUS [PART], where PART is the beginning of the name of
# a file beside this one (9_help). Prints a line for each case; the last line is "N passed, N failed". Exits with 1 if
# anything failed.
set -uo pipefail

here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
if [[ $# -lt 1 || $# -gt 2 || ! -x $1 ]]; then
  echo 'usage: run.sh PATH_TO_GRADUS [PART]' >&2
  exit 2
fi
# If the caller ignores SIGINT, no shell can undo that, and the tests of Ctrl-C would wait for ever.
if [[ -z ${INTERRUPTIBLE:-} ]] && env --default-signal=INT true 2>/dev/null; then
  INTERRUPTIBLE=yes exec env --default-signal=INT "$0" "$@"
fi
gradus=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd -P)/$(basename -- "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# One thread is enough: the cases are tiny, and tests may run at the same time.
export OMP_NUM_THREADS=1 TERM=xterm LC_ALL=C.UTF-8
unset NO_COLOR GRADUS_PROGRAM
passed=0 failed=0

verdict() {  # verdict OK NAME [DETAIL]
  if [[ $1 == 0 ]]; then
    passed=$((passed + 1))
    echo "ok    $2"
  else
    failed=$((failed + 1))
    echo "FAIL  $2"
    if [[ -n ${3:-} ]]; then printf '%s\n' "$3" | sed 's/^/      /'; fi
  fi
}

# Runs gradus with its output in the files `out` and `err`; sets $status to its exit code.
call() { "$gradus" "$@" >out 2>err </dev/null; status=$?; }

# fails NAME STATUS MESSAGE ARGUMENTS...: gradus must end with STATUS and an error of exactly one line, with MESSAGE in
# it.
fails() {
  local name=$1 wanted=$2 message=$3 last
  shift 3
  call "$@"
  last=$(tail -n 1 err)
  [[ $status == "$wanted" && $last == 'gradus: '*"$message"* && ! -s out ]]
  verdict $? "$name" "exit $status, wanted $wanted with '$message': $(tail -n 2 err)"
}

# succeeds NAME ARGUMENTS...
succeeds() {
  local name=$1
  shift
  call "$@"
  verdict "$status" "$name" "exit $status: $(tail -n 3 err)"
}

says() {  # says NAME FILE PATTERN: an extended regular expression must match a line of the file
  grep -Eq -- "$3" "$2"
  verdict $? "$1" "no line of $2 matches '$3': $(head -c 300 "$2")"
}

holds() {  # holds NAME COMMAND...
  local name=$1 output
  shift
  output=$("$@" 2>&1)
  verdict $? "$name" "$output"
}

await() {  # await PATTERN FILE: waits up to ten seconds for a line
  local i
  for i in {1..200}; do
    if grep -q -- "$1" "$2" 2>/dev/null; then return 0; fi
    sleep 0.05
  done
  return 1
}

# edited FILE PYTHON: changes a JSON file, which PYTHON sees as j.
edited() {
  python3 -c "
import json, sys
j = json.load(open(sys.argv[1]))
$2
json.dump(j, open(sys.argv[1], 'w'))" "$1"
}

# A text of 3000 characters, and a model that trains in an instant.
text() {
  local i
  for i in {1..60}; do echo "The fox number $i met a crow, and said: what a fine day!"; done
}
text >text.txt
tiny=(train --text text.txt --block_size=16 --batch_size=2 --n_layer=1 --n_head=2 --n_embd=8
  --max_iters=12 --eval_interval=5 --eval_iters=2 --log_interval=1)

for part in "$here"/"${2:-}"*.sh; do
  if [[ $part == */run.sh ]]; then continue; fi
  # shellcheck source=/dev/null
  source "$part"
done

echo "$passed passed, $failed failed"
[[ $failed == 0 ]]

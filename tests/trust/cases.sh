# What the scripts of cases.py share. $gradus is the program; each script runs in an empty folder of its own and ends with 0 if
# all holds. `bash SCRIPT` repeats it.
# shellcheck shell=bash disable=SC2154

if [[ ${mounts:-no} == yes && -z ${INSIDE:-} ]]; then  # in a name space of its own, everybody may mount
  INSIDE=yes exec unshare --map-root-user --mount bash "$0"
fi
folder=$(mktemp -d)
trap 'cd /; wait; umount "$folder/disk" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
out=$folder/said.out err=$folder/said.err  # what a command has printed
export OMP_NUM_THREADS=1
unset GRADUS_PROGRAM NO_COLOR
for number in {1..60}; do echo "The fox number $number met a crow, and said: what a fine day!"; done >text.txt
tiny=(--text text.txt --block_size=16 --batch_size=2 --n_layer=1 --n_head=2 --n_embd=8 --eval_interval=4 --eval_iters=1
  --log_interval=1 --lr_decay_iters=40 --dropout=0.2)

broken() {  # broken RULE: ends the script
  printf 'broken rule: %s\n' "${1:0:300}"
  if [[ -s $err ]]; then tail -n 3 "$err"; fi
  exit 1
}

# gives CODES COMMAND...: the command must end with one of these codes. Its output is in the files $out and $err.
gives() {
  local wanted=$1
  shift
  "$@" >"$out" 2>"$err" </dev/null
  ended "$wanted" $? "$*"
}
ended() {  # ended CODES CODE WHAT: also looks at the message of an error
  status=$2
  [[ " $1 " == *" $status "* ]] || broken "the exit code must be one of $1, got $status: $3"
  if [[ $status == [12] && -s $err ]]; then explains; fi
}
explains() {  # an error's last line must give a remedy in parentheses, or the rule for a flag's value
  local remedy='\(.+\)$'
  if [[ $status == 2 ]]; then remedy+='|must|needs|pass'; fi
  [[ $(tail -n 1 "$err") =~ ^gradus:\ .+($remedy) ]] || broken 'an error must give the rule and the remedy'
}
says() {  # says PATTERN: the last line of the messages must match
  tail -n 1 "$err" | grep -Eq -- "$1" || broken "the error must match $1"
}

steps_of() { "$gradus" info --checkpoint="$1" --json | sed -nE 's/^ *"step": ([0-9]+),?$/\1/p'; }
is_whole() {  # is_whole FOLDER...: each checkpoint that exists must be read without an error
  local one
  for one in "$@"; do
    if [[ -e $one ]]; then gives 0 "$gradus" info --checkpoint="$one"; fi
  done
}
goes_on() {  # goes_on OUT_DIR: if it has a checkpoint, it must continue with the bits of a run that never stopped
  local steps
  [[ -e $1/last ]] || return 0
  is_whole "$1/last" "$1/best"
  steps=$(($(steps_of "$1/last") + 1))
  gives 0 "$gradus" train --init_from=resume --out_dir="$1" --max_iters=$steps
  gives 0 "$gradus" train "${tiny[@]}" --max_iters=$steps --out_dir=straight --overwrite
  cmp -s "$1/last/model.safetensors" straight/last/model.safetensors || broken 'a resumed run must have the same bits'
}
started() {  # started COMMAND...: in the background, as $pid, without waiting
  "$@" >"$out" 2>"$err" </dev/null &
  pid=$!
}
ended_by() {  # ended_by CODES: waits for the process of `started`
  wait "$pid"
  ended "$1" $? 'the process in the background'
}
disk() {  # disk OPTIONS: mounts an empty disk on the folder `disk`
  mkdir disk
  mount -t tmpfs -o "$1" none disk || broken "mount -o $1"
}

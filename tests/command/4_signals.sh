# Signals, closed pipes, full disks, terminals.

long=("${tiny[@]}" --max_iters=100000000 --lr_decay_iters=12 --eval_interval=5 --dropout=0.2)

# Background jobs of scripts ignore SIGINT; bash's job control gives it back.
set -m
for signal in INT TERM; do
  case $signal in INT) code=130 ;; TERM) code=143 ;; esac
  "$gradus" "${long[@]}" --out_dir="stop$signal" >out 2>err </dev/null &
  pid=$!
  await '^iter 3:' err
  kill -$signal $pid
  wait $pid
  status=$?
  [[ $status == "$code" ]]
  verdict $? "SIG$signal ends with $code" "exit $status"
  says "SIG$signal saves" err '^gradus: stopped after step [0-9]+ of'
  says "SIG$signal says how to go on" err "train --init_from=resume --out_dir=stop$signal"
  done_steps=$(sed -nE 's/^gradus: stopped after step ([0-9]+) of.*/\1/p' err)
  # A run without a stop, and the stopped run resumed for one step, must have the same weights.
  call "${tiny[@]}" --out_dir="straight$signal" --max_iters=$((done_steps + 1)) --lr_decay_iters=12 --dropout=0.2
  call train --init_from=resume --out_dir="stop$signal" --max_iters=$((done_steps + 1))
  holds "a run stopped by SIG$signal goes on as if it never was" \
    cmp "straight$signal/last/model.safetensors" "stop$signal/last/model.safetensors"
done
"$gradus" "${long[@]}" --out_dir=killed >out 2>err </dev/null &
pid=$!
await '^step 20:' err
kill -KILL $pid
wait $pid 2>/dev/null
set +m
succeeds 'killed at once, a whole checkpoint stays' info --out_dir=killed --checkpoint=last

"$gradus" sample --out_dir=whole --max_new_tokens=20000 2>err </dev/null | head -c 10 >/dev/null
verdict "$(! grep -qv 'longer than block_size' err; echo $?)" 'closed pipe: sample ends without a word' "$(cat err)"
timeout 20 "$gradus" "${long[@]}" --out_dir=pipe 2>&1 >/dev/null </dev/null | head -n 12 >/dev/null
status=${PIPESTATUS[0]}
[[ $status == 141 ]]
verdict $? 'closed pipe: train stops' "exit $status"
succeeds 'and saves' info --out_dir=pipe --checkpoint=last

if [[ -w /dev/full ]]; then
  "$gradus" sample --out_dir=whole >/dev/full 2>err </dev/null
  [[ $? == 1 ]] && grep -q 'standard output: cannot be written: No space left' err
  verdict $? 'full disk: sample' "$(cat err)"
  fails 'full disk: log' 1 '/dev/full: cannot be written: No space left' "${tiny[@]}" --out_dir=full_disk --log=/dev/full
fi
# A limit on file sizes replaces a full disk, because only root could make one.
(ulimit -f 8; exec "$gradus" "${tiny[@]}" --out_dir=limit --n_embd=64 >out 2>err </dev/null)
[[ $? == 1 ]] && tail -n 1 err | grep -q '^gradus: limit/.*cannot be written'
verdict $? 'full disk: checkpoint' "$(tail -n 1 err)"
call "${tiny[@]}" --out_dir=grown
(ulimit -f 1; exec "$gradus" train --init_from=resume --out_dir=grown --max_iters=14 >out 2>err </dev/null)
[[ $? == 1 ]] && tail -n 1 err | grep -q '^gradus: .*cannot be written'
verdict $? 'full disk on resuming is an error' "$(tail -n 1 err)"
succeeds 'and the earlier checkpoint stays' info --out_dir=grown --checkpoint=last

if command -v script >/dev/null && script --version 2>/dev/null | grep -q util-linux; then
  terminal() {  # terminal COLUMNS COMMAND...
    local columns=$1
    shift
    script -qec "stty cols $columns; $(printf '%q ' "$@")" /dev/null </dev/null >seen 2>&1
  }
  terminal 100 "$gradus" "${tiny[@]}" --out_dir=tty
  holds 'terminal: a live line' grep -q $'\r.*step 12/12  loss' seen
  holds 'terminal: bold' grep -q $'\e\\[1m' seen
  holds 'terminal: no plain lines' bash -c '! grep -q "^iter" seen'
  holds 'terminal: the losses, eight lines above the live one' \
    test "$(grep -A 9 ' ┤' seen | grep -B 9 'step 12/12  loss' | grep -cE ' [┤│]')" -ge 8
  holds 'terminal: which stay at the end' \
    awk '/ [┤│]/ { n++; next } / 0 +dots: batches, o: validation +[0-9]+ steps/ { next } /done after/ { exit n < 8 } { n = 0 }' seen
  terminal 60 "$gradus" train --text text.txt --init_from=whole --minutes 0.01 --out_dir=none --dry_run
  tr -d '\r' <seen | sed $'s/\e\\[[0-9;]*m//g' | grep -v '^  again' | awk 'length($0) > 60 { bad = 1 } END { exit bad || NR < 5 }'
  verdict $? 'narrow terminal: the plan breaks between words' "$(cat seen)"
  NO_COLOR=1 terminal 100 "$gradus" "${tiny[@]}" --out_dir=tty --overwrite
  holds 'NO_COLOR: no colours' bash -c '! grep -q $'"'"'\e\\[[0-9]*m'"'"' seen'
  terminal 30 "$gradus" "${tiny[@]}" --out_dir=tty --overwrite
  tr '\r' '\n' <seen | grep 'step 12/12' | sed $'s/\e\\[K//' | awk 'length($0) > 29 { bad = 1 } END { exit bad || NR == 0 }'
  verdict $? 'narrow terminal: the live line does not wrap' "$(tr '\r' '\n' <seen | tail -n 5)"
fi

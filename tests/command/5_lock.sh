# Only one training at a time may use an out_dir, whatever its kind, even if the folder is moved.

# started COMMAND...: begins a training in the background, as $pid, and waits for six steps, so that there is a
# checkpoint.
started() {
  "$gradus" "$@" >first.out 2>first.err </dev/null &
  pid=$!
  await '^iter 6:' first.err
}
stopped() {
  kill -TERM "$pid"
  wait "$pid"
  [[ $? == 143 ]]
  verdict $? "$1" "$(tail -n 2 first.err)"
}

set -m
started "${long[@]}" --out_dir=held
fails 'a second run into the same out_dir is refused by name' 1 \
  "held: process $pid on $(hostname) is training in this folder (wait until it ends, stop it" "${tiny[@]}" --out_dir=held
fails 'with --overwrite too' 1 'is training in this folder' "${tiny[@]}" --out_dir=held --overwrite
fails 'and resuming it' 1 'is training in this folder' train --init_from=resume --out_dir=held
fails 'and a task into it' 1 'is training in this folder' train --model classifier --out_dir=held
succeeds 'another folder is free' "${tiny[@]}" --out_dir=beside --max_iters=1
succeeds 'a dry run looks only' train --init_from=resume --out_dir=held --dry_run
succeeds 'and sample reads' sample --out_dir=held --checkpoint=last --max_new_tokens=1
stopped 'the first run goes on undisturbed'
holds 'and leaves its model and no lock' test -d held/last -a ! -e held/.lock
succeeds 'which is free now' "${tiny[@]}" --out_dir=held --overwrite --max_iters=1
started "${long[@]}" --out_dir=struck
kill -KILL "$pid"
wait "$pid" 2>/dev/null
succeeds 'a run that was killed holds nothing' "${tiny[@]}" --out_dir=struck --overwrite

# A new run moves the default folder aside, but never the folder of a run that is at work.
mkdir default
cd default || exit 1
cp ../text.txt .
quick=(train --eval_iters=1 --n_layer=1 --n_embd=16 --block_size=32 --batch_size=2 --log_interval=1)
for seed in 1 2 3; do
  succeeds "default run $seed" "${quick[@]}" --max_iters=1 --seed=$seed
done
holds 'three runs leave three models' test -d out-tales/best -a -d out-tales.previous/best -a -d out-tales.previous.2/best
holds 'the oldest in the first place' test "$("$gradus" info --out_dir=out-tales.previous --json | grep -c '"seed": 1')" = 1
started "${quick[@]}" --max_iters=100000000
fails 'a default run does not move the folder of one at work' 1 'out-tales: process' "${quick[@]}" --max_iters=1
holds 'nothing is moved' test -d out-tales.previous.3 -a ! -e out-tales.previous.4
stopped 'the default run goes on'
says 'and tells the right model' first.err 'saved in out-tales/last'
# Two runs that begin at the same moment: the later one is refused, and no model is lost.
for attempt in 1 2 3; do
  "$gradus" "${quick[@]}" --max_iters=3 --seed=5 >a.out 2>a.err </dev/null & a=$!
  "$gradus" "${quick[@]}" --max_iters=3 --seed=6 >b.out 2>b.err </dev/null & b=$!
  wait $a; a=$?
  wait $b; b=$?
  [[ $a$b == 00 || ($a$b == 01 && $(tail -n 1 b.err) == *'is training in this folder'*) ||
    ($a$b == 10 && $(tail -n 1 a.err) == *'is training in this folder'*) ]] &&
    "$gradus" info --out_dir=out-tales >/dev/null && ! grep -q 'cannot be' a.err b.err
  verdict $? "two at once, attempt $attempt" "exits $a and $b: $(tail -n 1 a.err b.err)"
done
cd ..
set +m
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
  strace -o /dev/null -f -e inject=flock:error=ENOLCK "$gradus" "${tiny[@]}" --max_iters=1 --out_dir=no_locks >out 2>err </dev/null
  verdict $? 'where the file system knows no locks, a run goes on' "$(tail -n 1 err)"
  says 'with a note' err '^gradus: no_locks: cannot be locked: No locks available'
fi

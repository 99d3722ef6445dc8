# Several processes at once. Only where gradus is built with -Dmpi=true: elsewhere the last lines say that it is not.

ranks=(mpirun --quiet --bind-to none --oversubscribe)
if [[ $(id -u) == 0 ]]; then ranks+=(--allow-run-as-root); fi
shared=("${tiny[@]}" --dropout=0.2 --gradient_accumulation_steps=4)

on() {  # on N ARGUMENTS...: as call
  local count=$1
  shift
  timeout 60 "${ranks[@]}" -n "$count" "$gradus" "$@" >out 2>err </dev/null
  status=$?
}

same_run() {  # same_run NAME A B: byte for byte
  holds "$1" cmp "$2/last/model.safetensors" "$3/last/model.safetensors"
  holds "$1: optimiser" cmp "$2/last/optimizer.safetensors" "$3/last/optimizer.safetensors"
}

refuses() {  # refuses NAME STATUS MESSAGE: of what on() did, by one line
  [[ $status == "$2" && $(grep -c '^gradus: ' err) == 1 ]] && grep -q "^gradus: .*$3" err
  verdict $? "$1" "exit $status, wanted $2 and one line with '$3': $(cat err)"
}

largest_difference() {  # largest_difference LOG LOG: of their losses
  paste <(grep -o '"\(val_\)\?loss":[^,}]*' "$1" | cut -d: -f2) <(grep -o '"\(val_\)\?loss":[^,}]*' "$2" | cut -d: -f2) |
    awk '{ d = $1 - $2; d = d < 0 ? -d : d; most = d > most ? d : most } END { print (NR > 10 ? most + 0 : "too few") }'
}

cluster_cases() {
  local n kind pid began step d

  call "${shared[@]}" --out_dir=one
  for n in 2 4; do
    on $n "${shared[@]}" --out_dir="shared$n"
    verdict "$status" "cluster: $n processes" "$(tail -n 3 err)"
    same_run "cluster: $n processes end with the bits of one" one "shared$n"
    holds "cluster: $n processes print once" test "$(grep -c '^step 12:' err)" == 1
  done
  says 'cluster: the plan says who does what' err 'ranks +4, each with 1 of the 4 batches, 1 thread'

  # Which elements drop out follows from the rows of a process, so without dropout:
  local rows=("${tiny[@]}" --batch_size=6 --dropout=0)
  call "${rows[@]}" --out_dir=rows1
  for n in 2 3; do
    on $n "${rows[@]}" --out_dir="rows$n"
    says "cluster: rows for $n" err "ranks +$n, each with $((6 / n)) of the 6 rows of a batch"
    d=$(largest_difference rows1/log.jsonl "rows$n/log.jsonl")
    awk -v d="$d" 'BEGIN { exit !(d + 0 == d && d <= 1e-5) }'
    verdict $? "cluster: $n processes by rows have the losses of one within 1e-5" "largest difference: $d"
  done

  local own=("${shared[@]}" --lr_decay_iters=12 --local_steps=4)
  on 2 "${own[@]}" --out_dir=own12
  says 'cluster: the plan says when the weights meet' err 'ranks +2, .*, mean of weights every 4 steps'
  on 2 "${own[@]}" --max_iters=8 --out_dir=own8
  on 2 train --init_from=resume --out_dir=own8 --max_iters=12
  verdict "$status" 'cluster: goes on with local steps' "$(tail -n 3 err)"
  same_run 'cluster: local steps go on bit for bit' own12 own8
  on 3 train --init_from=resume --out_dir=own8 --max_iters=14 --gradient_accumulation_steps=3
  verdict "$status" 'cluster: and with another number' "$(tail -n 3 err)"

  on 2 "${shared[@]}" --out_dir=profiled2 --profile
  says 'cluster: a profile by rank' err '^  rank +compute ms +waiting ms +sum ms'
  says 'cluster: with each of them' err '^  1( +[0-9.]+){3}$'
  same_run 'cluster: a profile changes nothing' one profiled2

  for kind in translator bert vit classifier; do
    on 2 train --model $kind --n_layer=1 --n_head=2 --n_embd=8 --n_inner=8 --batch_size=4 --max_iters=2 --eval_iters=1 \
      --out_dir="two-$kind"
    verdict "$status" "cluster: --model $kind" "$(tail -n 3 err)"
  done
  printf 'good\ta fine day\nbad\ta grey day\n%.0s' {1..20} | awk '{ print $0 " " NR }' >labels.tsv
  on 2 train --model classifier --data labels.tsv --n_layer=1 --n_head=2 --n_embd=8 --n_inner=8 --batch_size=4 \
    --max_iters=2 --eval_iters=1 --out_dir=two-file
  verdict "$status" 'cluster: the first process reads for all' "$(tail -n 3 err)"
  on 2 train --init_from=resume --out_dir=two-file --max_iters=4
  verdict "$status" 'cluster: and again when it goes on' "$(tail -n 3 err)"
  on 2 finetune --out_dir=two-bert --data labels.tsv --batch_size=4 --max_iters=2 --eval_iters=1 --into=two-taught
  verdict "$status" 'cluster: finetune' "$(tail -n 3 err)"
  says 'cluster: finetune shares its batches' err 'ranks +2, each with 2 of the 4 rows of a batch'
  on 2 finetune --out_dir=two-bert --data labels.tsv --into=two-bert
  refuses 'cluster: finetune into its own folder' 2 'is where the model comes from'
  on 2 train --text text.txt --init_from=one --max_iters=2 --eval_iters=1 --out_dir=two-more
  verdict "$status" 'cluster: begins with the model of a folder' "$(tail -n 3 err)"
  on 2 train --text text.txt --minutes=0.02 --out_dir=two-own
  verdict "$status" 'cluster: sizes by measured time are the same for all' "$(tail -n 3 err)"

  on 2 "${tiny[@]}" --batch_size=3 --out_dir=none
  refuses 'cluster: what cannot be shared' 2 '--batch_size=4 or --gradient_accumulation_steps=2'
  on 2 train --text missing.txt
  refuses 'cluster: a missing file' 1 'missing.txt: does not exist'
  on 2 train --text -
  refuses 'cluster: standard input' 2 'standard input is for one process'
  on 2 "${shared[@]}" --learning_rate=1e30 --grad_clip=0 --optimizer=sgd --out_dir=none
  refuses 'cluster: a loss of NaN' 1 'at step'
  timeout 60 "${ranks[@]}" -n 1 "$gradus" "${shared[@]}" --out_dir=none : \
    -n 1 "$gradus" "${shared[@]}" --out_dir=none --seed=2 >out 2>err </dev/null
  status=$?
  refuses 'cluster: other flags' 2 'rank 1 has another command line than rank 0'
  timeout 60 "${ranks[@]}" -n 1 "$gradus" "${shared[@]}" --out_dir=none : \
    -n 1 -x OMP_NUM_THREADS=2 "$gradus" "${shared[@]}" --out_dir=none >out 2>err </dev/null
  status=$?
  refuses 'cluster: other numbers of threads' 2 'rank 1 has another number of threads'
  if [[ -w /dev/full ]]; then
    on 2 "${shared[@]}" --out_dir=full2 --log=/dev/full
    [[ $status == 1 ]] && tail -n 1 err | grep -q '/dev/full: cannot be written: No space left'
    verdict $? 'cluster: a full disk ends all' "exit $status: $(tail -n 2 err)"
  fi
  # MPI's own files are of 4 MiB: the limit that stands in for a full disk is above that, and below the model.
  (ulimit -f 8192; on 2 "${shared[@]}" --n_embd=512 --n_head=8 --out_dir=limit2; exit "$status")
  [[ $? == 1 ]] && tail -n 1 err | grep -q '^gradus: limit2/.*cannot be written'
  verdict $? 'cluster: a full disk at a checkpoint ends all' "$(tail -n 2 err)"

  local endless=("${shared[@]}" --max_iters=100000000 --lr_decay_iters=12)
  call "${endless[@]}" --max_iters=60 --out_dir=straight
  rm err  # or the last one's lines would be waited for
  set -m
  "$here/../../tools/cluster.sh" "$gradus" 2 "${endless[@]}" --out_dir=stopped >out 2>err </dev/null &
  pid=$!
  await '^iter 12:' err
  began=$SECONDS
  kill -INT $pid
  wait $pid
  status=$?
  [[ $status == 130 && $((SECONDS - began)) -le 10 ]]
  verdict $? 'cluster: Ctrl-C ends with 130' "exit $status after $((SECONDS - began)) s: $(tail -n 3 err)"
  says 'cluster: Ctrl-C saves' err '^gradus: stopped after step [0-9]+ of'
  says 'cluster: and says how to go on' err 'mpirun -n 2 .* train --init_from=resume --out_dir=stopped'

  rm err
  "$here/../../tools/cluster.sh" "$gradus" 3 "${endless[@]}" --gradient_accumulation_steps=3 --out_dir=dead \
    >out 2>err </dev/null &
  pid=$!
  await '^step 10:' err
  began=$SECONDS
  kill -KILL "$(pgrep -f "^$gradus .*--out_dir=dead" | tail -n 1)"
  wait $pid
  status=$?
  set +m
  [[ $status == 137 && $((SECONDS - began)) -le 10 && $(grep -c '^cluster: a process died' err) == 1 ]]
  verdict $? 'cluster: a death ends all within 10 s' "exit $status after $((SECONDS - began)) s: $(tail -n 3 err)"
  holds 'cluster: nobody is left' bash -c "! pgrep -f '^$gradus .*--out_dir=dead'"
  succeeds 'cluster: and the checkpoint is whole' info --out_dir=dead --checkpoint=last

  cp -r stopped stopped4
  step=$(sed -nE 's/.*"step":([0-9]+).*/\1/p' stopped/last/trainer.json | head -n 1)
  for n in 1 4; do
    d=stopped
    if [[ $n == 4 ]]; then d=stopped4; fi
    on $n train --init_from=resume --out_dir=$d --max_iters=$((60 > step ? 60 : step + 2))
    verdict "$status" "cluster: goes on with $n" "$(tail -n 3 err)"
  done
  same_run 'cluster: 1 and 4 go on alike' stopped stopped4
}

if ! command -v mpirun >/dev/null; then
  echo 'skip  cluster: there is no mpirun here'
elif on 2 train --dry_run "${tiny[@]:1}" --out_dir=none && grep -q 'knows nothing of MPI' err; then
  refuses 'cluster: a build without MPI says so' 2 'knows nothing of MPI'
  echo 'skip  cluster: gradus is built without -Dmpi=true'
else
  cluster_cases
fi

# Several processes at once, if gradus is built with -Dmpi=true, as ./run test builds it. Otherwise the last lines report
# that these cases were left out, which fails if CI is true.

ranks=(mpirun --bind-to none --oversubscribe)
if [[ $(id -u) == 0 ]]; then ranks+=(--allow-run-as-root); fi
shared=("${tiny[@]}" --dropout=0.2 --gradient_accumulation_steps=4)

on() {  # on N ARGUMENTS...: like call, with N processes
  local count=$1
  shift
  timeout 60 "${ranks[@]}" -n "$count" "$gradus" "$@" >out 2>err </dev/null
  status=$?
}

same_run() {  # same_run NAME A B: both runs have the same bytes
  holds "$1" cmp "$2/last/model.safetensors" "$3/last/model.safetensors"
  holds "$1: optimiser" cmp "$2/last/optimizer.safetensors" "$3/last/optimizer.safetensors"
}

refuses() {  # refuses NAME STATUS MESSAGE: on() must have ended so, with one line
  [[ $status == "$2" && $(grep -c '^gradus: ' err) == 1 ]] && grep -q "^gradus: .*$3" err
  verdict $? "$1" "exit $status, wanted $2 and one line with '$3': $(cat err)"
}

largest_difference() {  # largest_difference LOG LOG: between their losses
  paste <(grep -o '"\(val_\)\?loss":[^,}]*' "$1" | cut -d: -f2) <(grep -o '"\(val_\)\?loss":[^,}]*' "$2" | cut -d: -f2) |
    awk '{ d = $1 - $2; d = d < 0 ? -d : d; most = d > most ? d : most } END { print (NR > 10 ? most + 0 : "too few") }'
}

# Starts N processes; all except the first run SCRIPT before they become gradus with these arguments. (mpirun's own syntax
# for such groups, `-n 1 A : -n 1 B`, crashes in Open MPI 5.0.7.)
unlike() {  # unlike N SCRIPT ARGUMENTS...
  local count=$1 script=$2
  shift 2
  timeout 60 "${ranks[@]}" -n "$count" bash -c 'if [[ $OMPI_COMM_WORLD_RANK != 0 ]]; then eval "$0"; fi; exec "$@"' \
    "$script" "$gradus" "$@" >out 2>err </dev/null
  status=$?
}

last_said() { grep -a '^gradus: ' err | tail -n 1; }  # mpirun may print a report after it

launch() {  # launch N ARGUMENTS...: with tools/cluster.sh, in the background, as $pid
  rm -f err  # otherwise await would find the lines of the run before
  "$here/../../tools/cluster.sh" "$gradus" "$@" >out 2>err </dev/null &
  pid=$!
}

rank_of() {  # rank_of OUT_DIR FIRST|LAST: the process that began first (rank 0) or last (rank N - 1)
  pgrep -f "^$gradus .*--out_dir=$1( |\$)" | if [[ $2 == FIRST ]]; then head -n 1; else tail -n 1; fi
}

# The other commands need one process: the first of several runs them.
if command -v mpirun >/dev/null; then
  on 2 info --out_dir=whole
  [[ $status == 0 && $(grep -c '^checkpoint' out) == 1 ]]
  verdict $? 'cluster: info is said once' "exit $status: $(grep -c '^checkpoint' out) times; $(tail -n 2 err)"
  on 2 sample --out_dir=whole --start='The fox' --max_new_tokens=5
  [[ $status == 0 && $(grep -c '^The fox' out) == 1 ]]
  verdict $? 'cluster: a sample is written once' "exit $status: $(cat out)"
  on 2 sample --out_dir=nowhere
  refuses 'cluster: and trouble is said once' 1 'nowhere: does not exist'
fi

cluster_cases() {
  local n kind pid began step d flags

  call "${shared[@]}" --out_dir=one
  for n in 2 4; do
    on $n "${shared[@]}" --out_dir="shared$n"
    verdict "$status" "cluster: $n processes" "$(tail -n 3 err)"
    same_run "cluster: $n processes end with the bits of one" one "shared$n"
    holds "cluster: $n processes print once" test "$(grep -c '^step 12:' err)" == 1
  done
  says 'cluster: the plan says who does what' err 'ranks +4, each with 1 of the 4 batches, 1 thread'
  call "${shared[@]}" --gradient_accumulation_steps=12 --out_dir=twelve
  for n in 2 4; do
    on $n "${shared[@]}" --gradient_accumulation_steps=12 --out_dir="twelve$n"
    same_run "cluster: $n processes share 12 batches with the bits of one" twelve "twelve$n"
  done

  # Runs with code of their own for ranks: whole batches again, each in two processes and in one.
  local small=(--n_layer=1 --n_head=2 --n_embd=8 --n_inner=8 --block_size=16 --batch_size=2 --max_iters=4 --eval_iters=1
    --gradient_accumulation_steps=2)
  printf 'the fox %d\tmet a crow\n' {1..40} >prompts.tsv
  for kind in 'strong:--text text.txt --recipe strong' 'bfloat16:--text text.txt --dtype=bfloat16' \
    'muon:--text text.txt --optimizer=muon --dropout=0.2' 'prompts:--model gpt --data prompts.tsv'; do
    read -ra flags <<<"${kind#*:}"
    kind=${kind%%:*}
    call train "${flags[@]}" "${small[@]}" --out_dir="alone-$kind"
    if [[ $status == 2 ]] && grep -q 'bfloat16.*this CPU' err; then continue; fi
    on 2 train "${flags[@]}" "${small[@]}" --out_dir="both-$kind"
    verdict "$status" "cluster: $kind" "$(tail -n 3 err)"
    same_run "cluster: $kind ends with the bits of one" "alone-$kind" "both-$kind"
  done

  # Without dropout, because the elements that drop out depend on the rows of a process.
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
  says 'cluster: the plan says when the weights meet' err 'ranks +2, .*, weights averaged every 4 steps'
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
  refuses 'cluster: finetune into its own folder' 2 'must not be the folder of the original model'
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
  on 3 "${shared[@]}" --gradient_accumulation_steps=3 --learning_rate=1e30 --grad_clip=0 --optimizer=sgd --out_dir=none
  refuses 'cluster: a loss of NaN on three' 1 'at step'
  unlike 2 'set -- "$@" --seed=2' "${shared[@]}" --out_dir=none
  refuses 'cluster: other flags' 2 'all ranks must have the same command line, but rank 1'
  unlike 2 'export OMP_NUM_THREADS=2' "${shared[@]}" --out_dir=none
  refuses 'cluster: other numbers of threads' 2 'all ranks must have the same number of threads, but rank 1'
  { cat "$gradus"; echo; } >other
  chmod +x other
  unlike 2 'set -- ./other "${@:2}"' "${shared[@]}" --out_dir=none
  refuses 'cluster: another build' 2 'all ranks must have the same build of gradus, but rank 1 differs from rank 0 (copy the same program'
  if [[ $(uname -m) == x86_64 ]]; then
    unlike 2 'export OPENBLAS_CORETYPE=Nehalem' "${shared[@]}" --out_dir=none
    refuses 'cluster: other kernels of the BLAS' 2 'all ranks must have the same BLAS, but rank 1'
  fi
  # The second and the third have no room for their copies of the text.
  yes 'The fox met a crow.' | head -c 18000000 >long.txt
  local three=(train --text long.txt "${shared[@]:3}" --gradient_accumulation_steps=3 --max_iters=1 --out_dir=none)
  unlike 3 'ulimit -f 16384' "${three[@]}"
  refuses 'cluster: of two that fail one speaks' 1 'rank 1 on .*long.txt: cannot be written'
  for n in PMI_SIZE SLURM_STEP_NUM_TASKS; do
    env $n=2 "$gradus" "${shared[@]}" --out_dir=none >out 2>err </dev/null
    status=$?
    refuses "cluster: $n of another launcher" 2 "$n=2: 2 processes were started, but not by Open MPI's launcher"
  done
  d=$(for n in 1 2; do
    on $n train --text text.txt --n_layer=200 --n_head=64 --n_embd=65536 --batch_size=2 --dry_run
    sed -n 's/.*need.* about \([0-9.]*\) TiB of memory.*/\1/p' err
  done | tr '\n' ' ')
  awk '{ exit !($1 > 1 && $2 > 1.8 * $1 && $2 < 2.2 * $1) }' <<<"$d"
  verdict $? 'cluster: processes of one machine share its memory' "TiB for 1 and 2: $d: $(tail -n 1 err)"
  if [[ -w /dev/full ]]; then
    on 2 "${shared[@]}" --out_dir=full2 --log=/dev/full
    [[ $status == 1 ]] && last_said | grep -q '/dev/full: cannot be written: No space left'
    verdict $? 'cluster: a full disk ends all' "exit $status: $(tail -n 2 err)"
  fi
  # The limit that replaces a full disk is 16 MiB: MPI's own files have at most that size, and the model has more.
  (ulimit -f 16384; on 2 "${shared[@]}" --n_embd=768 --n_head=8 --out_dir=limit2; exit "$status")
  [[ $? == 1 ]] && last_said | grep -q '^gradus: limit2/.*cannot be written'
  verdict $? 'cluster: a full disk at a checkpoint ends all' "$(tail -n 2 err)"

  local endless=("${shared[@]}" --max_iters=100000000 --lr_decay_iters=12)
  set -m
  launch 2 "${endless[@]}" --out_dir=stopped
  await '^iter 12:' err
  began=$SECONDS
  kill -INT "$pid"
  wait "$pid"
  status=$?
  [[ $status == 130 && $((SECONDS - began)) -le 10 ]]
  verdict $? 'cluster: Ctrl-C ends with 130' "exit $status after $((SECONDS - began)) s: $(tail -n 3 err)"
  holds 'cluster: Ctrl-C is answered once' test "$(grep -c 'stopping after this step' err)" == 1
  says 'cluster: Ctrl-C saves' err '^gradus: stopped after step [0-9]+ of'
  says 'cluster: and says how to go on' err 'mpirun -n 2 .* train --init_from=resume --out_dir=stopped'

  launch 2 "${endless[@]}" --out_dir=twice
  await '^step 10:' err
  kill -STOP "$(rank_of twice LAST)"  # keeps the step from ending
  kill -INT "$pid"
  await 'stopping after this step' err
  kill -INT "$pid"
  wait "$pid"
  status=$?
  [[ $status == 130 && $(grep -c '^cluster: ' err) == 1 ]]
  verdict $? 'cluster: Ctrl-C twice ends at once' "exit $status: $(tail -n 3 err)"
  holds 'cluster: and nobody is left' bash -c "! pgrep -f '^$gradus .*--out_dir=twice'"
  succeeds 'cluster: and the checkpoint is whole' info --out_dir=twice --checkpoint=last

  mkfifo late.txt
  "$here/../../tools/cluster.sh" "$gradus" 2 train --text late.txt --out_dir=unbegun >out 2>err </dev/null &
  pid=$!
  until [[ -n $(rank_of unbegun LAST) ]]; do sleep 0.05; done
  kill -INT "$pid"
  wait "$pid"
  status=$?
  [[ $status == 130 && ! -e unbegun ]]
  verdict $? 'cluster: Ctrl-C before the first step' "exit $status: $(cat err)"

  # A slow gnuplot: the first process still draws when the second has done all of its steps.
  mkdir slow
  printf '#!/bin/sh\necho >drawing\nsleep 2\nexec true\n' >slow/gnuplot
  chmod +x slow/gnuplot
  rm -f err drawing
  PATH=$PWD/slow:$PATH "$here/../../tools/cluster.sh" "$gradus" 2 "${shared[@]}" --out_dir=ending >out 2>err </dev/null &
  pid=$!
  until [[ -e drawing ]]; do sleep 0.05; done
  kill -INT "$pid"
  wait "$pid"
  status=$?
  [[ $status == 0 ]] && grep -q '^done after' err
  verdict $? 'cluster: Ctrl-C while the first ends the run does not end it' "exit $status: $(tail -n 3 err)"

  launch 3 "${endless[@]}" --gradient_accumulation_steps=3 --out_dir=dead
  await '^step 10:' err
  began=$SECONDS
  kill -KILL "$(rank_of dead LAST)"
  wait "$pid"
  status=$?
  [[ $status == 137 && $((SECONDS - began)) -le 10 ]]
  verdict $? 'cluster: a death ends all within 10 s' "exit $status after $((SECONDS - began)) s: $(tail -n 3 err)"
  grep -v '^step\|^iter' err | tail -n 2 >last_lines
  says 'cluster: says who died' last_lines '^cluster: rank 2 on node .* was killed by signal 9 \(Killed\), often because memory ran out; all'
  says 'cluster: and how to go on' last_lines '^to resume: mpirun -n 3 .* --init_from=resume --out_dir=dead --log_interval=1$'
  holds 'cluster: in one message' test "$(grep -c '^gradus: \|^cluster: \|^---' err)" == 1
  holds 'cluster: nobody is left' bash -c "! pgrep -f '^$gradus .*--out_dir=dead'"
  succeeds 'cluster: the checkpoint after a death is whole' info --out_dir=dead --checkpoint=last
  step=$(sed -nE 's/.*"step": *([0-9]+).*/\1/p' dead/last/trainer.json | head -n 1)
  on 3 train --init_from=resume --out_dir=dead --max_iters=$((step + 3))
  on 3 "${endless[@]}" --gradient_accumulation_steps=3 --max_iters=$((step + 3)) --out_dir=alive
  same_run 'cluster: a run goes on after a death as if there was none' dead alive

  launch 2 "${endless[@]}" --eval_interval=100000000 --out_dir=unsaved
  await '^iter 3:' err
  kill -ILL "$(rank_of unsaved FIRST)"
  wait "$pid"
  status=$?
  [[ $status == 132 ]] && grep -q '^cluster: rank 0 .* was killed by signal 4 .* built for another CPU.*no checkpoint was saved here$' err
  verdict $? 'cluster: a death by SIGILL before a checkpoint' "exit $status: $(tail -n 3 err)"
  set +m

  cp -r stopped stopped4
  step=$(sed -nE 's/.*"step": *([0-9]+).*/\1/p' stopped/last/trainer.json | head -n 1)
  for n in 1 4; do
    d=stopped
    if [[ $n == 4 ]]; then d=stopped4; fi
    on $n train --init_from=resume --out_dir=$d --max_iters=$((step + 3))
    verdict "$status" "cluster: goes on with $n" "$(tail -n 3 err)"
  done
  call "${endless[@]}" --max_iters=$((step + 3)) --out_dir=straight
  same_run 'cluster: one goes on as if never stopped' straight stopped
  same_run 'cluster: 1 and 4 go on alike' stopped stopped4
}

left_out() {  # left_out WHY
  if [[ ${CI:-} == true ]]; then verdict 1 'cluster: is tested' "$1"; else echo "skip  cluster: $1"; fi
}

d=$(cd "$here/../.." && grep -rlE '\bmpi\.h\b|OMPI_|PMIX?_|SLURM_|\bMPI_[A-Z]' --include=*.h --include=*.cpp autograd io nn cli)
[[ $d == cli/cluster/mpi_ranks.cpp ]]
verdict $? 'cluster: one place knows of MPI' "$d"
if ! command -v mpirun >/dev/null; then
  left_out 'there is no mpirun here'
elif on 2 train --dry_run "${tiny[@]:1}" --out_dir=none && grep -q 'has no MPI' err; then
  refuses 'cluster: a build without MPI says so' 2 'has no MPI'
  left_out 'gradus is built without -Dmpi=true'
else
  cluster_cases
fi

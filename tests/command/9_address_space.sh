# Where address space is limited, gradus works or prints how much it needs; it never hangs. (With less than 400000 kB,
# OpenBLAS 0.3.29 hangs while it is loaded, before main().) Sourced by run.sh.
# shellcheck shell=bash disable=SC2154

for limit in 400000 600000 2000000; do
  (ulimit -v $limit; OMP_NUM_THREADS=2 timeout 60 "$gradus" train --text text.txt --n_layer=1 --n_head=2 \
    --n_embd=64 --block_size=32 --batch_size=8 --max_iters=2 --eval_iters=1 --overwrite --out_dir=limited) >out 2>err </dev/null
  status=$?
  [[ $status == 0 ]] || { [[ $status == 1 ]] && grep -q 'the address space is limited\|out of memory' err; }
  verdict $? "an address space of $limit kB is enough, or found too small" "exit $status: $(tail -n 2 err)"
done
for limit in 300000 400000; do
  (ulimit -v $limit; OMP_NUM_THREADS=2 timeout 20 "$gradus" doctor) >out 2>err </dev/null
  [[ $? == 124 ]] || break
done
says 'what matrix products need is said' err 'take 128 MiB of it for each of the 2 threads \(raise the limit'

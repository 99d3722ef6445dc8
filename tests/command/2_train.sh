# Training: plan, output, log, checkpoints, overwriting, resuming.

succeeds 'dry run' "${tiny[@]}" --dry_run --out_dir=dry
holds 'dry run writes nothing' test ! -e dry
for word in 'tokens' 'vocabulary  34 characters' 'parameters' 'memory      about' 'FLOP' 'time'; do
  says "the plan says: $word" err "$word"
done

succeeds 'train' "${tiny[@]}" --dropout=0.2 --out_dir=whole --log=run.jsonl
holds 'a pipe gets no control characters' bash -c '! grep -q "[[:cntrl:]]" err'
says 'a line for each evaluation' err '^step 10: train loss [0-9.]+, val loss [0-9.]+'
says 'a line for each step' err '^iter 11: loss [0-9.]+, time [0-9.]+ms'
holds 'a sample on standard output' test -s out
holds 'best, last and curve' test -f whole/best/model.safetensors -a -f whole/last/optimizer.safetensors
if command -v gnuplot >/dev/null; then says 'loss curve' whole/loss.svg '</svg>'; fi
holds 'log has steps and evaluations' test "$(grep -c '"loss"' run.jsonl) $(grep -c val_loss run.jsonl)" = '12 4'
says 'form of a step' run.jsonl \
  '^\{"step":3,"loss":[0-9.]+,"lr":[0-9.e-]+,"ms":[0-9.]+,"tokens_per_second":[0-9]+,"bits_per_byte":[0-9.]+\}$'
says 'form of an evaluation' run.jsonl '^\{"step":10,"train_loss":[0-9.]+,"val_loss":[0-9.]+,"bits_per_byte":[0-9.]+\}$'
holds 'no half-written folders stay' bash -c '! ls -A whole | grep -q tmp'

succeeds 'with a profile' "${tiny[@]}" --dropout=0.2 --out_dir=profiled --profile
says 'the profile leaves two steps out' err '^Profile of 10 steps, per step$'
for op in 'linear' 'linear backward'; do
  says "the profile has products, without those of evaluations: $op" err \
    "^  $op +[0-9.]+% +[0-9.]+ +4 +[0-9.]+ GFLOP/s +[0-9.]+\$"
done
holds 'the profile is sorted by time' bash -c 'sed -n "/^Profile/,/^$/p" err | grep -oE "[0-9.]+%" | sort -crn'
says 'the profile has the optimiser' err '^  adamw \(outside\) +[0-9.]+% +[0-9.]+ +1 +[0-9.]+$'
says 'the profile says what is left' err '^  ops without matrix products +[0-9.]+% '
holds 'the model is the same with a profile' cmp whole/last/model.safetensors profiled/last/model.safetensors
succeeds 'a profile of too few steps' "${tiny[@]}" --max_iters=2 --out_dir=few --profile
says 'says so' err '^profile: too few steps to show'

fails 'a finished model is not overwritten' 2 'holds a model of an earlier run' "${tiny[@]}" --out_dir=whole
cp whole/last/trainer.json before.json
succeeds 'its plan is shown all the same' "${tiny[@]}" --out_dir=whole --dry_run
says 'whole' err '^  time '
says 'with what is in the way' err '^gradus: whole: holds a model of an earlier run .*or add --overwrite\)$'
holds 'and nothing is written' cmp before.json whole/last/trainer.json
succeeds 'unless --overwrite' "${tiny[@]}" --dropout=0.2 --out_dir=whole --overwrite --log=run.jsonl
holds 'the log begins anew' test "$(grep -c '"loss"' run.jsonl)" = 12

# The same run, stopped after some steps and resumed, must be the same to the last bit.
without_times() { sed -E 's/,"ms".*//' "$1"; }
for steps in 1 5 7; do
  succeeds "stop after $steps" "${tiny[@]}" --dropout=0.2 --out_dir=part --overwrite --log=part.jsonl \
    --max_iters=$steps --lr_decay_iters=12 --eval_interval=5
  succeeds "resume after $steps" train --init_from=resume --out_dir=part --max_iters=12 --log_interval=1 --log=part.jsonl
  says 'the change is said' err "changed for the rest of the run: max_iters from $steps to 12"
  holds "parameters are the same after $steps" cmp whole/last/model.safetensors part/last/model.safetensors
  holds "optimiser is the same after $steps" cmp whole/last/optimizer.safetensors part/last/optimizer.safetensors
done
cp part/log.jsonl killed.jsonl
printf '%s\n' '{"step":12,"loss":1}' '{"step":13,"lo' >>part/log.jsonl
succeeds 'resume a finished run' train --init_from resume --out_dir part
holds 'the log loses what lies beyond the checkpoint' cmp killed.jsonl part/log.jsonl

fails 'numbers that are not known' 2 "--dtype: must be \"float32\" or \"bfloat16\", got 'float61'" \
  "${tiny[@]}" --out_dir=halved --dtype=float61
if grep -qw avx512_bf16 /proc/cpuinfo; then
  succeeds 'train in bfloat16' "${tiny[@]}" --n_embd=64 --batch_size=64 --max_iters=3 --out_dir=halved --dtype=bfloat16
  says 'the plan says so' err '^  time .* bfloat16 peak [0-9]+ GFLOP/s'
  says 'a step too' err '^iter .*% of bfloat16 peak'
  says 'the run keeps it' halved/last/trainer.json '"dtype": "bfloat16"'
  succeeds 'resumed' train --init_from=resume --out_dir=halved --max_iters=4
  says 'with the same' halved/last/trainer.json '"dtype": "bfloat16"'
  succeeds 'resumed in float32' train --init_from=resume --out_dir=halved --max_iters=5 --dtype=float32
  says 'which is said' err 'changed for the rest of the run: dtype from bfloat16 to float32'
  succeeds 'a task in bfloat16' train --model=vit --examples=80 --max_iters=2 --eval_iters=1 --out_dir=half-vit --dtype=bfloat16
  says 'keeps it as well' half-vit/last/trainer.json '"dtype": "bfloat16"'
else
  fails 'bfloat16 without its instruction' 2 'bfloat16: this CPU has no AVX512_BF16 (use float32: --dtype=float32)' \
    "${tiny[@]}" --out_dir=halved --dtype=bfloat16
  holds 'leaves nothing behind' test ! -e halved
fi

fails 'other sizes on resuming' 2 "--n_layer=2: must be 1, as in the checkpoint" train --init_from=resume --out_dir=part --n_layer=2
cp text.txt moved.txt
echo 'and one fox more' >>text.txt
fails 'text changed since' 2 'text.txt: must not change during a run' train --init_from=resume --out_dir=part
succeeds 'another text said aloud' train --init_from=resume --out_dir=part --text=text.txt
says 'and a note of it' err 'differs from the text of the earlier steps'
mv moved.txt text.txt

text | "$gradus" "${tiny[@]/text.txt/-}" --out_dir=stdin >out 2>err
verdict $? 'text from standard input' "$(tail -n 2 err)"
fails 'resume asks for standard input again' 2 'pass it again with --text=-' train --init_from=resume --out_dir=stdin

printf 'h\xc3\xa9llo w\xc3\xb6rld \xe2\x82\xac\n%.0s' {1..99} >utf8.txt
succeeds 'UTF-8 by characters' "${tiny[@]}" --text utf8.txt --out_dir=utf8 --max_iters=1
succeeds 'UTF-8 by bytes' "${tiny[@]}" --text utf8.txt --tokenizer=byte --out_dir=bytes --max_iters=1
holds 'output is valid UTF-8' iconv -f UTF-8 -t UTF-8 out

succeeds 'values after spaces, hyphens, Python words' "${tiny[@]}" --max-iters 1 --bias True --decay_lr False \
  --dry_run --out_dir=spaces

tales=(train --max_iters=1 --eval_iters=1 --n_layer=1 --n_embd=16 --block_size=32 --batch_size=2)
succeeds 'bundled tales' "${tales[@]}"
succeeds 'bundled tales again, by their name' "${tales[@]}" --text tales
holds 'the earlier run is set aside' test -d out-tales.previous/last -a -d out-tales/last
succeeds 'info without --out_dir' info
says 'takes the newest run' out '^checkpoint +out-tales/best'
succeeds 'the bundled fables' "${tales[@]}" --text fables --recipe fast --out_dir=fables
sed -i.bak 's/"fables"//' fables/run.json
succeeds 'the record of a build that had the fables alone' info --out_dir=fables
says 'means the fables' out '^trained on +the bundled fables$'
PATH=/nowhere call "${tiny[@]}" --out_dir=no_gnuplot
[[ $status == 0 ]] && grep -q 'the loss curve was not drawn: gnuplot is not installed' err
verdict $? 'without gnuplot: a note, no error' "exit $status: $(tail -n 3 err)"

succeeds 'a run that learns nothing' "${tiny[@]}" --learning_rate=3 --max_iters=5 --out_dir=nothing
says 'says so' err '^gradus: the best checkpoint is no better than random guessing: its loss is [0-9.]+, .* is 3\.5264 '
succeeds 'a run that goes well' "${tiny[@]}" --out_dir=nan
fails 'diverging loss' 1 'at step' train --init_from=resume --out_dir=nan --max_iters=200 --learning_rate=1e9 \
  --decay_lr=False --grad_clip=0
holds 'the last good checkpoint stays' "$gradus" info --out_dir=nan --checkpoint=last

succeeds 'the plan of the default run' train --dry_run
says 'the tales are read in byte pairs' err '^  vocabulary +2048 tokens$'
succeeds 'in characters, where asked' train --dry_run --tokenizer=char
says 'as many as there are' err '^  vocabulary +59 characters$'
succeeds 'the bundled fables' train --dry_run --text fables
says 'are read as a text of your own' err '^  text +the bundled fables: .*'
says 'into its folder' err '^  out_dir +out$'
cp text.txt tales
succeeds 'a file of such a name' train --dry_run --text ./tales
says 'is read' err '^  text +./tales: '
rm tales

# The loss on the held-out part, as training reports it.
val_loss() { "$gradus" eval --out_dir="$1" --split=val --json 2>/dev/null | sed -E 's/.*"loss":([0-9.]+).*/\1/' | xargs printf '%.4f'; }
exact=("${tiny[@]//--eval_iters=2/--learning_rate=0.01}" --max_iters=160 --eval_interval=80 --log_interval=20)
succeeds 'a run that looks at all that is held out' "${exact[@]}" --batch_size=8 --out_dir=exactly
says 'says so' err '^  evaluation +every 80 steps, exact, on all 341 held-out tokens$'
says 'and ends with the exact loss' err "^done .*: best val loss $(val_loss exactly) .*, exact, on all 341 held-out tokens, at step 160; random guessing: 3\\.5264; "
says 'which is that of its evaluation' err "val loss $(val_loss exactly),.*\(best\)"
says 'kept as such' exactly/last/trainer.json '"eval_iters": 0'
succeeds 'a run that estimates' "${exact[@]}" --batch_size=8 --eval_iters=1 --out_dir=roughly
says 'says that too' err '^  evaluation +every 80 steps, estimated on 128 tokens drawn from the 341 held-out tokens$'
says 'and ends with the exact loss of best all the same' err "^done .*: best val loss $(val_loss roughly) .* exact, on all 341"
holds 'both learn the same' cmp exactly/last/model.safetensors roughly/last/model.safetensors
succeeds 'a run too short for all of it' "${exact[@]}" --max_iters=2 --eval_iters=1 --out_dir=shortly
says 'ends with an estimate' err "^done .*, estimated on 32 tokens drawn from the 341 .* \\('.* eval --out_dir=shortly' evaluates all\\), at step "
fails 'no batch of examples' 2 '--eval_iters: must be at least 1 for a model trained on examples, got 0' train --model translator --eval_iters=0 --out_dir=nopairs
succeeds 'lines of progress far apart' "${exact[@]}" --max_iters=61 --out_dir=means
holds 'have the mean time of the steps since the last' test "$(grep -c '^iter' err)" = 4

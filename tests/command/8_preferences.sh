# GPTs that learn which of two answers is better.

for i in {1..40}; do printf 'ask %s\tit is %s\n' $((i * 7 % 23)) $((i * 7 % 23)); done >answering.tsv
for i in {1..30}; do printf 'ask %s\tit is %s\tit is it\n' $((i * 7 % 23)) $((i * 7 % 23)); done >better.tsv
succeeds 'a GPT that answers' train --model gpt --n_layer=1 --n_head=2 --n_embd=8 --n_inner=8 --batch_size=4 \
  --eval_interval=5 --eval_iters=1 --data answering.tsv --max_iters=10 --out_dir=answering
prefer=(finetune --out_dir=answering --data better.tsv --dpo=0.2 --batch_size=4 --eval_interval=5 --eval_iters=1 --log_interval=1)
succeeds 'preferences of a file' "${prefer[@]}" --max_iters=10 --into=better
says 'are counted' err '^  data +better.tsv: [0-9]+ pairs of answers to train on, [0-9]+ held out$'
says 'begin at ln 2' err '^step 0: .*0\.69'
says 'are scored' err '^step 10: .*, ranked right [0-9.]+%, moved right [0-9.]+%'
says 'both probabilities are shown' out '^worse answers: log probability -[0-9.]+ at first, -[0-9.]+ now$'
succeeds 'sample after preferences' sample --out_dir=better --start='ask 3' --temperature=0
succeeds 'held-out pairs' predict --out_dir=better --held_out
says 'are ranked' out 'ranked right'
succeeds 'half of the steps' "${prefer[@]}" --max_iters=5 --lr_decay_iters=10 --into=half_better
says 'their beta is recorded as it was given' half_better/run.json '"dpo": 0.2,$'
# Earlier builds recorded the nearest double, and no flag with its default.
edited half_better/run.json "j['dpo'] = 0.20000000298023224; del j['loss_on_prompt']"
fails 'go on with another beta' 2 '--dpo=0.3: must be 0.2, as in the checkpoint' \
  train --init_from=resume --out_dir=half_better --max_iters=10 --dpo=0.3
succeeds 'go on' train --init_from=resume --out_dir=half_better --max_iters=10
holds 'and end the same' cmp better/last/model.safetensors half_better/last/model.safetensors
succeeds 'preferences with an adapter' "${prefer[@]}" --max_iters=6 --lora 2 --into=better_adapter
succeeds 'go on with it' train --init_from=resume --out_dir=better_adapter --max_iters=8
holds 'as an adapter' test -s better_adapter/last/adapter_model.safetensors
succeeds 'a GPT that summarises' train --model gpt --n_layer=1 --n_head=2 --n_embd=8 --n_inner=8 --batch_size=4 \
  --eval_interval=5 --eval_iters=1 --data reports --examples=500 --max_iters=3 --out_dir=reports
succeeds 'built-in preferences' finetune --out_dir=reports --data preferences --examples=50 --max_iters=2 --batch_size=4 \
  --eval_iters=1 --into=days_first
says 'pairs' err '^  data +preferences: 50 pairs of answers to train on, 300 held out$'
fails 'preferences without a model' 2 '--data=preferences: needs a trained model' train --model gpt --data preferences --out_dir=none
fails 'preferences of a file without a model' 2 'better.tsv: needs a trained model (use gradus finetune)' \
  train --model gpt --data better.tsv --dpo=0.2 --out_dir=none
fails 'lines with one answer' 1 'answering.tsv: line 1: needs 3 fields, got 2' finetune --out_dir=answering --data answering.tsv --dpo=0.1 --into=none
fails 'another number of pairs' 2 'reference.safetensors belongs to ' \
  train --init_from=resume --out_dir=better --max_iters=12 --examples=5

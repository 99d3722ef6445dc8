# Adapters: small matrices that are trained beside a frozen model.

for i in {1..40}; do printf 'say %s\tit is %s\n' $((i * 7 % 23)) $((i * 7 % 23)); done >says.tsv
succeeds 'a GPT to adapt' train --model gpt --n_layer=2 --n_head=2 --n_embd=8 --n_inner=8 --batch_size=4 \
  --eval_interval=5 --eval_iters=1 --log_interval=1 --data says.tsv --max_iters=10 --out_dir=says
adapt=(finetune --out_dir=says --data says.tsv --lora 2 --batch_size=4 --eval_interval=5 --eval_iters=1 --log_interval=1)
succeeds 'an adapter plans' "${adapt[@]}" --into=low_rank --dry_run
says 'what is trained' err '^  trained     [0-9.]+ k? ?of these parameters \([0-9.]+%\): an adapter of rank 2 with alpha 16; gradients and optimiser: [0-9.]+'
cp says/best/model.safetensors before
succeeds 'finetune --lora' "${adapt[@]}" --lora_alpha=4 --max_iters=10 --into=low_rank
holds 'the model is as it was' cmp before says/best/model.safetensors
holds 'an adapter is saved in place of a model' test -s low_rank/best/adapter_model.safetensors -a ! -e low_rank/best/model.safetensors
holds 'with its base' grep -q "\"base_model_name_or_path\": \"$work/says/best\"" low_rank/best/adapter_config.json
says 'next' err 'gradus sample --out_dir=low_rank'
succeeds 'sample with an adapter' sample --out_dir=low_rank --start='say 3' --temperature=0
cp out with_adapter
succeeds 'eval with an adapter' eval --out_dir=low_rank --text says.tsv
cp out eval_adapter
succeeds 'in int8' eval --out_dir=low_rank --text says.tsv --dtype=int8
holds 'it has nearly the same loss' awk '$1 == "loss" { loss[n++] = $2 }
  END { exit n != 2 || loss[0] - loss[1] > 0.01 || loss[1] - loss[0] > 0.01 }' eval_adapter out
succeeds 'predict with an adapter' predict --out_dir=low_rank --text 'say 3'
succeeds 'held-out prompts of an adapter' predict --out_dir=low_rank --held_out
cp out scores
succeeds 'info of an adapter' info --out_dir=low_rank
says 'names rank and base' out "^adapter     rank 2, alpha 4(.0)?, merged with $work/says/best$"
succeeds 'as JSON' info --out_dir=low_rank --json
holds 'with the base' python3 -c 'import json; a = json.load(open("out"))["adapter"]; assert a["rank"] == 2 and a["alpha"] == 4, a'
succeeds 'attention of an adapter' attention --out_dir=low_rank --text 'say 3'

succeeds 'merge' finetune --out_dir=low_rank --merge --into=merged
says 'names the folder' out '^merged$'
holds 'an ordinary model' test -s merged/model.safetensors -a -s merged/config.json -a ! -e merged/adapter_config.json
succeeds 'sample of the merged model' sample --out_dir=merged --start='say 3'
holds 'answers the same' cmp out with_adapter
succeeds 'held-out prompts of the merged model' predict --out_dir=merged --held_out
holds 'have the same scores' cmp <(tail -n +2 out) <(tail -n +2 scores)
succeeds 'eval of the merged model' eval --out_dir=merged --text says.tsv
holds 'has the same loss' cmp <(grep ^loss out) <(grep ^loss eval_adapter)
succeeds 'finetune the model of an adapter' finetune --out_dir=low_rank --data says.tsv --max_iters=1 --batch_size=4 --eval_iters=1 --into=low_rank_whole
holds 'as a whole model' test -s low_rank_whole/last/model.safetensors

succeeds 'half of an adapter' "${adapt[@]}" --lora_alpha=4 --max_iters=5 --lr_decay_iters=10 --into=half_low_rank
succeeds 'goes on' train --init_from=resume --out_dir=half_low_rank --max_iters=10
says 'as an adapter' err ': an adapter of rank 2 with alpha 4; '
holds 'and ends the same' cmp low_rank/last/adapter_model.safetensors half_low_rank/last/adapter_model.safetensors

for i in {1..40}; do printf 'good\ta fine day number %s\nbad\ta dull day number %s\n' "$i" "$i"; done >sunny.tsv
succeeds 'a BERT to adapt' train --model bert --data text.txt --block_size=16 --batch_size=2 --n_layer=1 --n_head=2 \
  --n_embd=8 --n_inner=16 --vocab_size=60 --max_iters=6 --eval_interval=3 --eval_iters=2 --out_dir=unlabelled
succeeds 'an adapter for labels' finetune --out_dir=unlabelled --data sunny.tsv --lora 2 --batch_size=4 --max_iters=6 \
  --eval_interval=3 --eval_iters=2 --into=sunny
succeeds 'labels by an adapter' predict --out_dir=sunny --text 'a dull day'
says 'a label' out '^(good|bad)'
succeeds 'it goes on' train --init_from=resume --out_dir=sunny --max_iters=8
succeeds 'merge labels' finetune --checkpoint=sunny/best --merge --into=sunny_merged
succeeds 'labels by the merged model' predict --out_dir=sunny_merged --text 'a dull day'
succeeds 'info of labels' info --out_dir=sunny
says 'and of an adapter' out '"adapter"'

fails 'an adapter of an adapter' 2 '--lora: low_rank/best holds an adapter, and a new one needs a whole model' \
  finetune --out_dir=low_rank --data says.tsv --lora 2 --into=none
fails 'a rank that is too high' 2 'lora: the rank must be from 1 to 8, the smaller side of a layer [8, 24], got 9' \
  "${adapt[@]}" --lora=9 --into=none
fails 'alpha alone' 2 '--lora_alpha: needs --lora RANK' finetune --out_dir=says --data says.tsv --lora_alpha=4 --into=none
fails 'no alpha' 2 'lora: alpha must be above 0 and finite, got 0' "${adapt[@]}" --lora_alpha=0 --into=none
fails 'merge a whole model' 2 '--merge: says/best is a whole model already' finetune --out_dir=says --merge --into=none
fails 'merge into a folder' 2 '--into=merged: must be a new folder for the merged model' finetune --out_dir=low_rank --merge --into=merged
fails 'merge with data' 2 '--data: has no effect with --merge' finetune --out_dir=low_rank --merge --data says.tsv --into=none
fails 'adapters in train' 2 '--lora: is not a flag of train' train --data says.tsv --lora=2 --out_dir=none
holds 'nothing was left behind' test ! -e none
mv says gone
fails 'without its base' 1 'low_rank/best/adapter_config.json: "base_model_name_or_path" must name the folder' sample --out_dir=low_rank --start='say 3'
mv gone says
head -c 300 says/best/model.safetensors >cut
cp cut says/best/model.safetensors
fails 'with a base that has changed' 1 'says/best' sample --out_dir=low_rank --start='say 3'
cp before says/best/model.safetensors

# GPTs that answer prompts.

for i in {1..40}; do printf 'say %s\tit is %s\n' $((i * 7 % 23)) $((i * 7 % 23)); done >asks.tsv
learning=(train --model gpt --n_layer=1 --n_head=2 --n_embd=8 --n_inner=8 --batch_size=4
  --eval_interval=5 --eval_iters=1 --log_interval=1)
succeeds 'prompts of a file' "${learning[@]}" --data asks.tsv --max_iters=10 --out_dir=asks
says 'are counted' err '^  data +.*asks.tsv: [0-9]+ prompts to train on, [0-9]+ held out$'
says 'are scored' err '^step 5: .* exact match [0-9.]+%'
says 'are shown at the end' out '^say [0-9]+$'
says 'more of it is by sample' err 'gradus sample --out_dir=asks'
holds 'the file is kept by its whole path' grep -q "\"data\": \"$work/asks.tsv\"" asks/run.json
succeeds 'sample answers' sample --out_dir=asks --start='say 3' --temperature=0 --max_new_tokens=50
says 'after the prompt' out '^say 3'
succeeds 'wild answers' sample --out_dir=asks --start='say 3' --temperature=100 --max_new_tokens=500
holds 'end with their line' test "$(wc -l <out)" = 1
fails 'sample without a prompt' 2 '--start: is required' sample --out_dir=asks
fails 'eval without a text' 2 'was trained on examples' eval --out_dir=asks
succeeds 'eval on a text' eval --out_dir=asks --text asks.tsv
succeeds 'info' info --out_dir=asks
says 'names the data' out "^trained on +.*/asks.tsv$"

succeeds 'half of a run' "${learning[@]}" --data asks.tsv --max_iters=5 --lr_decay_iters=10 --out_dir=half \
  --loss_on_prompt
succeeds 'goes on' train --init_from=resume --out_dir=half --max_iters=10 --log_interval=1
succeeds 'a whole one' "${learning[@]}" --data asks.tsv --max_iters=10 --out_dir=full --loss_on_prompt
holds 'comes to the same' cmp half/last/model.safetensors full/last/model.safetensors
succeeds 'answers alone' "${learning[@]}" --data asks.tsv --max_iters=10 --out_dir=alone
holds 'are another thing to learn' bash -c '! cmp -s alone/last/model.safetensors full/last/model.safetensors'

succeeds 'built-in tweets' "${learning[@]}" --data tweets --max_iters=1 --examples=50 --out_dir=tweets
says 'of which few may be asked for' err 'tweets: 50 prompts to train on, 300 held out'
succeeds 'byte pairs' "${learning[@]}" --data asks.tsv --tokenizer bpe --vocab_size 270 --max_iters=1 --out_dir=pairs
fails 'a missing file' 1 'no.tsv: does not exist' "${learning[@]}" --data no.tsv --max_iters=1 --out_dir=x
fails 'a text beside it' 2 '--text: has no effect on --model=gpt with --data' \
  "${learning[@]}" --data tweets --text text.txt --max_iters=1 --out_dir=x
fails 'wordpiece' 2 '--tokenizer=wordpiece: only for BERT' \
  "${learning[@]}" --data asks.tsv --tokenizer wordpiece --max_iters=1 --out_dir=x
fails 'prompts that are too long' 2 'larger --block_size' \
  "${learning[@]}" --data tweets --block_size=8 --max_iters=1 --out_dir=x
fails 'loss_on_prompt of a text' 2 '--loss_on_prompt: has no effect on a GPT trained on a text' \
  "${tiny[@]}" --loss_on_prompt --out_dir=x
fails 'loss_on_prompt of a translator' 2 '--loss_on_prompt: has no effect on --model=translator' \
  train --model translator --loss_on_prompt --out_dir=x

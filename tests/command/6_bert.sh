# BERT: masked words, then labels.

bert=(train --model bert --data text.txt --block_size=16 --batch_size=2 --n_layer=1 --n_head=2 --n_embd=8
  --n_inner=16 --vocab_size=60 --max_iters=6 --eval_interval=3 --eval_iters=2 --log_interval=1)
for i in {1..40}; do printf 'good\ta fine day number %s\nbad\ta dull day number %s\n' "$i" "$i"; done >days.tsv

succeeds 'a dry run plans masked words' "${bert[@]}" --out_dir=bert --dry_run
says 'of that text' err '^  data        text.txt: [0-9]+ tokens to train on'
holds 'and writes nothing' test ! -e bert
succeeds 'train on masked words' "${bert[@]}" --out_dir=bert
says 'scores beside the baselines' err 'masked words [0-9.]+%, unigram [0-9.]+%, bigram [0-9.]+%'
says 'shows guesses' out '\[MASK\]'
says 'with what it was' out '\(it was: .+\)$'
holds 'the folder says that its parts are not all BERT'"'"'s' grep -q '"model_type": "gradus-bert"' bert/best/config.json
succeeds 'characters without a size' train --model bert --data text.txt --tokenizer char --dry_run --out_dir=chars
succeeds 'resume' train --init_from=resume --out_dir=bert --max_iters=8
says 'from where it stood' err '; 6 are done'
fails 'an earlier run is not overwritten' 2 'bert: holds a model of an earlier run' "${bert[@]}" --out_dir=bert
for kind in char byte bpe wordpiece; do
  size=0
  if [[ $kind == bpe ]]; then size=270; fi
  if [[ $kind == wordpiece ]]; then size=99; fi
  succeeds "masked $kind" "${bert[@]}" --tokenizer=$kind --vocab_size=$size --out_dir="bert-$kind" --max_iters=2
done
succeeds 'only BERT'"'"'s parts' "${bert[@]}" --position=learned --norm_place=post --tokenizer=wordpiece --vocab_size=99 --out_dir=real --max_iters=2
holds 'the folder says bert' grep -q '"model_type": "bert"' real/best/config.json
holds 'with its vocabulary' grep -qx '\[MASK\]' real/best/vocab.txt
succeeds 'other parts than BERT'"'"'s' "${bert[@]}" --position=alibi --norm=rms --norm_place=pre --activation=swiglu --out_dir=parts --max_iters=2

# The masked word, one of two, depends only on the order of its neighbours. A model with the default
# positions must learn that, and beat the guess that counts neighbours; a model without positions
# cannot.
animals=(ant bee cat dog elk fox)
for i in {0..1799}; do
  first=$((i * 7 % 6)) second=$((i / 6 * 5 % 6)) word=before
  if ((first > second)); then word=after; fi
  if ((first != second)); then printf '%s %s %s ' "${animals[first]}" "$word" "${animals[second]}"; fi
done >order.txt
succeeds 'train where order tells' train --model bert --data order.txt --block_size=16 --n_layer=1 --n_head=2 \
  --n_embd=32 --n_inner=32 --dropout=0 --max_iters=600 --eval_interval=600 --out_dir=order
read -r masked bigram < <(sed -nE 's/^step 600: .*masked words ([0-9.]+)%.*bigram ([0-9.]+)%.*/\1 \2/p' err)
holds "the default beats neighbours: $masked%, $bigram%" awk "BEGIN { exit !($masked > $bigram) }"

tune=(finetune --out_dir=bert --data days.tsv --batch_size=4 --max_iters=6 --eval_interval=3 --eval_iters=2
  --log_interval=1)
succeeds 'fine-tuning plans' "${tune[@]}" --into=days --dry_run
says 'texts and labels' err '^  data        days.tsv: 72 texts with one of 2 labels to train on, 8 held out$'
holds 'and writes nothing' test ! -e days
cp bert/best/model.safetensors before
succeeds 'finetune' "${tune[@]}" --examples=20 --into=days
says 'from some examples' err 'days.tsv: 20 texts'
says 'scores beside the bag of words' err 'accuracy [0-9.]+%, bag of words [0-9.]+%'
says 'shows labels' out '^  (good|bad)'
holds 'the model it began from is as it was' cmp before bert/best/model.safetensors
holds 'labels are kept' grep -q '"good"' days/best/config.json
holds 'a log' test -s days/log.jsonl
mkdir elsewhere
(cd elsewhere && "$gradus" train --init_from=resume --out_dir=../days --max_iters=8 >out 2>err)
verdict $? 'resume from another folder' "$(tail -n 2 elsewhere/err)"
says 'with its data, and as many examples' elsewhere/err 'days.tsv: 20 texts'
succeeds 'labels of texts' predict --out_dir=days --text 'on monday the fox' --text 'the hen'
says 'a label and probabilities' out '^[a-z]+[[:space:]]0\.[0-9]+'
holds 'one line a text' test "$(wc -l <out)" = 2
succeeds 'a masked word' predict --out_dir=bert --text 'the [MASK]'
says 'five words' out '^[^,]+ [0-9.]+(, [^,]+ [0-9.]+){4}$'
fails 'nothing to fill' 2 'needs a [MASK] to fill' predict --out_dir=bert --text 'the fox'
succeeds 'finetune on from a folder' finetune --checkpoint=days/last --data days.tsv --max_iters=2 --batch_size=4 --eval_iters=1 --into=more
succeeds 'built-in sentiment' finetune --out_dir=bert --data sentiment --examples=10 --max_iters=1 --batch_size=2 --eval_iters=1 --into=feelings
says 'of the words it knows' err '^  data        sentiment: 10 texts with one of 2 labels'

# A run that was stopped and resumed ends with the bytes of a run that never stopped.
succeeds 'a run in one go' "${tune[@]}" --into=whole-days --max_iters=6
succeeds 'a run of three steps' "${tune[@]}" --into=half-days --max_iters=3 --lr_decay_iters=6
succeeds 'that goes on' train --init_from=resume --out_dir=half-days --max_iters=6
holds 'ends the same' cmp whole-days/last/model.safetensors half-days/last/model.safetensors

fails 'preferences of a BERT' 2 '--dpo: has no effect on --model=bert (leave it out)' finetune --out_dir=bert --data days.tsv --dpo=0.1 --into=new
fails 'no --into' 2 '--into: is required' finetune --out_dir=bert --data days.tsv
fails 'into its own folder' 2 '--into=./bert: must not be the folder of the original model' finetune --out_dir=bert --data days.tsv --into=./bert --overwrite
fails 'into another run' 2 'days: holds a model of an earlier run' "${tune[@]}" --into=days
fails 'no data' 2 '--data: must be sentiment, topics or a file' finetune --out_dir=bert --into=new
fails 'fables have no labels' 2 '--data: must be sentiment, topics or a file' finetune --out_dir=bert --data fables --into=new
fails 'a missing file' 1 'no.tsv: ' finetune --out_dir=bert --data no.tsv --into=new
fails 'lines without labels' 1 'text.txt: line 1' finetune --out_dir=bert --data text.txt --into=new
fails 'no such model' 1 'nowhere: does not exist' finetune --out_dir=nowhere --data days.tsv --into=new
fails 'a GPT of another alphabet' 2 "': " finetune --out_dir=whole --data tweets --into=new
fails 'a flag of train' 2 '--n_layer: is not a flag of finetune' "${tune[@]}" --into=new --n_layer=2
fails 'no steps below zero' 2 '--max_iters' "${tune[@]}" --into=new --max_iters=-1
fails 'examples of masked words' 2 '--examples: has no effect on masked words' "${bert[@]}" --examples=3 --out_dir=new
fails 'no room for a word' 2 'choose a larger --block_size' "${bert[@]}" --block_size=2 --out_dir=new
fails 'a checkpoint for a BERT that begins' 2 '--checkpoint=best: only for a run that resumes' "${bert[@]}" --checkpoint=best --out_dir=new
fails 'a flag of images for a BERT that goes on' 2 '--patch: only for --model=vit, got --model=bert' \
  train --init_from=resume --out_dir=bert --patch=7
fails 'a text for a BERT' 2 '--text: has no effect on --model=bert' "${bert[@]}" --text text.txt --out_dir=new
sed -i 's/"d_model": 8/"d_model": 8000000/' days/last/config.json
fails 'a damaged config' 1 'days/last/config.json: a size must be' train --init_from=resume --out_dir=days
holds 'nothing was left behind' test ! -e new

# A model's answers, and the messages about the choice of a model, about words that are not in its vocabulary, and
# about data that it cannot learn from.

learn=(--n_layer=1 --n_head=2 --n_embd=8 --n_inner=16 --batch_size=4 --max_iters=2 --eval_interval=2 --eval_iters=1)
mkdir answers && cd answers || exit 1
text >text.txt
for i in {1..20}; do printf 'good\tThe day %d was fine\nbad\tThe day %d was poor\n' "$i" "$i"; done >labelled.tsv
for i in {1..20}; do printf 'the fox %d\ta raposa %d\n' "$i" "$i"; done >pairs.tsv

# The model that is used when none is named.
succeeds 'a GPT of a text' train --text text.txt --block_size=16 "${learn[@]}" --out_dir=out-tales
for command in 'sample --max_new_tokens=3' 'eval' 'info' 'attention --text=The' 'tokenize --encode=The'; do
  # shellcheck disable=SC2086
  succeeds "${command%% *} without a folder" $command
  says 'says which it takes, and what it is' err '^gradus: out-tales/best: a gpt of [0-9.]+ k? ?parameters on text.txt$'
  holds 'and not among its results' bash -c '! grep -q ^gradus: out'
done
succeeds 'a folder that was named' info --out_dir=out-tales
holds 'needs no word' test ! -s err
fails 'predict with nothing but a GPT of a text' 1 "vit or GPT for prompts (train one, such as '$gradus train --model" \
  predict --text 'Lucas is visiting Chile in January.'
succeeds 'predict by such a GPT, if it is named' predict --out_dir=out-tales --text 'The fox'
says 'says what that is' err '^gradus: out-tales/best: is a GPT trained on a text; it continues each text to the end of the line'
succeeds 'a translator' train --model translator --data pairs.tsv "${learn[@]}" --block_size=16
touch out-tales/best out-tales/last  # the GPT is the newer one
succeeds 'the newest that answers' predict --text 'the fox 3'
says 'is said' err '^gradus: out-translator/best: a translator of [0-9.]+ k parameters on pairs.tsv$'

# Words that the vocabulary does not hold.
says 'known words need no word' err '^gradus: out-translator'
holds 'but that' test "$(wc -l <err)" = 1
succeeds 'an unknown word' predict --out_dir=out-translator --text 'the wolf 3'
says 'is named' err "^gradus: --text 'the wolf 3': words not in the vocabulary, read as unknown: 'wolf'$"
printf 'the fox 3\nthe wolf 3\n' | "$gradus" predict --out_dir=out-translator >out 2>err
says 'with its line' err "^gradus: line 2: words not in the vocabulary, read as unknown: 'wolf'$"
holds 'and both are answered' test "$(wc -l <out)" = 2
succeeds 'its attention' attention --out_dir=out-translator --text 'the wolf 3' --target 'a raposa 3'
says 'names it too' err "^gradus: --text: 1 word not in the vocabulary, read as unknown: 'wolf'$"
for _ in {1..9}; do echo 'a wolf'; done | "$gradus" predict --out_dir=out-translator >out 2>err
holds 'many lines are not all named' test "$(grep -c 'not in the vocabulary' err)" = 6
says 'but counted' err '^gradus: 4 more lines have words that are not in the vocabulary$'
for _ in {1..400}; do printf 'John reads books.\t lê livros.\n'; done >blank.tsv
for i in {1..9}; do printf 'John %s.\t lê %s.\n' "$i" "$i"; done >>blank.tsv
succeeds 'a translator whose answers begin with a blank' train --model translator --data blank.tsv "${learn[@]}" \
  --block_size=16 --n_embd=16 --max_iters=150 --learning_rate=1e-2 --eval_interval=200 --out_dir=blank
succeeds 'answers' predict --out_dir=blank --text 'John reads books.' --json
says 'without it' out '"translation":"[^ "]'
sed 's/fox/wolf/; s/raposa/loba/' pairs.tsv >wolves.tsv
succeeds 'resumed on other pairs' train --init_from=resume --out_dir=out-translator --data wolves.tsv --max_iters=3
says 'counts what it does not know' err \
  "^gradus: wolves.tsv: [0-9]+ words not in the vocabulary, read as unknown: 'wolf' \(20 times\), 'loba' \(20 times\)"
for i in {1..20}; do printf 'say %d\tit is %d\n' "$i" "$i"; done >asks.tsv
for i in {1..20}; do printf 'say %d\tle bird %d\n' "$i" "$i"; done >birds.tsv
for i in {1..20}; do printf 'cry %d\tit is %d\n' "$i" "$i"; done >cries.tsv
succeeds 'a GPT on prompts' train --model gpt --data asks.tsv "${learn[@]}" --out_dir=asks
says 'says what would have been right' out '\(expected: '
fails 'finetune on answers it cannot write' 2 \
  "birds.tsv: 18 of 18 answers contain words that are not in the vocabulary: 'le' (18 times), 'bird' (18 times)" \
  finetune --out_dir=asks --data birds.tsv --into=birds
holds 'begins nothing' test ! -e birds
succeeds 'finetune on unknown prompts' finetune --out_dir=asks --data cries.tsv --into=cries --max_iters=1 --batch_size=2
says 'counts them' err "^gradus: cries.tsv: [0-9]+ words not in the vocabulary, read as unknown: 'cry' \(20 times\)"

# Data that a model cannot learn from.
awk -F '\t' '{print $2 "\t" $1}' labelled.tsv >exchanged.tsv
exchanged='exchanged.tsv: has 40 different labels for 2 different texts (write one `label TAB text` per line; perhaps the two columns are swapped)'
fails 'exchanged columns' 2 "$exchanged" train --model classifier --data exchanged.tsv --out_dir=none
succeeds 'a BERT' train --model bert --data text.txt "${learn[@]}" --block_size=16 --out_dir=bert
succeeds 'which is taught labels' finetune --out_dir=bert --data labelled.tsv --into=tuned --max_iters=1 --batch_size=4
says 'of words it does not know' err "^gradus: labelled.tsv: [0-9]+ words not in the vocabulary, .*'was' \(40 times\)"
fails 'exchanged columns for it' 2 "$exchanged" finetune --out_dir=bert --data exchanged.tsv --into=none
for i in {1..30}; do printf 'good\tA\nbad\tB\nbad\tC\n'; done >few.tsv
fails 'too few texts' 2 'few.tsv: needs at least 5 different texts, as a tenth is held out, got 3 in 90 examples' \
  train --model classifier --data few.tsv --out_dir=none
fails 'too few pairs' 2 'got 2 in 2 examples' \
  train --model translator --data <(head -n 2 pairs.tsv) --max_iters=1 --out_dir=none
long=$(printf 'a %.0s' {1..3000})
printf 'the fox 1\ta raposa\n%s\ta\n' "$long" >long.tsv
cat pairs.tsv >>long.tsv
call train --model translator --data long.tsv "${learn[@]}" --out_dir=none
[[ $status == 2 ]] && grep -q '^gradus: long.tsv: line 2: .*must have at most [0-9]* tokens, got' err && [[ $(wc -c <err) -lt 300 ]]
verdict $? 'a line that is too long is named by its number, and not printed whole' "$(head -c 400 err)"
call predict --out_dir=out-translator --text "$long"
[[ $status == 2 && $(wc -c <err) -lt 300 ]]
verdict $? 'nor is a text that is too long' "$(wc -c <err) bytes"

# Images in the order of their labels.
{ printf '\0\0\x08\x03\0\0\0\x3c\0\0\0\x04\0\0\0\x04'; head -c 480 /dev/zero | tr '\0' '~'; head -c 480 /dev/zero | tr '\0' ' '; } >sorted.idx
{ printf '\0\0\x08\x01\0\0\0\x3c'; head -c 30 /dev/zero; head -c 30 /dev/zero | tr '\0' '\001'; } >sorted.labels
succeeds 'images sorted by label' train --model vit --data sorted.idx,sorted.labels --patch=2 "${learn[@]}" \
  --examples=20 --learning_rate=1e-2 --max_iters=40 --eval_interval=40 --out_dir=sorted
says 'are learned from a part too' err 'accuracy 100'
succeeds 'and known' predict --out_dir=sorted --images=sorted.idx
holds 'both kinds' test "$(cut -f 1 out | sort -u | tr -d '\n')" = 01
cd "$work" || exit 1

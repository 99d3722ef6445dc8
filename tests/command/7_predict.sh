# Models of examples: gradus train --model classifier, vit and translator, and gradus predict.

small=(--n_layer=1 --n_head=2 --n_embd=8 --n_inner=16 --batch_size=4 --max_iters=6 --eval_interval=3 --eval_iters=1)

# Makes labelled lines, pairs and images.
for i in {1..20}; do printf 'good\tThe day %d was fine\nbad\tThe day %d was poor\n' "$i" "$i"; done >labelled.tsv
for i in {1..20}; do printf 'the fox %d\ta raposa %d\n' "$i" "$i"; done >pairs.tsv
idx() {  # idx COUNT: images of 4 x 4 and labels 0 and 1, as images.idx and labels.idx
  local i number
  number=$(printf '\\x%02x' "$1")
  printf '%b' "\\0\\0\\x08\\x03\\0\\0\\0${number}\\0\\0\\0\\x04\\0\\0\\0\\x04" >images.idx
  printf '%b' "\\0\\0\\x08\\x01\\0\\0\\0${number}" >labels.idx
  for ((i = 0; i < $1; i++)); do
    if ((i % 2)); then printf '%s' '~~~~    ~~~~    '; else printf '%s' '~ ~ ~ ~ ~ ~ ~ ~ '; fi >>images.idx
    printf '%b' "\\x0$((i % 2))" >>labels.idx
  done
}
idx 20

# A classifier.
succeeds 'train a classifier' train --model classifier --data labelled.tsv "${small[@]}" --out_dir=classes
says 'both scores' err 'accuracy [0-9.]+%, bag of words [0-9.]+%'
says 'what to do next' err '^next: .* predict --out_dir=classes$'
predict=(predict --out_dir=classes)
succeeds 'classify a text' "${predict[@]}" --text 'The day 3 was fine'
says 'label, probability, the other' out "^(good|bad)$(printf '\t')0\.[0-9]{4}$(printf '\t')(good|bad)$(printf '\t')0\.[0-9]{4}$"
holds 'the likelier first' awk -F '\t' '{ exit $2 < $4 }' out
printf 'The day 1 was fine\n\nThe day 2 was poor\r\nThe day was fine' | "$gradus" "${predict[@]}" >out 2>err
holds 'a line for a line' test "$(wc -l <out)" = 4 -a -z "$(sed -n 2p out)" -a ! -s err
"$gradus" "${predict[@]}" --json <<<'The day 1 was fine' >out 2>err
says 'as JSON' out '^\{"text":"The day 1 was fine","label":"(good|bad)","probabilities":\{"(good|bad)":0\.[0-9]+,"(good|bad)":0\.[0-9]+\}\}$'
succeeds 'empty input' "${predict[@]}"
holds 'gives nothing' test ! -s out
# The first answer must come before the second question.
mkfifo ask
"$gradus" "${predict[@]}" <ask >out 2>err &
exec 3>ask
echo 'The day 1 was fine' >&3
for _ in {1..200}; do
  if [[ -s out ]]; then break; fi
  sleep 0.1
done
holds 'an answer comes at once' grep -q good out
exec 3>&-
wait $!
succeeds 'on what was held out' "${predict[@]}" --held_out
says 'its accuracy' out '^accuracy +[0-9.]+%$'
says 'the baseline beside it' out '^bag of words +[0-9.]+%$'
says 'which data' out '^data +.*labelled.tsv: 36 texts to train on, 4 held out, 2 labels$'
succeeds 'the same as JSON' "${predict[@]}" --held_out --json
says 'with both' out '^\{"accuracy":[0-9.]+,"bag_of_words":[0-9.]+,"data":.*,"checkpoint":"classes/best"\}$'
succeeds 'resume a classifier' train --init_from=resume --out_dir=classes --max_iters=8
says 'goes on' err '^step 8: '
fails 'a beam of labels' 2 '--beam: only for a translator, got a classifier' "${predict[@]}" --beam=2 --text a
fails 'images of a text' 2 '--images: only for a vit' "${predict[@]}" --images=images.idx
fails 'both' 2 '--held_out and --text: cannot be combined' "${predict[@]}" --held_out --text a
fails 'a text that is too long' 2 '--text: ' "${predict[@]}" --text "$(printf 'a %.0s' {1..99})"
printf 'a day\n%s\na night\n' "$(printf 'a %.0s' {1..99})" | "$gradus" "${predict[@]}" >out 2>err
[[ $? == 1 && $(wc -l <out) == 3 && -z $(sed -n 2p out) && -n $(sed -n 3p out) ]] &&
  grep -q '^gradus: standard input, line 2: .*tokens' err
verdict $? 'a line that is too long does not end those that follow' "$(cat out err)"
printf 'a\nb \xff\n' | "$gradus" "${predict[@]}" --json >out 2>err
says 'as JSON, a line that is no text has an error' out '^\{"error":".*invalid UTF-8 at byte 2'
{ head -c 2000000 /dev/zero | tr '\0' a; printf '\na day\n'; } | "$gradus" "${predict[@]}" >out 2>err
says 'a line without end' err 'standard input, line 1: must have at most 1048576 bytes'
holds 'and the line after it' test "$(wc -l <out)" = 2

# Word vectors.
printf 'day 1 2 3 4 5 6 7 8\nfine 8 7 6 5 4 3 2 1\n' >vectors.txt
succeeds 'word vectors' train --model classifier --data labelled.tsv "${small[@]}" --out_dir=vectors \
  --word_vectors=vectors.txt --freeze_vectors
says 'how many it found' err '^gradus: vectors.txt: contains vectors for 2 of [0-9]+ words$'
succeeds 'resume with frozen vectors' train --init_from=resume --out_dir=vectors --max_iters=8
fails 'of another width' 2 "must have the model's 64 channels, got 8 (choose --n_embd=8)" \
  train --model classifier --data labelled.tsv --word_vectors=vectors.txt --out_dir=none
fails 'nothing to freeze' 2 '--freeze_vectors: needs word vectors' train --model classifier --freeze_vectors
fails 'vectors of characters' 2 'need --tokenizer=word, got char' train --model classifier --data labelled.tsv \
  "${small[@]}" --tokenizer char --word_vectors=vectors.txt --out_dir=none
fails 'vectors of images' 2 '--word_vectors: only for --model=classifier' train --model vit --word_vectors=vectors.txt
fails 'one label' 2 'needs at least 2 labels' train --model classifier --data <(sed -n '/^good/p' labelled.tsv)

# Images.
succeeds 'train a vit' train --model vit --data images.idx,labels.idx --patch=2 "${small[@]}" --out_dir=images
says 'what it sees' err 'images.idx,labels.idx: 18 images to train on, 2 held out, of 4 x 4 in patches of 2'
predict=(predict --out_dir=images)
succeeds 'what images show' "${predict[@]}" --images=images.idx
holds 'a line for an image' test "$(wc -l <out)" = 20
succeeds 'with labels' "${predict[@]}" --images=images.idx --labels=labels.idx
says 'the accuracy' out '^accuracy +[0-9.]+%$'
accuracy=$(head -n 1 out)
gzip -k images.idx labels.idx
succeeds 'as they are handed out' "${predict[@]}" --images=images.idx.gz --labels=labels.idx.gz
holds 'with the same accuracy' test "$(head -n 1 out)" = "$accuracy"
head -c 40 images.idx.gz >cut.idx.gz
fails 'cut short' 1 'cut.idx.gz: cannot be unpacked: unexpected end of file (the .gz is incomplete' \
  "${predict[@]}" --images=cut.idx.gz
succeeds 'held-out images' "${predict[@]}" --held_out --json
says 'their accuracy' out '^\{"accuracy":[0-9.]+,'
printf '\0\0\x08\x01\0\0\0\x01\0' >one.idx
fails 'labels of other images' 1 'images.idx: the number of images is 20, the number of labels in one.idx is 1' \
  "${predict[@]}" --images=images.idx --labels=one.idx
printf 'label\ttext\n' | cat - labelled.tsv | sed 's/^good\t\(.*7.*\)/good \t\1/' >header.tsv
succeeds 'a header among the labels' train --model classifier --data header.tsv "${small[@]}" --dry_run --out_dir=none
says 'labels are counted' err "^gradus: header.tsv: 41 lines with 3 labels: 'bad' 20, 'good' 20, 'label' 1$"
says 'a header is hinted at' err "^gradus: header.tsv: the label 'label' occurs only in the first line"
succeeds 'a held-out file' train --model vit --data images.idx,labels.idx,images.idx,labels.idx --patch=4 "${small[@]}" --out_dir=four
says 'is all held out' err '20 images to train on, 20 held out'
# Scoring many images takes far longer than steps and batches, so the display and the plan count it.
{ printf '\0\0\x08\x03\0\0\x4e\x20\0\0\0\x04\0\0\0\x04'; head -c 320000 /dev/zero; } >many.idx
{ printf '\0\0\x08\x01\0\0\x4e\x20'; head -c 20000 /dev/zero | tr '\0' '\1'; } >many.labels
many=(train --model vit --data images.idx,labels.idx,many.idx,many.labels --patch=2 "${small[@]}" --eval_interval=1
  --max_iters=20)
if command -v script >/dev/null && script --version 2>/dev/null | grep -q util-linux; then
  script -qec "stty cols 100; $(printf '%q ' "$gradus" "${many[@]}" --out_dir=many-seen)" /dev/null </dev/null >seen 2>&1
  holds 'scores are shown while they are made' grep -q 'step 10/20  scoring  [0-9]* s left to evaluate' seen
fi
{ printf '\0\0\x08\x03\0\x03\x0d\x40\0\0\0\x04\0\0\0\x04'; head -c 3200000 /dev/zero; } >many.idx
{ printf '\0\0\x08\x01\0\x03\x0d\x40'; head -c 200000 /dev/zero | tr '\0' '\1'; } >many.labels
succeeds 'the plan of a run that scores 200,000 images 60 times' "${many[@]}" --max_iters=60 --dry_run --out_dir=none
says 'counts them' err '^  time +about ([2-9][0-9] s|[0-9]+ min)'
fails 'other patches' 2 '--patch=4: must be 2, as in the checkpoint' train --init_from=resume --out_dir=images --patch=4
fails 'no text' 2 'a vit needs images (add --images FILE' "${predict[@]}" --text a
fails 'labels alone' 2 '--labels: needs images' "${predict[@]}" --labels=labels.idx
fails 'no such images' 1 'no.idx: does not exist' "${predict[@]}" --images=no.idx
fails 'patches that do not fit' 2 'images of 4 x 4 do not divide into patches of 3' \
  train --model vit --data images.idx,labels.idx --patch=3 "${small[@]}" --out_dir=none
fails 'one file' 2 'must be digits, IMAGES,LABELS' train --model vit --data images.idx
fails 'patches of a text' 2 '--patch: only for --model=vit' train --model classifier --patch=2
fails 'patches of a GPT' 2 '--patch: only for --model=vit' train --text text.txt --patch=2
fails 'tokens of images' 2 '--tokenizer: has no effect on --model=vit' train --model vit --tokenizer=char
head -c 100 images.idx >cut.idx
fails 'an IDX file cut short' 1 'cut.idx' "${predict[@]}" --images=cut.idx

# A translator.
succeeds 'train a translator' train --model translator --data pairs.tsv "${small[@]}" --block_size=16 --out_dir=translator
says 'its scores' err 'exact match [0-9.]+%, BLEU [0-9.]+%'
predict=(predict --out_dir=translator)
succeeds 'info of a translator' info --out_dir=translator
says 'its kind' out '"kind": "translator"'
says 'its tensors' out 'decoder.layers.0.cross_attention.query.weight'
succeeds 'info as JSON' info --out_dir=translator --json
holds 'is JSON' python3 -m json.tool out /dev/null
succeeds 'translate' "${predict[@]}" --text 'the fox 3' --text 'the fox 4'
holds 'each text' test "$(wc -l <out)" = 2
succeeds 'by a beam' "${predict[@]}" --text 'the fox 3' --beam=3 --json
says 'as JSON too' out '^\{"text":"the fox 3","translation":".*"\}$'
succeeds 'held-out pairs' "${predict[@]}" --held_out --beam=2 --json
says 'their scores' out '^\{"exact_match":[0-9.]+,"BLEU":[0-9.]+,'
fails 'sample is for a GPT' 2 'translator/best: must be a GPT, got a translator (use ' sample --out_dir=translator
fails 'and so is eval' 2 'translator/best: must be a GPT, got a translator (use ' eval --out_dir=translator --text text.txt
fails 'tokens of a translator' 2 '--max_new_tokens: only for a gpt, got' "${predict[@]}" --max_new_tokens=3 --text a
fails 'no such run' 1 'nowhere: does not exist' predict --out_dir=nowhere --text a
rm translator/run.json
fails 'a run that is not told' 2 'has no record of its training data' "${predict[@]}" --held_out

# A GPT, and the newest of several models.
succeeds 'a GPT completes' predict --out_dir=whole --text 'The fox' --max_new_tokens=5
holds 'with one line' test "$(wc -l <out)" = 1
fails 'a GPT of a text holds out no answers' 2 'got a GPT trained on a text (use ' predict --out_dir=whole --held_out
mkdir newest
cp -r whole newest/out-tales
cp -r classes newest/out-classifier && touch newest/out-classifier/last newest/out-classifier/best
(cd newest && "$gradus" predict --text 'The day 1 was fine' >../out 2>../err)
says 'predict takes the newest of all' out '^(good|bad)'
(cd newest && "$gradus" sample --start 'The fox' --max_new_tokens=5 >../out 2>../err)
says 'sample the newest GPT' out '^The fox'

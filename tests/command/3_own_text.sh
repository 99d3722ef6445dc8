# The user's own text: sizes and steps chosen for text and time, the messages about the text, and
# files that are no text.

succeeds 'a text alone' train --text text.txt --dry_run
says 'is sized for two minutes' err '^ +model and steps chosen for 2 min 00 s'
says 'a plan says what it is to know nothing' err '^  loss +3\.5264 nats per token for random guessing \(5\.09 bits per byte\)$'
says 'a plan says how to do the same again' err '^  again +.* train --text=text.txt --recipe fast .*--max_iters=[0-9]+'
succeeds 'a time alone' train --minutes 0.5 --dry_run
says 'is one for the tales' err '^ +model and steps chosen for 30 s'
says 'in their folder' err '^  out_dir     out-tales$'
succeeds 'the own recipe by its name, with a size and steps' train --text text.txt --recipe own --n_layer=3 \
  --max_iters=7 --dry_run
says 'has them' err '^  model .*: 3 layers, 4 heads, 128 channels'
says 'and its steps' err '^  steps +7, each'
succeeds "one of nanoGPT's sizes" train --text text.txt --block_size=16 --max_iters=100000000 --dry_run
says 'means its recipe' err '^  model .*: 6 layers, 6 heads, 384 channels, blocks of 16$'
says 'and its batches' err '^  steps +100000000, each with 1.02 k tokens'
says 'a long plan says what is shorter' err '^  long +this run takes more than half an hour \(to shorten it, pass --recipe own --minutes 2'
fails 'minutes and steps' 2 '--minutes and --max_iters: cannot be combined (choose one)' \
  train --text text.txt --minutes 1 --max_iters=5
fails 'no minutes' 2 '--minutes: must be above 0' train --text text.txt --minutes 0
fails 'minutes of a run that goes on' 2 '--minutes: only for a new run' \
  train --init_from=resume --out_dir=whole --minutes 1
fails 'minutes of another model' 2 '--minutes: has no effect on --model=translator' \
  train --model translator --minutes 1

again() { sed -nE 's/^  again +[^ ]+ train //p' err; }
for recipe in own nanogpt; do
  sizes=()
  if [[ $recipe == nanogpt ]]; then sizes=("${tiny[@]:3:5}"); fi
  SECONDS=0
  succeeds "two seconds by the recipe $recipe" train --text text.txt --minutes 0.03 "${sizes[@]}" \
    --dropout=0.15 --learning_rate=0.0012345678 --out_dir="$recipe"
  says 'has few evaluations' err '^step [0-9]+: train loss [0-9.]+, val loss [0-9.]+, [0-9.]+ bits per byte'
  eval "repeated=($(again))"
  succeeds 'the same again' train "${repeated[@]}" --out_dir="$recipe-again"
  holds 'is the same to the bit' cmp "$recipe/last/model.safetensors" "$recipe-again/last/model.safetensors"
done

printf 'abc' >three.txt
fails 'three tokens' 2 'three.txt: needs at least 11 tokens, as a tenth is held out, got 3' train --text three.txt
head -n 1 text.txt >line.txt
succeeds 'a text of one line' train --text line.txt --max_iters=2 --out_dir=line
says 'is read in blocks that fit' err 'blocks of 5$'
head -c 30000 "$gradus" | tr -d '\r' >program
fails 'a program for a text' 1 'program: invalid UTF-8 at byte' train --text program
says 'says what else can be done' err 'or train a model with --tokenizer=byte'
succeeds 'bytes as they are, if wanted' train --text program --tokenizer=byte --max_iters=1 --out_dir=bytes-own

sed 's/$/\r/' text.txt >windows.txt
with_crlf=(train --text windows.txt "${tiny[@]:3}")
succeeds 'a text with CR LF' "${with_crlf[@]}" --out_dir=with-crlf
says 'says that they are folded' err '^gradus: windows.txt: [0-9]+ line ends CR LF read as LF \(--keep_crlf'
succeeds 'the text with LF' "${tiny[@]}" --out_dir=with-lf
holds 'gives the same model' cmp with-crlf/last/model.safetensors with-lf/last/model.safetensors
succeeds 'the text with CR LF again' eval --out_dir=with-lf --text windows.txt
cp out first
succeeds 'has the loss' eval --out_dir=with-lf --text text.txt
holds 'of the text with LF' test "$(grep loss out)" = "$(grep loss first)"
fails 'line ends kept, for a model without them' 1 "windows.txt: the vocabulary has no '\\r' (U+000D)" \
  eval --out_dir=with-lf --text windows.txt --keep_crlf
succeeds 'line ends kept' "${with_crlf[@]}" --keep_crlf --out_dir=kept
holds 'is another model' bash -c '! cmp -s kept/last/model.safetensors with-lf/last/model.safetensors'
succeeds 'and goes on with them' train --init_from=resume --out_dir=kept --max_iters=14
holds 'without a word' bash -c '! grep -q "CR LF" err'
succeeds 'eval keeps them too' eval --out_dir=kept
holds 'without a word' bash -c '! grep -q "CR LF" err'
fails 'a run that goes on with other line ends' 2 'windows.txt: must not change during a run' \
  train --init_from=resume --out_dir=kept --max_iters=16 --keep_crlf=False

cp -r whole only_last
rm -r only_last/best
succeeds 'no best yet: last will do' sample --out_dir=only_last --max_new_tokens=5
says 'which is said' err '^gradus: only_last/best: does not exist yet; using last$'
mkdir -p out-vit/last
succeeds 'a folder without a model' info
says 'is passed over' out '^checkpoint +out-tales/best'
rmdir out-vit/last out-vit

# A run stopped while it computes its loss before the first step.
set -m
"$gradus" train --text text.txt --batch_size=500 --block_size=200 --n_layer=2 --n_head=2 --n_embd=32 \
  --max_iters=3 --out_dir=early >out 2>err </dev/null &
pid=$!
await '^  out_dir' err
sleep 0.1
kill -INT $pid
wait $pid
status=$?
set +m
[[ $status == 130 && ! -e early/last ]]
verdict $? 'stopped before the first step, nothing is kept' "exit $status: $(tail -n 2 err)"
succeeds 'and the folder can be used' "${tiny[@]}" --out_dir=early

if command -v script >/dev/null && script --version 2>/dev/null | grep -q util-linux; then
  printf 'n\n' | script -qec "$(printf '%q ' "$gradus" "${tiny[@]}" --max_iters=100000000 --out_dir=declined)" \
    /dev/null >seen 2>&1
  status=$?
  [[ $status == 130 && ! -e declined ]] && grep -q 'Start anyway' seen
  verdict $? 'a long run is asked about on a terminal' "exit $status: $(tail -n 3 seen)"
fi
succeeds 'and not with -y' "${tiny[@]}" -y --dry_run

# Files, lines and circumstances that are damaged or meant to do harm: gradus gives a clear error,
# or no harm is done.

# Nested JSON, which once overflowed the stack.
nested=$(python3 -c "print('[' * 60000 + ']' * 60000)")
cp -r whole nested
printf '{"model_type":%s}' "$nested" >nested/last/config.json
fails 'nested config.json' 1 'config.json: is JSON nested deeper than 64 levels' info --out_dir=nested --checkpoint=last
cp whole/last/config.json nested/last/
printf '{"step":%s}' "$nested" >nested/last/trainer.json
fails 'nested trainer.json' 1 'trainer.json: is JSON nested deeper than 64 levels' \
  train --init_from=resume --out_dir=nested
cp whole/last/trainer.json nested/last/
printf '{"model":1,"pre_tokenizer":%s}' "$nested" >nested/last/tokenizer.json
fails 'nested tokenizer.json' 1 'is JSON nested deeper than 64 levels' sample --out_dir=nested --checkpoint=last
rm nested/last/tokenizer.json
printf '{"texts":%s}' "$nested" >nested/run.json
fails 'nested run.json' 1 'run.json: is damaged (remove it and pass --text)' eval --out_dir=nested --checkpoint=last

# Lines of a log that no run wrote.
succeeds 'a run with a log' "${tiny[@]}" --out_dir=log_lines
printf '%s\n' '{"step":3,"lr":1}' '{"step":3,"loss":null}' '{"step":3,"val_loss":1}' '{"step":"3","loss":"2"}' \
  '[3]' '{"loss":2}' "{\"step\":3,\"loss\":$nested}" >>log_lines/log.jsonl
succeeds 'resuming passes over log lines without a loss' train --init_from=resume --out_dir=log_lines --max_iters=30
says 'and ends as it should' err '^done after'
cp -r whole emptied
rm emptied/best/*.json
mkdir emptied/best/onnx
cp whole/best/*.json emptied/best/
succeeds 'a folder in a checkpoint is no file of it' info --out_dir=emptied

# A small config that asks for gigabytes.
for change in 'position="learned"' 'position="sinusoidal"'; do
  cp -r translator/best large
  edited large/config.json "j.update(max_length=1048376, d_model=1984, num_heads=2, $change)"
  for command in predict info; do
    (ulimit -v 3000000; exec timeout 20 "$gradus" $command --checkpoint=large >out 2>err <<<'a')
    [[ $? == 1 ]] && grep -q 'large/config.json: describes a model of [0-9]* numbers or more' err
    verdict $? "$command refuses a config beyond its weights, $change" "$(tail -n 1 err)"
  done
  rm -r large
done
cp -r whole large
edited large/last/config.json 'j.update(n_positions=2147483647, position="rotary", model_type="gradus")'
fails 'and so does a GPT of rotary positions' 1 'describes a model of 17179869176 numbers or more' info --out_dir=large --checkpoint=last

# Closed descriptors: output must not go into files that are opened with their numbers.
"$gradus" "${tiny[@]}" --out_dir=no_out 2>err </dev/null >&-
[[ $? == 1 && -e no_out/last ]]
verdict $? 'closed standard output: the sample is lost, the model is not' "$(tail -n 1 err)"
"$gradus" "${tiny[@]}" --out_dir=no_err >out </dev/null 2>&-
verdict $? 'closed standard error' ''
"$gradus" "${tiny[@]}" --out_dir=no_streams <&- >&- 2>&-
[[ $? == 1 && -e no_streams/last ]]
verdict $? 'all closed: the same' ''
for folder in no_out no_err no_streams; do
  holds "$folder: the log holds the log alone" bash -c "! grep -qv '^{\"step\":' $folder/log.jsonl"
done

# Escape sequences in files and lines.
escape=$(printf '\e')
printf '\x1b]0;pwned\x07\xff\n' | "$gradus" predict --out_dir=classes >out 2>err
holds 'a line that is echoed in an error commands nothing' bash -c "! grep -q '$escape' err"
says 'and can be read' err '\\u\{001B\}\]0;pwned\\u\{0007\}\\xff'
cp -r classes labels
edited labels/best/config.json 'j["labels"] = ["\x1b[31mgood\tand\nbad", "bad"]'
succeeds 'labels with control characters' predict --out_dir=labels --text 'The day 3 was fine'
holds 'stay one field of one line' bash -c "! grep -q '$escape' out && test \$(wc -l <out) = 1"
says 'in a form that can be read' out '\\u\{001B\}\[31mgood\\tand\\nbad'
cp -r whole vocabulary
edited vocabulary/best/gradus_tokenizer.json 'j["vocab"][1] = "\x1b"; j["vocab"][2:] = [chr(0x100 + i) for i in range(len(j["vocab"]) - 2)]'
edited vocabulary/best/gradus_tokenizer.json 'j["vocab"] = sorted(j["vocab"])'
succeeds 'a model of escapes' sample --out_dir=vocabulary --temperature=3 --max_new_tokens=400
holds 'writes them into a pipe as they are' grep -q "$escape" out
if command -v script >/dev/null && script --version 2>/dev/null | grep -q util-linux; then
  terminal 80 "$gradus" sample --out_dir=vocabulary --temperature=3 --max_new_tokens=400
  holds 'and onto a terminal as text' bash -c "! grep -q '$escape' seen && grep -q 'u{001B}' seen"
fi

# A tokenizer that once could not be read again.
{ cat text.txt; head -c 300000 /dev/zero | tr '\0' ' '; cat text.txt; } >blanks.txt
for kind in bpe wordpiece; do
  succeeds "$kind of a long run of blanks" tokenize --text blanks.txt --tokenizer $kind --vocab_size=400 --out_dir="blanks_$kind"
  succeeds 'is read again' tokenize --out_dir="blanks_$kind" --encode 'The fox'
  holds 'and small' test "$(wc -c <"blanks_$kind/tokenizer.json")" -lt 200000
done
printf ' \n \n  \n' >only_blanks.txt
succeeds 'words of a text without any' tokenize --text only_blanks.txt --tokenizer wordpiece --out_dir=no_words
holds 'have no infinite length' bash -c '! grep -q inf err'
succeeds 'another kind in its place' tokenize --text text.txt --tokenizer bpe --vocab_size=300 --out_dir=no_words --overwrite
holds 'leaves nothing of the one before' test ! -e no_words/vocab.txt -a -e no_words/merges.txt
succeeds 'and the other way round' tokenize --text text.txt --tokenizer wordpiece --out_dir=no_words --overwrite
holds 'nor here' test -e no_words/vocab.txt -a ! -e no_words/merges.txt -a ! -e no_words/vocab.json

# The files that a record names may have become anything. A command that waits for a pipe never
# ends.
printf '#!/bin/sh\nexec timeout 20 "%s" "$@"\n' "$gradus" >in_time
chmod +x in_time
real=$gradus gradus=$PWD/in_time
cp -r whole recorded
mkfifo recorded/pipe
for place in recorded/pipe /dev/zero recorded; do
  edited recorded/run.json "j['texts'] = ['$(realpath "$place")']"
  fails "a record that names $place: eval" 2 "can be read only once (pass --text)" eval --out_dir=recorded
  fails "a record that names $place: resume" 2 "can be read only once (pass --text)" \
    train --init_from=resume --out_dir=recorded
done
rm recorded/run.json
mkfifo recorded/run.json
fails 'a record that is a pipe' 1 'run.json: is damaged' eval --out_dir=recorded
cp -r classes recorded_data
edited recorded_data/run.json "j['data'] = '$PWD/recorded/pipe'"
fails 'data that is a pipe' 2 "can be read only once (pass --data)" predict --out_dir=recorded_data --held_out
gradus=$real
for wrong in '-1' '"few"' '[5]' 'None'; do
  rm -rf recorded_data
  cp -r classes recorded_data
  edited recorded_data/run.json "j['examples'] = $wrong"
  fails "a record with $wrong examples" 1 'recorded_data/run.json: is damaged' predict --out_dir=recorded_data --held_out
done

# Labels that are all the same.
printf '%b' '\0\0\x08\x01\0\0\0\x14' >same.idx
head -c 20 /dev/zero | tr '\0' '\377' >>same.idx
fails 'images with one label' 2 'needs at least 2 labels, got only 255' \
  train --model vit --data images.idx,same.idx --patch=2 "${small[@]}" --out_dir=none

# A log on a full disk: the run ends, and its model is saved.
if [[ -w /dev/full ]]; then
  fails 'a log that cannot be written' 1 '/dev/full: cannot be written: No space left' \
    "${tiny[@]}" --out_dir=full_log --log=/dev/full --eval_interval=1000
  says 'how to go on' err '^to resume: .*--init_from=resume --out_dir=full_log'
  says 'with the same lines' err '--log_interval=1'
  succeeds 'the model is saved' info --out_dir=full_log --checkpoint=last
  call "${tiny[@]}" --out_dir="$(printf "odd\033's")" --log=/dev/full
  says 'a name that commands the terminal can still be copied' err "--out_dir=\\$'odd\\\\033\\\\'s'"
fi

# Files that must be on the disk, safe from a power failure.
if command -v strace >/dev/null && strace -o synced -f -y -e trace=fsync "$gradus" "${tiny[@]}" --out_dir=synced_run \
  >out 2>err </dev/null; then
  says 'run.json is on the disk' synced 'synced_run/\.run\.json\.tmp'
  says 'and the log, with its checkpoint' synced 'synced_run/log\.jsonl'
fi

# Commands that would undo a run, or whose advice would lead the user in a circle.
fails 'fewer steps than are done' 2 '--max_iters=5: must be at least the 12 steps that are already done' \
  train --init_from=resume --out_dir=whole --max_iters=5
holds 'leave the plan as it was' grep -q '"max_iters": *12' whole/last/trainer.json
fails 'labels for a GPT' 2 'has texts with labels, for a BERT' finetune --out_dir=whole --data topics --into=no_labels
head -c 60 text.txt >short.txt
fails 'a short text for a model that is there' 2 "more tokens than the model's block_size of 16, got" \
  train --init_from=whole --text short.txt --out_dir=no_short
mkdir no_model
fails 'a folder without a model' 1 'no_model: contains no model' sample --out_dir=no_model

# Commands that use a model: sample, eval, info, doctor; damaged checkpoints.

sampling=(sample --out_dir=whole --max_new_tokens=40 --seed=3)
succeeds 'sample' "${sampling[@]}" --start='The fox' --num_samples=2
says 'the prompt stands before the text' out '^The fox'
holds 'samples are separated' test "$(grep -c '^---------------$' out)" = 1
cp out first
succeeds 'the same seed' "${sampling[@]}" --start='The fox' --num_samples=2
holds 'gives the same text' cmp out first
succeeds 'nine samples' "${sampling[@]}" --start='The fox' --num_samples=9
holds 'begin with the same two' cmp -n "$(wc -c <first)" out first
says 'beyond block_size it says so' err '^gradus: the text will be longer than block_size 16; .* its last 12 tokens$'
holds 'once' test "$(grep -c 'longer than block_size' err)" = 1
succeeds 'a text as long as the window' "${sampling[@]}" --start='The fox' --max_new_tokens=10
holds 'needs no slide' test ! -s err
succeeds 'one token more' "${sampling[@]}" --start='The fox' --max_new_tokens=11
says 'needs one' err 'longer than block_size 16'
printf 'The crow' >prompt.txt
succeeds 'prompt from a file' "${sampling[@]}" --start=FILE:prompt.txt
says 'is used' out '^The crow'
succeeds 'most probable tokens' "${sampling[@]}" --temperature=0 --top_k=0 --top_p=0.9
fails 'unknown character' 2 "--start: the vocabulary has no 'é' (U+00E9)" "${sampling[@]}" --start='é'
fails 'negative temperature' 2 '--temperature must be at least 0' "${sampling[@]}" --temperature=-1
fails 'top_p of 0' 2 '--top_p must be in (0, 1]' "${sampling[@]}" --top_p=0
fails 'negative length' 2 '--max_new_tokens must be at least 0' "${sampling[@]}" --max_new_tokens=-1
fails 'missing prompt file' 1 'no.txt: does not exist' "${sampling[@]}" --start=FILE:no.txt

loss() { sed -E 's/.*"loss":([0-9.]+).*/\1/' out; }
succeeds 'eval in float32' eval --out_dir=whole --text text.txt --json
full=$(loss)
for dtype in bfloat16 int8; do
  succeeds "sample in $dtype" "${sampling[@]}" --start='The fox' --dtype=$dtype
  says 'the prompt stands before the text' out '^The fox'
  cp out narrow
  succeeds 'the same again' "${sampling[@]}" --start='The fox' --dtype=$dtype
  holds 'gives the same text' cmp out narrow
  succeeds "eval in $dtype" eval --out_dir=whole --text text.txt --dtype=$dtype --json
  holds 'gives nearly the loss of float32' awk -v a="$full" -v b="$(loss)" \
    'BEGIN { exit a == b || a - b > 0.01 || b - a > 0.01 }'
done
fails 'an unknown type of weights' 2 "--dtype: must be \"float32\", \"bfloat16\" or \"int8\", got 'int4'" \
  "${sampling[@]}" --dtype=int4

succeeds 'eval' eval --out_dir=whole --text text.txt
says 'says the loss' out '^loss +[0-9.]+$'
succeeds 'eval --json' eval --out_dir=whole --text text.txt --split=val --json
says 'prints one object' out '^\{"tokens":[0-9]+,"loss":[0-9.]+,.*\}$'
holds 'counts all tokens but the first' \
  test "$(sed -E 's/.*"tokens":([0-9]+).*/\1/' out)" = $(($(wc -c <text.txt) - $(wc -c <text.txt) * 9 / 10 - 1))
succeeds 'eval on the text of the run' eval --out_dir=whole
fails 'unknown split' 2 'must be all, train or val' eval --out_dir=whole --split=test
fails 'text with unknown characters' 1 'utf8.txt' eval --out_dir=whole --text utf8.txt

succeeds 'info' info --out_dir=whole
says 'lists parameters' out 'transformer.h.0.attn.c_attn.weight +\[8, 24\] +192'
succeeds 'info --json' info --out_dir=whole --checkpoint=last --json
says 'with the steps done' out '"step": 12'
succeeds 'a checkpoint folder by its path' info --checkpoint=whole/best

succeeds 'help' help
succeeds 'version' --version
says 'version is said' out '^gradus [0-9]+\.[0-9]+'
succeeds 'sample --show' "${sampling[@]}" --start='The fox' --show=3 --max_new_tokens=4
cp out shown
says 'says what the numbers are' out "^left: probabilities of the model; right: probabilities of the draw, at temperature 0\\.8$"
holds 'has the three most probable of each token and the others' awk '/%$/ { rows++ } / others / { others++ }
  END { exit rows < 16 || rows > 20 || others != 4 }' shown
holds 'marks the one that was drawn' test "$(grep -c '^  > ' shown)" = 4
holds 'whose probabilities sum to 1, both of them' awk '
  function off(x) { return x < 97 || x > 103 }
  /%$/ { own += $(NF - 1); drawn += $NF; rows++ }
  /^$/ { if (seen++ && (off(own) || off(drawn))) bad = 1; own = drawn = 0 }
  END { exit bad || rows == 0 || off(own) || off(drawn) }' shown
succeeds "the model's own choice" "${sampling[@]}" --start='The fox' --show=3 --max_new_tokens=1 --temperature=1 --top_k=0
cp out own_shown
holds 'has one number to a token' awk '/%.*%$/ || /^left/ { bad = 1 } END { exit bad || NR < 5 }' own_shown
bars() { grep '█\|▏' "$1" | head -n 3 | sed -E 's/^  [> ] //; s/( +[<>0-9.]+%)+$//'; }
holds 'which is the left one of the others' cmp <(bars own_shown) <(bars shown)
succeeds 'a cold draw' "${sampling[@]}" --start='The fox' --show=3 --max_new_tokens=1 --top_k=2 --temperature=0.01
says 'is bounded, and not rounded to certainty or naught' out ' (>99|100)%$'
succeeds 'the text without --show' "${sampling[@]}" --start='The fox' --max_new_tokens=3
holds 'is the same' test "$(grep -A 1 '^$' shown | tail -n 1 | head -c 10)" = "$(head -c 10 out)"
fails '--show of two' 2 '--show: only for one text' "${sampling[@]}" --show=2 --num_samples=2
fails '--show of none' 2 '--show must be at least 1' "${sampling[@]}" --show=0

"$gradus" "${sampling[@]}" --chat >out 2>err <<<$'The fox\n\né\n'
verdict $? 'sample --chat' "$(cat err)"
says 'says what it cannot read, and goes on' err "^gradus: the line: the vocabulary has no 'é'"
"$gradus" "${sampling[@]}" --max_new_tokens=5 --chat >turn 2>/dev/null <<<'The fox'
succeeds 'the text without --chat' "${sampling[@]}" --max_new_tokens=5 --start='The fox'
holds 'is the line and its turn' cmp out <(printf 'The fox'; cat turn)
fails '--chat with a start' 2 '--chat: cannot be combined with --start' "${sampling[@]}" --chat --start=x

for name in train sample eval info tokenize doctor; do
  succeeds "$name --help" "$name" --help
  says "$name --help has examples" out '^Examples:'
done
call doctor --json
[[ $status -le 1 ]] && grep -q '"fma_gflops"' out
verdict $? 'doctor --json' "exit $status: $(cat err)"
if [[ $(uname -m) == x86_64 ]]; then
  # The twelve sums must stay in registers; otherwise the figure measures memory and is too low.
  objdump -d --no-show-raw-insn -C "$gradus" |
    awk '/^[0-9a-f]+ <.*chains_avx512/ { inside = 1; next } /^$/ { inside = 0 } inside && /vfmadd.*%zmm/' >multiply_adds
  holds 'doctor multiplies and adds in one instruction, in registers' test "$(wc -l <multiply_adds)" -ge 12
fi

# Damage: each file missing, empty, cut short, or full of rubbish.
for file in model.safetensors config.json gradus_tokenizer.json; do
  for damage in missing empty cut rubbish; do
    rm -rf damaged
    cp -r whole damaged
    target=damaged/best/$file
    case $damage in
      missing) rm "$target" ;;
      empty) : >"$target" ;;
      cut) truncate -s $(($(wc -c <"$target") / 2)) "$target" ;;
      rubbish) head -c 200 /dev/zero | tr '\0' '{' >"$target" ;;
    esac
    wanted=damaged/best/$file
    if [[ $damage$file == missinggradus_tokenizer.json ]]; then wanted='damaged/best: contains no tokenizer'; fi
    fails "$file $damage" 1 "$wanted" sample --out_dir=damaged
  done
done
for file in optimizer.safetensors trainer.json; do
  for damage in empty cut rubbish; do
    rm -rf damaged
    cp -r whole damaged
    target=damaged/last/$file
    case $damage in
      empty) : >"$target" ;;
      cut) truncate -s $(($(wc -c <"$target") / 2)) "$target" ;;
      rubbish) head -c 200 /dev/zero | tr '\0' '{' >"$target" ;;
    esac
    fails "$file $damage" 1 "damaged/last/$file" train --init_from=resume --out_dir=damaged --max_iters=14
  done
done
rm -rf damaged
cp -r whole damaged
rm damaged/last/trainer.json
fails 'no training state' 2 'has no training state' train --init_from=resume --out_dir=damaged
cp -r utf8/best/config.json damaged/best/
fails 'config of another model' 1 'damaged/best' sample --out_dir=damaged
cp -r whole/best/config.json damaged/best/
cp -r utf8/best/gradus_tokenizer.json damaged/best/
fails 'tokenizer of another model' 1 'damaged/best' sample --out_dir=damaged
echo '{' >damaged/run.json
fails 'damaged run.json' 1 'damaged/run.json: is damaged' eval --out_dir=damaged --checkpoint=last

# Folders with a model alone, as other programs publish them: no run, no training state.

golden=$here/../golden
succeeds 'a model of GPT-2'"'"'s parts' "${tiny[@]}" --tokenizer=bpe --vocab_size=270 --out_dir=published
mkdir plain
cp published/best/{model.safetensors,config.json,tokenizer.json} plain/
printf 'The fox\ta crow\nThe crow\ta fox\n' >ask.tsv
for i in {1..9}; do printf 'fox number %s\ta day\n' "$i"; done >>ask.tsv

succeeds 'sample from a folder given as --out_dir' sample --out_dir=plain --max_new_tokens=5
cp out by_out_dir
succeeds 'and by --checkpoint' sample --checkpoint=plain --max_new_tokens=5
holds 'the same' cmp out by_out_dir
succeeds 'evaluate it' eval --out_dir=plain --text text.txt --json
says 'its loss' out '"loss":[0-9.]+'
fails 'on no text of its own' 2 'plain: has no record of its text' eval --out_dir=plain
succeeds 'describe it' info --out_dir=plain
says 'without a state' out 'no training state: can be sampled'
succeeds 'predict by it' predict --out_dir=plain --text 'The fox' --max_new_tokens=3
succeeds 'look at its attention' attention --out_dir=plain --text 'The fox'
succeeds 'its tokens' tokenize --out_dir=plain --encode 'The fox'
fails 'it is not resumed' 2 'plain: has no training state' train --init_from=resume --out_dir=plain
says 'what to do instead' err -- '--init_from=plain --text FILE'
succeeds 'teach it prompts' finetune --out_dir=plain --data ask.tsv --into=taught --max_iters=2 --batch_size=2 --eval_iters=1
holds 'by small steps' grep -q '"learning_rate": 5e-0*5' taught/last/trainer.json
fails 'but not into itself' 2 '--into=plain: must not be the folder of the original model' finetune --out_dir=plain --data ask.tsv --into=plain

go_on=(train --init_from=plain --text text.txt --max_iters=3 --batch_size=2 --eval_interval=2 --eval_iters=1)
succeeds 'a plan to go on from it' "${go_on[@]}" --out_dir=on --dry_run
says 'says where it begins' err '^  begins      with the weights of plain$'
says 'with its sizes' err 'blocks of 16$'
holds 'and writes nothing' test ! -e on
succeeds 'go on with plain text' "${go_on[@]}" --out_dir=on --learning_rate=1e-9 --warmup_iters=0
says 'from what it knew' err 'begins      with the weights of plain'
succeeds 'its loss' eval --out_dir=on --text text.txt --json
was=$("$gradus" eval --out_dir=plain --text text.txt --json | grep -o '"loss":[0-9]*\.[0-9]\{4\}')
says 'is still that of the folder' out "$was"
succeeds 'which resumes' train --init_from=resume --out_dir=on --max_iters=4
succeeds 'or from a run' train --init_from=published --text text.txt --max_iters=1 --eval_iters=1 --out_dir=on2
succeeds 'or its checkpoint' "${go_on[@]}" --init_from=published/last --out_dir=on3
fails 'into a folder of its own' 2 '--out_dir=plain: must not be the folder of the original model' "${go_on[@]}" --out_dir=plain
fails 'on a text' 2 '--init_from=plain: needs a text' train --init_from=plain --out_dir=new
fails 'with its sizes alone' 2 '--n_embd=16: must be 8, as in the model of plain' "${go_on[@]}" --n_embd=16 --out_dir=new
fails 'and its tokenizer' 2 '--tokenizer=char: must be bpe, as in the model of plain' "${go_on[@]}" --tokenizer=char --out_dir=new
fails 'GPT-2 by its name' 2 'and pass --init_from=FOLDER' train --init_from=gpt2 --text text.txt --out_dir=new
fails 'no such folder' 2 '--init_from=nowhere: must be scratch, resume or a folder with a model' train --init_from=nowhere --text text.txt --out_dir=new

# Llama, Mistral and Qwen as Hugging Face publishes them, with a tokenizer of their 13 tokens. The losses are from
# llama_reference.py FOLDER --tokens, with the numbers of the text's characters.
for i in {1..9}; do printf 'a bad cab a big bag\n'; done >letters.txt
for i in a b c d e f g h i j k; do printf 'a bad %s\ta bag\n' "$i"; done >letters.tsv
while read -r family loss; do
  cp -r "$golden/llama_hf/$family" "$family"
  printf '{"type":"char","vocab":["\\n"," ","a","b","c","d","e","f","g","h","i","j","k"]}' >"$family/gradus_tokenizer.json"
  succeeds "the loss of $family" eval --out_dir="$family" --text letters.txt --json
  says 'is that of the reference' out "\"loss\":$loss"
done <<'END'
llama 3[.]0896
llama_biases 2[.]4726
mistral 3[.]4675
qwen2 8[.]9411
qwen3 3[.]3944
END
succeeds 'in shorter blocks' eval --out_dir=llama --text letters.txt --block_size=5 --json
fails 'but not in longer ones' 2 '--block_size=25: must be at most 24, the most tokens that the model of llama can read' \
  eval --out_dir=llama --text letters.txt --block_size=25
succeeds 'a Llama writes' sample --out_dir=llama --start='a bad' --max_new_tokens=40
succeeds 'what a Mistral is' info --out_dir=mistral
says 'by its parts' out '2 kv heads of 6, window 5, untied output$'
succeeds 'its attention' attention --out_dir=mistral --text 'a bad' --layer=1 --head=4
succeeds 'a Llama learns on' train --init_from=llama --text letters.txt --block_size=8 --max_iters=2 --batch_size=2 --eval_iters=1 --out_dir=llama-on
holds 'and stays one' grep -q '"model_type": "llama"' llama-on/best/config.json
succeeds 'which resumes' train --init_from=resume --out_dir=llama-on --max_iters=3
cp -r llama yarn
sed -i 's/"rope_scaling": null/"rope_scaling": {"type": "yarn", "factor": 3, "original_max_position_embeddings": 8}/' yarn/config.json
succeeds 'a scaled one learns from shorter blocks' train --init_from=yarn --text letters.txt --block_size=8 --max_iters=2 --batch_size=2 --eval_iters=1 --out_dir=yarn-on
holds 'and stays one' grep -q '"model_type": "llama"' yarn-on/best/config.json
holds 'with the length of its scaling' grep -q '"max_position_embeddings": 24' yarn-on/best/config.json
succeeds 'which resumes with its blocks' train --init_from=resume --out_dir=yarn-on --max_iters=3
succeeds 'and is described' info --out_dir=yarn-on
says 'with them' out 'blocks of 8'
fails 'blocks longer than it reads' 2 '--block_size=25: must be 24, as in the model of llama' train --init_from=llama --text letters.txt --block_size=25 --out_dir=new
succeeds 'a Qwen3 learns prompts' finetune --out_dir=qwen3 --data letters.tsv --into=qwen3-taught --max_iters=2 --batch_size=2 --eval_iters=1
holds 'and stays one' grep -q '"model_type": "qwen3"' qwen3-taught/best/config.json
succeeds 'and answers' predict --out_dir=qwen3-taught --text 'a bad cab' --max_new_tokens=5

hf=$golden/bert_hf
for i in {1..40}; do printf 'good\ta fine day number %s\nbad\ta dull day number %s\n' "$i" "$i"; done >days.tsv
succeeds 'a BERT of Hugging Face'"'"'s fills masks' predict --out_dir="$hf" --text 'The [MASK] met a fox' --json
says 'with words' out '"word":'
succeeds 'its tokens' tokenize --out_dir="$hf" --encode 'Unaffable HENS' --pieces
says 'in small letters' out 'un'
succeeds 'what it is' info --out_dir="$hf"
says 'by its config' out '"n_layer": 2'
succeeds 'its attention' attention --out_dir="$hf" --text 'The fox' --layer=1 --head=1
says 'by its own marks' out '\[CLS\]'
succeeds 'teach it labels' finetune --out_dir="$hf" --data days.tsv --into=hf-days --max_iters=3 --batch_size=4 --eval_iters=1
says 'by which it predicts' err 'accuracy [0-9.]+%'
holds 'others read its vocabulary' cmp "$hf/vocab.txt" hf-days/best/vocab.txt
holds 'and its labels' grep -q '"id2label"' hf-days/best/config.json
succeeds 'labels' predict --out_dir=hf-days --text 'a fine day'
fails 'it is not resumed' 2 'bert_hf: has no training state' train --init_from=resume --out_dir="$hf"
fails 'it writes no text' 2 'bert_hf: must be a GPT, got a bert' sample --out_dir="$hf"
fails 'nor goes on with one' 2 'bert_hf: must be a GPT to train on a text, got a bert' train --init_from="$hf" --text text.txt --out_dir=new
holds 'nothing was left behind' test ! -e new

# A Llama with begin and end tokens and a chat template.
succeeds 'a Llama with byte pairs' "${tiny[@]}" --tokenizer=bpe --vocab_size=270 --block_size=64 --activation=swiglu \
  --position=rotary --norm=rms --token_shift=false --tied=false --out_dir=talker
holds 'is one' grep -q '"model_type": "llama"' talker/best/config.json
mkdir talks
cp talker/best/{model.safetensors,config.json,tokenizer.json} talks/
talking=(sample --out_dir=talks --temperature=1 --max_new_tokens=5)
fails '--chat with a start, but no template' 2 'as talks has no chat template (leave them out)' "${talking[@]}" --chat --start=Hi
fails 'a system message without --chat' 2 '--system: only with --chat' "${talking[@]}" --system=Hi
cat >talks/tokenizer_config.json <<'END'
{"bos_token": "<|endoftext|>", "eos_token": {"content": "<|endoftext|>"}, "add_bos_token": true, "chat_template":
 "{{ bos_token }}{% for m in messages %}{{ m.role }}: {{ m.content | trim }}{{ eos_token }}{% endfor %}assistant:"}
END
succeeds 'an answer' "${talking[@]}" --chat --start=Hi
cp out answer
succeeds 'an answer of int8 weights' "${talking[@]}" --chat --start=Hi --dtype=int8
succeeds 'blanks around the message' "${talking[@]}" --chat --start=' Hi '
holds 'are the template'"'"'s choice' cmp out answer
succeeds 'a system message' "${talking[@]}" --chat --start=Hi --system='Be a fox.'
holds 'has an effect' test "$(cat out)" != "$(cat answer)"
"$gradus" "${talking[@]}" --chat >out 2>err <<<$'Hi\n\nWhy?'
verdict $? 'a conversation' "$(cat err)"
holds 'begins the same' cmp -n "$(wc -c <answer)" out answer
holds 'and has a second answer' test "$(wc -c <out)" -gt "$(wc -c <answer)"
says 'but no empty message' err '^gradus: the line is empty'
fails 'a conversation longer than the window' 2 'tokens, but the model reads at most 64 (begin a new conversation)' \
  "${talking[@]}" --chat --start="$(head -c 200 text.txt)"
succeeds 'a text of its own' "${talking[@]}"
holds 'shows no special token' test "$(grep -c endoftext out)" = 0
succeeds 'its loss' eval --out_dir=talks --text text.txt --json
was=$(sed -E 's/.*"tokens":([0-9]+).*/\1/' out)
looking=(attention --out_dir=talks --layer=1 --head=1)
succeeds 'its attention' "${looking[@]}" --text='The fox'
says 'sees the begin token first' out '^ *<\|endoftext\|>  1 '
fails 'which takes a place' 2 '--text: must have 1 to 63 tokens' "${looking[@]}" --text="$(head -c 200 text.txt)"
sed -i 's/"add_bos_token": true/"add_bos_token": false/' talks/tokenizer_config.json
succeeds 'without the begin token' eval --out_dir=talks --text text.txt --json
holds 'predicts a token less' test "$(sed -E 's/.*"tokens":([0-9]+).*/\1/' out)" = $((was - 1))
succeeds 'without it' "${looking[@]}" --text='The fox'
holds 'attention sees the text alone' test "$(grep -c endoftext out)" = 0
succeeds 'it learns on' train --init_from=talks --text text.txt --max_iters=1 --batch_size=2 --eval_iters=1 --out_dir=talks-on
holds 'and keeps its template' cmp talks/tokenizer_config.json talks-on/best/tokenizer_config.json
printf '{"eos_token_id": [%s]}' "$(seq -s, 0 300)" >talks/generation_config.json
succeeds 'where each token ends a text' "${talking[@]}" --start='The fox'
holds 'nothing follows' test "$(cat out)" = 'The fox'
edited talks/generation_config.json 'j["eos_token_id"] = "x"'
fails 'an end token that is no number' 1 'talks/generation_config.json: "eos_token_id" must be a whole number' "${talking[@]}"
rm talks/generation_config.json
printf '{%% call f() %%}' >talks/chat_template.jinja
fails 'a template with other statements' 2 '--chat: the chat template in talks/chat_template.jinja cannot be used: the statement call is' \
  "${talking[@]}" --chat --start=Hi
succeeds 'which sample alone does not need' "${talking[@]}" --start=Hi

# Wrong use: the exit code and the message for each kind of mistake.

printf 'short' >short.txt
: >empty.txt
printf 'good text\n\xff\xfe' >invalid.txt
text | head -c 100 >held_out.txt

call
[[ $status == 2 && $(head -n 1 err) == 'gradus trains'* && ! -s out ]]
verdict $? 'no command: usage on standard error, exit 2'
fails 'unknown command' 2 'is not a command (did you mean train?' trian
fails 'missing file' 1 'no.txt: does not exist' train --text no.txt
fails 'directory for a text' 1 'is a directory' train --text .
fails 'empty file' 1 'empty.txt: is empty' train --text empty.txt
fails 'empty standard input' 1 'standard input: is empty' train --text -
fails 'standard input twice' 2 'standard input can be read only once' train --text - --text -
fails 'text shorter than a block' 2 'short.txt: the text is shorter than one block: 5 tokens, block_size 64' train --text short.txt --block_size=64
fails 'validation part shorter than a block' 2 'the last tenth' train --text held_out.txt --block_size=20
fails 'invalid UTF-8' 1 'invalid.txt: invalid UTF-8 at byte 10 (line 2)' train --text invalid.txt
fails 'n_embd no multiple of n_head' 2 'must be a multiple of n_head' "${tiny[@]}" --n_embd=9
fails 'negative size' 2 '--n_layer must be at least 1, got -3' "${tiny[@]}" --n_layer=-3
fails 'negative size after a space' 2 '--batch_size must be at least 1, got -1' "${tiny[@]}" --batch_size -1
fails 'zero size' 2 '--block_size must be at least 1, got 0' "${tiny[@]}" --block_size=0
fails 'batch beyond memory' 2 'of memory, but only' "${tiny[@]}" --batch_size=2000000000
fails 'channels beyond memory' 2 'of memory, but only' "${tiny[@]}" --n_embd=1000000
fails 'layers beyond memory' 2 'of memory, but only' "${tiny[@]}" --n_layer=2000000000
fails 'beyond memory in a dry run too' 2 'of memory, but only' "${tiny[@]}" --batch_size=2000000000 --dry_run
fails 'more parameters than can be counted' 2 'too many parameters' "${tiny[@]}" --n_embd=999999999999998
fails 'number beyond all types' 2 '--n_embd' "${tiny[@]}" --n_embd=99999999999999999999999
fails 'no number' 2 "--n_embd: needs a whole number, got 'abc'" "${tiny[@]}" --n_embd=abc
fails 'fraction for a whole number' 2 "--n_embd: needs a whole number, got '1.5'" "${tiny[@]}" --n_embd=1.5
fails 'NaN for a rate' 2 "--learning_rate: needs a number, got 'nan'" "${tiny[@]}" --learning_rate=nan
fails 'dropout of 1' 2 'dropout must be in [0, 1)' "${tiny[@]}" --dropout=1
fails 'no truth value' 2 '--bias: needs True or False' "${tiny[@]}" --bias=maybe
fails 'unknown flag, near another' 2 'did you mean --n_embd?' "${tiny[@]}" --n_emb=4
fails 'unknown flag, near none' 2 '--walrus: is not a flag of train' "${tiny[@]}" --walrus=4
fails 'unknown short flag' 2 '-x: is not a flag of train' "${tiny[@]}" -x
fails 'flag without a value' 2 '--n_layer: needs a value' "${tiny[@]}" --n_layer
fails 'flag before a flag' 2 '--n_layer: needs a value' train --n_layer --n_head=2
fails 'unknown config' 2 "must be nanoGPT's train_shakespeare_char" "${tiny[@]}" config/train_gpt2.py
fails 'unknown recipe' 2 '--recipe=slow: unknown recipe (use own, fast, strong or nanogpt)' "${tiny[@]}" --recipe=slow
fails 'unknown position' 2 '--position: must be "none", "integer", "unit"' "${tiny[@]}" --position=absolute
fails 'odd heads for rotary' 2 'choose another n_embd or n_head' "${tiny[@]}" --position=rotary --n_embd=6 --n_head=2
fails 'places as a share of a length unknown' 2 'unit positions need the length of the whole text' "${tiny[@]}" --position=unit
fails 'unknown init_from' 2 'must be scratch, resume or a folder with a model' "${tiny[@]}" --init_from=nothing
fails 'init_from near another' 2 'scratch, resume or a folder with a model (did you mean resume?)' "${tiny[@]}" --init_from=Resume
fails 'init_from of examples' 2 'must be scratch or resume (did you mean scratch?' train --model bert --init_from=scrach
fails 'recipe near another' 2 '--recipe=nanogp: unknown recipe (did you mean nanogpt? use own' train --text text.txt --recipe nanogp
fails 'kind near another' 2 "\"muon\", got 'adamm' (did you mean adam?)" "${tiny[@]}" --optimizer adamm
fails 'kind in capitals' 2 "got 'BERT' (did you mean bert?)" train --model BERT
fails 'kind near none' 2 "got 'walrus'" "${tiny[@]}" --optimizer=walrus
holds 'is none guessed' bash -c '! grep -q "did you mean" err'
fails 'GPT-2 weights' 2 'gradus downloads no weights' "${tiny[@]}" --init_from=gpt2-xl
fails 'unknown tokenizer' 2 'choose char, byte, bpe, word or wordpiece' "${tiny[@]}" --tokenizer=letters
fails "BERT's tokenizer" 2 '--tokenizer=wordpiece: only for BERT' "${tiny[@]}" --tokenizer=wordpiece
fails 'vocab_size too small for bpe' 2 '--vocab_size must be at least 257' "${tiny[@]}" --tokenizer=bpe --vocab_size=256
fails 'vocab_size too small for word' 2 '--vocab_size must be at least 3' "${tiny[@]}" --tokenizer=word --vocab_size=2
fails 'vocab_size of characters' 2 '--vocab_size: must be 0 for a char tokenizer' "${tiny[@]}" --vocab_size=300
fails 'vocab_size of bytes' 2 '--vocab_size: must be 0 for a byte tokenizer' "${tiny[@]}" --tokenizer=byte --vocab_size=256
fails 'negative vocab_size' 2 '--vocab_size must be at least 0, got -1' "${tiny[@]}" --tokenizer=bpe --vocab_size=-1
fails 'nothing to resume' 1 'nowhere: does not exist' train --init_from=resume --out_dir=nowhere
fails 'file in place of out_dir' 1 'text.txt: cannot be written' "${tiny[@]}" --out_dir=text.txt
ln -s gone dangling
fails 'out_dir that is a link to nothing' 1 'dangling: is a link to gone, which does not exist (create that folder, or remove the link)' \
  "${tiny[@]}" --out_dir=dangling
fails 'out_dir below such a link' 1 'dangling: is a link to gone, which does not exist' "${tiny[@]}" --out_dir=dangling/run
fails 'out_dir below a file' 1 'text.txt/out' "${tiny[@]}" --out_dir=text.txt/out
fails 'out_dir that cannot be made' 1 '/proc/gradus' "${tiny[@]}" --out_dir=/proc/gradus
fails 'log that cannot be written' 1 'nowhere/log.jsonl: cannot be written' "${tiny[@]}" --out_dir=log --log=nowhere/log.jsonl
fails 'no model to sample' 1 'no trained model in out/ or out-tales/' sample
fails 'no such out_dir' 1 'nowhere: does not exist' sample --out_dir=nowhere
fails 'no such checkpoint folder' 1 'nowhere: does not exist' info --checkpoint=nowhere

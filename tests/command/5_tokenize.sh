# Tokenizers: gradus tokenize, and models of byte pairs and of words.

succeeds 'learn byte pairs' tokenize --text text.txt --tokenizer bpe --vocab_size 280 --out_dir=tokens
says 'says what was learned' err '^gradus: text.txt: learned a vocabulary of 280 tokens; a token of this text has [0-9.]+ bytes on average; saved in tokens$'
holds 'a pipe gets no control characters' bash -c '! grep -q "[[:cntrl:]]" err'
holds 'three files' test -s tokens/tokenizer.json -a -s tokens/vocab.json -a -s tokens/merges.txt
fails 'a tokenizer is not overwritten' 2 'tokens: already contains a tokenizer' tokenize --text text.txt --out_dir=tokens
succeeds 'unless --overwrite' tokenize --text text.txt --vocab_size 280 --out_dir=tokens --overwrite
fails 'nor a model' 2 'whole: contains a model' tokenize --text text.txt --out_dir=whole
succeeds 'what a tokenizer is' tokenize --out_dir=tokens
says 'its kind' out '^tokenizer +bpe$'
says 'its size' out '^tokens +280$'
says 'its special token' out '^special +279 "<|endoftext|>"$'

use=(tokenize --out_dir=tokens)
succeeds 'merges' "${use[@]}" --merges 3
holds 'as many as asked for' test "$(wc -l <out)" = 3
says 'in order' out '^1: "[^"]+" \+ "[^"]+" = "[^"]+" \(256\)$'
succeeds 'pieces' "${use[@]}" --encode 'The fox é' --pieces
says 'a token a line' out '^[0-9]+ "Th"$'
says 'bytes that are no character' out '^[0-9]+ "\\xc3"$'
succeeds 'special tokens are text' "${use[@]}" --encode '<|endoftext|>'
holds 'of many tokens' test "$(wc -w <out)" -gt 1
succeeds 'unless allowed' "${use[@]}" --encode '<|endoftext|>' --specials
holds 'then they are one' test "$(cat out)" = 279
head -c 3000 /dev/urandom >any.bin
"$gradus" "${use[@]}" --encode - <any.bin >numbers 2>err && "$gradus" "${use[@]}" --decode - <numbers >back 2>>err
holds 'any bytes come back' cmp any.bin back
sed $'1s/^/\xef\xbb\xbf/; s/$/\r/' tokens/merges.txt >merges.txt
mkdir windows && cp tokens/vocab.json windows && mv merges.txt windows
succeeds 'merges with a byte order mark and CR LF' tokenize --out_dir=windows --encode 'The fox'
cp out first
succeeds 'the same tokens' tokenize --out_dir=tokens --encode 'The fox'
holds 'as without' cmp out first
printf 'one\r\ntwo\r\n' >crlf.txt
succeeds 'a text with CR LF' tokenize --text crlf.txt --tokenizer char --out_dir=folded
says 'says that they are folded' err '^gradus: crlf.txt: 2 line ends CR LF read as LF \(--keep_crlf'
succeeds 'they have no token' tokenize --out_dir=folded
says 'six characters' out '^tokens +6$'
succeeds 'unless they are kept' tokenize --text crlf.txt --tokenizer char --keep_crlf --out_dir=kept-crlf
holds 'nothing to say of them' bash -c '! grep -q CR err'
succeeds 'then they have one' tokenize --out_dir=kept-crlf
says 'a token more' out '^tokens +7$'
cp tokens/vocab.json tokens/merges.txt .
mkdir pair && mv vocab.json merges.txt pair
succeeds 'from vocab.json and merges.txt' tokenize --out_dir=pair --encode 'The fox'
cp out first
succeeds 'from tokenizer.json' tokenize --checkpoint=tokens/tokenizer.json --encode 'The fox'
holds 'the same' cmp out first
succeeds 'from a run' tokenize --out_dir=whole --encode 'fox'
succeeds 'learned and used at once' tokenize --text text.txt --vocab_size 300 --encode 'fox'
succeeds 'wordpiece' tokenize --text text.txt --tokenizer wordpiece --vocab_size 99 --out_dir=pieces
holds 'with vocab.txt' grep -qx '\[MASK\]' pieces/vocab.txt

fails 'two things at once' 2 '--encode, --decode and --merges: cannot be combined' "${use[@]}" --encode a --decode 1
fails 'pieces of nothing' 2 'only with --encode' "${use[@]}" --pieces
fails 'a size without learning' 2 'only to train a tokenizer' "${use[@]}" --vocab_size 300
fails 'nowhere to keep it' 2 'add --out_dir' tokenize --text text.txt
fails 'learning beside a checkpoint' 2 '--checkpoint: only to use a tokenizer' tokenize --text text.txt --checkpoint=best --encode a
fails 'no number' 2 "--decode: '1x' is not the number" "${use[@]}" --decode '1 1x'
fails 'a number beyond int32' 2 "'99999999999' is not the number" "${use[@]}" --decode 99999999999
fails 'no such token' 2 'token 280 is outside the vocabulary of 280' "${use[@]}" --decode 280
fails 'merges of characters' 2 '--merges: needs a bpe tokenizer, got a char tokenizer' tokenize --out_dir=whole --merges 3
fails 'specials of characters' 2 '--specials: a char tokenizer' tokenize --out_dir=whole --encode a --specials
fails 'unknown character' 2 '--encode: the vocabulary has no' tokenize --out_dir=whole --encode 'é'
fails 'no tokenizer there' 1 'nowhere: does not exist' tokenize --out_dir=nowhere
fails 'missing text' 1 'no.txt: does not exist' tokenize --text no.txt --out_dir=new
echo '{"model":{}}' >damaged.json
fails 'a damaged file' 1 'damaged.json: not a tokenizer' tokenize --checkpoint=damaged.json --encode a
sed 's/^t h$/t qq/; 3s/.*/x/' tokens/merges.txt >pair/merges.txt
fails 'damaged merges' 1 'pair/merges.txt: not a tokenizer: line 3' tokenize --out_dir=pair --encode a

succeeds 'train on byte pairs' "${tiny[@]}" --tokenizer bpe --vocab_size 270 --block_size=8 --out_dir=bpe
succeeds 'sample of byte pairs' sample --out_dir=bpe --start='The fox é' --max_new_tokens=20
says 'goes on from the prompt' out '^The fox é'
succeeds 'eval of byte pairs' eval --out_dir=bpe
says 'bits per byte' out '^bits per byte +[0-9.]+$'
succeeds 'info of byte pairs' info --out_dir=bpe
says 'names the kind' out '^tokenizer +bpe, 270 tokens$'
succeeds 'resume with the same size' train --init_from=resume --out_dir=bpe --max_iters=14 --vocab_size=270
fails 'resume with another size' 2 '--vocab_size=300: must be 270, as in the checkpoint' train --init_from=resume --out_dir=bpe --vocab_size=300
fails 'resume with another kind' 2 '--tokenizer=byte: must be bpe, as in the checkpoint' train --init_from=resume --out_dir=bpe --tokenizer=byte
rm bpe/best/tokenizer.json
cp tokens/vocab.json tokens/merges.txt bpe/best
fails 'vocab.json of another size' 1 'bpe/best' sample --out_dir=bpe
succeeds 'train on words' "${tiny[@]}" --tokenizer word --vocab_size 50 --block_size=8 --out_dir=words
says 'the plan counts tokens' err 'vocabulary +[0-9]+ tokens'
succeeds 'sample of words' sample --out_dir=words --start='The walrus' --max_new_tokens=20
succeeds 'eval of words' eval --out_dir=words
printf 'The walrus met a walrus.\n%.0s' {1..9} >walrus.txt
succeeds 'eval on unknown words' eval --out_dir=words --text walrus.txt
says 'says how many there are' err '^gradus: [0-9]+ of [0-9]+ tokens are unknown words'

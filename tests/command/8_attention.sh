# gradus attention. Its models come from other parts of this test, or are trained here in an instant.

looking=(attention --out_dir=whole --text='The fox met')
succeeds 'attention' "${looking[@]}"
says 'prints a table of heads' out '^layer +head +distance +entropy +first +previous$'
holds 'with a line for each' test "$(wc -l <out)" = 3
says 'and figures' out '^1 +2 +[0-9]+\.[0-9]{2} +[0-9]\.[0-9]{2} +[0-9]+% +[0-9]+%$'
succeeds 'a text of one token' attention --out_dir=whole --text='T'
says 'can only look at itself' out '^1 +2 +0\.00 +0\.00 +100% +0%$'
succeeds 'a text of two' attention --out_dir=whole --text='Th'
holds 'the first is the one before, and the distance its share' \
  awk 'NR > 1 && ($5 != $6 || $3 * 100 < $5 - 1 || $3 * 100 > $5 + 1 || $5 + 0 == 0) { exit 1 }' out
succeeds 'one head in the terminal' "${looking[@]}" --layer=1 --head=2
says 'has a title' out '^Layer 1, head 2: which tokens attend to which$'
says 'shows blanks' out '^ *·  +4 '
holds 'has a row for each token' test "$(grep -cE '^ *[A-Za-z·]  +[0-9]+ ' out)" = 11
succeeds 'the text may end in a new line' "${looking[@]}" --text=$'fox\nmet' --layer=1 --head=1
says 'which is shown' out '^ *↵  4 '
cp out first
holds 'a pipe takes it' bash -o pipefail -c \
  "'$gradus' attention --out_dir=whole --text=\$'fox\\nmet' --layer=1 --head=1 | cmp - first"
holds 'a pipe that closes ends it quietly' bash -c \
  "'$gradus' attention --out_dir=whole --text='The fox' 2>err | true; test ! -s err"

succeeds 'a head as SVG' "${looking[@]}" --layer=1 --head=2 --out=head.svg
says 'is said' err '^gradus: wrote head.svg$'
holds 'and nothing else' test ! -s out
says 'has the title' head.svg '>Layer 1, head 2: which tokens attend to which</text>'
says 'is one SVG' head.svg '^<svg xmlns="http://www.w3.org/2000/svg" width="[0-9.]+" height="[0-9.]+"'
says 'which ends' head.svg '^</svg>$'
holds 'has each label twice, on both axes' test "$(grep -c '>x</text>' head.svg)" = 2
succeeds 'all heads as SVG' "${looking[@]}" --all --out=heads.svg
holds 'has a frame for each' test "$(grep -c 'class="frame"' heads.svg)" = 2
says 'has the text' heads.svg '>The fox met</text>'
says 'names its rows and columns' heads.svg 'rotate.*>x</text>'
says 'tells the weight of a cell that somebody points at' heads.svg '<title>o attends to T: [01]\.[0-9]{2}</title>'
says 'in one head too' head.svg '<title>o attends to f: [01]\.[0-9]{2}</title>'
for i in {1..60}; do echo 'a <b> & "c"'; done >special.txt
succeeds 'a model of special characters' "${tiny[@]}" --text special.txt --max_iters=1 --out_dir=special
succeeds 'is drawn' attention --out_dir=special --text='<b> & "' --layer=1 --head=1 --out=special.svg
says 'with its characters escaped' special.svg '>&lt;</text>'
holds 'as sound XML' /usr/bin/env python3 -c 'import xml.dom.minidom as m; m.parse("special.svg"); m.parse("heads.svg")'

mkdir -p opener
printf '#!/bin/sh\necho "$@" >opened\n' >opener/xdg-open
chmod +x opener/xdg-open
PATH=$PWD/opener:$PATH succeeds 'a page' "${looking[@]}" --open
await '^attention.html$' opened
holds 'is opened in the browser' grep -qx attention.html opened
says 'is said' err '^gradus: wrote attention.html$'
says 'has the text' attention.html '^<p>The fox met</p>$'
holds 'has the tokens that look, and those that are looked at' \
  test "$(grep -c 'text-anchor="end">x</text>' attention.html),$(grep -c '>x</text><text class="number"' attention.html)" = 1,1
says 'and their weights' attention.html '^var weights=\[\[\[\[1,0,0,'
holds 'and asks for nothing elsewhere' bash -c '! grep -qE "(src|href)=" attention.html'
succeeds 'a page under a name' "${looking[@]}" --out=looks.html
holds 'is the same' cmp attention.html looks.html
succeeds 'a page of special characters' attention --out_dir=special --text='<b> & "' --out=special.html
says 'has them escaped' special.html '>&lt;</text>'
says 'also in its script' special.html 'queries=\["\\x3c","b"'
PATH=/nowhere succeeds 'without a browser' "${looking[@]}" --open
says 'says what to do' err 'open attention.html in a browser$'
fails 'a page of one head' 2 '--open: cannot be combined with --layer and --head' "${looking[@]}" --open --layer=1 --head=1
fails 'a page that is no page' 2 '--open: --out must end in .html, got x.svg' "${looking[@]}" --open --out=x.svg

succeeds 'attention --help' attention --help
says 'has examples' out '^Examples:'
fails 'no text' 2 '--text: needs a text, got an empty one' attention --out_dir=whole
fails 'an empty text' 2 '--text: needs a value' attention --out_dir=whole --text=
fails 'too long a text' 2 '--text: must have 1 to 16 tokens, got 17' \
  attention --out_dir=whole --text='The fox met a cro'
fails 'an unknown character' 2 "--text: the vocabulary has no 'é'" attention --out_dir=whole --text='é'
fails 'a wrong layer' 2 '--layer: must be from 1 to 1, got 2' "${looking[@]}" --layer=2 --head=1
fails 'a wrong head' 2 '--head: must be from 1 to 2, got 3' "${looking[@]}" --layer=1 --head=3
fails 'layer 0' 2 '--layer' "${looking[@]}" --layer=0 --head=1
fails 'a layer without a head' 2 'pass both or neither' "${looking[@]}" --layer=1
fails 'a part of a GPT' 2 '--part: only for a translator' "${looking[@]}" --layer=1 --head=1 --part=cross
fails 'a target of a GPT' 2 '--target: only for a translator, got a gpt' "${looking[@]}" --target=x
fails 'all without a file' 2 'add --out heads.svg' "${looking[@]}" --all
fails 'all and one' 2 '--all: cannot be combined with --layer and --head' "${looking[@]}" --all --layer=1 --head=1 --out=x.svg
succeeds 'a file without a layer' "${looking[@]}" --out=x.svg
holds 'gets all heads' cmp x.svg heads.svg
fails 'a folder that is not there' 1 'cannot be written' "${looking[@]}" --all --out=no/x.svg
fails 'no model' 1 'does not exist' attention --out_dir=nowhere --text=x

# Translators.
for i in {1..20}; do printf 'red %s\trojo %s\n' "$i" "$i"; done >colours.tsv
succeeds 'a translator' train --model translator --data colours.tsv --n_layer=1 --n_head=2 --n_embd=8 \
  --n_inner=8 --batch_size=4 --max_iters=2 --eval_interval=2 --eval_iters=1 --out_dir=translates
looking=(attention --out_dir=translates --text='red 3' --target='rojo 3')
succeeds 'attention of a translator' "${looking[@]}"
for part in encoder decoder cross; do
  holds "has its $part" test "$(grep -c "^$part 1 " out)" = 2
done
says 'cross-attention has no distance' out '^cross 1 +1 +- '
succeeds 'without a part it is cross' "${looking[@]}" --layer=1 --head=1
says 'and says so' out '^Layer 1, head 1 \(cross\): which tokens attend to which$'
says 'rows are what is written' out '^ *<EOS>  3 '
says 'columns are the source' out '^columns:  1 red  2 ·3  3 <EOS>$'
succeeds 'the decoder alone' "${looking[@]}" --layer=1 --head=1 --part=decoder
says 'rows are what is read' out '^ *<SOS>  1 '
succeeds 'all of them' "${looking[@]}" --all --out=translator.svg
holds 'have a map each' test "$(grep -c 'class="frame"' translator.svg)" = 6
succeeds 'as a page' "${looking[@]}" --out=translator.html
holds 'they have a drawing for each part' test "$(grep -c '^<figure id="attention\(encoder\|decoder\|cross\)">' translator.html)" = 3
fails 'an unknown part' 2 'must be encoder, decoder or cross' "${looking[@]}" --layer=1 --head=1 --part=x
fails 'an empty target' 2 '--target: needs a value' attention --out_dir=translates --text='red 3' --target=

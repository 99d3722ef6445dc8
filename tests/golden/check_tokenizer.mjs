// Compares the tokens that gradus gives with those of Hugging Face's own reader of the same folder.
//
//     npm install --prefix /tmp/hf @huggingface/tokenizers@0.2.0
//     NODE_PATH=/tmp/hf/node_modules node tests/golden/check_tokenizer.mjs build/gradus FOLDER
//
// FOLDER holds a tokenizer.json, of byte pairs or of WordPiece; a tokenizer_config.json is taken along if it is there.
// Texts are the samples of tokenizers.json, their lines, and 400 drawn from some twenty scripts. Run by hand: it needs npm.
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';

const [gradus, folder] = process.argv.slice(2);
const {Tokenizer} = createRequire(import.meta.url)('@huggingface/tokenizers');
const read = (name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
const config = existsSync(path.join(folder, 'tokenizer_config.json')) ? read('tokenizer_config.json') : {};
const reader = new Tokenizer(read('tokenizer.json'), config);

const golden = JSON.parse(readFileSync(new URL('tokenizers.json', import.meta.url), 'utf8'));
const texts = new Set();
for (const {text} of [...golden.bert_words, ...golden.word_pieces.samples]) {
  for (const line of [text, ...text.split('\n')]) texts.add(line);
}
let seed = 12345;  // the same texts each time
const draw = (below) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
const scripts = ['abcdefghijklmnop', 'ABCÉÀÜßØ', 'áéíõçñœ', 'лисаЖЁщ', 'αβγΣςΩΆ', '狐狸跳过', 'きつねカタ', '여우각', 'שלוםע', 'مرحبا',
  'नमस्ते', 'ไทยก็', 'İıŞğ', '0123456789', '.,;:!?()"\'-', '+=<>^`|~$', '  \t\n', 'e\u0301a\u030ao\u0323', '🦊👩👧', '\u200b\u00ad\ufeff', '«»…—“”€'];
while (texts.size < 460) {
  let text = '';
  for (let i = 1 + draw(6); i > 0; --i) {
    const letters = [...scripts[draw(scripts.length)]];
    for (let j = 1 + draw(6); j > 0; --j) text += letters[draw(letters.length)];
    if (draw(2)) text += ' ';
  }
  texts.add(text);
}

let equal = 0;
// Special tokens written out are text for gradus, so that no text can hold one, and special for the other reader.
const specials = read('tokenizer.json').added_tokens.map((token) => token.content);
const all = [...texts].filter((text) => text.length > 0 && !specials.some((token) => text.includes(token)));
for (const text of all) {
  const out = execFileSync(gradus, ['tokenize', '--out_dir=' + folder, '--encode', '-'], {input: text});
  const ours = out.toString().trim().split(/\s+/).filter(Boolean).map(Number);
  const theirs = [...reader.encode(text, {add_special_tokens: false}).ids].map(Number);
  if (JSON.stringify(ours) === JSON.stringify(theirs)) ++equal;
  else console.log(JSON.stringify({text, ours, theirs}));
}
console.log(`${equal} of ${all.length} texts give the same tokens`);
process.exit(equal === all.length ? 0 : 1);

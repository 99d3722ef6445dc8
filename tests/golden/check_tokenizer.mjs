// Compares the tokens that gradus gives with those of Hugging Face's own reader, which is written in Rust.
//
//     npm install --prefix /tmp/hf tokenizers@0.23.2 @unicode/unicode-8.0.0
//     NODE_PATH=/tmp/hf/node_modules node tests/golden/check_tokenizer.mjs build/gradus FOLDER [TEXTS]
//     NODE_PATH=/tmp/hf/node_modules node tests/golden/check_tokenizer.mjs build/gradus
//
// FOLDER holds a tokenizer.json, of byte pairs or of WordPiece. The texts are the samples of tokenizers.json, their lines, and
// texts drawn from some twenty scripts, 460 in all unless TEXTS says otherwise. Without a folder the script compares how WordPiece
// normalises and cuts a text around each character of Unicode, with and without lower case and accents. Run by hand: it needs npm.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';

const [gradus, folder, count] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const {Tokenizer, bertNormalizer} = require('tokenizers');

// Our tokens of a text and theirs.
async function bothTokens(folder, text) {
  const out = execFileSync(gradus, ['tokenize', '--checkpoint=' + path.join(folder, 'tokenizer.json'), '--encode', '-'], {input: text});
  const ours = out.toString().trim().split(/\s+/).filter(Boolean).map(Number);
  const reader = Tokenizer.fromFile(path.join(folder, 'tokenizer.json'));
  const theirs = (await reader.encode(text, null, {addSpecialTokens: false})).getIds();
  return [ours, theirs];
}

async function compareTexts(folder, count) {
  const golden = JSON.parse(readFileSync(new URL('tokenizers.json', import.meta.url), 'utf8'));
  const texts = new Set();
  for (const {text} of [...golden.bert_words, ...golden.word_pieces.samples]) {
    for (const line of [text, ...text.split('\n')]) texts.add(line);
  }
  let seed = 12345;  // the same texts each time
  const draw = (below) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  const scripts = ['abcdefghijklmnop', 'ABCÉÀÜßØ', 'áéíõçñœ', 'лисаЖЁщ', 'αβγΣςΩΆ', '狐狸跳过', 'きつねカタ', '여우각', 'שלוםע', 'مرحبا',
    'नमस्ते', 'ไทยก็', 'İıŞğ', '0123456789', '.,;:!?()"\'-', '+=<>^`|~$', '  \t\n', 'e\u0301a\u030ao\u0323', '🦊👩👧', '\u200b\u00ad\ufeff',
    '«»…—“”€', '\uf0b7\ue000\uf8ff', '\x01\x7f\x85'];
  while (texts.size < count) {
    let text = '';
    for (let i = 1 + draw(6); i > 0; --i) {
      const letters = [...scripts[draw(scripts.length)]];
      for (let j = 1 + draw(6); j > 0; --j) text += letters[draw(letters.length)];
      if (draw(2)) text += ' ';
    }
    texts.add(text);
  }
  // Special tokens written out are text for gradus, so that no text can hold one, and special for the other reader.
  const specials = JSON.parse(readFileSync(path.join(folder, 'tokenizer.json'), 'utf8')).added_tokens.map((token) => token.content);
  const all = [...texts].filter((text) => text.length > 0 && !specials.some((token) => text.includes(token)));
  let equal = 0;
  for (const text of all) {
    const [ours, theirs] = await bothTokens(folder, text);
    if (JSON.stringify(ours) === JSON.stringify(theirs)) ++equal;
    else console.log(JSON.stringify({text, ours, theirs}));
  }
  console.log(`${equal} of ${all.length} texts give the same tokens`);
  return equal === all.length;
}

// A tokenizer.json whose vocabulary is these characters, at the start of a word and inside.
function characterTokenizer(characters, options) {
  const tokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...characters, ...[...characters].map((c) => '##' + c)];
  return JSON.stringify({
    added_tokens: [],
    normalizer: {type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, ...options},
    pre_tokenizer: {type: 'BertPreTokenizer'},
    model: {type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((token, number) => [token, number]))},
  });
}

async function compareCharacters() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'characters'));
  const settings = [[true, null], [true, false], [false, true], [false, null]];
  const different = new Map();  // each character, with the settings under which it differs
  let checked = 0;
  for (let first = 0; first < 0x110000; first += 0x4000) {
    const codes = Array.from({length: 0x4000}, (_, i) => first + i).filter((code) => code < 0xd800 || code > 0xdfff);
    checked += codes.length;
    // A z stands between the words, so that each character's tokens can be told apart.
    const text = codes.map((code) => 'a' + String.fromCodePoint(code) + 'b').join(' z ');
    for (const [lowercase, strip_accents] of settings) {
      const normalizer = bertNormalizer({lowercase, stripAccents: strip_accents ?? lowercase});
      const characters = ['z', ...new Set([...normalizer.normalizeString(text), ...text])];
      writeFileSync(path.join(folder, 'tokenizer.json'), characterTokenizer(new Set(characters), {lowercase, strip_accents}));
      const [ours, theirs] = await bothTokens(folder, text).then((both) => both.map((tokens) => tokens.join(' ').split(' 5 ')));
      for (let i = 0; i < codes.length; ++i) {
        if (ours[i] === theirs[i]) continue;
        different.set(codes[i], [...(different.get(codes[i]) ?? []), JSON.stringify({lowercase, strip_accents})]);
      }
    }
  }
  rmSync(folder, {recursive: true});
  // The categories there are of Unicode 8, which has since assigned more characters and moved these to another category.
  const moved = [0x166d, 0x1734, 0x1885, 0x1886, 0xa9bd, 0x111c9];
  const assigned = new Set((await import(require.resolve('@unicode/unicode-8.0.0/Binary_Property/Assigned/code-points.mjs'))).default);
  const explained = [...different.keys()].filter((code) => moved.includes(code) || !assigned.has(code));
  for (const [code, options] of different) {
    if (!explained.includes(code)) console.log('U+' + code.toString(16).toUpperCase().padStart(4, '0'), options.join(' '));
  }
  console.log(`${checked} characters: ${different.size} differ, ${explained.length} of them new or moved since Unicode 8`);
  return explained.length === different.size;
}

process.exit(await (folder ? compareTexts(folder, Number(count ?? 460)) : compareCharacters()) ? 0 : 1);

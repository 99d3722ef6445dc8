// Small tokenizers as Hugging Face's folders of Llama, Mistral and Qwen have them, and the tokens that Hugging Face's own reader,
// which is written in Rust, gives for hard texts.
//
//     npm install --prefix /tmp/hf tokenizers@0.23.2
//     NODE_PATH=/tmp/hf/node_modules node tests/golden/hf_tokenizers.mjs                       # writes hf_tokenizers.json
//     NODE_PATH=/tmp/hf/node_modules node tests/golden/hf_tokenizers.mjs build/gradus 5000     # compares this number of texts
//
// Merges are learnt from the samples of tokenizers.json and from README.md, by that reader. Run by hand: it needs npm.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';

const require = createRequire(import.meta.url);
const {Tokenizer} = require('tokenizers');
const [gradus, count] = process.argv.slice(2);
const here = (name) => new URL(name, import.meta.url);
const folder = mkdtempSync(path.join(os.tmpdir(), 'tokenizers'));
const kMark = '\u2581';

// Texts.

const golden = JSON.parse(readFileSync(here('tokenizers.json'), 'utf8'));
const samples = [...golden.bert_words, ...golden.word_pieces.samples].map(({text}) => text);
const scripts = ['abcdefghijklmnop', 'ABC\u00c9\u00c0\u00dc\u00df\u00d8', '\u00e1\u00e9\u00ed\u00f5\u00e7', '\u043b\u0438\u0441\u0430\u0416\u0401',
  '\u03b1\u03b2\u03b3\u03a3\u03c2', '\u72d0\u72f8\u8df3', '\u304d\u3064\u30cd', '\uc5ec\uc6b0', '\u05e9\u05dc\u05d5', '\u0645\u0631\u062d',
  '\u0928\u092e\u0938\u094d', '\u0e44\u0e17\u0e22', '\u0130\u0131\u015e', '0123456789', '\u0661\u0662\u00b2\u00bd\u2167\u0be7', '.,;:!?()"\'-',
  '+=<>^`|~$_', ' \t\n\r', '\u00a0\u2003\u3000\u180e\u200b\u2028\u0085', 'e\u0301a\u030ao\u0323\u1100\u1161', '\ud83e\udd8a\ud83d\udc69\u200d',
  '\u00ab\u2026\u2014\u20ac', '\uf0b7\ue000', '\x01\x7f\x00', 'sS\u017f', 'kK\u212a', kMark];
const fixed = ['', ' ', '  ', ' a', 'a ', 'a  b', "I'm he'LL we'\u017f they'RE", '12345 1 23 456 7890', 'a\r\n\r\n b', '\n\n\nx', '   \n  y', 'foo_bar.baz()',
  '<tool>call</tool>', 'x<tool>y', ' <tool> ', 'wordy word  word', 'a <left> b <right> c', '<left><right>', 'caf\u00e9 cafe\u0301', '\u212b \ufb01',
  'e\u0301<nfc\u00e9>e\u0301', '<nfce\u0301>', 'the', ' the', 'thethe', '<0x0A>', '<unk>', 'a' + kMark + 'b', kMark];
function hardTexts(number) {
  let seed = 12345;  // the same texts each time
  const draw = (below) => ((seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 8) % below;
  const texts = new Set(fixed);
  for (const text of samples) for (const line of text.split('\n')) texts.add(line);
  const words = readFileSync(here('../../README.md'), 'utf8').split(/\s+/).slice(0, 400);
  while (texts.size < number) {
    let text = '';
    for (let i = 1 + draw(6); i > 0; --i) {
      if (draw(3) === 0) text += words[draw(words.length)];
      if (draw(12) === 0) text += fixed[draw(fixed.length)];
      const letters = [...scripts[draw(scripts.length)]];
      for (let j = 1 + draw(6); j > 0; --j) text += letters[draw(letters.length)];
      if (draw(2)) text += ' ';
    }
    texts.add(text);
  }
  return [...texts].slice(0, Math.max(number, fixed.length));
}

// Tokenizers.

// Merges that the reader learns from texts which it cuts like this.
function learntMerges(settings, number) {
  const reader = Tokenizer.fromString(JSON.stringify({...settings, added_tokens: [], model: {type: 'BPE', vocab: {}, merges: []}}));
  writeFileSync(path.join(folder, 'text'), samples.join('\n') + '\n' + readFileSync(here('../../README.md'), 'utf8'));
  reader.train([path.join(folder, 'text')]);
  reader.save(path.join(folder, 'learnt.json'));
  const {merges} = JSON.parse(readFileSync(path.join(folder, 'learnt.json'), 'utf8')).model;
  return merges.slice(0, number).map((merge) => Array.isArray(merge) ? merge : merge.split(' '));
}

const added = (content, options = {}) => ({content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: false, ...options});
const special = (content) => added(content, {special: true});

function assembled(settings, first, merges, tokens, model) {
  const vocab = [...new Set([...first, ...merges.flat(), ...merges.map((merge) => merge.join(''))])];
  const numbers = Object.fromEntries(vocab.map((token, number) => [token, number]));
  let next = vocab.length;
  return {
    version: '1.0', truncation: null, padding: null,
    added_tokens: tokens.map((token) => ({id: numbers[token.content] ?? next++, ...token})), ...settings,
    model: {type: 'BPE', dropout: null, unk_token: null, continuing_subword_prefix: null, end_of_word_suffix: null, fuse_unk: false,
      byte_fallback: false, ignore_merges: false, ...model, vocab: numbers, merges: merges.map((merge) => merge.join(' '))},
  };
}

// GPT-2's characters for the 256 bytes.
function byteCharacters() {
  const plain = [...Array(256).keys()].filter((b) => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174);
  const others = [...Array(256).keys()].filter((b) => !plain.includes(b));
  return [...plain.map((b) => String.fromCodePoint(b)), ...others.map((_, i) => String.fromCodePoint(256 + i))];
}
const byteLevel = (use_regex) => ({type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex});
const split = (expression) => ({type: 'Split', pattern: {Regex: expression}, behavior: 'Isolated', invert: false});
function byteLevelTokenizer(before, rest, tokens, model = {}, number = 120) {
  const pre_tokenizer = {type: 'Sequence', pretokenizers: [...before, byteLevel(!before.some((part) => part.type === 'Split'))]};
  const settings = {normalizer: null, pre_tokenizer, post_processor: byteLevel(false), decoder: byteLevel(true), ...rest};
  return assembled(settings, byteCharacters(), learntMerges(settings, number), tokens, model);
}

function metaspaceTokenizer(settings, tokens, model = {}) {
  const decoder = {type: 'Sequence', decoders: [{type: 'Replace', pattern: {String: kMark}, content: ' '}, {type: 'ByteFallback'}, {type: 'Fuse'},
    {type: 'Strip', content: ' ', start: 1, stop: 0}]};
  const all = {normalizer: null, pre_tokenizer: null, post_processor: null, decoder, ...settings};
  // Learnt from words, so that no merge is a whole line.
  const cut = {...all, normalizer: null, pre_tokenizer: {type: 'Metaspace', replacement: kMark, prepend_scheme: 'always', split: true}};
  const bytes = [...Array(256).keys()].map((b) => `<0x${b.toString(16).toUpperCase().padStart(2, '0')}>`);
  return assembled(all, ['<unk>', '<s>', '</s>', ...bytes, kMark], learntMerges(cut, 120), tokens,
    {byte_fallback: true, unk_token: '<unk>', fuse_unk: true, ...model});
}

const template = (token, number) => ({type: 'TemplateProcessing', single: [{SpecialToken: {id: token, type_id: 0}}, {Sequence: {id: 'A', type_id: 0}}],
  pair: [{Sequence: {id: 'A', type_id: 0}}, {Sequence: {id: 'B', type_id: 1}}], special_tokens: {[token]: {id: token, ids: [number], tokens: [token]}}});
const prepended = {type: 'Sequence', normalizers: [{type: 'Prepend', prepend: kMark}, {type: 'Replace', pattern: {String: ' '}, content: kMark}]};
const frame = [special('<unk>'), special('<s>'), special('</s>')];
const separator = special('<|separator|>');
const conditions = [added('<tool>'), added('word', {single_word: true}), added('<left>', {lstrip: true}), added('<right>', {rstrip: true}),
  added('<nfc\u00e9>', {normalized: true}), separator];
const llama3 = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const qwen = llama3.replace('{1,3}', '');

function tokenizers() {
  const llama = byteLevelTokenizer([split(llama3)], {}, [special('<|begin_of_text|>'), separator], {ignore_merges: true});
  // A token that no merge gives: only ignore_merges finds it.
  llama.model.vocab['\u0120xyzzy'] = Object.keys(llama.model.vocab).length;
  for (const token of llama.added_tokens) token.id += 1;
  llama.post_processor = {type: 'Sequence', processors: [byteLevel(true), template('<|begin_of_text|>', llama.added_tokens[0].id)]};
  return {
    'llama 3': llama,
    'qwen': byteLevelTokenizer([split(qwen)], {normalizer: {type: 'NFC'}}, conditions),
    'digits': byteLevelTokenizer([{type: 'Digits', individual_digits: true}], {}, [separator]),
    'runs of digits': byteLevelTokenizer([{type: 'Digits', individual_digits: false}, {type: 'Split', pattern: {String: '.'}, behavior: 'Isolated',
      invert: false}], {}, [separator], {}, 60),
    'llama 2': metaspaceTokenizer({normalizer: prepended, post_processor: template('<s>', 1)}, [...frame, separator, added('<tool>')]),
    'mistral': metaspaceTokenizer({pre_tokenizer: {type: 'Metaspace', replacement: kMark, prepend_scheme: 'first', split: false},
      post_processor: template('<s>', 1)}, [...frame, ...conditions]),
    'metaspace words': metaspaceTokenizer({pre_tokenizer: {type: 'Metaspace', replacement: kMark, prepend_scheme: 'always', split: true}}, [...frame,
      separator]),
    'metaspace never': metaspaceTokenizer({pre_tokenizer: {type: 'Metaspace', replacement: kMark, prepend_scheme: 'never', split: false}}, [...frame,
      separator], {ignore_merges: true}),
  };
}

async function theirTokens(reader, text) {
  return (await reader.encode(text, null, {addSpecialTokens: false})).getIds();
}

// Special tokens written out are text for gradus, so that no text can hold one, and special for the other reader.
const holdsSpecial = (json, text) => json.added_tokens.some((token) => token.special && text.includes(token.content));

async function write() {
  const cases = [], texts = hardTexts(110).filter((text) => Buffer.byteLength(text) < 120);
  for (const [name, json] of Object.entries(tokenizers())) {
    const reader = Tokenizer.fromString(JSON.stringify(json));
    const tokens = [];
    for (const text of texts) tokens.push(holdsSpecial(json, text) ? null : await theirTokens(reader, text));
    cases.push({name, tokenizer: json, tokens});
  }
  const lines = cases.map((one) => JSON.stringify(one));
  writeFileSync(here('hf_tokenizers.json'), `{"texts": ${JSON.stringify(texts)},\n"cases": [\n${lines.join(',\n')}\n]}\n`);
}

// All texts are passed at once, with a special token between them, at which gradus begins anew as with a text of its own. For "first", a
// text after a special token has no blank, so each text is compared with that.
async function compare() {
  let all = true;
  for (const [name, json] of Object.entries(tokenizers())) {
    writeFileSync(path.join(folder, 'tokenizer.json'), JSON.stringify(json));
    const reader = Tokenizer.fromString(JSON.stringify(json));
    const mark = reader.tokenToId(separator.content);
    const texts = hardTexts(Number(count)).filter((text) => text.length > 0 && !holdsSpecial(json, text));
    const out = execFileSync(gradus, ['tokenize', '--checkpoint=' + path.join(folder, 'tokenizer.json'), '--specials', '--encode', '-'],
      {input: separator.content + texts.join(separator.content), maxBuffer: 1 << 28});
    const ours = (' ' + out.toString().trim().split(/\s+/).join(' ') + ' ').split(` ${mark} `).slice(1).map((part) => part.trim());
    let equal = 0;
    for (let i = 0; i < texts.length; ++i) {
      const theirs = await theirTokens(reader, separator.content + texts[i]);
      if (theirs.slice(1).join(' ') === ours[i]) ++equal;
      else if (i - equal < 5) console.log(JSON.stringify({name, text: texts[i], ours: ours[i], theirs: theirs.join(' ')}));
    }
    console.log(`${name}: ${equal} of ${texts.length} texts give the same tokens`);
    all = all && equal === texts.length;
  }
  return all;
}

const good = gradus ? await compare() : (await write(), true);
rmSync(folder, {recursive: true});
process.exit(good ? 0 : 1);

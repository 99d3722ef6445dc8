// Searches course, guides and reference by section. The index is made at the first touch of the field. The sections
// (part, address, page, heading, text) are packed in a script, because a page that is opened as a file can load only
// scripts.
addEventListener('DOMContentLoaded', () => {
  const field = document.getElementById('MSearchField'), box = document.getElementById('found');
  if (!field || typeof lunr === 'undefined') return document.getElementById('MSearchBox')?.remove();
  const names = { course: 'Course', guide: 'Guide', reference: 'Reference' };
  const kind = (part, address) => /^(class|struct)/.test(address) ? 'Type' : names[part];  // an op and its layer may have one name
  const boost = { course: 3, guide: 1.5, reference: 1 };
  // Readers' words for terms that the pages call by another name.
  const shorthands = { bpe: 'byte-pair merges', 'byte pair': 'byte-pair merges', 'byte-pair encoding': 'byte-pair merges', rope: 'rotary rope', einsum: 'matmul', word2vec: 'word vectors', optimizer: 'optimiser', optimizers: 'optimisers',
    normalization: 'layer norm',
    lr: 'learning rate', mha: 'multi-head attention', vit: 'vision', 'positional encoding': 'sinusoids', 'positional encodings': 'sinusoids',
    backprop: 'backward pass', llm: 'gpt', 'kv cache': 'cache keys values', overfitting: 'points not seen' };
  let index = null, kSections, begun, chosen = -1;

  const build = () => begun ??= unpacked(kPackedSections).then(bytes => {
    kSections = JSON.parse(new TextDecoder().decode(bytes));
    lunr.tokenizer.separator = /[\s\-_()/.,:;]+/;
    index = lunr(function () {
      this.ref('id');
      this.field('heading', { boost: 8 });
      this.field('page', { boost: 4 });
      this.field('text');
      this.metadataWhitelist = [];
      kSections.forEach(([, , page, heading, text], id) => this.add({ id, page, heading: heading || page, text }));
    });
  });

  const look = (words, presence) => index.query(query => {
    words.forEach((word, i) => {
      query.term(word, { boost: 10, presence });
      // The last word may be only the beginning of a word, because the reader is still typing.
      if (i === words.length - 1 && word.length > 1)
        query.term(word, { wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
    });
  });

  const results = text => {
    const asked = text.toLowerCase(), phrase = shorthands[asked] ?? asked;
    const words = lunr.tokenizer(phrase).map(String).filter(Boolean);
    if (words.length === 0) return [];
    const close = near(stems(phrase));
    const all = words.length > 1 ? look(words, lunr.Query.presence.REQUIRED) : [];
    const some = look(words, lunr.Query.presence.OPTIONAL);
    const seen = new Set(all.map(r => r.ref));
    // The words in this order are worth more than each word by itself; a section or function with this name is worth
    // most.
    const worth = ({ ref, score }) => {
      const [part, , page, heading, body] = kSections[ref].map(t => t.toLowerCase());
      const named = [heading, page.replace(/^\d+ /, '')].some(t => spaced(t) === spaced(asked));
      // The function with this name comes first, but not a constructor, because its type comes before it, nor an op's
      // fast path.
      const entry = part === 'reference' && heading.endsWith('()') && spaced(heading) === spaced(asked) &&
        ![spaced(heading), 'kernels'].includes(spaced(page)) ? 10 : 1;
      // The lists at a chapter's end name everything and explain nothing.
      const aside = part === 'course' && /^(papers|exercises|what you (have )?built)$/.test(heading) ? 0.3 : 1;
      const beside = [page, heading, body].some(t => t.includes(phrase)) ? 3 : close(body) ? 2.5 : 1;
      return score * boost[part] * aside * entry * (named ? 8 : beside);
    };
    const ranked = found => found.sort((a, b) => worth(b) - worth(a));
    return joined([...ranked(all), ...ranked(some.filter(r => !seen.has(r.ref)))].map(r => kSections[r.ref])).slice(0, 12);
  };

  // A name as a reader may type it: save_model() as "save model".
  const spaced = name => name.toLowerCase().replace('()', '').replace(/[\s\-_]+/g, ' ');

  // Joins the overrides of a method into one result: the method itself if it is among them, because its text
  // describes them all.
  const joined = sections => {
    const groups = new Map();
    for (const section of sections) {
      const [part, address, page, heading] = section, [text, over] = section[4].split(/ (?:Reimplements|Implements|Implemented in|Reimplemented)\b/);
      const key = part === 'reference' && over !== undefined ? `${heading} ${text}` : address;
      const group = groups.get(key);
      if (!group) groups.set(key, { section, others: 0 });
      else {
        ++group.others;
        if (/ (Implemented|Reimplemented) in /.test(section[4])) group.section = section;
      }
    }
    return [...groups.values()].map(({ section, others }) => [...section, others]);
  };

  // The search's words in the form of the index: without words such as "and", and without endings.
  const stem = word => lunr.stemmer(new lunr.Token(word)).toString();
  const stems = text => lunr.tokenizer(text).filter(word => word.toString() && lunr.stopWordFilter(word)).map(word => stem(word.toString()));
  // Whether words stand within 12 letters of each other, one after another, in any order.
  const near = asked => {
    const safe = asked.map(word => word.replace(/[^\p{L}\p{N}]/gu, '.'));
    const pairs = safe.slice(1).map((b, i) => new RegExp(`\\b${safe[i]}.{0,12}\\b${b}|\\b${b}.{0,12}\\b${safe[i]}`, 'i'));
    return text => pairs.length > 0 && pairs.every(pair => pair.test(text));
  };

  // Adds a text with its hits marked, as text and never as HTML: the whole text, or the part with the most different
  // hits.
  const put = (line, text, asked, typed, room = text.length) => {
    const hits = [...text.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(({ 0: word, index }) => {
      const root = stem(word.toLowerCase());
      return asked.includes(root) || typed && word.toLowerCase().startsWith(typed) ? [{ word, index, root }] : [];
    });
    const worth = ({ index }) => new Set(hits.filter(h => h.index >= index && h.index < index + 100).map(h => h.root)).size;
    const first = hits.reduce((best, hit) => best && worth(best) >= worth(hit) ? best : hit, null);
    const begin = room < text.length && first?.index > 60 ? text.indexOf(' ', first.index - 60) + 1 : 0;
    const end = text.length > begin + room ? text.lastIndexOf(' ', begin + room) : text.length;
    let at = begin;
    line.append(begin > 0 ? '… ' : '');
    for (const { word, index } of hits.filter(h => h.index >= begin && h.index + h.word.length <= end)) {
      line.append(text.slice(at, index));
      line.appendChild(document.createElement('mark')).textContent = word;
      at = index + word.length;
    }
    line.append(text.slice(at, end) + (end < text.length ? ' …' : ''));
  };

  const show = async () => {
    const text = field.value.trim();
    if (text) await build();
    if (text !== field.value.trim()) return;  // the reader has typed more since
    chosen = -1;
    box.replaceChildren();
    box.hidden = text === '';
    box.dataset.asked = text;
    if (text === '') return;
    const asked = text.toLowerCase(), words = stems(`${asked} ${shorthands[asked] ?? ''}`);
    const typed = asked.length > 1 && asked.split(/[\s\-_]+/).at(-1);
    for (const [part, address, page, heading, body, others] of results(text)) {
      const item = box.appendChild(document.createElement('a'));
      item.href = address;
      item.setAttribute('role', 'option');
      put(item.appendChild(document.createElement('b')), heading && heading !== page ? `${page} › ${heading}` : page, words, typed);
      item.appendChild(document.createElement('small')).textContent = kind(part, address) + (others ? `, and ${others} more` : '');
      put(item.appendChild(document.createElement('p')), body, words, typed, 170);
    }
    if (!box.firstChild) box.textContent = `Nothing about “${text}”.`;
  };

  const choose = by => {
    const items = [...box.querySelectorAll('a')];
    if (!items.length) return;
    items[chosen]?.removeAttribute('aria-selected');
    chosen = (chosen + by + items.length) % items.length;
    items[chosen].setAttribute('aria-selected', 'true');
    items[chosen].scrollIntoView({ block: 'nearest' });
  };

  field.addEventListener('focus', () => setTimeout(build));
  field.addEventListener('input', show);
  field.addEventListener('keydown', event => {
    if (event.key === 'ArrowDown') choose(1);
    else if (event.key === 'ArrowUp') choose(-1);
    else if (event.key === 'Enter') box.querySelectorAll('a')[Math.max(0, chosen)]?.click();
    else if (event.key === 'Escape') { field.value = ''; show(); field.blur(); }
    else return;
    event.preventDefault();
  });
  addEventListener('keydown', event => {
    if (event.key === '/' && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) {
      event.preventDefault();
      field.focus();
    }
  });
  addEventListener('click', event => { if (!event.target.closest('#found, #MSearchBox')) box.hidden = true; });
});

const typed = find('.text'), bars = find('.bars'), told = find('.told'), kFirst = typed.value;
const knobs = ['.temperature', '.top_k', '.top_p'].map(find);
let asked = 0, vocabulary = null;

const values = () => [+knobs[0].value, knobs[1].value === knobs[1].max ? 0 : +knobs[1].value, +knobs[2].value];
const shown = character => ({ ' ': '_', '\n': '/' })[character] ?? character;
const begun = () => vocabulary ??= held('weights').then(kept => call('start', numbersIn(kept))).then(made => [...text(made)]);

async function show() {
  const mine = ++asked, characters = await begun();
  if (mine !== asked) return;
  const both = await call('look', values(), bytes(typed.value));
  if (mine === asked) draw(characters, both);
}

// Draws the most probable characters: the model's own share as an outline, and the share after the
// knobs, filled.
function draw(characters, both) {
  const size = characters.length, width = bars.clientWidth || 640;
  const order = [...characters.keys()].sort((a, b) => both[b] - both[a]).slice(0, Math.floor(width / 40));
  const step = width / order.length, most = Math.max(0.5, ...both);
  const height = share => 150 * share / most;
  bars.setAttribute('viewBox', `0 0 ${width} 200`);
  bars.replaceChildren();
  order.forEach((token, i) => {
    const x = step * i + 4, wide = step - 8, own = both[token], share = both[size + token];
    add(bars, 'rect', { class: 'full', x, y: 175 - height(share), width: wide, height: height(share) });
    add(bars, 'rect', { class: 'empty', x, y: 175 - height(own), width: wide, height: height(own) });
    const top = 170 - height(Math.max(own, share)), middle = { x: x + wide / 2, 'text-anchor': 'middle' };
    if (share >= 0.005) add(bars, 'text', { ...middle, y: top, class: 'share' }, share.toFixed(2).replace('0.', '.'));
    add(bars, 'text', { ...middle, y: 194, class: 'name' }, shown(characters[token]));
  });
  const kept = both.slice(size).filter(share => share > 0).length;
  const words = order.slice(0, 5).map(token => `${shown(characters[token])} ${both[size + token].toFixed(2)}`);
  bars.setAttribute('aria-label', `The next character: ${words.join(', ')}; ${kept} characters are possible`);
}

async function one() {
  const characters = await begun(), u = Math.fround(Math.random());
  const [token] = await call('choose', [...values(), u], bytes(typed.value));
  typed.value += characters[token];
  told.textContent = `The draw ${u.toFixed(3)} gives “${shown(characters[token])}”. The bars are now for what comes after it.`;
  show();
}
async function more() {
  await begun();
  typed.value += text(await call('go_on', [...values(), Math.floor(1e6 * Math.random())], bytes(typed.value)));
  told.textContent = '80 characters more.';
  show();
}

knobs.forEach((knob, i) => knob.addEventListener('input', () => {
  all('output')[i].textContent = i === 1 && knob.value === knob.max ? 'all' : knob.value;
  show();
}));
typed.addEventListener('input', show);
find('.run').addEventListener('click', one);
find('.more').addEventListener('click', more);
find('.back').addEventListener('click', () => { typed.value = kFirst; told.textContent = ''; show(); });
addEventListener('resize', show);
firstSeen = show;

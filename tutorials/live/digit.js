const paper = find('.paper'), bars = find('.bars'), told = find('.told'), looks = find('.looks');
const kSide = 16, kPatch = 4;
let begun = null, asked = 0, busy = false, drawing = false, examples = 0, seen = null;
let strokes = [], pen = [8, 3], down = false;  // keys move the pen

const taken = () => begun ??= held('weights').then(kept => call('start', numbersIn(kept)));

// Reads the drawing; if it changes meanwhile, reads it once more afterwards.
async function show() {
  ++asked;
  if (busy) return;
  busy = true;
  await taken();
  for (let mine = 0; mine !== asked;) {
    mine = asked;
    const lines = strokes.flatMap(stroke => [...stroke.flat(), -1]);
    const found = await call('read', lines);
    if (mine === asked) draw(found, strokes.length ? '' : 'An empty sheet: ');
  }
  busy = false;
}
async function example() {
  const mine = ++asked;
  strokes = [];
  await taken();
  const found = await call('example', [examples++]);
  if (mine === asked) draw(found, `The program drew a ${found.at(-1)}: `);
}

function draw(found, first) {
  seen = found;
  drawPaper();
  const shares = [...seen.slice(256, 266)], best = shares.indexOf(Math.max(...shares));
  const width = bars.clientWidth || 300, row = 26;
  bars.setAttribute('viewBox', `0 0 ${width} ${10 * row}`);
  bars.replaceChildren();
  shares.forEach((share, digit) => {
    const y = row * digit + 4, long = (width - 90) * share;
    add(bars, 'text', { x: 14, y: y + 15, 'text-anchor': 'middle' }, digit);
    add(bars, 'rect', { class: 'full', x: 30, y, width: long.toFixed(1), height: row - 8, 'fill-opacity': digit === best ? 1 : 0.5 });
    add(bars, 'text', { class: 'share', x: 36 + long, y: y + 14 }, share.toFixed(3));
  });
  bars.setAttribute('aria-label', `Probabilities: ${shares.map((share, digit) => `${digit} ${share.toFixed(2)}`).join(', ')}`);
  told.textContent = `${first}the model reads a ${best}, with probability ${shares[best].toFixed(2)}.`.replace(/^./, c => c.toUpperCase());
}

function drawPaper() {
  paper.replaceChildren();
  seen?.slice(0, 256).forEach((ink, i) => {
    if (ink > 0.02) add(paper, 'rect', { class: 'ink', x: i % kSide, y: Math.floor(i / kSide), width: 1, height: 1, 'fill-opacity': ink.toFixed(2) });
  });
  if (looks.checked && seen) {
    const weights = [...seen.slice(267, 283)], most = Math.max(...weights);
    weights.forEach((weight, i) => {
      const place = { x: kPatch * (i % kPatch), y: kPatch * Math.floor(i / kPatch), width: kPatch, height: kPatch };
      add(paper, 'rect', { class: 'below look', ...place, 'fill-opacity': (0.7 * weight / most).toFixed(2), 'data-weight': weight.toFixed(3) });
    });
  }
  if (paper.matches(':focus-visible')) add(paper, 'circle', { class: down ? 'full' : 'empty', cx: pen[0], cy: pen[1], r: 0.7, 'stroke-width': 0.2 });
}

const placeOf = event => {
  const box = paper.getBoundingClientRect();
  return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]
    .map(share => Math.min(kSide, Math.max(0, Math.round(100 * kSide * share) / 100)));
};
paper.addEventListener('pointerdown', event => {
  event.preventDefault();
  paper.setPointerCapture(event.pointerId);
  drawing = true;
  strokes.push([placeOf(event)]);
  show();
});
paper.addEventListener('pointermove', event => {
  if (!drawing) return;
  strokes.at(-1).push(placeOf(event));
  show();
});
for (const name of ['pointerup', 'pointercancel']) paper.addEventListener(name, () => { drawing = false; });
paper.addEventListener('keydown', event => {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!step && event.key !== ' ') return;
  event.preventDefault();
  if (!step) down = !down;
  else pen = pen.map((at, i) => Math.min(kSide - 1, Math.max(1, at + step[i])));
  if (!step && down) strokes.push([pen]);
  else if (step && down) strokes.at(-1).push(pen);
  if (down) show();
  drawPaper();
  const where = `Pen ${down ? 'down' : 'up'} at ${pen[0]} across, ${pen[1]} down`;
  if (!step || !down) told.textContent = where;
});
for (const name of ['focus', 'blur']) paper.addEventListener(name, drawPaper);
looks.addEventListener('change', drawPaper);
find('.run').addEventListener('click', () => { strokes = [], down = false; show(); });
find('.undo').addEventListener('click', () => { strokes.pop(), down = false; show(); });
find('.more').addEventListener('click', example);
firstSeen = example;

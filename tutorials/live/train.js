const tales = held('tales').then(kept => new Uint8Array(kept));
const told = find('.told'), curve = find('.curve'), rows = find('.babble tbody');
const run = find('.run'), temperature = find('.temperature');
const kEvery = 50;  // steps between samples of text
let losses, landmarks, began = null, spent = 0;
let before = null;  // the curve and the settings of the model before this one
let trained = '';  // the settings of this model
let turn = 0, training = false;  // pressing the button ends the turn before it

/// Stops the running training and makes a new model with the chosen settings.
function begin() {
  if (losses?.length) before = { losses, chosen: trained };
  losses = [], spent = 0;
  rows.replaceChildren(rows.firstElementChild);
  const chosen = [find('.rate').value, find('.blocks').value];
  trained = `rate ${chosen[0]}, ${chosen[1]} ${chosen[1] === '1' ? 'block' : 'blocks'}`;
  began = tales.then(kept => call('start', chosen, kept)).then(([count, guess, pairs]) => {
    landmarks = [['knows nothing, ln V', guess], ['knows pairs of characters', pairs]];
    told.textContent = `${count.toLocaleString('en')} parameters.`;
    drawCurve();
  });
  return began;
}

async function look() {
  const step = losses.length;
  const [loss] = await call('held_out_loss');
  const written = text(await call('babble', [temperature.value, 60], bytes(find('.prompt').value)));
  const row = document.createElement('tr');
  add(row, 'td', {}, step);
  add(row, 'td', {}, loss.toFixed(2));
  add(add(row, 'td'), 'code', {}, find('.prompt').value + written.replaceAll('\n', '/'));
  rows.firstElementChild.after(row);
  if (rows.children.length > 9) rows.lastChild.remove();
  told.textContent = `Step ${step}, held-out loss ${loss.toFixed(2)}, ${(spent / Math.max(step, 1)).toFixed(0)} ms a step.`;
}

async function train() {
  const mine = ++turn;
  training = true;
  run.textContent = 'Stop';
  const model = began ?? begin();
  await model;
  if (losses.length === 0) await look();
  while (mine === turn) {
    const from = performance.now();
    const [loss] = await call('learn');
    if (model !== began) return;
    spent += performance.now() - from;
    losses.push(loss);
    requestAnimationFrame(drawCurve);
    if (losses.length % kEvery === 0) await look();
  }
}
function pause() {
  ++turn;
  training = false;
  run.textContent = losses?.length ? 'Go on' : 'Train';
}

const kLeft = 32, kTop = 12, kBottom = 214;
function drawCurve() {
  const width = curve.clientWidth || 640, right = width - 12;  // letters keep their size
  curve.setAttribute('viewBox', `0 0 ${width} 250`);
  const longest = Math.max(losses.length, before?.losses.length ?? 0);
  const steps = Math.max(100, 100 * Math.ceil(longest / 100)), most = landmarks[0][1] + 0.4;
  const x = step => kLeft + (right - kLeft) * step / steps;
  const y = loss => kBottom - (kBottom - kTop) * Math.max(0, Math.min(most, loss) - 1) / (most - 1);
  const path = values => values.map((v, i) => `${i ? 'L' : 'M'}${x(i + 1).toFixed(1)} ${y(v).toFixed(1)}`).join('');
  curve.replaceChildren();
  for (let loss = 1; loss < most; ++loss) {
    add(curve, 'path', { class: 'grid', d: `M${kLeft} ${y(loss)}H${right}` });
    add(curve, 'text', { x: kLeft - 8, y: y(loss) + 5, 'text-anchor': 'end' }, loss);
  }
  for (const step of [0, steps / 2, steps]) {
    add(curve, 'text', { x: x(step), y: kBottom + 18, 'text-anchor': step === steps ? 'end' : 'middle' }, step);
  }
  add(curve, 'text', { x: (kLeft + right) / 2, y: kBottom + 34, 'text-anchor': 'middle' }, 'steps');
  for (const [name, loss] of landmarks) {
    add(curve, 'path', { class: 'mark', d: `M${kLeft} ${y(loss)}H${right}` });
    add(curve, 'text', { x: right, y: y(loss) - 5, 'text-anchor': 'end' }, name);
  }
  const means = values => values.map((_, i) => {
    const near = values.slice(Math.max(0, i - 9), i + 1);
    return near.reduce((a, b) => a + b) / near.length;
  });
  if (before) {
    const line = means(before.losses), end = line.at(-1);
    add(curve, 'path', { class: 'before', d: path(line) });
    add(curve, 'text', { class: 'before', x: kLeft + 8, y: kBottom - 8 },
      `grey: ${before.chosen}, ${end.toFixed(2)} after ${line.length} steps`);
  }
  const smooth = means(losses);
  add(curve, 'path', { class: 'faint', d: path(losses) });
  add(curve, 'path', { class: 'line', d: path(smooth) });
  const last = smooth.at(-1);
  curve.setAttribute('aria-label', last ? `The loss after ${losses.length} steps is ${last.toFixed(2)}` : 'No step yet');
}

const again = () => { pause(); begin(); run.textContent = 'Train'; };
run.addEventListener('click', () => training ? pause() : train());
find('.again').addEventListener('click', again);
for (const choice of all('select')) choice.addEventListener('change', again);
temperature.addEventListener('input', () => { find('output').textContent = temperature.value; });
find('.write').addEventListener('click', async () => { await (began ?? begin()); look(); });

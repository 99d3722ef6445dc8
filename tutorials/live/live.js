// A live piece of a page. All pieces share one program, which is text in the site's live.js. It runs in a worker that is
// made after the page has loaded. call(name, numbers, bytes) returns numbers.
const inWorker = `
  let Module, begun;
  const ready = new Promise(done => { begun = done; });
  onmessage = async ({ data }) => {
    if (!Module) return program(Module = { wasmBinary: data, onRuntimeInitialized: begun });
    const [name, numbers] = data;
    await ready;
    const stack = Module.stackSave();
    try {
      const at = Module._live_arguments(numbers.length) / 8;
      Module.HEAPF64.set(numbers, at);
      const count = Module.ccall('live_call', 'number', ['string'], [name]);
      const from = Module._live_results() / 8;
      postMessage([Module.HEAPF64.slice(from, from + count)]);
    } catch (error) {  // a C++ exception arrives as its address in memory
      Module.stackRestore(stack);
      const said = typeof error === 'number' ? Module.ccall('live_trouble', 'string', ['number'], [error]) : String(error);
      postMessage([null, said]);
    }
  };`;
const root = document.currentScript.closest('.live');
const find = what => root.querySelector(what);
const all = what => [...root.querySelectorAll(what)];
const held = name => unpacked(find(`script.${name}`).textContent);

let worker;  // a promise of the worker, when it is first needed
const waiting = [];  // calls without an answer; the worker answers in order
const start = () => worker ??= makeWorker();
async function makeWorker() {
  await new Promise((done, failed) => {
    const script = add(document.head, 'script', { src: 'live.js' });
    script.onload = done;
    script.onerror = () => failed('live.js is missing');
  });
  const [program, wasm] = await Promise.all([kLiveProgram, kLiveWasm].map(unpacked));
  const parts = [inWorker, '\nfunction program(Module) {\n', program, '\n}'];
  const worker = new Worker(URL.createObjectURL(new Blob(parts, { type: 'text/javascript' })));
  worker.onmessage = ({ data: [numbers, error] }) => {
    const { name, asked, done, failed } = waiting.shift();
    settle();
    if (error) return failed(error);
    if (window.liveCalls) window.liveCalls.push([name, asked, numbers]);  // for docs/check_live.py
    done(numbers);
  };
  worker.onerror = event => stop(event.message);
  worker.postMessage(wasm);
  return worker;
}
const asking = (name, numbers = [], bytes = []) => new Promise((done, failed) => {
  const asked = new Float64Array(numbers.length + bytes.length);
  asked.set(numbers);
  asked.set(bytes, numbers.length);
  start().then(worker => {
    waiting.push({ name, asked, done, failed });
    worker.postMessage([`${root.dataset.piece}.${name}`, asked]);
  }, error => { stop(error); failed(error); });
});
// Like asking(), for calls that cannot fail.
const call = (...all) => asking(...all).catch(error => { stop(error); throw error; });
function stop(error) {
  root.removeAttribute('aria-busy');
  find('.still').hidden = false;
  find('.working').hidden = true;
  find('.why').textContent = `It could not run here: ${error}`;
}

// A touch is acknowledged in its own frame, even while the program is still starting: the piece shows that it is computing
// until the calls that waited at the first answer are answered. From then on answers are quick.
let owed, settled = false;
function settle() {
  owed = owed === undefined ? waiting.length : owed - 1;
  if (settled ||= owed === 0) root.removeAttribute('aria-busy');
}
for (const touch of ['click', 'input', 'change']) {
  find('.working').addEventListener(touch, ({ target }) => {
    if (!settled && target.closest('button, input, select, textarea, [tabindex]')) root.setAttribute('aria-busy', 'true');
  });
}

const bytes = text => new TextEncoder().encode(text);
const text = numbers => new TextDecoder().decode(Uint8Array.from(numbers));
// live.py keeps only the upper halves of numbers: bfloat16.
const numbersIn = kept => new Float32Array(Uint32Array.from(new Uint16Array(kept), half => half << 16).buffer);
// Adds an element with these attributes and this content; an SVG element if its parent is one.
function add(parent, tag, attributes = {}, content = '') {
  const drawing = parent.namespaceURI.endsWith('svg');
  const made = drawing ? document.createElementNS(parent.namespaceURI, tag) : document.createElement(tag);
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  made.textContent = content;
  return parent.appendChild(made);
}

let firstSeen = () => {};  // called when the piece first comes into view
addEventListener('load', () => setTimeout(() => start().catch(stop)));
find('.still').hidden = true;
find('.working').hidden = false;
new IntersectionObserver((seen, observer) => {
  if (seen.some(entry => entry.isIntersecting)) observer.disconnect(), setTimeout(() => firstSeen());
}).observe(root);


"""Drives each live piece of build/docs/html in Chromium with clicks, keys and drags; pages are files, and the network is off.

usage: check_live.py FOLDER BUILD [PIECE...]

Records each call that a page makes to its program, with the results. Repeats the calls with the same program compiled
natively (BUILD/tutorials/live): both results must agree within 1e-5, and the page must show them. A page must stay below
2 MB, acknowledge a touch before the next frame even if the program has not started, keep busy for at most 100 ms after a
touch, and have a still figure for readers without JavaScript. Prints each fault with its piece, and "N passed, N failed".
"""

import math
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from check_pages import ALLOWED, REQUESTS, WIDE, browser, set_width
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

MOST_BYTES, MOST_MS, NEAR, PATIENCE = 2_000_000, 100, 1e-5, 120

BEFORE = """
window.liveCalls = [];
window.liveTouches = [];
new PerformanceObserver(seen => {
  for (const e of seen.getEntries()) window.liveTouches.push([e.name, e.processingEnd - e.processingStart]);
}).observe({ type: 'event', durationThreshold: 16, buffered: true });
"""
# Touches a control as soon as the page has loaded, before the program starts, and records the events that follow.
FIRST_TOUCH = """
window.firstTouch = [];
const note = what => window.firstTouch.push([what, performance.now()]);
window.liveCalls.push = function (...calls) {
  if (!this.length) note('answered');
  return Array.prototype.push.apply(this, calls);
};
addEventListener('load', () => {
  const piece = document.querySelector('section.live');
  piece.scrollIntoView();
  const control = piece.querySelector('.working :is(button:enabled, input, select, textarea)');
  note('touched');
  if (control.matches('button')) control.click();
  else for (const kind of ['input', 'change']) control.dispatchEvent(new Event(kind, { bubbles: true }));
  if (/computing/.test(getComputedStyle(piece, '::after').content)) note('acknowledged');
  requestAnimationFrame(() => setTimeout(() => note('drawn')));
});
"""
# Presses the button at the answer to call number arguments[1] of a function. A model that trained for longer may draw
# another character, because its last digits differ.
STOP = """
const [name, count, button] = arguments, calls = window.liveCalls;
calls.push = call => {
  Array.prototype.push.call(calls, call);
  if (call[0] === name && calls.filter(other => other[0] === name).length === count) button.click();
};
"""
CALLS = "return window.liveCalls.map(call => [call[0], [...call[1]], [...call[2]]])"


class Piece:
    """A live piece in a browser."""

    def __init__(self, driver):
        self.driver = driver
        self.root = driver.find_element(By.CSS_SELECTOR, "section.live .working")
        driver.execute_script("arguments[0].scrollIntoView()", self.root)

    def find(self, what):
        return self.root.find_element(By.CSS_SELECTOR, what)

    def texts(self, what):
        return [e.text for e in self.root.find_elements(By.CSS_SELECTOR, what)]

    def click(self, what):
        self.find(what).click()

    def type(self, what, words):
        field = self.find(what)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(words)

    def calls(self, name):
        """The [arguments, results] of each call of a function so far."""
        return [call[1:] for call in self.driver.execute_script(CALLS + ".filter(call => call[0] === arguments[0])", name)]

    def until(self, happened, what):
        end = time.monotonic() + PATIENCE
        while not happened():
            if time.monotonic() > end:
                raise TimeoutError(f"waited {PATIENCE} s for {what}")
            time.sleep(0.1)

    def settle(self, name, count=1):
        """Waits until a function has been called `count` times and the page shows the result."""
        counted = "return window.liveCalls.filter(call => call[0] === arguments[0]).length"
        self.until(lambda: self.driver.execute_script(counted, name) >= count, f"{count} x {name}")
        time.sleep(0.2)


def train(piece):
    """Trains for some steps, stops, writes, and begins again with another rate."""
    piece.driver.execute_script(STOP, "learn", 20, piece.find("button.run"))
    piece.click("button.run")
    piece.settle("learn", 20)
    time.sleep(1)
    steps = len(piece.calls("learn"))
    time.sleep(1)
    yield "it does not stop", len(piece.calls("learn")) == steps
    yield f"the curve's words are {piece.find('svg').get_attribute('aria-label')!r}", f"after {steps} steps" in piece.find(
        "svg"
    ).get_attribute("aria-label")
    piece.type("input.prompt", "A fox ")
    piece.click("button.write")
    piece.settle("babble", 2)
    written = bytes(map(int, piece.calls("babble")[-1][1])).decode()
    shown = piece.texts("td code")[0].split()
    yield f"shows {shown}, not {written!r}", shown == ("A fox " + written.replace("\n", "/")).split()
    held_out = f"{piece.calls('held_out_loss')[-1][1][0]:.2f}"
    yield f"does not show the held-out loss {held_out}", held_out in piece.texts("td")
    Select(piece.find("select.rate")).select_by_visible_text("0.0005")
    piece.click("button.run")
    piece.settle("learn", steps + 5)
    piece.click("button.run")
    losses = [answer[0] for _, answer in piece.calls("learn")]
    yield "a new model begins elsewhere", abs(losses[0] - losses[steps]) < NEAR
    yield "another rate learns the same", abs(losses[4] - losses[steps + 4]) > 1e-3


def shown_tokens(piece, line):
    return "|".join(piece.texts(f".{line} .token"))


def merges(piece):
    """Merges step by step, goes back, and merges all of another text, which has letters of several bytes."""
    piece.settle("encode")
    yield "the text is not in bytes", shown_tokens(piece, "merged").startswith("t|h|e|_|h|e|n|_|a|n|d|")
    for calls in range(2, 7):
        piece.click("button.run")
        piece.settle("encode", calls)
    after_five = "the|_hen|_|a|n|d|_the|n|_the|_|o|the|r|_hen"  # as chapter 17's program prints
    yield f"after five merges: {shown_tokens(piece, 'merged')}", shown_tokens(piece, "merged") == after_five
    yield f"says {piece.find('.count').text}", piece.find(".count").text == "30 bytes, 14 tokens"
    yield "goes on where no pair occurs twice", not piece.find("button.run").is_enabled()
    yield f"the other text: {shown_tokens(piece, 'encoded')}", shown_tokens(piece, "encoded") == "the|n|_|a|_hen|_|a|n|d|_|a|_|c|a|t"
    piece.click("button.undo")
    piece.settle("encode", 7)
    yield f"undone: {shown_tokens(piece, 'merged')}", shown_tokens(piece, "merged").endswith("_the|_|o|the|r|_he|n")
    piece.type(".text", "já já já")
    piece.settle("encode", 8)
    piece.until(lambda: piece.find("button.every").is_enabled(), "merges to make")
    calls = len(piece.calls("encode"))
    piece.find("button.every").send_keys(Keys.ENTER)
    piece.settle("encode", calls + 1)
    yield f"já já já: {shown_tokens(piece, 'merged')}", shown_tokens(piece, "merged") == "já|_já|_já"


def attend(piece):
    """Types sentences, known and unknown, and takes another seed."""
    piece.settle("look")
    piece.type(".text", "hello i love you")
    piece.settle("look", 2)
    time.sleep(0.5)
    expected = [f"{x:.2f}" for x in piece.calls("look")[-1][1][:16]]
    shown = piece.texts(".weights td.weight")
    yield f"shows {shown}, not {expected}", shown == expected
    partners = [words.split()[0] for words in piece.texts(".weights td.partner")]
    yield f"names {partners}", partners == "I love I Hello".split()  # as chapter 09 prints for seed 7
    piece.type(".text", "hello dragon")
    time.sleep(0.5)
    yield "says nothing of a word it does not know", "dragon" in piece.find(".told").text
    piece.type(".text", "We miss")
    piece.find(".seed").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    piece.settle("start", 3)
    piece.until(lambda: "seed 9" in piece.find(".told").text, "the words of seed 9")
    yield "two words have no four weights", len(piece.texts(".weights td.weight")) == 4


def choose(piece):
    """Turns the knobs, draws characters and writes on."""
    piece.settle("look")
    knobs, size = [], len(piece.calls("start")[0][1])
    own, made = piece.calls("look")[0][1][:size], piece.calls("look")[0][1][size:]
    yield "without knobs, the bars differ from the model", own == made and abs(sum(own) - 1) < NEAR
    for knob, keys, words in (
        (".temperature", [Keys.HOME, *[Keys.ARROW_RIGHT] * 10], "0.5"),
        (".top_k", [Keys.HOME, *[Keys.ARROW_RIGHT] * 2], "3"),
        (".top_p", [Keys.END, *[Keys.ARROW_LEFT] * 4], "0.8"),
    ):
        piece.find(knob).send_keys(*keys)
        knobs.append(words)
        time.sleep(0.5)
        yield f"{knob} says {piece.texts('output')}", piece.texts("output")[: len(knobs)] == knobs
    asked, both = piece.calls("look")[-1]
    yield f"asked for {asked[:3]}", [round(x, 6) for x in asked[:3]] == [0.5, 3, 0.8]
    kept = [share for share in both[size:] if share > 0]
    yield f"{kept} are left of the three most probable", 1 <= len(kept) <= 3 and abs(sum(kept) - 1) < NEAR
    shown = sorted(words for words in piece.texts(".share"))
    expected = sorted(f"{share:.2f}".removeprefix("0") for share in kept)
    yield f"shows {shown}, not {expected}", shown == expected
    looks = len(piece.calls("look"))
    piece.find(".text").send_keys("q")
    piece.settle("look", looks + 1)
    piece.click("button.back")
    piece.settle("look", looks + 2)
    before = piece.find(".text").get_attribute("value")
    for draws in (1, 2, 3):
        piece.click("button.run")
        piece.settle("choose", draws)
    piece.click("button.more")
    piece.settle("go_on")
    after = piece.find(".text").get_attribute("value")
    yield f"writes {after!r}", after.startswith(before) and len(after) == len(before) + 83
    piece.click("button.back")
    time.sleep(0.5)
    yield "does not start again", piece.find(".text").get_attribute("value") == before


def positions(piece):
    """Moves both positions, which changes no product, and takes other channels, another base, and rotations."""
    piece.settle("products")
    yield f"says {piece.find('.told').text}", "20.135" in piece.find(".told").text  # as chapter 12 prints for 64 channels
    piece.find(".position").send_keys(*[Keys.ARROW_RIGHT] * 5)
    piece.settle("products", 2)
    time.sleep(0.5)
    first, last = piece.calls("products")[0][1], piece.calls("products")[-1][1]
    yield "the products differ from place to place", max(abs(a - b) for a, b in zip(first, last)) < 1e-3
    yield f"is at {piece.texts('output')}", piece.texts("output") == ["35", "25", "6"]
    piece.find(".distance").send_keys(*[Keys.ARROW_LEFT] * 3)
    piece.find(".pair").send_keys(Keys.END)
    time.sleep(0.5)
    yield f"says {piece.find('.told').text}", f"p(57) = {last[22]:.3f}" in piece.find(".told").text
    Select(piece.find("select.channels")).select_by_visible_text("8")
    Select(piece.find("select.base")).select_by_visible_text("100")
    piece.settle("table", 3)
    time.sleep(0.5)
    vectors = piece.calls("table")[-1][1]
    yield f"pair {piece.texts('output')[2]} of four", piece.texts("output")[2] == "3"
    shown = piece.find(".waves").get_attribute("aria-label")
    yield f"says {shown}", shown.startswith(f"Pair 3: sine {vectors[35 * 8 + 6]:.2f}, cosine {vectors[35 * 8 + 7]:.2f} at position 35")
    yield "no strip for each channel", len(piece.root.find_elements(By.CSS_SELECTOR, ".vectors rect")) == 17
    Select(piece.find("select.kind")).select_by_value("rotated")
    piece.settle("rotated")
    piece.find(".position").send_keys(Keys.HOME)
    piece.settle("rotated", 2)
    here, there = (answer for _, answer in piece.calls("rotated")[:2])
    yield "rotated products differ from place to place", max(abs(a - b) for a, b in zip(here, there)) < 1e-3


def steps(piece):
    """Steps through expressions forwards and backwards with clicks and keys, types others, and makes mistakes."""
    piece.settle("gradients")

    def finish():
        time.sleep(0.5)
        last = int(piece.find(".count").text.split()[-1])
        for _ in range(last - int(piece.find(".count").text.split()[1])):
            piece.find(".graph").find_elements(By.TAG_NAME, "button")[1].click()
        values = piece.calls("gradients")[-1][1]
        pairs = sorted(f"value {v:.4g}|grad {g:.4g}" for v, g in zip(values[::2], values[1::2]))
        boxes = piece.root.find_elements(By.CSS_SELECTOR, ".graph g.box")
        return sorted("|".join(e.text for e in box.find_elements(By.TAG_NAME, "text")[1:]) for box in boxes), pairs

    shown, expected = finish()
    yield f"shows {shown}, not {expected}", shown == expected and "value 2|grad 15" in shown
    yield "goes on after the last step", not piece.find(".graph").find_elements(By.TAG_NAME, "button")[1].is_enabled()
    back = piece.find(".graph").find_element(By.TAG_NAME, "button")
    back.send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_RIGHT)
    yield f"after two steps back and one on: {piece.find('.count').text}", piece.find(".count").text == "step 6 of 7"
    yield "a gradient is there before its step", sum(words.startswith("grad") for words in piece.texts(".graph .grad")) == 6
    Select(piece.find("select.example")).select_by_index(1)
    piece.settle("gradients", 2)
    shown, expected = finish()
    yield f"shows {shown}, not {expected}", shown == expected and "value 1|grad 8" in shown and "value 2|grad 11" in shown
    piece.type(".text", "x = 0.5; y = tanh(3x - 1) x")
    piece.settle("gradients")
    time.sleep(0.5)
    shown, expected = finish()
    yield f"shows {shown}, not {expected}", shown == expected and len(shown) == 7
    for wrong, said in (("y = a + 1", "a has no value yet"), ("y = (2 + 3", "a bracket does not end"), ("y = 2 +", "name is missing")):
        piece.type(".text", wrong)
        time.sleep(0.5)
        yield f"{wrong}: {piece.find('.told').text}", piece.find(".told").text.startswith("Line 1") and said in piece.find(".told").text


def strides(piece):
    """Reads [2, 3, 4] in every way with clicks and keys, in both directions, and gives shapes that do not fit."""
    piece.settle("read")
    choose = Select(piece.find("select.reading"))

    def cells(where):
        time.sleep(0.4)
        return piece.root.find_elements(By.CSS_SELECTOR, f".{where} .cell")

    def told(words):
        return f"says {piece.find('.told').text}, not {words}", piece.find(".told").text == words

    cells("view")[21].click()
    yield told("Element [1, 2, 1] is in cell 1 · 12 + 2 · 4 + 1 · 1 = 21.")  # as at the top of chapter 01
    yield "the cell is not marked", "chosen" in cells("memory")[21].get_attribute("class")
    cells("view")[21].send_keys(Keys.ARROW_UP)
    yield told("Element [1, 1, 1] is in cell 1 · 12 + 1 · 4 + 1 · 1 = 17.")
    cells("memory")[6].click()
    yield told("Cell 6 is read as [0, 1, 2].")
    for kind, words, in_order in (
        ("with the last two axes exchanged", "shape [2, 4, 3], strides [12, 1, 4], first offset 0", "0 4 8 1 5"),
        ("as a slice", "shape [1, 3, 4], strides [12, 4, 1], first offset 12", "12 13 14 15 16"),
        ("backwards", "shape [2, 3, 4], strides [-12, 4, 1], first offset 12", "12 13 14 15 16"),
        ("as in x + y", "shape [2, 2, 3, 4], strides [0, 12, 4, 1], first offset 0", "0 1 2 3 4"),
    ):
        choose.select_by_visible_text(kind)
        shown = " ".join(cell.text for cell in cells("view")[:5])
        yield f"{kind}: {piece.find('.described').text}", piece.find(".described").text == words
        yield f"{kind}: {shown}", shown == in_order
        expected = [f"{x:.0f}" for x in piece.calls("read")[-1][1]][-len(cells("view")) :]
        yield f"{kind}: other cells than it was told", [cell.text for cell in cells("view")] == expected
    cells("memory")[5].click()
    yield told("Cell 5 is read as [0, 0, 1, 1], [1, 0, 1, 1].")
    piece.type(".shape", "3")
    piece.type(".other", "2, 4")
    time.sleep(0.5)
    yield told("x + y: [3] and [2, 4] do not broadcast: 3 is not 4.")  # pocket's message
    piece.type(".shape", "3, 1")
    piece.type(".other", "4")
    yield "a column is not repeated", [cell.text for cell in cells("view")] == "0 0 0 0 1 1 1 1 2 2 2 2".split()
    piece.type(".shape", "9, 9")
    time.sleep(0.5)
    yield told("[9, 9] has 81 numbers: choose at most 48.")


def digit(piece):
    """Draws digits by dragging and with keys, lets the program draw, and looks at the class token's weights."""
    piece.settle("example")
    paper = piece.find(".paper")

    def sheet():
        piece.click("button.run")
        time.sleep(0.3)

    def drag(*places):
        """Drags along places, given in pixels of the image."""
        scale = paper.rect["width"] / 16
        moves = ActionChains(piece.driver, duration=20)
        at = [(scale * (x - 8), scale * (y - 8)) for x, y in places]
        moves.move_to_element_with_offset(paper, *map(round, at[0])).click_and_hold()
        for x, y in at[1:]:
            moves.move_to_element_with_offset(paper, round(x), round(y))
        moves.release().perform()
        time.sleep(0.5)

    def reads(wanted, name="read"):
        shares = piece.calls(name)[-1][1][256:266]
        best = max(range(10), key=lambda i: shares[i])
        shown = piece.texts(".bars .share")
        yield f"shows {shown}", shown == [f"{share:.3f}" for share in shares]
        yield f"reads {best}, not {wanted}: {piece.find('.told').text}", best == wanted and f"reads a {wanted}" in piece.find(".told").text

    yield "nothing is drawn at first", "The program drew a" in piece.find(".told").text
    sheet()
    drag((4, 3), (12, 3), (10, 8), (8, 13.5))
    yield from reads(7)
    sheet()
    drag((8, 2), (8, 14))
    drag((6, 4.5), (8, 2))
    yield from reads(1)
    piece.click("button.undo")
    time.sleep(0.5)
    yield "undo leaves two strokes", piece.calls("read")[-1][0].count(-1) == 1
    sheet()
    paper.send_keys(*[Keys.ARROW_LEFT] * 4, " ", *[Keys.ARROW_RIGHT] * 8, *[Keys.ARROW_DOWN] * 3, Keys.ARROW_LEFT, *[Keys.ARROW_DOWN] * 7, " ")
    time.sleep(0.5)
    yield from reads(7)
    piece.click("button.more")
    piece.settle("example", 2)
    answer = piece.calls("example")[-1][1]
    yield from reads(int(answer[-1]), "example")
    piece.click(".looks")
    shown = [e.get_attribute("data-weight") for e in piece.root.find_elements(By.CSS_SELECTOR, ".paper .look")]
    yield f"the class token's weights: {shown}", shown == [f"{w:.3f}" for w in answer[267:283]]
    yield "the weights have another sum than 1", abs(sum(answer[266:283]) - 1) < NEAR


def heads(piece):
    """Types words, chooses heads with clicks and keys, and switches one off."""
    piece.settle("look")
    time.sleep(0.3)

    def chosen(head, length):
        answer = piece.calls("look")[-1][1]
        expected = [f"{answer[(head * length + t) * length + s]:.2f}" for t in range(length) for s in range(t + 1)]
        shown = [words for words in piece.texts(".weights td.weight") if words]
        yield f"head {head}: shows {shown[:6]}, not {expected[:6]}", shown == expected

    yield from chosen(5, 8)
    yield f"expects {piece.texts('.weights td.next')}", [w.split()[0] if w else "" for w in piece.texts(".weights td.next")] == [""] * 5 + ["saw", "the", "red"]
    yield f"says {piece.find('.told').text}", "expects red next" in piece.find(".told").text  # the word after "the" before
    buttons = piece.root.find_elements(By.CSS_SELECTOR, ".thumbs button")
    buttons[0].click()
    yield from chosen(0, 8)
    yield "the choice is not said", [b.get_attribute("aria-pressed") for b in buttons].index("true") == 0
    piece.type(".text", "A b c d a b c")
    time.sleep(0.7)
    buttons[7].send_keys(Keys.ENTER)
    yield from chosen(7, 7)
    yield f"says {piece.find('.told').text}", "expects d next" in piece.find(".told").text
    calls = len(piece.calls("look"))
    before = piece.calls("look")[-1][1]
    piece.click(".off")
    piece.settle("look", calls + 1)
    after = piece.calls("look")[-1][1]
    yield "switched off, the head in layer 2 moves weights of others", before[: 8 * 49] == after[: 8 * 49]
    yield "switched off, the head is in the answer", before[8 * 49 :] != after[8 * 49 :]
    buttons[0].click()
    piece.settle("look", calls + 2)
    yield "a head of layer 1 has no part in layer 2", piece.calls("look")[-1][1][4 * 49 : 8 * 49] != before[4 * 49 : 8 * 49]
    piece.type(".text", "a b c d e f g h i j k l m")
    time.sleep(0.5)
    yield f"says {piece.find('.told').text}", "13 words" in piece.find(".told").text


def turned(piece):
    """Moves a rotated query and key together, which changes no score, and apart."""
    piece.settle("rotated")
    yield f"is {piece.find('select.kind').get_attribute('value')}", piece.find("select.kind").get_attribute("value") == "rotated"
    piece.find(".position").send_keys(*[Keys.ARROW_RIGHT] * 5)
    piece.settle("rotated", 2)
    time.sleep(0.5)
    first, last = piece.calls("rotated")[0][1], piece.calls("rotated")[-1][1]
    yield "scores differ from place to place", max(abs(a - b) for a, b in zip(first, last)) < 1e-3
    before = piece.find(".told").text
    piece.find(".distance").send_keys(Keys.ARROW_LEFT)
    time.sleep(0.5)
    said = piece.find(".told").text
    yield f"says {said}", said != before and f"a key at 35, 24 steps back: score {last[24]:.3f}" in said
    yield "two distances have one score", abs(last[24] - last[25]) > 1e-3


def one_loss(piece):
    """Steps through the loss of one point."""
    piece.settle("gradients")
    time.sleep(0.5)
    values = piece.calls("gradients")[-1][1]
    for _ in range(int(piece.find(".count").text.split()[-1])):
        button = piece.find(".graph").find_elements(By.TAG_NAME, "button")[1]
        if button.is_enabled():
            button.click()
    shown = [words for words in piece.texts(".graph .grad") if words.startswith("grad")]
    yield f"{len(shown)} gradients of {len(values) // 2}", len(shown) == len(values) // 2
    loss, d = values[-2], math.tanh(1.5 * 0.8 - 0.3) * 2 - 1
    yield f"the loss is {loss}", abs(loss - d * d) < 1e-4
    yield f"the gradient of t is not among {shown}", any(abs(float(words.split()[1]) + 2 * d) < 1e-3 for words in shown)


PIECES = {"train": train, "merges": merges, "attend": attend, "choose": choose, "positions": positions, "steps": steps, "strides": strides,
    "digit": digit, "heads": heads}
ELSEWHERE = {"chapter04.html": one_loss, "chapter13.html": turned}  # pages that use another page's piece with their own example


def first_touch(driver, url):
    """Checks that a touch of a page that has just loaded is acknowledged before the next frame, and answered."""
    script = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FIRST_TOUCH})
    driver.get(url)
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    piece = Piece(driver)
    piece.until(lambda: {"drawn", "answered"} <= {what for what, _ in driver.execute_script("return window.firstTouch")}, "the first answer")
    seen = driver.execute_script("return window.firstTouch")
    order, at = [what for what, _ in seen], dict(seen)
    # The order holds however long the program takes to load.
    yield f"the first touch: {', '.join(order)}", order == ["touched", "acknowledged", "drawn", "answered"]
    busy = "return document.querySelector('section.live').ariaBusy"
    piece.until(lambda: driver.execute_script(busy) is None, "the end of computing")
    after = {what: at[what] - at["touched"] for what in ("drawn", "answered")}
    print(f"  first touch: drawn after {after['drawn']:.0f} ms, first answer after {after['answered']:.0f} ms", flush=True)


def differences(build, name, calls):
    """The calls for which the native program's results differ from the page's."""
    lines = "".join(f"{name}.{function} {' '.join(map(repr, numbers))}\n" for function, numbers, _ in calls)
    run = subprocess.run([pathlib.Path(build, "tutorials", "live")], input=lines, capture_output=True, text=True)
    answers = [list(map(float, line.split())) for line in run.stdout.splitlines()]
    if run.returncode != 0 or len(answers) != len(calls):
        return [f"the native program answered {len(answers)} of {len(calls)} calls: {run.stderr.strip()}"]
    faults = []
    for i, ((function, _, here), native) in enumerate(zip(calls, answers)):
        if len(here) != len(native):
            faults.append(f"call {i}, {function}: {len(here)} numbers, natively {len(native)}")
        elif far := [(a, b) for a, b in zip(here, native) if not abs(a - b) <= NEAR * max(1, abs(b))]:
            faults.append(f"call {i}, {function}: {far[0][0]!r}, natively {far[0][1]!r}")
    return faults[:3]


# The parts of a page that are visible without scripts.
STILL = """
const still = document.querySelector('section.live .still'), working = document.querySelector('section.live .working');
const drawn = [...still.querySelectorAll('svg')].filter(svg => svg.getBoundingClientRect().height > 20 && svg.querySelectorAll('rect, path, circle').length > 1);
return { shown: still.getClientRects().length > 0 && still.innerText.length > 60, working: working.getClientRects().length > 0,
         wanted: working.querySelectorAll('svg').length, drawn: drawn.length, cells: still.querySelectorAll('td').length };
"""


def without_scripts(driver, url):
    """Checks that a page without scripts shows a drawing if its piece draws, and otherwise a drawing or a table."""
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    driver.get(url)
    seen = driver.execute_script(STILL)
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    if not seen["shown"] or seen["working"]:
        yield "without scripts there is nothing to see, or what does not run"
    elif seen["wanted"] and not seen["drawn"]:
        yield "without scripts there is no drawing"
    elif not seen["drawn"] and seen["cells"] < 8:
        yield "without scripts there is neither drawing nor table"


def faults_of(driver, folder, page, build, name):
    file = folder / page
    text = file.read_text()
    if (size := file.stat().st_size) >= MOST_BYTES:
        yield f"the page has {size} bytes"
    yield from without_scripts(driver, file.as_uri())
    try:
        yield from (fault for fault, well in first_touch(driver, file.as_uri()) if not well)
        driver.get(file.as_uri())
        piece = Piece(driver)
        yield from (fault for fault, well in ELSEWHERE.get(page, PIECES[name])(piece) if not well)
    except TimeoutError as late:
        yield str(late)
    touches = driver.execute_script("return window.liveTouches")
    slow = max((ms for _, ms in touches), default=0)
    if slow > MOST_MS:
        yield f"a touch kept the page busy for {slow:.0f} ms"
    yield from (f"console: {e['message']}" for e in driver.get_log("browser") if e["level"] in ("SEVERE", "WARNING"))
    outside = [url for url in driver.execute_script(REQUESTS) if not url.startswith((folder.as_uri(), *ALLOWED))]
    yield from (f"asks for {url}" for url in outside)
    calls = driver.execute_script(CALLS)
    yield from differences(build, name, calls)
    print(f"{name}: {page}, {size // 1000} kB, {len(calls)} calls, busy for {slow:.0f} ms at most after a touch", flush=True)


def main():
    folder, build, *names = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    found = []  # (piece, page) for each page with a piece
    for file in sorted(folder.glob("chapter*.html")):
        text = file.read_text()
        if (piece := re.search(r'<section class="live" data-piece="(\w+)"', text)) and '<div class="working"' in text:
            found.append((piece[1], file.name))
    failed = 0
    tried = [(piece, page) for piece, page in found if not names or piece in names]
    for name, page in tried:
        with tempfile.TemporaryDirectory() as profile:
            driver = browser(profile)
            try:
                set_width(driver, WIDE)
                driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": BEFORE})
                faults = list(dict.fromkeys(faults_of(driver, folder, page, build, name)))
            finally:
                driver.quit()
        failed += bool(faults)
        print("".join(f"  {fault}\n" for fault in faults), end="")
    print(f"{len(tried) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

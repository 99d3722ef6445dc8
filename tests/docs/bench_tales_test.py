"""Tests bench/tales on tales and samples whose measures are counted by hand, and its errors with gradus itself.

usage: bench_tales_test.py SOURCE_ROOT GRADUS
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from verdicts import finish, verdict

root, gradus = (pathlib.Path(path).resolve() for path in sys.argv[1:])
WHO = [("The fox", "the fox", "box"), ("Max", "Max", "hat"), ("The hen", "the hen", "pot"), ("Tom", "Tom", "cup")]
TALE = '''{0} and the {2}

{0} had a {2}. He saw it with {1}. "Hello," said {1}.

The {2} fell. {0} took the {2}. Then {1} slept.'''
SAMPLES = [
    # Correct, except for two new words of 22, which are plurals of known words. Four sentences, one quote.
    'The Hen and the Pots\n\nThe hen had a pot. "Hello," said the hen.\n\nThe pot fell with it. '
    "The hens slept.\n\n\nThe Hat\n\nNobody counts this. Nobody counts this.",
    # 25 words, one new. One of five sentences is open, and so is the only quote. The sentence that is there twice is too short
    # to count. The fox does not come again, the hat is missing, and Max comes from nowhere.
    'The Fox and the Hat\n\nThe fox had a bix. He saw the fox and slept\n\nThe box fell. The box fell. "Hello, said Max.\n\n\n',
    # 17 words. It breaks off, has a sentence twice, and does not name Max again.
    "Max and the Hat\n\nMax had the hat. Max had the hat.\n\nHe took the hat and",
    # 15 words, all correct. It stops after a whole sentence.
    "Tom and the Cup\n\nTom had a cup.\n\nHe took the cup. Then Tom slept.",
]
COUNTED = {"bits_per_byte": (1.25, 400), "new_words": (3 / 79, 79), "sentences_close": (13 / 15, 15),
           "quotes_close": (1 / 2, 2), "all_come_again": (2 / 4, 4), "thing_of_title": (3 / 4, 4), "known_at_end": (2 / 3, 3),
           "sentence_twice": (1 / 4, 4), "ends_by_itself": (3 / 4, 4), "words": (79 / 4, 4)}  # fmt: skip
HELD_OUT = {"new_words": 0, "sentences_close": 1, "quotes_close": 1, "all_come_again": 1, "thing_of_title": 1,
            "known_at_end": 1, "sentence_twice": 0}  # fmt: skip
THREAD = ("all_come_again", "thing_of_title", "known_at_end")
# A gradus that prints these samples and keeps its arguments.
CANNED = f"""#!{sys.executable}
import json, sys
with open(__file__ + ".calls", "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
if sys.argv[1] == "eval":
    print(json.dumps({{"bits_per_byte": 1.25, "tokens": 400, "checkpoint": "run/best"}}))
else:
    print("---------------\\n".join("\\n\\n\\n" + text + "\\n" for text in {SAMPLES!r}), end="")
"""


def tales(*arguments, build):
    """The exit code, standard output and the last line of standard error."""
    done = subprocess.run([sys.executable, root / "bench/tales", "--build", build, *arguments],
                          capture_output=True, text=True, cwd=build)  # fmt: skip
    return done.returncode, done.stdout, (done.stderr.splitlines() or [""])[-1]


def values(found):
    return {key: measure["value"] for key, measure in found.items()}


with tempfile.TemporaryDirectory() as made:
    made = pathlib.Path(made)
    text = made / "tales.txt"
    text.write_text("\n\n\n".join(TALE.format(*who) for who in 10 * WHO) + "\n")
    (made / "gradus").write_text(CANNED)
    (made / "gradus").chmod(0o755)

    code, out, err = tales("--text", text, "--out_dir", "run", "--json", "--", "--top_p", "0.9", "--seed=7", build=made)
    found = json.loads(out)["samples"] if code == 0 else {}
    verdict("runs on canned samples", code == 0, err)
    for key, (value, cases) in COUNTED.items():
        got = found.get(key, {})
        verdict(key, got.get("of") == cases and abs(got["value"] - value) < 1e-12, f"{got}, not {value} of {cases}")
    calls = [json.loads(line) for line in (made / "gradus.calls").read_text().splitlines()] if code == 0 else err
    wanted = [["eval", "--out_dir", "run", "--checkpoint", "best", "--text", str(text), "--split=val", "--json"],
              ["sample", "--checkpoint", "run/best", "--top_p", "0.9", "--seed=7", "--start", "\n\n\n",
               "--num_samples", "100"]]  # fmt: skip
    verdict("asks gradus for the held-out loss and 100 samples", calls == wanted, calls)

    code, out, err = tales("--text", text, "--corpus", "--shuffled", "--json", build=made)
    columns = json.loads(out) if code == 0 else {"corpus": {}, "shuffled": {}}
    held_out, shuffled = values(columns["corpus"]), values(columns["shuffled"])
    verdict("the controls need no model", list(columns) == ["corpus", "shuffled"], f"{list(columns)} {err}")
    verdict("the held-out tales hold together", {key: held_out.get(key) for key in HELD_OUT} == HELD_OUT, held_out)
    verdict("their mixed parts do not", [shuffled.get(key) for key in THREAD] == [0, 0, 0], shuffled)

    code, out, err = tales("--corpus", "--shuffled", "--json", build=made)
    columns = {name: values(found) for name, found in json.loads(out).items()}
    separate = all(columns["corpus"][key] > 0.6 and columns["shuffled"][key] < 0.1 for key in THREAD)
    verdict("the measures of a thread separate tales.txt from its mixed parts", separate, columns)

    code, out, err = tales("--text", text, "--out_dir", "run", "--corpus", build=made)
    rows = [" ".join(line.split()) for line in out.splitlines()]
    wanted = {"samples corpus", "bits per byte 1.250 -", "persons named again 50.0% of 4 100.0% of 4"}
    verdict("prints a table", wanted <= {*rows}, out)

    (made / "one.txt").write_text(TALE.format(*WHO[0]))
    code, out, err = tales("--text", "one.txt", "--corpus", build=made)
    verdict("refuses a text of one tale", code == 1 and "needs 10 tales" in err and "(give a text" in err, err)
    code, out, err = tales("--text", "nowhere.txt", "--corpus", build=made)
    verdict("refuses a text that is not there", code == 1 and "nowhere.txt" in err and "(give" in err, err)

    code, out, err = tales("--text", text, "--corpus", "--", "--top_p", "0.9", build=made)
    verdict("refuses flags that nothing uses", code == 2 and not out and "--top_p" in err and "(give --out_dir" in err, out + err)

    # The messages about a model come from gradus.
    (made / "gradus").unlink()
    code, out, err = tales("--text", text, build=made)
    verdict("refuses a build without gradus", code == 1 and "there is no" in err and "(./run bench tales" in err, err)
    (made / "gradus").symlink_to(gradus)
    (made / "empty").mkdir()
    bert = root / "tests/golden/bert_hf"
    for name, arguments, said in [("refuses a folder without a run", [], "no trained model"),
                                  ("refuses a folder that is not there", ["--out_dir", "nowhere"], "nowhere: does not exist"),
                                  ("refuses a folder without a model", ["--out_dir", "empty"], "empty: contains no model"),
                                  ("refuses a BERT", ["--out_dir", bert], "must be a GPT, got a bert")]:  # fmt: skip
        code, out, err = tales("--text", text, *arguments, build=made)
        verdict(name, code in (1, 2) and not out and said in err and "(" in err, f"exit {code}: {out}{err}")
finish()

#!/usr/bin/env python3
"""Tokenizers in plain Python, for the C++ ones to be compared with: writes tokenizers.json.

Nothing here is fast or clever. Merges are learned by counting all pairs anew each time, pieces are
found character by character from unicodedata's categories, and a piece is encoded by looking for
its best merge again and again. Needs only the standard library.

usage: python3 tests/golden/tokenizer_reference.py
"""

import json
import pathlib
import random
import unicodedata
from collections import Counter

CONTRACTIONS = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"]
WHITE_SPACE = set("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {
    chr(code) for code in range(0x2000, 0x200B)}


CHARACTERS = [code for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]


# --- GPT-2's pieces ---

def kind(character):
    if character in WHITE_SPACE:
        return "blank"
    return {"L": "letter", "N": "digit"}.get(unicodedata.category(character)[0], "other")


def pieces_of_text(text):
    """'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"""
    at = 0
    while at < len(text):
        end = at
        for ending in CONTRACTIONS:
            if text.startswith(ending, at):
                end = at + len(ending)
                break
        else:
            start = at + 1 if text[at] == " " and at + 1 < len(text) else at
            if kind(text[start]) == "blank":
                start = at
            end = start
            while end < len(text) and kind(text[end]) == kind(text[start]):
                end += 1
            if kind(text[start]) == "blank" and end < len(text) and end - start > 1:
                end -= 1  # the last blank belongs to the next piece
        yield text[at:end]
        at = end


def pieces(data):
    """Of bytes: each run of bytes that are not UTF-8 is a piece, texts in between stand alone."""
    text = data.decode("utf-8", "surrogateescape")
    run = ""
    for i, character in enumerate(text):
        run += character
        is_bad = 0xDC80 <= ord(character) <= 0xDCFF
        if i + 1 == len(text) or (0xDC80 <= ord(text[i + 1]) <= 0xDCFF) != is_bad:
            if is_bad:
                yield run.encode("utf-8", "surrogateescape")
            else:
                yield from (piece.encode() for piece in pieces_of_text(run))
            run = ""


# --- byte-pair encoding ---

def byte_order():
    printing = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return printing + [byte for byte in range(256) if byte not in printing]


def merge_all(symbols, pair, result):
    out, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i:i + 2]) == pair:
            out.append(result)
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return out


def learn_merges(words, tokens, join, limit):
    """words: {tuple of symbols: count}; appends to tokens, returns [(left, right, result)]."""
    merges = []
    words = [[list(symbols), count] for symbols, count in words.items()]
    while len(tokens) < limit:
        counts = Counter()
        for symbols, count in words:
            for pair in zip(symbols, symbols[1:]):
                counts[pair] += count
        if not counts:
            break
        pair, count = min(counts.items(), key=lambda item: (-item[1], item[0]))
        if count < 2:
            break
        result = len(tokens)
        joined = join(tokens[pair[0]], tokens[pair[1]])
        assert joined not in tokens
        tokens.append(joined)
        merges.append((*pair, result))
        for word in words:
            word[0] = merge_all(word[0], pair, result)
    return merges


def learn_byte_pairs(data, vocab_size):
    """One token of the vocabulary is <|endoftext|>, the last."""
    tokens = [bytes([byte]) for byte in byte_order()]
    words = Counter(tuple(tokens.index(piece[i:i + 1]) for i in range(len(piece)))
                    for piece in pieces(data))
    merges = learn_merges(words, tokens, lambda a, b: a + b, vocab_size - 1)
    return tokens, merges


def encode(data, tokens, merges):
    ranks = {(left, right): (rank, result) for rank, (left, right, result) in enumerate(merges)}
    out = []
    for piece in pieces(data):
        symbols = [tokens.index(piece[i:i + 1]) for i in range(len(piece))]
        while True:
            found = [(ranks[pair][0], i) for i, pair in enumerate(zip(symbols, symbols[1:]))
                     if pair in ranks]
            if not found:
                break
            rank, i = min(found)
            symbols[i:i + 2] = [merges[rank][2]]
        out += symbols
    return out


# --- WordPiece ---

def is_chinese(character):
    return any(low <= ord(character) <= high for low, high in [
        (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
        (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)])


def is_mark(character):
    in_ascii = ord(character) < 128 and character.isprintable() and not character.isalnum()
    return (in_ascii and character != " ") or unicodedata.category(character)[0] == "P"


def bert_words(text, fold):
    """The steps in the order of Devlin et al.: clean, part Chinese, lower case, accents, marks."""
    clean = ""
    for character in text:
        if character in WHITE_SPACE and character not in "\v\f\x85":
            clean += " "
        elif unicodedata.category(character) not in ("Cc", "Cf", "Co") and character != "\ufffd":
            clean += f" {character} " if is_chinese(character) else character
    words = []
    for word in clean.split(" "):
        if fold:
            word = "".join(character.lower() for character in word)
            word = unicodedata.normalize("NFD", word)
            word = "".join(c for c in word if unicodedata.category(c) != "Mn")
        for character in word:
            if is_mark(character):
                words += [" ", character, " "]
            else:
                words.append(character)
        words.append(" ")
    return "".join(words).split(" ")


def without_accents(character):
    """The character's decomposition less its marks; a mark on its own stays."""
    if unicodedata.category(character) == "Mn":
        return character
    parts = unicodedata.normalize("NFD", character)
    return "".join(part for part in parts if unicodedata.category(part) != "Mn")


def folded_characters():
    """Some hundred characters: of those that change every 29th, of the others every 997th. None that Unicode has yet to
    assign, so that a later version folds them alike."""
    assigned = [code for code in CHARACTERS if unicodedata.category(chr(code)) != "Cn"]
    changed = [code for code in assigned if chr(code).lower() != chr(code) or without_accents(chr(code)) != chr(code)]
    special = [*range(0x130, 0x132), 0x300, 0x1E9E, 0x2126, 0xAC00, 0xAC01, 0xD7A3, 0xFFFD, 0x10FFFD]
    return sorted({*special, *changed[::29], *(set(assigned[::997]) - set(changed))})


def words_of(text, fold):
    return [word for word in bert_words(text, fold) if word]


def learn_word_pieces(text, vocab_size):
    counts = Counter(words_of(text, True))
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokens += sorted({word[0] for word in counts})
    tokens += ["##" + character for character in sorted({c for word in counts for c in word[1:]})]
    words = {tuple(tokens.index(character if i == 0 else "##" + character)
                   for i, character in enumerate(word)): count for word, count in counts.items()}
    learn_merges(words, tokens, lambda a, b: a + b[2:], vocab_size)
    return tokens


def encode_word_pieces(text, tokens):
    out = []
    for word in words_of(text, True):
        found, at = [], 0
        while at < len(word) and len(word) <= 100:
            fits = [end for end in range(at + 1, len(word) + 1)
                    if ("##" if at else "") + word[at:end] in tokens]
            if not fits:
                break
            found.append(tokens.index(("##" if at else "") + word[at:fits[-1]]))
            at = fits[-1]
        out += found if at == len(word) else [tokens.index("[UNK]")]
    return out


# --- the cases ---

PROSE = """The fox said: "Isn't it a fine day?" They've gone; I'll wait, you'd see we're here, I'm sure.
O gato não dorme: está à espera do café. São três irmãs e um irmão; amanhã não há pão.
Быстрая лиса прыгает через ленивую собаку, и ещё раз: лиса, лиса, собака.
敏捷的狐狸跳过懒狗。狐狸跳过狗。 すばしこい狐。 여우가 개를 뛰어넘는다. שלום עולם, مرحبا بالعالم.
In 1984, 12 345 foxes ran 3.14159 miles; 2048 = 2^11. Banana bananas, aaaa aaaaaaa aaaaaaaaaaa!
    for (int i = 0; i < 10; ++i) {\n\t\treturn x[i];   \n    }\n\n\n
The fox and the dog and the fox and the dog. \U0001F98A\U0001F98A \U0001F468\u200D\U0001F469\u200D\U0001F467 \U0001F1E7\U0001F1F7
""" * 2

SAMPLES = [
    b"", b" ", b"a", b"\n", b"  ", b" a", b"a ", b"  a", b"   \n  b\t\tc  ", b"\r\n\r\nline\r\n end \r\n",
    b"the fox's I'm you're HE'S they'll 'tis 'sad don't 'd'd ' s", b"x=1;y=22;  z= 333 //#!", b"<|endoftext|>",
    "Não há café à mão; três irmãos.".encode(), "Лиса ещё прыгает".encode(), "狐狸跳过懒狗。".encode(),
    "여우 שלום مرحبا ไทย देवनागरी".encode(), "\U0001F98A\U0001F468\u200D\U0001F469 \U0001F44D\U0001F3FD!".encode(),
    "e\u0301 \u00a0\u00a0x\u2003\u3000y\u1680z\u180e\u180ew\u200bv\x85u".encode(), "½ ² Ⅷ ٣٤ １２ 𝟙".encode(),
    b"\x00\x01\x1c\x1d \x7f", b"\xff", b"\xff\xfeabc", b"good \xe2\x82 bad\xc3", b"a \xf0\x9f\x98 b", b"\xc0\x80 \xed\xa0\x80 \xf5",
    b"  \xff  \xff  x", b"\x80\x81the fox\x82", b"aaaaaaaaaaaaaaaaaaaaaaaaaaa bananananas", bytes(range(256)),
]

BERT_SAMPLES = [
    "", " \t\n", "Hello, World!", "UnAffable ÉLÈVE naïve coração", "don't $5.00 a+b=c <x>|y~z^w`v",
    "狐狸跳过the懒狗", "İstanbul Straße ΣΊΣΥΦΟΣ Ёлка", "여우 각 가", "a\u00adb c\u200bd e\ufefff g\x00h i\ufffdj",
    "e\u0301\u0323 A\u030a Ǖ ậ", "«quoted» … — – “x” ¿qué? € £ ©", "\U0001F98A fox\U0001F98A", "豈 a\uf900b \U0002F800 ﬁ ½",
    "x\u2003y\u3000z\u2028w", "the \uf0b7 cat\uf0b7 \ue000\U00100000dog", "[CLS] the [MASK] [UNK]", "a" * 100 + " " + "a" * 101, "ৌ ொ 𝅗𝅥 ㄱ",
]


def byte_level(data):
    """GPT-2's character for each byte: itself if it prints, otherwise a character from 256 on."""
    order = byte_order()
    printing = 188
    return "".join(chr(byte) if order.index(byte) < printing else chr(256 + order.index(byte) - printing)
                   for byte in data)


def byte_pair_case(data, vocab_size, samples):
    tokens, merges = learn_byte_pairs(data, vocab_size)
    return {
        "text": data.hex(), "vocab_size": vocab_size,
        "merges": [byte_level(tokens[left]) + " " + byte_level(tokens[right]) for left, right, _ in merges],
        "samples": [{"text": data.hex(), "tokens": encode(data, tokens, merges)} for data in samples],
    }


def main():
    rng = random.Random(5)
    runs = [b" ".join(bytes(rng.choice(b"ab") for _ in range(rng.randrange(1, 40)))
                      for _ in range(60)) for _ in range(2)]
    runs.append(b" ".join(b"a" * rng.randrange(1, 60) for _ in range(80)))
    random_bytes = bytes(rng.choice([32, 32, 97, 195, 169, 255, 10]) for _ in range(3000))
    byte_pairs = [byte_pair_case(PROSE.encode(), 420, SAMPLES),
                  byte_pair_case(random_bytes, 360, [random_bytes[:500], *SAMPLES[:10]])]
    byte_pairs += [byte_pair_case(text, 400, [text[:400], b"abba" * 20]) for text in runs]
    word_pieces = learn_word_pieces(PROSE, 330)
    reference = {
        "pieces": [{"text": data.hex(), "pieces": [piece.hex() for piece in pieces(data)]}
                   for data in [*SAMPLES, PROSE.encode()]],
        "byte_pairs": byte_pairs,
        "bert_words": [{"text": text, "folded": words_of(text, True), "plain": words_of(text, False)}
                       for text in [*BERT_SAMPLES, PROSE]],
        "word_pieces": {
            "text": PROSE, "vocab_size": 330, "vocabulary": word_pieces,
            "samples": [{"text": text, "tokens": encode_word_pieces(text, word_pieces)}
                        for text in [*BERT_SAMPLES, PROSE]],
        },
        "folding": [[code, list(map(ord, chr(code).lower())), list(map(ord, without_accents(chr(code))))]
                    for code in folded_characters()],
    }
    path = pathlib.Path(__file__).with_name("tokenizers.json")
    path.write_text(json.dumps(reference, ensure_ascii=True, separators=(",", ":")).replace('},{', '},\n{') + "\n")
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Trains the two models that chapter 24 reads, in PyTorch, and writes them as Hugging Face publishes such models.

usage: python3 tutorials/24_other_peoples_weights/make_folders.py [gpt] [bert] [answers]   (by hand; some minutes)
       python3 tutorials/24_other_peoples_weights/make_folders.py random FOLDER            (half a gigabyte)

fables_gpt/    a GPT-2: config.json, model.safetensors, vocab.json, merges.txt; laid out as openai-community/gpt2 is
fables_bert/   a BERT: config.json, model.safetensors, vocab.txt; laid out as bert-base-uncased is
answers/       what PyTorch computes with them: logits.safetensors, and tokens.json, texts with their tokens
FOLDER         random weights of the sizes of OpenAI's smallest GPT-2, with the tokenizer of fables_gpt
"""

import json
import math
import pathlib
import sys

import torch
import torch.nn.functional as F

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "golden"))

import bert_checkpoint  # noqa: E402
import gpt_reference  # noqa: E402
import tokenizer_reference as reference  # noqa: E402
from safetensors_io import load, save  # noqa: E402

FABLES = (ROOT / "nn" / "data" / "corpus" / "fables.txt").read_bytes()
TRAINING, HELD_OUT = FABLES[: len(FABLES) * 9 // 10], FABLES[len(FABLES) * 9 // 10 :]
GPT = {"activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"], "attn_pdrop": 0.1,
       "bos_token_id": 383, "embd_pdrop": 0.1, "eos_token_id": 383, "initializer_range": 0.02,
       "layer_norm_epsilon": 1e-05, "model_type": "gpt2", "n_ctx": 64, "n_embd": 32, "n_head": 4,
       "n_layer": 2, "n_positions": 64, "resid_pdrop": 0.1, "vocab_size": 384}  # fmt: skip
BERT = {"architectures": ["BertForMaskedLM"], "attention_probs_dropout_prob": 0.1, "hidden_act": "gelu",
        "hidden_dropout_prob": 0.1, "hidden_size": 24, "initializer_range": 0.02, "intermediate_size": 96,
        "layer_norm_eps": 1e-12, "max_position_embeddings": 32, "model_type": "bert", "num_attention_heads": 3,
        "num_hidden_layers": 2, "pad_token_id": 0, "type_vocab_size": 2, "vocab_size": 256}  # fmt: skip
HARD = ["The fox saw the hen.", "The fox isn't here; they've gone.", "  two  spaces,\n\nthen lines \n",
        "12345 foxes, 3.14", "Olá, João!", "x = (a+b)*c;", "'sup? I'D WE'LL", "лиса 狐狸", "\t\ttabs and a nul \0 byte", "“Well,” she said — and left…",
        "½ cup, £5 – €3… 🦊!"]


def train(parameters, loss_of, steps, rate):
    optimiser = torch.optim.AdamW(parameters, lr=rate, betas=(0.9, 0.99), weight_decay=0.02)
    for step in range(steps):
        warm, done = min(1, (step + 1) / 100), step / steps
        optimiser.param_groups[0]["lr"] = rate * warm * (0.02 + 0.98 * (1 + math.cos(math.pi * done)) / 2)
        loss = loss_of()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1)
        optimiser.step()
        if step % 250 == 0 or step + 1 == steps:
            print(f"step {step:5}  loss {loss.item():.3f}", flush=True)


def gpt_tokenizer():
    tokens, merges = reference.learn_byte_pairs(TRAINING, GPT["vocab_size"])
    return tokens, merges


def train_gpt(tokens, merges):
    ids = torch.tensor(reference.encode(TRAINING, tokens, merges))
    torch.manual_seed(24)
    depth = GPT["n_layer"]
    shapes = gpt_reference.parameter_shapes(depth, GPT["n_embd"], GPT["n_positions"], GPT["vocab_size"])
    model = {}
    for name, shape in shapes.items():
        scale = 0.02 / math.sqrt(2 * depth) if name.endswith("c_proj.weight") else 0.02
        start = torch.randn(shape) * scale if len(shape) == 2 else torch.full(shape, float("ln" in name and "weight" in name))
        model[name] = start.requires_grad_()

    def loss():
        at = torch.randint(len(ids) - 64, (24, 1)) + torch.arange(65)
        return gpt_reference.loss(model, ids[at][:, :-1], ids[at][:, 1:], depth, GPT["n_head"])

    train(list(model.values()), loss, 6000, 6e-3)
    return model


def make_gpt():
    folder = HERE / "fables_gpt"
    folder.mkdir(exist_ok=True)
    tokens, merges = gpt_tokenizer()
    shown = [reference.byte_level(token) for token in tokens]
    vocabulary = {name: i for i, name in enumerate([*shown, "<|endoftext|>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    lines = [f"{shown[left]} {shown[right]}\n" for left, right, _ in merges]
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(lines))
    (folder / "config.json").write_text(json.dumps(GPT, indent=2) + "\n")
    model = train_gpt(tokens, merges)
    state = {name.removeprefix("transformer."): x.detach().numpy() for name, x in model.items()}
    mask = torch.ones(64, 64).tril().view(1, 1, 64, 64)
    state |= {f"h.{i}.attn.bias": mask.numpy() for i in range(GPT["n_layer"])}  # as in openai-community/gpt2: no bias at all
    save(folder / "model.safetensors", dict(sorted(state.items())), {"format": "pt"})


def make_random(folder):
    folder.mkdir(exist_ok=True)
    sizes = {"n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024, "vocab_size": 50257}
    (folder / "config.json").write_text(json.dumps(GPT | sizes, indent=2) + "\n")
    vocabulary = json.loads((HERE / "fables_gpt" / "vocab.json").read_text())
    vocabulary |= {f"<{i}>": i for i in range(len(vocabulary), sizes["vocab_size"])}  # which no merge makes
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_text((HERE / "fables_gpt" / "merges.txt").read_text())
    torch.manual_seed(24)
    state = {}
    for name, shape in gpt_reference.parameter_shapes(12, 768, 1024, 50257).items():
        start = float("ln" in name and "weight" in name)
        state[name.removeprefix("transformer.")] = (start + 0.02 * torch.randn(shape)).numpy()
    mask = torch.ones(1024, 1024).tril().view(1, 1, 1024, 1024).numpy()
    state |= {f"h.{i}.attn.bias": mask for i in range(12)}
    save(folder / "model.safetensors", dict(sorted(state.items())), {"format": "pt"})


def make_bert():
    folder = HERE / "fables_bert"
    folder.mkdir(exist_ok=True)
    vocabulary = reference.learn_word_pieces(TRAINING.decode(), BERT["vocab_size"])
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n")
    (folder / "config.json").write_text(json.dumps(BERT, indent=2) + "\n")
    known, ids = {}, []
    for word in reference.words_of(TRAINING.decode(), True):
        if word not in known:
            known[word] = reference.encode_word_pieces(word, vocabulary)
        ids += known[word]
    ids, (start, end, hidden) = torch.tensor(ids), map(vocabulary.index, ("[CLS]", "[SEP]", "[MASK]"))
    torch.manual_seed(24)
    model = bert_checkpoint.Bert(BERT, 2)
    for parameter in model.parameters():
        if parameter.dim() == 2:
            torch.nn.init.normal_(parameter, std=0.1)

    def loss():
        rows = ids[torch.randint(len(ids) - 30, (32, 1)) + torch.arange(30)]
        rows = torch.cat([torch.full((32, 1), start), rows, torch.full((32, 1), end)], 1)
        asked = (torch.rand(rows.shape) < 0.2) & (rows != start) & (rows != end)
        inputs = rows.masked_fill(asked & (torch.rand(rows.shape) < 0.9), hidden)
        return F.cross_entropy(model.word_logits(inputs)[asked], rows[asked])

    train([p for p in model.parameters() if p.requires_grad], loss, 12000, 6e-3)
    state = {n: x.detach().numpy() for n, x in model.state_dict().items() if not n.startswith("classifier")}
    old = {".LayerNorm.weight": ".LayerNorm.gamma", ".LayerNorm.bias": ".LayerNorm.beta"}  # its names of 2018
    for now, was in old.items():
        state = {n.replace(now, was): x for n, x in state.items()}
    save(folder / "model.safetensors", dict(sorted(state.items())), {"format": "pt"})


def write_answers():
    folder = HERE / "answers"
    folder.mkdir(exist_ok=True)
    tokens, merges = gpt_tokenizer()
    texts = {text: reference.encode(text.encode(), tokens, merges) for text in HARD}
    pieces = {text: list(reference.pieces_of_text(text)) for text in HARD}
    params = load(HERE / "fables_gpt" / "model.safetensors")
    params = {"transformer." + n: torch.tensor(x).double() for n, x in params.items() if not n.endswith(".attn.bias")}
    ids = reference.encode(HELD_OUT, tokens, merges)
    vocabulary = (HERE / "fables_bert" / "vocab.txt").read_text().splitlines()
    model = bert_checkpoint.Bert(BERT, 2).double()
    state = load(HERE / "fables_bert" / "model.safetensors").items()
    state = {n.replace("gamma", "weight").replace("beta", "bias"): torch.tensor(x).double() for n, x in state}
    model.load_state_dict(state, strict=False)
    text = "The fox [MASK] to the old woman, and she was very [MASK]."
    masked = bert_checkpoint.encode(text, vocabulary, True)
    with torch.no_grad():
        gpt = gpt_reference.logits(params, torch.tensor([ids[:64]]), GPT["n_layer"], GPT["n_head"])[0]
        bert = model.word_logits(torch.tensor([masked]))[0]
    save(folder / "logits.safetensors", {"bert": bert.float().numpy(), "gpt": gpt.float().numpy()}, {"format": "pt"})
    bert_ids = reference.encode_word_pieces(HELD_OUT.decode(), vocabulary)[:1200]
    answers = {"gpt": texts, "pieces": pieces, "bert": {text: masked}, "held out": ids[:2561], "bert held out": bert_ids}
    (folder / "tokens.json").write_text(json.dumps(answers, ensure_ascii=False) + "\n")
    for place in [i for i, t in enumerate(masked) if vocabulary[t] == "[MASK]"]:
        print([vocabulary[i] for i in bert[place].argsort(descending=True)[:6]])
    out = ids[:12]
    for _ in range(120):
        p = gpt_reference.logits(params, torch.tensor([out[-64:]]), 2, 4)[0, -1].div(0.7).softmax(-1)
        out.append(int(torch.multinomial(p, 1)))
    print(b"".join(([*tokens, b""])[t] for t in out).decode(errors="replace"))
    blocks = torch.tensor(ids[: (len(ids) - 1) // 64 * 64 + 1])
    rows, targets = blocks[:-1].view(-1, 64), blocks[1:].view(-1, 64)
    print("held-out", gpt_reference.loss(params, rows, targets, 2, 4).item(), rows.shape)


if __name__ == "__main__":
    torch.set_num_threads(1)
    wanted = sys.argv[1:] or ["gpt", "bert", "answers"]
    if wanted[0] == "random":
        make_random(pathlib.Path(wanted[1]))
    for what, make in {"gpt": make_gpt, "bert": make_bert, "answers": write_answers}.items():
        if what in wanted:
            make()

#!/usr/bin/env python3
"""BERT as plain PyTorch modules whose state has Hugging Face's names, without transformers.

    bert_checkpoint.py                                       writes the fixture bert_hf/ (seeds are fixed)
    bert_checkpoint.py FOLDER --text 'the [MASK] slept'      words for each mask, as gradus predict --json
    bert_checkpoint.py FOLDER --text 'a fine day' --labels   labels of a BertForSequenceClassification

The second and third read a folder that gradus wrote, by config.json, vocab.txt, tokenizer_config.json
and model.safetensors alone: every tensor must be known and of its shape.
"""

import argparse
import json
import pathlib

import numpy as np
import torch
from torch import nn

import tokenizer_reference
from safetensors_io import load, save

HERE = pathlib.Path(__file__).parent
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


class Embeddings(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.word_embeddings = nn.Embedding(c["vocab_size"], c["hidden_size"])
        self.position_embeddings = nn.Embedding(c["max_position_embeddings"], c["hidden_size"])
        self.token_type_embeddings = nn.Embedding(c["type_vocab_size"], c["hidden_size"])
        self.LayerNorm = nn.LayerNorm(c["hidden_size"], c["layer_norm_eps"])

    def forward(self, tokens):
        x = self.word_embeddings(tokens) + self.position_embeddings.weight[: tokens.shape[1]]
        return self.LayerNorm(x + self.token_type_embeddings.weight[0])


class SelfAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.heads = c["num_attention_heads"]
        for name in ("query", "key", "value"):
            setattr(self, name, nn.Linear(c["hidden_size"], c["hidden_size"]))

    def forward(self, x):
        def split(y):
            return y.view(*y.shape[:2], self.heads, -1).transpose(1, 2)

        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        weights = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).softmax(-1)
        return (weights @ v).transpose(1, 2).reshape(x.shape)


class Output(nn.Module):
    """A linear layer, and the norm of its result and what went by it."""

    def __init__(self, c, width):
        super().__init__()
        self.dense = nn.Linear(width, c["hidden_size"])
        self.LayerNorm = nn.LayerNorm(c["hidden_size"], c["layer_norm_eps"])

    def forward(self, y, x):
        return self.LayerNorm(x + self.dense(y))


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.self = SelfAttention(c)
        self.output = Output(c, c["hidden_size"])

    def forward(self, x):
        return self.output(self.self(x), x)


class Dense(nn.Module):
    def __init__(self, wide, width):
        super().__init__()
        self.dense = nn.Linear(wide, width)

    def forward(self, x):
        return self.dense(x)


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.attention = Attention(c)
        self.intermediate = Dense(c["hidden_size"], c["intermediate_size"])
        self.output = Output(c, c["intermediate_size"])

    def forward(self, x):
        x = self.attention(x)
        return self.output(nn.functional.gelu(self.intermediate(x)), x)


class Encoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.layer = nn.ModuleList(Layer(c) for _ in range(c["num_hidden_layers"]))

    def forward(self, x):
        for layer in self.layer:
            x = layer(x)
        return x


class BertModel(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.embeddings = Embeddings(c)
        self.encoder = Encoder(c)
        self.pooler = Dense(c["hidden_size"], c["hidden_size"])

    def forward(self, tokens):
        return self.encoder(self.embeddings(tokens))


class Transform(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dense = nn.Linear(c["hidden_size"], c["hidden_size"])
        self.LayerNorm = nn.LayerNorm(c["hidden_size"], c["layer_norm_eps"])

    def forward(self, x):
        return self.LayerNorm(nn.functional.gelu(self.dense(x)))


class Predictions(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.transform = Transform(c)
        self.bias = nn.Parameter(torch.zeros(c["vocab_size"]))


class Heads(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.predictions = Predictions(c)
        self.seq_relationship = nn.Linear(c["hidden_size"], 2)


class Bert(nn.Module):
    """BertForPreTraining, with a classifier beside it."""

    def __init__(self, c, labels):
        super().__init__()
        self.bert = BertModel(c)
        self.cls = Heads(c)
        self.classifier = nn.Linear(c["hidden_size"], labels)

    def word_logits(self, tokens):
        words = self.cls.predictions.transform(self.bert(tokens))
        return words @ self.bert.embeddings.word_embeddings.weight.T + self.cls.predictions.bias

    def label_logits(self, tokens):
        return self.classifier(torch.tanh(self.bert.pooler(self.bert(tokens)[:, 0])))


def encode(text, vocabulary, lower_case):
    """Numbers of a text between [CLS] and [SEP]; [MASK] stands for itself."""
    assert lower_case, "the reference folds"
    ids = [vocabulary.index("[CLS]")]
    for i, part in enumerate(text.split("[MASK]")):
        ids += [vocabulary.index("[MASK]")] * (i > 0)
        ids += tokenizer_reference.encode_word_pieces(part, vocabulary)
    return ids + [vocabulary.index("[SEP]")]


def tokenizer_json(vocabulary):
    """As save_pretrained writes it for an uncased BERT."""

    def added(token):
        return {"id": vocabulary.index(token), "content": token, "single_word": False, "lstrip": False,
                "rstrip": False, "normalized": False, "special": True}  # fmt: skip

    def special(token, text):
        return {"SpecialToken": {"id": token, "type_id": text}}

    def sequence(name, text):
        return {"Sequence": {"id": name, "type_id": text}}

    frame = [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)]
    numbered = {t: {"id": t, "ids": [vocabulary.index(t)], "tokens": [t]} for t in ("[CLS]", "[SEP]")}
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [added(token) for token in sorted(SPECIALS, key=vocabulary.index)],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": frame,
                           "pair": [*frame, sequence("B", 1), special("[SEP]", 1)],
                           "special_tokens": numbered},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100,
                  "vocab": {token: i for i, token in enumerate(vocabulary)}},
    }  # fmt: skip


def write_fixture():
    words = "the a fox crow hen met saw slept day fine and with un able ##able ##aff ##s ##ing , . e ! f x"
    # Special tokens neither first nor last nor together, as in BERT's own vocabulary.
    vocabulary = ["[PAD]", "[unused0]", "[unused1]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused2]"]
    vocabulary += words.split()
    config = {
        "architectures": ["BertForPreTraining"], "attention_probs_dropout_prob": 0.1,
        "classifier_dropout": None, "hidden_act": "gelu", "hidden_dropout_prob": 0.1, "hidden_size": 12,
        "initializer_range": 0.02, "intermediate_size": 20, "layer_norm_eps": 1e-12,
        "max_position_embeddings": 24, "model_type": "bert", "num_attention_heads": 3,
        "num_hidden_layers": 2, "pad_token_id": 0, "position_embedding_type": "absolute",
        "transformers_version": "4.46.0", "type_vocab_size": 2, "use_cache": True,
        "vocab_size": (len(vocabulary) + 7) // 8 * 8 + 8,  # rows that no token uses
    }  # fmt: skip
    torch.manual_seed(11)
    model = Bert(config, 3).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_((0.6 * torch.randn_like(parameter)).float())
        # If these rows were used, they would win.
        model.cls.predictions.bias[len(vocabulary):] = 30
    text = "The [MASK] met a fox, and Unaffable HENS slept é!"
    tokens = torch.tensor([encode(text, vocabulary, True)])
    with torch.no_grad():
        logits, labels = model.word_logits(tokens), model.label_logits(tokens)
    state = {name: value.float().numpy() for name, value in model.state_dict().items()}
    classifier = {name: state.pop(name) for name in ("classifier.weight", "classifier.bias")}
    state["cls.predictions.decoder.weight"] = state["bert.embeddings.word_embeddings.weight"]
    state["cls.predictions.decoder.bias"] = state["cls.predictions.bias"]
    folder = HERE / "bert_hf"
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n")
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer_json(vocabulary), indent=1) + "\n")
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": true, "model_max_length": 24}\n')
    save(folder / "model.safetensors", state)
    expected = {"tokens": tokens.int().numpy(), "logits": logits[0, :, : len(vocabulary)].numpy(),
                "labels": labels.numpy(), **classifier}  # fmt: skip
    save(HERE / "bert_hf.safetensors", expected)
    print(f"{folder.name}: {len(vocabulary)} tokens, {sum(v.size for v in state.values())} numbers")


def read_folder(folder):
    config = json.loads((folder / "config.json").read_text())
    vocabulary = (folder / "vocab.txt").read_text().removesuffix("\n").split("\n")
    tokenizer = json.loads((folder / "tokenizer_config.json").read_text())
    names = config.get("id2label", {})
    model = Bert(config, max(1, len(names))).double()
    state = {name: torch.tensor(np.array(array)).double()
             for name, array in load(folder / "model.safetensors").items()
             if not name.startswith("cls.predictions.decoder.")}  # fmt: skip
    missing, unknown = model.load_state_dict(state, strict=False)
    allowed = ("cls.seq_relationship.", "classifier." if not names else "cls.")
    if unknown or [name for name in missing if not name.startswith(allowed)]:
        raise SystemExit(f"missing {missing}, unknown {unknown}")
    for token in SPECIALS:
        assert vocabulary.count(token) == 1, token
    assert config["pad_token_id"] == vocabulary.index("[PAD]")
    assert config["vocab_size"] >= len(vocabulary), (config["vocab_size"], len(vocabulary))
    return config, vocabulary, tokenizer["do_lower_case"], model.eval()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("folder", nargs="?", type=pathlib.Path)
    options.add_argument("--text")
    options.add_argument("--labels", action="store_true")
    options = options.parse_args()
    if options.folder is None:
        write_fixture()
        return
    config, vocabulary, lower_case, model = read_folder(options.folder)
    tokens = torch.tensor([encode(options.text, vocabulary, lower_case)])
    with torch.no_grad():
        if options.labels:
            p = model.label_logits(tokens).softmax(-1)[0]
            labels = {name: p[int(i)].item() for i, name in config["id2label"].items()}
            print(json.dumps({"text": options.text, "probabilities": labels}))
            return
        p = model.word_logits(tokens)[0, :, : len(vocabulary)].softmax(-1)
    masks = []
    for place in (tokens[0] == vocabulary.index("[MASK]")).nonzero()[:, 0]:
        order = [i for i in p[place].argsort(descending=True).tolist() if vocabulary[i] not in SPECIALS]
        masks.append([{"word": vocabulary[i], "probability": p[place, i].item()} for i in order[:5]])
    print(json.dumps({"text": options.text, "masks": masks}))


if __name__ == "__main__":
    main()

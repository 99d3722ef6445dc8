"""Random bytes in every reader of files: libFuzzer with the address and undefined-behaviour sanitizers.

The fuzzers are in tests/fuzz. Their seeds are made here, from the files of tests/golden and small texts; what libFuzzer
adds to them stays in build-trust/corpus, so that later runs continue.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from work import Result, Work

SHARE = 4
NAMES = ['configs', 'flags', 'folders', 'images', 'runs', 'safetensors', 'tables', 'templates', 'texts', 'tokenizers', 'vectors']
LONGEST = {'folders': 16384, 'tokenizers': 16384, 'texts': 2048}  # bytes of an input; others: 4096
SLOW = 10  # seconds; without sanitizers on an idle machine it is a tenth


def parts() -> list[str]:
    return NAMES


def TARGETS(part: str) -> dict[str, list[str]]:
    return {'build-trust': [f'tests/fuzz/fuzz_{part}']}


def header_of(file: Path) -> str:
    """The header of a .safetensors file; the fuzzers add data."""
    data = file.read_bytes()
    return data[8:8 + int.from_bytes(data[:8], 'little')].decode().rstrip()


def packed(parts: dict[str, str | bytes]) -> bytes:
    """Several files as one input: see parts_of() in tests/fuzz/fuzz.h."""
    out = b''
    for name, content in parts.items():
        out += f'@@ {name}\n'.encode() + (content.encode() if isinstance(content, str) else content) + b'\n'
    return out


def folder(path: Path, within: str = '') -> dict[str, str | bytes]:
    """The files of a model's folder, weights by their header alone."""
    found: dict[str, str | bytes] = {}
    for file in sorted(path.iterdir()):
        if file.suffix == '.safetensors':
            found[within + file.name] = header_of(file)
        elif file.is_file():
            found[within + file.name] = file.read_bytes()
    return found


def small_tokenizer(kind: str) -> str:
    """tokenizer.json of a byte-pair or metaspace tokenizer with a handful of tokens."""
    letters = [chr(code) for code in range(97, 103)]
    if kind == 'metaspace':
        vocab = ['<unk>', '<s>', '</s>'] + [f'<0x{byte:02X}>' for byte in range(256)] + ['▁'] + letters + ['ab', '▁a']
        return json.dumps({
            'added_tokens': [{'id': i, 'content': token, 'special': True, 'normalized': False, 'lstrip': False,
                              'rstrip': False, 'single_word': False} for i, token in enumerate(vocab[:3])],
            'normalizer': {'type': 'Sequence', 'normalizers': [
                {'type': 'Prepend', 'prepend': '▁'},
                {'type': 'Replace', 'pattern': {'String': ' '}, 'content': '▁'}]},
            'pre_tokenizer': None, 'post_processor': None,
            'decoder': {'type': 'Sequence', 'decoders': [
                {'type': 'Replace', 'pattern': {'String': '▁'}, 'content': ' '}, {'type': 'ByteFallback'},
                {'type': 'Fuse'}, {'type': 'Strip', 'content': ' ', 'start': 1, 'stop': 0}]},
            'model': {'type': 'BPE', 'unk_token': '<unk>', 'fuse_unk': True, 'byte_fallback': True,
                      'vocab': {token: i for i, token in enumerate(vocab)}, 'merges': ['a b', '▁ a']}})
    own = {'char': ['\n', ' '] + letters, 'word': ['<unk>', ' ', 'the', 'fox'],
           'wordpiece': ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'] + letters + ['##' + one for one in letters]}
    entry = {'type': kind}
    if kind == 'wordpiece':
        entry |= {'lower_case': True, 'strip_accents': True}
    return json.dumps(entry | ({'vocab': own[kind]} if kind in own else {}))


def config_seeds(golden: Path) -> list[bytes]:
    seeds = [file.read_bytes() for file in sorted(golden.rglob('config.json')) + sorted(golden.rglob('adapter_config.json'))]
    seeds += [json.dumps({'model_type': kind, 'd_model': 16, 'num_heads': 2, 'd_ff': 24, 'n_layer': 1, 'max_length': 14,
                          'vocab_size': 20, 'dropout': 0.1, 'activation': 'gelu', 'norm_place': 'pre', 'norm': 'layer',
                          'position': 'learned', 'epsilon': 1e-5, 'labels': ['bad', 'good'], 'image_height': 14,
                          'image_width': 14, 'patch': 7, 'num_labels': 2}).encode()
              for kind in ('gradus-classifier', 'gradus-translator', 'gradus-vit', 'gradus-bert')]
    for kind in ('linear', 'dynamic', 'llama3', 'yarn'):
        config = json.loads((golden / 'llama_hf/llama/config.json').read_text())
        config['rope_scaling'] = {'rope_type': kind, 'factor': 2.5, 'original_max_position_embeddings': 6,
                                  'low_freq_factor': 1, 'high_freq_factor': 4, 'beta_fast': 32, 'beta_slow': 1}
        seeds.append(json.dumps(config).encode())
    return seeds


def tokenizer_seeds(golden: Path) -> list[bytes]:
    text = "The fox's 12 dogs\n\n\tcan't <s> é ▁ [MASK]"
    seeds = [packed({'gradus_tokenizer.json': small_tokenizer(kind), 'text': 'the fox bad'})
             for kind in ('char', 'byte', 'word', 'wordpiece')]
    seeds.append(packed({'tokenizer.json': small_tokenizer('metaspace'), 'text': text}))
    for case in json.loads((golden / 'hf_tokenizers.json').read_text())['cases']:
        seed = packed({'tokenizer.json': json.dumps(case['tokenizer'], ensure_ascii=False), 'text': text})
        if len(seed) <= LONGEST['tokenizers']:
            seeds.append(seed)
    bert = golden / 'bert_hf'
    rules = {'tokenizer_config.json': json.dumps({'bos_token': '<s>', 'eos_token': {'content': '</s>'},
                                                  'add_bos_token': True, 'tokenizer_class': 'LlamaTokenizer',
                                                  'chat_template': '{{ bos_token }}{{ messages[0].content }}'}),
             'generation_config.json': '{"eos_token_id":[1,2]}', 'config.json': '{"eos_token_id":2}'}
    seeds.append(packed({'tokenizer.json': small_tokenizer('metaspace'), **rules, 'text': text}))
    seeds.append(packed({'tokenizer.json': (bert / 'tokenizer.json').read_bytes(), 'text': text}))
    seeds.append(packed({'vocab.txt': (bert / 'vocab.txt').read_bytes(),
                         'tokenizer_config.json': '{"do_lower_case":false}', 'text': text}))
    printable = [chr(code) for code in list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))]
    letters = printable + [chr(256 + i) for i in range(256 - len(printable))]
    vocab = {token: i for i, token in enumerate(letters + ['ab', 'Ġa', '<|endoftext|>'])}
    seeds.append(packed({'vocab.json': json.dumps(vocab, ensure_ascii=False), 'merges.txt': '#version: 0.2\na b\nĠ a\n',
                         'text': text}))
    return seeds


def folder_seeds(golden: Path) -> list[bytes]:
    def with_tokenizer(parts: dict[str, str | bytes], within: str = '') -> dict[str, str | bytes]:
        if any(name.startswith(within + word) for name in parts for word in ('tokenizer.json', 'vocab')):
            return parts
        size = json.loads(parts[within + 'config.json'])['vocab_size']
        return {within + 'gradus_tokenizer.json': json.dumps({'type': 'char', 'vocab': [chr(97 + i) for i in range(size)]}),
                **parts}
    seeds = [packed(with_tokenizer(folder(path.parent))) for path in sorted(golden.rglob('config.json'))]
    for path in sorted(golden.glob('lora/*')):
        base = golden / 'gpt_f32' if path.name == 'gpt2' else golden / 'llama_hf' / path.name
        parts = folder(path)
        config = json.loads(parts['adapter_config.json'])
        config['base_model_name_or_path'] = 'base'
        parts['adapter_config.json'] = json.dumps(config)
        seeds.append(packed({**parts, **with_tokenizer(folder(base, 'base/'), 'base/')}))
    return [seed for seed in seeds if len(seed) <= LONGEST['folders']]


def template_seeds(golden: Path) -> list[bytes]:
    cases = json.loads((golden / 'chat_templates.json').read_text())['cases']
    return [packed({'template': case['template'], 'text': ' Hello! ', 'name': '<s>'}) for case in cases
            if len(case['template']) < 3900]


def flag_seeds() -> list[bytes]:
    """Command lines, an argument a line."""
    lines = ['train --text x --n_layer=2 --n_head 2 --n_embd=8 --dropout 0.1 --bias=False --max_iters=9 --learning_rate=1e-3',
             'train --model bert --data fables --norm_place post --position sinusoidal --tokenizer=wordpiece --patience=3',
             'train --model=vit --data digits --patch 7 --optimizer muon --momentum=.9 --average 0.99 --schedule linear',
             'train --init_from=resume --out_dir out --checkpoint last --overwrite --log a.jsonl --seed 7 -y --dry_run',
             'train --recipe nanogpt --compile=False --device=cpu --dtype float16 --min_lr=1e-4 --decay-lr False --beta2=0.99',
             'train --help-all', 'train --flag-names', 'finetune --out_dir=o --data preferences --dpo 0.1 --lora 4 --into=i --merge',
             'sample --start The --temperature=0.8 --top_k 5 --top_p 0.9 --num_samples=2 --chat --system s --dtype int8',
             'eval --text x --block_size 8 --json', 'predict --text a --beam 3 --held_out --images i', 'info --checkpoint=best --json',
             'tokenize --tokenizer bpe --vocab_size 300 --out_dir t --encode a --decode 1', 'vectors --near a --window 5 --out v',
             'attention --text a --layer=1 --head=1 --out a.svg --all --open']
    return [line.replace(' ', '\n').encode() for line in lines]


def run_seeds() -> list[bytes]:
    """The files of a run beside its model."""
    record = {'texts': ['text.txt'], 'bytes': 68, 'checksum': '0123456789abcdef', 'keep_crlf': False}
    log = ('{"step":0,"train_loss":4.1,"val_loss":4.2,"scores":{"accuracy":0.5}}\n'
           '{"step":3,"loss":2.31,"lr":0.001,"ms":18.2,"tokens_per_second":42100,"bits_per_byte":1.2}\n{"step":30,"loss":2')
    options = {'max_iters': 12, 'batch_size': 2, 'gradient_accumulation_steps': 1, 'learning_rate': 0.001, 'min_lr': 0.0001,
               'warmup_iters': 100, 'lr_decay_iters': 12, 'schedule': 'cosine', 'decay_lr': True, 'optimizer': 'adamw',
               'momentum': 0.9, 'beta1': 0.9, 'beta2': 0.99, 'epsilon': 1e-08, 'weight_decay': 0.1, 'grad_clip': 1.0,
               'average': 0.0, 'patience': 0, 'eval_interval': 5, 'eval_iters': 2, 'always_save_checkpoint': True,
               'seed': 1337, 'dtype': 'float32', 'local_steps': 0}
    state = {'step': 12, 'evaluated_step': 10, 'best_val_loss': 3.5, 'best_step': 10, 'last_loss': 3.25, 'options': options}
    return [packed({'run.json': json.dumps(record), 'log.jsonl': log, 'trainer.json': json.dumps(state)}),
            packed({'run.json': json.dumps({**record, 'texts': [], 'data': 'prompts', 'examples': 9, 'dpo': 0.1})}),
            packed({'run.json': json.dumps({**record, 'texts': ['tales']}), 'trainer.json': json.dumps(state)})]


def seeds_of(name: str, golden: Path) -> list[bytes]:
    """A few small inputs that a reader takes."""
    idx = bytes([0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3]) + bytes(range(12))
    labels = bytes([0, 0, 8, 1, 0, 0, 0, 2, 1, 0])
    return {
        'configs': config_seeds,
        'flags': lambda _: flag_seeds(),
        'runs': lambda _: run_seeds(),
        'folders': folder_seeds,
        'templates': template_seeds,
        'tokenizers': tokenizer_seeds,
        'images': lambda _: [b'r' + idx, b'z' + idx, b'c' + idx, b't' + labels, b'r' + labels, b'z' + labels,
                             b'r' + gzip.compress(idx, mtime=0)],
        'safetensors': lambda _: [header_of(file).encode() for file in sorted(golden.glob('*.safetensors'))
                                  if len(header_of(file)) < 4000] + [(golden / 'lora.safetensors').read_bytes(),
            b'{"a":{"dtype":"BF16","shape":[2,2],"data_offsets":[0,8]},"b":{"dtype":"I64","shape":[1],'
            b'"data_offsets":[8,16]},"c":{"dtype":"F64","shape":[],"data_offsets":[16,24]},"__metadata__":{"k":"v"}}'],
        'tables': lambda _: [b'good\ta fine film\r\nbad\tdull\n', b'the cat\to gato\ta gata\n\nthe dog\to c\xc3\xa3o\n',
                             b'\xef\xbb\xbf2 + 2 =\t4\t5\n'],
        'texts': lambda _: ['The fox, the fox! é 漢字 🦊\n\n  two  blanks\r\n'.encode(), b'\xf0\x9f\xa6',
                            b'!' + b'ab ' * 60, '!The fox, the fox! é 🦊\n'.encode(),
                            b'\xef\xbb\xbfa\xed\xa0\x80\xc0\x80\xf4\x90\x80\x80'],
        'vectors': lambda _: [b'cat 1 2 -3e-2\ndog 4 5 6\n', b'2 3\ncat 1 2 3 \ndog 4 5 6 \n', b'a b 1\r\nc 2\r\n'],
    }[name](golden)


def run(work: Work) -> Result:
    name = work.part
    build = work.folder('build-trust')
    program = build / 'tests/fuzz' / f'fuzz_{name}'
    corpus, seeds = build / 'corpus' / name, work.temporary / 'seeds'
    corpus.mkdir(parents=True, exist_ok=True)
    seeds.mkdir()
    for seed in seeds_of(name, work.root / 'tests/golden'):
        (seeds / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    environment = os.environ | {
        'TMPDIR': str(work.temporary), 'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1',
        'LSAN_OPTIONS': f'suppressions={work.root}/tools/leaks.txt:print_suppressions=0',
        'UBSAN_OPTIONS': 'print_stacktrace=1'}
    limits = [f'-timeout={SLOW}', '-rss_limit_mb=2048', '-malloc_limit_mb=256']
    # One process for each core: they share the corpus.
    running = []
    for number in range(os.cpu_count() or 1):
        command = [program, *limits, f'-max_len={LONGEST.get(name, 4096)}', f'-seed={work.seed + number}',
                   f'-max_total_time={max(1, round(work.seconds))}', '-print_final_stats=1', '-close_fd_mask=3', '-reload=5',
                   f'-artifact_prefix={work.kept}/', corpus, seeds]
        log = open(work.temporary / f'log{number}', 'w+', errors='replace')
        running.append((subprocess.Popen([str(word) for word in command], stdout=log, stderr=log, env=environment), log))
    count, covered, findings = 0, 0, []
    try:
        for process, log in running:
            code = process.wait()
            log.seek(0)
            said = log.read()
            executed = re.search(r'^stat::number_of_executed_units: (\d+)', said, re.M)
            count += int(executed[1]) if executed else 0
            covered = max([covered] + [int(found) for found in re.findall(r' cov: (\d+)', said)])
            if code != 0:
                findings.append(finding(program, limits, environment, code, said))
    finally:
        for process, log in running:
            process.kill()
            process.wait()
            log.close()
    return Result(count, 'inputs', findings, f'{covered} branches')


def finding(program: Path, limits: list[str], environment: dict[str, str], code: int, said: str) -> str:
    """What a fuzzer that ended with `code` has found, from the input that it has written."""
    wrote = re.search(r'Test unit written to (\S+)', said)
    if wrote is None:
        return f'{program} ended with {code}: {said[-2000:]}'
    command = [str(program), *limits, wrote[1]]
    again = subprocess.run(command, capture_output=True, env=environment, timeout=120).stderr.decode(errors='replace')
    cause = [line for line in (again + said).splitlines()
             if re.search(r'broken rule|ERROR: |SUMMARY: |runtime error|terminate called|what\(\)', line)]
    places = [line.strip() for line in again.splitlines() if re.match(r'\s+#\d+ .* in gradus::', line)]
    return '\n  '.join(dict.fromkeys(cause[:4] + places[:4])) + '\n  again: ' + shlex.join(command)

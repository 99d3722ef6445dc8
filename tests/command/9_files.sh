# Files in a model's folder that a model cannot use: weights that are not finite, wrong numbers and keys of a config,
# pipes, files of other programs.

# put FILE TENSOR PLACE NUMBER: writes a number into the tensor whose name ends with TENSOR. The place `all` means
# everywhere in every such tensor, with changing signs.
put() {
  python3 -c "
import json, struct, sys
file, ending, place, number = sys.argv[1:]
data = bytearray(open(file, 'rb').read())
begin = 8 + struct.unpack('<Q', data[:8])[0]
tensors = json.loads(data[8:begin])
found = [tensors[name]['data_offsets'] for name in tensors if name.endswith(ending)]
assert found and (place == 'all' or len(found) == 1), found
for first, end in found:
    for at in range(0, end - first, 4) if place == 'all' else [4 * int(place)]:
        struct.pack_into('<f', data, begin + first + at, float(number) * (-1 if place == 'all' and at % 3 else 1))
open(file, 'wb').write(data)" "$@"
}

# Weights that are not finite: every command that reads them names the file, the tensor and the value.
for model in whole bert days classes translator images; do
  cp -r "$model" "nan_$model"
  cp -r "$model" "huge_$model"
  put "huge_$model/best/model.safetensors" weight all 3e38
done
put nan_whole/best/model.safetensors h.0.attn.c_attn.weight 25 nan
wanted='nan_whole/best/model.safetensors: transformer.h.0.attn.c_attn.weight contains NaN at [1, 1] (the file is damaged, '
fails 'a NaN: sample' 1 "$wanted" sample --out_dir=nan_whole
fails 'a NaN: eval' 1 "$wanted" eval --out_dir=nan_whole --text text.txt
fails 'a NaN: predict' 1 "$wanted" predict --out_dir=nan_whole --text 'The fox'
fails 'a NaN: attention' 1 "$wanted" attention --out_dir=nan_whole --text 'The fox'
fails 'a NaN: info' 1 "$wanted" info --out_dir=nan_whole
fails 'a NaN: train from it' 1 "$wanted" train --init_from=nan_whole --text text.txt --max_iters=1 --out_dir=none
fails 'a NaN: resume' 1 "$wanted" train --init_from=resume --out_dir=nan_whole --checkpoint=best --max_iters=14
for model in bert days classes translator images; do
  tensor=norm_1.weight
  if [[ $model == bert || $model == days ]]; then tensor=layer.0.attention.self.query.bias; fi
  if [[ $model == translator ]]; then tensor=encoder.layers.0.norm_1.weight; fi
  put "nan_$model/best/model.safetensors" $tensor 3 inf
  fails "infinity: info of $model" 1 "contains inf at [3] (the file is damaged, " info "--out_dir=nan_$model"
  if [[ $model == images ]]; then
    fails "infinity: predict by $model" 1 "contains inf at [3]" predict "--out_dir=nan_$model" --images images.idx
  else
    fails "infinity: predict by $model" 1 "contains inf at [3]" predict "--out_dir=nan_$model" --text 'The [MASK] met'
    fails "infinity: attention of $model" 1 "contains inf at [3]" attention "--out_dir=nan_$model" --text 'The fox'
  fi
done
fails 'infinity: finetune' 1 'contains inf at [3]' finetune --out_dir=nan_bert --data days.tsv --into=none
cp -r whole nan_moments
put nan_moments/last/optimizer.safetensors exp_avg_sq.transformer.wpe.weight 9 nan
fails 'moments that are NaN' 1 'last/optimizer.safetensors: exp_avg_sq.transformer.wpe.weight contains NaN at [1, 1]' \
  train --init_from=resume --out_dir=nan_moments --max_iters=14

# Finite weights that give NaN: no answer, and no advice about the learning rate.
fails 'overflow: sample' 1 'the weights are too large' sample --out_dir=huge_whole
fails 'overflow: eval' 1 'the weights are too large' eval --out_dir=huge_whole --text text.txt
fails 'overflow: predict' 1 'the weights are too large' predict --out_dir=huge_whole --text 'The fox'
fails 'overflow: attention' 1 'the weights are too large' attention --out_dir=huge_whole --text 'The fox'
fails 'overflow: train' 1 'before this run changed the weights: the weights are too large' \
  train --init_from=huge_whole --text text.txt --max_iters=1 --out_dir=none
for model in bert days classes translator; do
  fails "overflow: predict by $model" 1 'the weights are too large' predict "--out_dir=huge_$model" --text 'The [MASK] met'
done
fails 'overflow: beam' 1 'the weights are too large' predict --out_dir=huge_translator --text 'the fox' --beam=3
fails 'overflow: images' 1 'the weights are too large' predict --out_dir=huge_images --images images.idx
fails 'overflow: finetune' 1 'before this run changed the weights: the weights are too large' \
  finetune --out_dir=huge_bert --data days.tsv --into=none

# Numbers and keys of a config: reading refuses them, and names file, key, value and range.
config() {  # config NAME MESSAGE MODEL KEY JSON COMMAND...
  local name=$1 message=$2 model=$3 key=$4 value=$5
  shift 5
  cp "$model/best/config.json" kept.json
  python3 -c "
import re, sys
file, key, value = sys.argv[1:]
text = open(file).read()
changed = re.sub('\"%s\": [^\n]*[^,\n](?=,?\n)' % key, lambda found: '\"%s\": %s' % (key, value), text)
if changed == text:
    changed = text.replace('{', '{\n  \"%s\": %s,' % (key, value), 1)
open(file, 'w').write(changed)" "$model/best/config.json" "$key" "$value"
  fails "$name" 1 "$model/best/config.json: $message" "$@"
  cp kept.json "$model/best/config.json"
}
limit='must be a number between -3.40282e+38 and 3.40282e+38, got '
for value in 1e39 1e300; do
  config "an epsilon of $value: train" "\"layer_norm_epsilon\" $limit${value/e/e+}" whole layer_norm_epsilon $value \
    train --init_from=whole --text text.txt --max_iters=1 --out_dir=none
done
config 'a number that no double holds' '"layer_norm_epsilon" holds a number that is too large' whole layer_norm_epsilon 1e400 info --out_dir=whole
config 'NaN in JSON' '"layer_norm_epsilon" must be finite, got NaN or infinity' whole layer_norm_epsilon NaN info --out_dir=whole
config 'and infinity' '"layer_norm_epsilon" must be finite, got NaN or infinity' whole layer_norm_epsilon -Infinity info --out_dir=whole
config 'an epsilon of an own BERT' "\"epsilon\" $limit" bert epsilon 1e300 predict --out_dir=bert --text 'a [MASK]'
config 'an epsilon of a BERT' "\"epsilon\" $limit" real epsilon 1e300 info --out_dir=real
config 'an epsilon of a classifier' "\"epsilon\" $limit" classes epsilon 1e300 predict --out_dir=classes --text a
config 'an epsilon of a translator' "\"epsilon\" $limit" translator epsilon 1e300 predict --out_dir=translator --text a
config 'an epsilon of a vit' "\"epsilon\" $limit" images epsilon 1e300 predict --out_dir=images --images images.idx
for key in 'quantization_config {"bits":4}' 'add_cross_attention true' 'rope_scaling {"factor":2}' 'is_encoder_decoder true' \
  'pruned_heads {"0":[1]}' 'scale_attn_by_inverse_layer_idx true' 'scale_attn_weights false'; do
  config "a GPT with ${key% *}" "\"${key% *}\" must be " whole "${key% *}" "${key#* }" info --out_dir=whole
done
for key in 'quantization_config {"bits":4}' 'add_cross_attention true' 'is_decoder true' 'position_embedding_type "relative_key"'; do
  config "a BERT with ${key% *}" "\"${key% *}\" must be " real "${key% *}" "${key#* }" predict --out_dir=real --text 'a [MASK]'
done

# Pipes and devices in a model's folder. A command that waits for a pipe never ends.
printf '#!/bin/sh\nexec timeout 20 "%s" "$@"\n' "$gradus" >in_time
chmod +x in_time
real_gradus=$gradus gradus=$PWD/in_time
piped() {  # piped MODEL FILE COMMAND...: with the file replaced by a pipe, and then by a device
  local model=$1 file=$1/best/$2 kind
  shift 2
  for kind in pipe device; do
    mv "$file" kept_file
    if [[ $kind == pipe ]]; then mkfifo "$file"; else ln -s /dev/zero "$file"; fi
    fails "a $kind as $file" 1 "${file##*/}: is not a file" "$@"
    rm "$file"
    mv kept_file "$file"
  done
}
cp -r whole pipes
for file in config.json gradus_tokenizer.json trainer.json model.safetensors; do
  piped pipes $file sample --out_dir=pipes
done
for file in config.json tokenizer.json; do
  piped real $file predict --out_dir=real --text 'a [MASK]'
done
mv real/best/tokenizer.json kept_tokenizer
for file in vocab.txt tokenizer_config.json; do
  piped real $file predict --out_dir=real --text 'a [MASK]'
done
mv kept_tokenizer real/best/tokenizer.json
succeeds 'byte pairs in two files' tokenize --text text.txt --tokenizer bpe --vocab_size=300 --out_dir=two_files
rm two_files/tokenizer.json
mkdir two_files/best
mv two_files/vocab.json two_files/merges.txt two_files/best
for file in vocab.json merges.txt; do
  piped two_files $file tokenize --out_dir=two_files/best --encode 'The fox'
done
mkdir -p sharded/best
cp whole/best/config.json whole/best/gradus_tokenizer.json sharded/best/
cp whole/best/model.safetensors sharded/best/part.safetensors
index() {  # index FILE: an index with all tensors in FILE
  python3 -c "
import json, struct, sys
data = open('sharded/best/part.safetensors', 'rb').read()
tensors = json.loads(data[8:8 + struct.unpack('<Q', data[:8])[0]])
tensors.pop('__metadata__', None)
json.dump({'weight_map': {name: sys.argv[1] for name in tensors}}, open('sharded/best/model.safetensors.index.json', 'w'))" "$1"
}
index part.safetensors
succeeds 'weights in parts' info --out_dir=sharded
piped sharded model.safetensors.index.json info --out_dir=sharded
piped sharded part.safetensors info --out_dir=sharded
put sharded/best/part.safetensors ln_f.weight 2 -inf
fails 'the part that holds an infinity is named' 1 'best/part.safetensors: transformer.ln_f.weight contains -inf at [2]' info --out_dir=sharded
index "$(printf 'x%.0s' {1..5000}).safetensors"
fails 'a long name of a part' 1 "must name .safetensors files in its own folder, got \"xxxxxxxx" info --out_dir=sharded
holds 'is shortened' test "$(wc -c <err)" -lt 300
gradus=$real_gradus
"$gradus" "${tiny[@]}" --text <(text) --out_dir=piped_text >out 2>err
verdict $? 'a pipe as --text is read as before' "$(tail -n 1 err)"

# Files of other programs, and pointers in place of files.
cp -r whole pointer
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 548105171\n' >pointer/best/model.safetensors
lfs="is a Git LFS pointer instead of the file (run 'git lfs pull' in the cloned folder, or download the file)"
fails 'a pointer of Git LFS as weights' 1 "pointer/best/model.safetensors: $lfs" eval --out_dir=pointer --text text.txt
cp pointer/best/model.safetensors pointer/best/gradus_tokenizer.json
fails 'as a tokenizer' 1 "pointer/best/gradus_tokenizer.json: $lfs" tokenize --out_dir=pointer --encode 'The fox'
mkdir of_nanogpt
: >of_nanogpt/ckpt.pt
convert='ckpt.pt: is a checkpoint of nanoGPT, which cannot be read, as this format may run code (convert it '
fails 'a checkpoint of nanoGPT' 1 "$convert" sample --out_dir=of_nanogpt
fails 'to resume' 1 "$convert" train --init_from=resume --out_dir=of_nanogpt
fails 'to begin from' 1 "$convert" train --init_from=of_nanogpt --text text.txt --out_dir=none
fails 'by its name' 1 "$convert" sample --checkpoint=of_nanogpt/ckpt.pt
cp whole/best/config.json of_nanogpt/
fails 'beside a config' 1 "$convert" info --checkpoint=of_nanogpt
fails 'a checkpoint that is not there' 1 'missing/tokenizer.json: does not exist (use best, last, or' \
  sample --out_dir=whole --checkpoint=missing/tokenizer.json
fails 'a file is no checkpoint' 1 'text.txt: is not a checkpoint folder (use best, last, or' sample --out_dir=whole --checkpoint=text.txt

# Other spellings of the same settings, as other programs write them.
cp -r whole others
config_file=others/best/config.json
edited $config_file 'j["model_type"] = "gpt2"; j["activation_function"] = "gelu_new"; del j["position"], j["norm"], j["token_shift"]'
for pair in gelu_pytorch_tanh:gelu_new gelu_fast:gelu_new gelu_accurate:gelu_new gelu_python:gelu swish:silu; do
  edited $config_file "j['activation_function'] = '${pair%:*}'"
  succeeds "${pair%:*}" info --out_dir=others
  says "is ${pair#*:}" out "^parts +${pair#*:} of"
done
edited $config_file 'j["activation_function"] = "gelu_new"; del j["layer_norm_epsilon"]'
succeeds 'no epsilon' eval --out_dir=others --text text.txt
cp out first
edited $config_file 'j["layer_norm_epsilon"] = 1e-5'
succeeds 'is the default of Hugging Face' eval --out_dir=others --text text.txt
holds 'with the same loss' diff <(grep loss out) <(grep loss first)
header() {  # header PYTHON: changes the header h of the weights
  python3 -c "
import json, struct, sys
file = 'others/best/model.safetensors'
data = open(file, 'rb').read()
end = 8 + struct.unpack('<Q', data[:8])[0]
h = json.loads(data[8:end])
$1
text = json.dumps(h).encode()
open(file, 'wb').write(struct.pack('<Q', len(text)) + text + data[end:])"
}
header 'h["__metadata__"] = None'
succeeds 'metadata that is null' info --out_dir=others
header 'h["transformer.ln_f.weight"]["more"] = [{"of": [1, None]}, -2, 0.5, True]'
succeeds 'an unknown property of a tensor' info --out_dir=others

# A GPT-2 without biases: other programs find all tensors of a GPT-2, with zeros for the biases.
succeeds 'without biases' "${tiny[@]}" --recipe nanogpt --bias=False --out_dir=unbiased
holds 'all tensors are there, and the biases 0' python3 -c "
import json, struct
data = open('unbiased/last/model.safetensors', 'rb').read()
end = 8 + struct.unpack('<Q', data[:8])[0]
tensors = json.loads(data[8:end])
tensors.pop('__metadata__')
assert json.load(open('unbiased/last/config.json'))['model_type'] == 'gpt2'
parts = ['ln_1', 'attn.c_attn', 'attn.c_proj', 'ln_2', 'mlp.c_fc', 'mlp.c_proj']
wanted = {'transformer.wte.weight': None, 'transformer.wpe.weight': None}
for part in ['h.0.' + part for part in parts] + ['ln_f']:
    weight = tensors['transformer.%s.weight' % part]
    wanted['transformer.%s.weight' % part] = None
    wanted['transformer.%s.bias' % part] = weight['shape'][-1:]
assert tensors.keys() == wanted.keys(), tensors.keys() ^ wanted.keys()
for name, shape in wanted.items():
    if shape:
        begin, stop = tensors[name]['data_offsets']
        assert tensors[name]['shape'] == shape and not any(data[end + begin:end + stop]), name"
succeeds 'it has none here' info --out_dir=unbiased
says 'nor learns any' out 'no biases'
holds 'nor lists any' bash -c '! grep -q "\.bias " out'
succeeds 'it is resumed' train --init_from=resume --out_dir=unbiased --max_iters=14
holds 'its optimiser has no moments of biases' bash -c '! head -c 4000 unbiased/last/optimizer.safetensors | grep -q "\.bias"'
put unbiased/best/model.safetensors h.0.mlp.c_fc.bias 2 0.5
fails 'a bias that is not 0' 1 'transformer.h.0.mlp.c_fc.bias is not 0 at [2], but config.json has "bias": false' info --out_dir=unbiased

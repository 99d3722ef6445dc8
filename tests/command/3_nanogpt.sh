# nanoGPT's documented command lines with gradus: each has the same meaning, or the message gives the remedy; every
# ignored flag is named. Here the text is named, which is a folder in nanoGPT, and there are few steps.

few=(--max_iters=2 --eval_iters=1 --log_interval=1)
small=(--block_size=16 --batch_size=2 --n_layer=1 --n_head=2 --n_embd=8)
config=config/train_shakespeare_char.py

succeeds 'nanoGPT: train with its config' train --text text.txt $config "${few[@]}" "${small[@]}" --out_dir=nano
succeeds 'nanoGPT: its line for CPUs' train --text text.txt $config --device=cpu --compile=False --eval_iters=20 \
  --log_interval=1 --block_size=64 --batch_size=12 --n_layer=4 --n_head=4 --n_embd=128 --max_iters=2 \
  --lr_decay_iters=2000 --dropout=0.0 --out_dir=nano-cpu
says 'flags without meaning are named' err '^gradus: --device, --compile: ignored, without effect in gradus$'
holds 'once' test "$(grep -c 'without effect in gradus' err)" = 1
says 'the estimate that is asked for is made' err '^  evaluation +every 250 steps, estimated on 15360 tokens drawn from the [0-9]+'
succeeds "nanoGPT: Apple's device" train --text text.txt $config "${few[@]}" "${small[@]}" --device=mps --out_dir=nano-mps
says 'is named' err '^gradus: --device: ignored, without effect'
succeeds 'nanoGPT: half precision' train --text text.txt $config "${few[@]}" "${small[@]}" --dtype=float16 --out_dir=nano-half
says 'is said to be single' err '^gradus: --dtype=float16: is not available; using float32$'
says 'and is' nano-half/last/trainer.json '"dtype": "float32"'
succeeds 'nanoGPT: torchrun and its services' train --text text.txt $config "${few[@]}" "${small[@]}" --standalone \
  --nproc_per_node=4 --nnodes=2 --node_rank=0 --master_addr=10.0.0.1 --master_port=1234 --backend=gloo --wandb_log=True \
  --wandb_project=x --wandb_run_name=y --dataset=shakespeare_char --eval_only=False --out_dir=nano-ddp
says 'one process is said to be one' err "^gradus: --nproc_per_node=4: ignored, as gradus train runs one process \('\./run cluster N train'"
says 'losses are said to be here' err '^gradus: --wandb_log=True: ignored, as losses are logged only to out_dir/log.jsonl'
says 'the data is said to be the text' err '^gradus: --dataset=shakespeare_char: ignored, as the text comes from --text$'
fails 'nanoGPT: data by its name alone' 2 '--dataset=openwebtext: gradus downloads no data (pass the text with --text FILE)' \
  train --dataset=openwebtext
succeeds 'nanoGPT: its config alone' train $config "${small[@]}" --dry_run
says 'is said to train on the tales' err '^gradus: config/train_shakespeare_char.py: names no text that gradus has, so training uses the bundled tales'
fails 'nanoGPT: finetuning' 2 'gradus downloads neither weights nor text' train config/finetune_shakespeare.py
says 'says which command does it' err "train --init_from=FOLDER --text FILE --out_dir=DIR'"
for size in '' _medium _large _xl; do
  fails "nanoGPT: evaluating GPT-2$size" 2 "eval --checkpoint=FOLDER --text FILE')" \
    train config/eval_gpt2$size.py
done
fails "nanoGPT: GPT-2's own training" 2 "must be nanoGPT's train_shakespeare_char" train config/train_gpt2.py
fails 'nanoGPT: GPT-2 to go on with' 2 'gradus downloads no weights' train --init_from=gpt2 --text text.txt

succeeds 'a run to look at' "${tiny[@]}" --out_dir=looked-at
cp -r looked-at looked-at.before
fails 'nanoGPT: evaluation alone' 2 "eval --out_dir=looked-at')" \
  train --init_from=resume --out_dir=looked-at --max_iters=40 --eval_only=True
fails 'nanoGPT: evaluation alone, as a switch' 2 '--eval_only=True: train cannot evaluate without training' \
  train --init_from=resume --out_dir=looked-at --max_iters=40 --eval_only
holds 'changes nothing' diff -r looked-at looked-at.before

# sample.py
succeeds 'nanoGPT: sample' sample --out_dir=looked-at --device=cpu --max_new_tokens=5
says 'its device is named' err '^gradus: --device: ignored, without effect'
succeeds 'nanoGPT: sample a run' sample --init_from=resume --out_dir=looked-at --max_new_tokens=5
printf 'The crow' >prompt.txt
succeeds 'nanoGPT: sample from a prompt file' sample --out_dir=looked-at --start=FILE:prompt.txt --max_new_tokens=5
fails 'nanoGPT: sample GPT-2' 2 '--init_from=gpt2-xl: gradus downloads no weights' sample --init_from=gpt2-xl \
  '--start=What is the answer to life, the universe, and everything?' --num_samples=5 --max_new_tokens=100
succeeds 'sample the folder of a model' sample --init_from=looked-at/last --start='The fox' --max_new_tokens=5 --seed=3
cp out from_folder
succeeds 'as by its name' sample --checkpoint=looked-at/last --start='The fox' --max_new_tokens=5 --seed=3
holds 'is the same' cmp out from_folder
fails 'sample of two models' 2 'name two models (choose one)' sample --init_from=looked-at/last --out_dir=whole
fails 'sample of no folder' 2 '--init_from=nowhere: must be resume or a folder with a model' sample --init_from=nowhere
for command in 'sample --max_new_tokens=5' 'eval'; do
  # shellcheck disable=SC2086
  succeeds "$command in nanoGPT's half precision" $command --out_dir=looked-at --dtype=float16
  says 'is said to be single' err '^gradus: --dtype=float16: is not available; using float32$'
done

# Flags that belong to another kind of run.
fails 'a checkpoint for a run that begins' 2 '--checkpoint=best: only for a run that resumes' "${tiny[@]}" --checkpoint=best
fails 'a recipe for a run that goes on' 2 '--recipe: only for a new run' \
  train --init_from=resume --out_dir=looked-at --recipe=strong
fails 'examples for a run on a text' 2 '--data: has no effect on a GPT trained on a text' \
  train --init_from=resume --out_dir=looked-at --data=prompts
succeeds "nanoGPT's config and a run to go on with" train --text text.txt $config "${few[@]}" "${small[@]}" --overwrite
succeeds 'goes on' train $config --init_from=resume --max_iters=3
says "in its config's folder" err '^  out_dir +out-shakespeare-char$'
rm -r out-shakespeare-char  # otherwise it would be the newest run from here on

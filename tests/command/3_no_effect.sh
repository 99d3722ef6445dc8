# Flags that have no effect beside others: each is refused or named, so that nobody believes that it worked.

none=("${tiny[@]}" --max_iters=2 --dry_run --out_dir=none)
for line in 'sgd --beta1=0.5' 'sgd --beta2=0.5' 'sgd --weight_decay=0.3' 'sgd --momentum=0.5' 'momentum --beta2=0.5' \
  'nesterov --weight_decay=0.3' 'rmsprop --momentum=0.5' 'rmsprop --beta1=0.5' 'adam --momentum=0.5' 'adamw --momentum=0.5'; do
  flag=${line#* }
  fails "$flag of ${line% *}" 2 "${flag%=*}: has no effect with --optimizer=${line% *} (leave it out)" \
    "${none[@]}" --optimizer="${line% *}" "$flag"
done
succeeds 'flags of muon' "${none[@]}" --optimizer=muon --momentum=0.5 --beta1=0.8 --beta2=0.9 --weight_decay=0.3
succeeds 'flags of adam' "${none[@]}" --optimizer=adam --beta1=0.8 --beta2=0.9 --weight_decay=0.3
succeeds 'momentum of nesterov' "${none[@]}" --optimizer=nesterov --momentum=0.5
fails 'momentum of a task' 2 '--momentum: has no effect with --optimizer=adamw' train --model=bert --momentum=0.5 --dry_run
fails 'local steps of one process' 2 "--local_steps: has no effect with one process (start several with './run cluster N train', or leave it out)" \
  "${none[@]}" --local_steps=4
fails 'a schedule of a rate that stays' 2 '--schedule: has no effect with --decay_lr=False (leave it out)' \
  "${none[@]}" --schedule=linear --decay_lr=False

# nanoGPT's configs have these flags, whatever the rate does: they are named.
succeeds 'nanoGPT: a rate that stays' "${none[@]}" --decay_lr=False --min_lr=1e-4 --lr_decay_iters=5 --warmup_iters=3
says 'its flags are named' err \
  '^gradus: --min_lr, --warmup_iters, --lr_decay_iters: without effect with --decay_lr=False$'
succeeds 'a constant rate' "${none[@]}" --schedule=constant --min_lr=1e-4 --warmup_iters=1
says 'has no end' err '^gradus: --min_lr: without effect with --schedule=constant$'
succeeds 'a rate without an end' "${none[@]}" --schedule=inverse_sqrt --lr_decay_iters=5 --min_lr=1e-4
says 'has none either' err '^gradus: --lr_decay_iters: without effect with --schedule=inverse_sqrt$'
succeeds 'a rate that falls' "${none[@]}" --schedule=linear --lr_decay_iters=5 --min_lr=1e-4 --warmup_iters=1
holds 'has all of them' bash -c '! grep "without effect" err'

# Resumed runs.
succeeds 'a run of plain descent' "${tiny[@]}" --optimizer=sgd --out_dir=plain-descent
fails 'resume with --overwrite' 2 '--overwrite: has no effect with --init_from=resume (leave it out)' \
  train --init_from=resume --out_dir=plain-descent --overwrite
fails "resume with another optimiser's flag" 2 '--beta2: has no effect with --optimizer=sgd' \
  train --init_from=resume --out_dir=plain-descent --max_iters=14 --beta2=0.5
succeeds 'resume with a rate that stays' train --init_from=resume --out_dir=plain-descent --max_iters=14 --decay_lr=False --min_lr=1
says 'which is named' err '^gradus: --min_lr: without effect with --decay_lr=False$'

# The command that a plan prints has no such flags.
succeeds 'a plan of plain descent' train --text text.txt --minutes 0.02 --optimizer=sgd --dry_run --out_dir=none
again=$(sed -n 's/^  again *//p' err)
# shellcheck disable=SC2086
succeeds 'can be repeated' ${again/#* train/train} --dry_run

# Configs and recipes.
fails "nanoGPT's config and another recipe" 2 'config/train_shakespeare_char.py and --recipe=strong: name two recipes (choose one)' \
  train --text text.txt config/train_shakespeare_char.py --recipe=strong --dry_run
fails "nanoGPT's config for a trained model" 2 'chooses the recipe of a new model' \
  train --text text.txt config/train_shakespeare_char.py --init_from=plain-descent --dry_run --out_dir=none
succeeds "nanoGPT's recipe for a trained model" train --text text.txt config/train_shakespeare_char.py --recipe=nanogpt \
  --init_from=plain-descent --dry_run --out_dir=none

# Two folders.
succeeds 'another run' "${tiny[@]}" --max_iters=2 --out_dir=another-run
for command in sample eval info predict 'attention --text=fox' 'finetune --data=tweets --into=none'; do
  # shellcheck disable=SC2086
  fails "${command%% *} of two folders" 2 \
    'plain-descent/best is not in another-run: --checkpoint and the folder name two models (choose one)' \
    $command --out_dir=another-run --checkpoint=plain-descent/best
done
succeeds 'a folder and a checkpoint in it' info --out_dir=another-run --checkpoint=./another-run/last
fails 'a new run from two folders' 2 'name two models (choose one)' \
  train --text text.txt --init_from=another-run --checkpoint=plain-descent/best --dry_run --out_dir=none
fails 'a tokenizer of two folders' 2 '--out_dir and --checkpoint=plain-descent/best: name two tokenizers (choose one)' \
  tokenize --out_dir=another-run --checkpoint=plain-descent/best --encode fox

# Flags of other commands.
fails 'replacing what is not saved' 2 '--overwrite: needs --out_dir' tokenize --text text.txt --vocab_size=280 --encode a --overwrite
fails 'no merges' 2 '--merges must be at least 1, got 0' tokenize --out_dir=another-run --merges 0
printf 'fox 1 2\nhen 2 1\n' >told.vec
for flag in --channels=3 --min_count=1 --window=2 --x_max=3 --epochs=1 --seed=4; do
  fails "${flag%=*} of vectors that are there" 2 "${flag%=*}: has no effect with --from, which trains nothing (leave it out)" \
    vectors --from told.vec --near fox "$flag"
done
fails 'a count of no neighbours' 2 '--count: needs --near WORD (add it, or leave --count out)' \
  vectors --text text.txt --count 3 --out none.vec
for i in {1..40}; do printf 'say %s\tit is %s\n' $((i * 7 % 23)) $((i * 7 % 23)); done >told.tsv
for i in {1..30}; do printf 'say %s\tit is %s\tit is it\n' $((i * 7 % 23)) $((i * 7 % 23)); done >told-better.tsv
succeeds 'a GPT with answers' train --model gpt --n_layer=1 --n_head=2 --n_embd=8 --n_inner=8 --batch_size=4 \
  --eval_iters=1 --data told.tsv --max_iters=3 --out_dir=told
fails 'prompts of preferences' 2 '--loss_on_prompt: has no effect on preferences (leave it out)' \
  finetune --out_dir=told --data told-better.tsv --dpo=0.1 --loss_on_prompt --into=none
fails 'preferences of a BERT' 2 '--dpo: has no effect on --model=bert' train --model bert --dpo=0.1 --dry_run
fails 'tokens of held-out prompts' 2 '--max_new_tokens: has no effect with --held_out (leave it out)' \
  predict --out_dir=told --held_out --max_new_tokens=5
succeeds 'draws of the most probable token' sample --out_dir=told --start='say 3' --seed=4 --top_k=3 --top_p=0.5
says 'are named' err '^gradus: --seed, --top_k, --top_p: without effect at temperature 0, as each token is the most probable one'
succeeds 'at a temperature' sample --out_dir=told --start='say 3' --temperature=1 --seed=4 --top_k=3
holds 'nothing is' bash -c '! grep "without effect" err'
fails 'a digit of a text' 2 '--image: only for a vit, got a gpt (leave it out)' attention --out_dir=told --text='say 3' --image=2

# Every command reports an error if its result cannot be written.

lost() {  # lost NAME ARGUMENTS...: with standard output closed, and with one that is full
  local name=$1 code
  shift
  "$gradus" "$@" >&- 2>err </dev/null
  code=$?
  [[ $code == 1 && $(tail -n 1 err) == 'gradus: standard output: cannot be written: Bad file descriptor (it is closed'* ]]
  verdict $? "$name: standard output is closed" "exit $code: $(tail -n 2 err)"
  if [[ ! -w /dev/full ]]; then return; fi
  "$gradus" "$@" >/dev/full 2>err </dev/null
  code=$?
  [[ $code == 1 && $(tail -n 1 err) == 'gradus: standard output: cannot be written: No space left'* ]]
  verdict $? "$name: standard output is full" "exit $code: $(tail -n 2 err)"
}

lost 'version' --version
lost 'usage' help
lost 'help of a command' help train
lost 'names for completion' train --flag-names
lost 'train' "${tiny[@]}" --overwrite --out_dir=results
lost 'sample' sample --out_dir=whole --max_new_tokens=5
lost 'eval' eval --out_dir=whole --text text.txt
lost 'predict' predict --out_dir=classes --text 'The fox'
lost 'info' info --out_dir=whole
lost 'attention' attention --out_dir=whole --text 'The fox'
lost 'tokenize' tokenize --out_dir=tokens --encode 'The fox'
lost 'vectors' vectors --text text.txt --channels 5 --min_count 2 --epochs 1 --near fox
lost 'doctor' doctor
succeeds 'what was trained is there' info --out_dir=results

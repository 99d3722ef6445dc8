# Completion in bash for gradus and for ./run: `source tools/completion.bash`. The words come from the program itself.

_gradus() {
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} flags
  COMPREPLY=()
  if [[ $COMP_CWORD == 1 ]]; then  # a command: the first word of a line of `help`
    flags=$("$program" help 2>/dev/null | awk -F '  +' '/^  [a-z]/ {
      gsub(",", "", $2); n = split($2, words, " "); for (i = 1; i <= n; ++i) if (words[i] ~ /^[a-z]+$/) print words[i] }')
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$word")
    return
  fi
  if [[ $program == */run || $program == run ]]; then program=${program%run}build/gradus; fi  # ./run would compile first
  flags=$("$program" "${COMP_WORDS[1]}" --flag-names 2>/dev/null) || return
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${flags//$'\n'/ }" -- "$word" | grep -- '^--')
    return
  fi
  if [[ $word == '=' ]]; then word=''; fi  # bash splits --flag=value into three words
  if [[ $before == '=' ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  mapfile -t COMPREPLY < <(compgen -W "$(sed -n "s/^$before //p" <<<"$flags")" -- "$word")
}

complete -o bashdefault -o default -F _gradus gradus run

#!/usr/bin/env bash
# Prints the manual page of a program gradus, made from its own help: man_page.sh GRADUS
set -euo pipefail

gradus=$1
export GRADUS_PROGRAM=gradus
verbatim() { sed -e 's/\\/\\e/g' -e "s/^[.']/\\\\\&&/" -e 's/-/\\-/g'; }  # escapes text for groff

help=$("$gradus" help)
echo '.TH GRADUS 1'
echo '.SH NAME'
echo 'gradus \- train small GPTs and other transformers, and use them'
echo '.SH SYNOPSIS'
echo '.B gradus'
echo 'COMMAND [FLAGS]'
echo '.SH DESCRIPTION'
printf '.nf\n%s\n.fi\n' "$(verbatim <<<"$help")"
awk '/^  [a-z]+  /{print $1}' <<<"$help" | while read -r command; do
  printf '.SH GRADUS %s\n.nf\n%s\n.fi\n' "${command^^}" "$("$gradus" "$command" --help-all </dev/null | verbatim)"
done

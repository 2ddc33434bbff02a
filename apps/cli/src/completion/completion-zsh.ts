// The completion script for zsh: to be sourced, or found by its name in $fpath.
import type { Candidate, Place } from './completion-places.js';
import { branch, optionsWithValues, quoted, valueBranches } from './completion-script.js';

export function zshScript(places: readonly Place[]): string {
  const [program, ...commands] = places.map(({ path }) => path);
  const values = valueBranches(optionsWithValues(places), {
    words: (words) => `compadd -- ${words.map(quoted).join(' ')}; return`,
    file: '_files; return',
    unknown: '_message value; return',
  });
  return `#compdef tessera
# Completion of tessera for zsh, written by: tessera completion zsh
_tessera() {
  local place=${quoted(program ?? '')} word argument
  local -a candidates options
  for word in $words[2,CURRENT-1]; do
    case "$place $word" in
${branch(commands, 'place="$place $word"')}    esac
  done
  case "$place $words[CURRENT-1]" in
${values}  esac
  case "$place" in
${places.map(branchOf).join('')}  esac
  if [[ $words[CURRENT] == -* ]]; then
    _describe -o option options
  else
    (( $#candidates )) && _describe command candidates
    [[ $argument != file ]] || _files
  fi
}
if [[ $funcstack[1] == _tessera ]]; then _tessera "$@"; else compdef _tessera tessera; fi
`;
}

function branchOf({ path, commands, options, argument }: Place): string {
  const words = typeof argument === 'object' ? argument.words : [];
  const candidates = [...commands, ...words.map((word) => ({ word, description: '' }))];
  const parts = [
    `candidates=(${candidates.map(described).join(' ')})`,
    `options=(${options.map(described).join(' ')})`,
    ...(argument === 'file' ? ['argument=file'] : []),
  ];
  return branch([path], parts.join(' '));
}

function described({ word, description }: Candidate): string {
  return quoted(description === '' ? word : `${word}:${description}`);
}

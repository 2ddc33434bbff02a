// The completion script for bash, 3.2 and later.
import type { Place } from './completion-places.js';
import { branch, optionsWithValues, quoted, valueBranches } from './completion-script.js';

export function bashScript(places: readonly Place[]): string {
  const [program, ...commands] = places.map(({ path }) => path);
  const values = valueBranches(optionsWithValues(places), {
    words: (words) => `_tessera_words ${quoted(words.join(' '))}; return`,
    file: '_tessera_files; return',
    unknown: 'return',
  });
  return `# Completion of tessera for bash, written by: tessera completion bash
_tessera_words() {
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}
_tessera_files() {
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current")
}
_tessera() {
  local current=\${COMP_WORDS[COMP_CWORD]} place=${quoted(program ?? '')} word
  local words= options= argument=
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place $word" in
${branch(commands, 'place="$place $word"')}    esac
  done
  case "$place \${COMP_WORDS[COMP_CWORD-1]}" in
${values}  esac
  case "$place" in
${places.map(branchOf).join('')}  esac
  case "$current" in
    -*) _tessera_words "$options" ;;
    *) _tessera_words "$words"; [ "$argument" != file ] || _tessera_files ;;
  esac
}
complete -F _tessera tessera
`;
}

function branchOf({ path, commands, options, argument }: Place): string {
  const words = [
    ...commands.map(({ word }) => word),
    ...(typeof argument === 'object' ? argument.words : []),
  ];
  const optionWords = options.map(({ word }) => word);
  const parts = [
    `words=${quoted(words.join(' '))}`,
    `options=${quoted(optionWords.join(' '))}`,
    ...(argument === 'file' ? ['argument=file'] : []),
  ];
  return branch([path], parts.join(' '));
}

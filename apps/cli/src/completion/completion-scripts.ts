// The completion scripts for bash, zsh and fish.
import type { Candidate, OptionCandidate, Place, Value } from './completion-places.js';

/** For bash 3.2 and later. */
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
${places.map(bashBranch).join('')}  esac
  case "$current" in
    -*) _tessera_words "$options" ;;
    *) _tessera_words "$words"; [ "$argument" != file ] || _tessera_files ;;
  esac
}
complete -F _tessera tessera
`;
}

function bashBranch({ path, commands, options, argument }: Place): string {
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

/** For zsh: to be sourced, or found by its name in $fpath. */
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
${places.map(zshBranch).join('')}  esac
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

function zshBranch({ path, commands, options, argument }: Place): string {
  const words = typeof argument === 'object' ? argument.words : [];
  const candidates = [...commands, ...words.map((word) => ({ word, description: '' }))];
  const parts = [
    `candidates=(${candidates.map(zshCandidate).join(' ')})`,
    `options=(${options.map(zshCandidate).join(' ')})`,
    ...(argument === 'file' ? ['argument=file'] : []),
  ];
  return branch([path], parts.join(' '));
}

function zshCandidate({ word, description }: Candidate): string {
  return quoted(description === '' ? word : `${word}:${description}`);
}

/** In single quotes, for bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A branch of `case` in bash and zsh; empty without patterns. */
function branch(patterns: readonly string[], body: string): string {
  return patterns.length === 0 ? '' : `    ${patterns.map(quoted).join(' | ')}) ${body} ;;\n`;
}

interface OptionWithValue {
  /** The words before the value: `tessera encrypt --kind`. */
  readonly pattern: string;
  readonly value: Value;
}

function optionsWithValues(places: readonly Place[]): readonly OptionWithValue[] {
  return places.flatMap(({ path, options }) =>
    options.flatMap(({ word, value }) => (value ? [{ pattern: `${path} ${word}`, value }] : [])),
  );
}

/** The branches of `case` that complete the values of options. */
function valueBranches(
  values: readonly { readonly pattern: string; readonly value: Value }[],
  bodies: { readonly words: (words: readonly string[]) => string; file: string; unknown: string },
): string {
  const patternsOf = (value: Value): string[] =>
    values.filter((each) => each.value === value).map(({ pattern }) => pattern);
  const choices = values.map(({ pattern, value }) =>
    typeof value === 'object' ? branch([pattern], bodies.words(value.words)) : '',
  );
  return (
    choices.join('') +
    branch(patternsOf('file'), bodies.file) +
    branch(patternsOf('unknown'), bodies.unknown)
  );
}

export function fishScript(places: readonly Place[]): string {
  const [program = '', ...commands] = places.map(({ path }) => path);
  return `# Completion of tessera for fish, written by: tessera completion fish
function __tessera_at
    set -l place ${quotedForFish(program)}
    for word in (commandline -opc)[2..-1]
        if contains -- "$place $word" ${commands.map(quotedForFish).join(' ')}
            set place "$place $word"
        end
    end
    test "$place" = "$argv"
end
complete -c tessera -f
${places.flatMap(fishLines).join('\n')}
`;
}

function fishLines({ path, commands, options, argument }: Place): readonly string[] {
  const here = `complete -c tessera -n ${quotedForFish(`__tessera_at ${path}`)}`;
  return [
    ...commands.map(
      ({ word, description }) => `${here} -a ${word} -d ${quotedForFish(description)}`,
    ),
    ...(argument === 'file' ? [`${here} -F`] : []),
    ...(typeof argument === 'object' ? [`${here} ${fishWords(argument.words)}`] : []),
    ...options.map((option) => `${here} ${fishOption(option)}`),
  ];
}

function fishOption({ word, description, value }: OptionCandidate): string {
  const name = word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
  return `${name} ${value ? fishValue(value) : ''}-d ${quotedForFish(description)}`;
}

/** Fish completes files unless `-x` is set. */
function fishValue(value: Value): string {
  if (value === 'file') return '-r -F ';
  return value === 'unknown' ? '-x ' : `-x ${fishWords(value.words)} `;
}

function fishWords(words: readonly string[]): string {
  return `-a ${quotedForFish(words.join(' '))}`;
}

function quotedForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

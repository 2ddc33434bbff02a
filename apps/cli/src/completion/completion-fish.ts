// The completion script for fish.
import type { OptionCandidate, Place, Value } from './completion-places.js';

export function fishScript(places: readonly Place[]): string {
  const [program = '', ...commands] = places.map(({ path }) => path);
  return `# Completion of tessera for fish, written by: tessera completion fish
function __tessera_at
    set -l place ${quoted(program)}
    for word in (commandline -opc)[2..-1]
        if contains -- "$place $word" ${commands.map(quoted).join(' ')}
            set place "$place $word"
        end
    end
    test "$place" = "$argv"
end
complete -c tessera -f
${places.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, commands, options, argument }: Place): readonly string[] {
  const here = `complete -c tessera -n ${quoted(`__tessera_at ${path}`)}`;
  return [
    ...commands.map(({ word, description }) => `${here} -a ${word} -d ${quoted(description)}`),
    ...(argument === 'file' ? [`${here} -F`] : []),
    ...(typeof argument === 'object' ? [`${here} ${wordsOf(argument.words)}`] : []),
    ...options.map((option) => `${here} ${optionOf(option)}`),
  ];
}

function optionOf({ word, description, value }: OptionCandidate): string {
  const name = word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
  return `${name} ${value ? takenBy(value) : ''}-d ${quoted(description)}`;
}

/** Files are offered where nothing says otherwise. */
function takenBy(value: Value): string {
  if (value === 'file') return '-r -F ';
  return value === 'unknown' ? '-x ' : `-x ${wordsOf(value.words)} `;
}

function wordsOf(words: readonly string[]): string {
  return `-a ${quoted(words.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

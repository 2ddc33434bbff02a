// The completion candidates at each place of a command line, as the commands declare them.
import type { Argument, Command, Option } from 'commander';

/** The candidates for a value: words, files or none. */
export type Value = { readonly words: readonly string[] } | 'file' | 'unknown';

export interface Candidate {
  readonly word: string;
  readonly description: string;
}

export interface OptionCandidate extends Candidate {
  /** Undefined for an option without a value, or with an optional one. */
  readonly value: Value | undefined;
}

/** The place after the words of a command. */
export interface Place {
  /** `tessera user add`. */
  readonly path: string;
  readonly commands: readonly Candidate[];
  readonly options: readonly OptionCandidate[];
  /** Of the first argument; undefined for a command without arguments. */
  readonly argument: Value | undefined;
}

/** The names of arguments and values that are files. */
const FILES = /^(?:file|path)s?$/;

/** The place after the program's name, then the place after each of its commands. */
export function placesOf(program: Command): readonly Place[] {
  return placesBelow(program, program.name());
}

function placesBelow(command: Command, path: string): readonly Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help.visibleOptions(command);
  const [argument] = command.registeredArguments;
  const place = {
    path,
    commands: commands.map((each) => ({ word: each.name(), description: each.description() })),
    options: options.flatMap(candidatesOf),
    argument: argument && valueOf(argument, argument.name()),
  };
  return [place, ...commands.flatMap((each) => placesBelow(each, `${path} ${each.name()}`))];
}

function candidatesOf(option: Option): OptionCandidate[] {
  const { short, long, description, flags } = option;
  const name = /[<[]([\w-]+)/.exec(flags)?.[1] ?? '';
  const value = option.required ? valueOf(option, name) : undefined;
  return [short, long]
    .filter((word) => word !== undefined)
    .map((word) => ({ word, description, value }));
}

function valueOf({ argChoices }: Argument | Option, name: string): Value {
  if (argChoices) return { words: argChoices };
  return FILES.test(name) ? 'file' : 'unknown';
}

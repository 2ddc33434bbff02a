// Owns what may be written at each place of a command line, as the commands themselves declare it.
import type { Argument, Command, Option } from 'commander';

/** What completes a value: one of some words, a file, or nothing that is known. */
export type Value = { readonly words: readonly string[] } | 'file' | 'unknown';

export interface Candidate {
  readonly word: string;
  readonly description: string;
}

export interface OptionCandidate extends Candidate {
  /** Undefined where it takes none, or can do without. */
  readonly value: Value | undefined;
}

/** Behind the words of a command. */
export interface Place {
  /** `tessera user add`. */
  readonly path: string;
  readonly commands: readonly Candidate[];
  readonly options: readonly OptionCandidate[];
  /** Of its arguments; undefined where there are none. */
  readonly argument: Value | undefined;
}

/** How the commands name arguments and values that are files. */
const FILES = /^(?:file|path)s?$/;

/** The place behind the program's name first, then those behind each of its commands. */
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

// Owns what the arguments of an application's program ask of it, besides settings.

export interface ProgramArguments {
  /** Whether it is to tell its settings, and end. */
  readonly explains: boolean;
  /** The settings. */
  readonly argv: readonly string[];
}

/** @param argv as the process has them, the program's name included; `explain` before the settings */
export function readProgramArguments(argv: readonly string[]): ProgramArguments {
  const explains = argv[2] === 'explain';
  return { explains, argv: argv.slice(explains ? 3 : 2) };
}

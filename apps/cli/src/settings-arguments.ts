// Tells settings among the arguments (`--database.url=…`) from options of commands (`--json`).

/** An option's name has no dot; a setting's key always has. */
const SETTING = /^--[A-Za-z][\w-]*(?:\.[\w-]+)+(=|$)/;

export interface SplitArguments {
  /** For the settings: each `--key=value`. */
  readonly settings: readonly string[];
  /** For the commands, in their order. */
  readonly rest: readonly string[];
}

/** Takes the settings out, wherever they stand; behind `--` there are none. */
export function splitArguments(argv: readonly string[]): SplitArguments {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const settings: string[] = [];
  const rest: string[] = [];
  for (let index = 0; index < end; index += 1) {
    const argument = argv[index] ?? '';
    const separator = SETTING.exec(argument)?.[1];
    if (separator === undefined) {
      rest.push(argument);
    } else if (separator === '=' || index + 1 === end) {
      settings.push(argument);
    } else {
      index += 1;
      settings.push(`${argument}=${argv[index]}`);
    }
  }
  return { settings, rest: [...rest, ...argv.slice(end)] };
}

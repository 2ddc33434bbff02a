// Separates settings (`--database.url=…`) from options of commands (`--json`).

/** A setting's key always contains a dot, and the name of an option never does. */
const SETTING = /^--[A-Za-z][\w-]*(?:\.[\w-]+)+(=|$)/;

export interface SplitArguments {
  /** Each `--key=value`. */
  readonly settings: readonly string[];
  /** All other arguments, in order. */
  readonly rest: readonly string[];
}

/** Settings may come before or after other arguments, but not after `--`. */
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

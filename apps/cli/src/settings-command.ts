// `tessera settings explain`. Runs the application to read its settings, so that the output is what it would use.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { childEnvironment, NO_DEBUGGER_BY_SIGNAL } from '@tessera/runtime';
import type { ExplainedSetting } from '@tessera/config';
import { CliError } from './cli-error.js';
import { explanation, type ExplainOptions } from './settings-explanation.js';
import { writeLine, type Terminal } from './terminal.js';

const NOTES = `
Each line has a key, its value and where that comes from. Secrets are masked: by their key, and whatever Vault, a
credential file or a protected value supplied. The application reads its settings as it does when "tessera start"
starts it, in profile dev by default.

Exit codes: 0 done; 1 an error, or wrong use; 78 settings that the application would not start with.

Examples:
  tessera settings explain
  tessera settings explain sso.port
  tessera settings explain config-server --application config-server --profiles.active=production`;

const APPLICATIONS = ['sso', 'config-server'] as const;

/** More than any settings need. */
const MAX_OUTPUT_BYTES = 64 * 1_048_576;

/** Does not load the database. */
export const SETTINGS_COMMANDS: readonly string[] = ['settings'];

/** Adds `settings explain`. @param settings the `--key=value` arguments */
export function registerSettingsCommand(
  program: Command,
  settings: readonly string[],
  terminal: Terminal,
): void {
  const command = program.command('settings').description('what the applications are set to');
  command
    .command('explain')
    .description('every setting, its value and where it comes from')
    .argument('[key]', 'one setting alone, or all below it')
    .addOption(
      new Option('--application <name>', 'whose settings').choices(APPLICATIONS).default('sso'),
    )
    .option('--json', 'write a JSON array')
    .addHelpText('after', NOTES)
    .action(async (key: string | undefined, options: ExplainOptions) => {
      const all = await explain(options.application, settings, terminal);
      writeLine(terminal.stdout, await explanation(all, key, options));
    });
}

/** @throws CliError with the exit code of the application, where its settings are invalid; it has printed them */
function explain(
  application: string,
  settings: readonly string[],
  { stderr }: Terminal,
): Promise<readonly ExplainedSetting[]> {
  const main = fileURLToPath(new URL(`../../${application}/src/main.js`, import.meta.url));
  const env = childEnvironment({ PROFILES_ACTIVE: 'dev' });
  return new Promise((resolve, reject) => {
    const options = { env, maxBuffer: MAX_OUTPUT_BYTES };
    const args = [NO_DEBUGGER_BY_SIGNAL, main, 'explain', ...settings];
    execFile(process.execPath, args, options, (error, stdout, messages) => {
      stderr.write(messages);
      if (error === null) resolve(JSON.parse(stdout) as readonly ExplainedSetting[]);
      else reject(new CliError(`${application} would not start`, exitCodeOf(error.code)));
    });
  });
}

function exitCodeOf(code: unknown): number {
  return typeof code === 'number' ? code : 1;
}

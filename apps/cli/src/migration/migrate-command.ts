// The command `tessera migrate` with its options. The code that runs it is imported on demand.
import type { Command } from 'commander';
import { callerPath } from '../input.js';
import type { Terminal } from '../terminal.js';
import type { MigrateOptions } from './migrate.js';

const NOTES = `
Reads cas.properties, application.properties, cas.yml and application.yml in the directory, in config,
etc/cas/config and src/main/resources of it, and the service files. The old server may keep running: nothing of it changes.
The new directory gets sso.yml or config-server.yml, the service files, and the report.

Exit codes: 0 done; 1 an error, wrong use, or a setting that makes sign-in weaker and is not accepted.

Examples:
  tessera migrate /etc/cas --into /etc/tessera
  tessera migrate cas-overlay --into tessera --profiles prod --password-env CAS_KEY
  tessera migrate cas-overlay --into tessera --accept cas.authn.mfa`;

/** Does not load the database. */
export const MIGRATE_COMMANDS: readonly string[] = ['migrate'];

/** Adds `migrate` to `program`. */
export function registerMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description(
      'settings and services of Apereo CAS, or of a Spring config server, for this server',
    )
    .argument(
      '<directory>',
      'an overlay, /etc/cas, or the directory of a config server',
      callerPath,
    )
    .requiredOption('--into <directory>', 'a new directory', callerPath)
    .option(
      '--profiles <names>',
      'profiles of the old server, between commas; the last is the strongest',
    )
    .option('--users <file>', 'an export of users, for tessera user import', callerPath)
    .option('--accept <key>', 'a setting that may make sign-in weaker; repeat it for more', collect)
    .option('--password-file <file>', 'the password of encrypted values, from a file', callerPath)
    .option(
      '--password-env <name>',
      'the password of encrypted values, from an environment variable',
    )
    .option('--algorithm <name>', 'of encrypted values: that of the old settings by default')
    .option('--iterations <number>', 'of encrypted values: 1000 by default')
    .option('--json', 'write the report as a JSON object')
    .addHelpText('after', NOTES)
    .action(async (directory: string, options: MigrateOptions) => {
      const { migrate } = await import('./migrate.js');
      await migrate(directory, options, terminal);
    });
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

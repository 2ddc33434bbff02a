// The command `tessera schema status` with its options.
import type { Command } from 'commander';
import type { CommandContext } from '../database.js';
import { showSchemaStatus } from './schema-status.js';

const NOTES = `
Changes nothing in the database. Run it with the new version before an upgrade.

Exit codes: 0 nodes may go on serving during the upgrade, or nothing is pending; 3 all nodes must be stopped first;
4 this version is too old for the database; 1 any other error.`;

/** Adds `schema` and its subcommand to `program`. @param context its database is not migrated */
export function registerSchemaCommand(program: Command, context: CommandContext): void {
  program
    .command('schema')
    .description('the schema of the database')
    .command('status')
    .description('whether an upgrade to this version needs a stop; see docs/operations.md')
    .option('--json', 'as a JSON object')
    .addHelpText('after', NOTES)
    .action((options: { readonly json?: boolean }) => showSchemaStatus(options, context));
}

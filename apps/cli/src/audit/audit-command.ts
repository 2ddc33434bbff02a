// The command `tessera audit` with its options.
import { type Command, Option } from 'commander';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '@tessera/audit';
import type { CommandContext } from '../database.js';
import { type AuditOptions, searchAudit } from './search.js';

const NOTES = `
Times are written 2026-11-24, 2026-11-24T08:00:00Z, or as an age: 30m, 12h, 7d.

Examples:
  tessera audit --user ann --since 1d
  tessera audit --outcome failure --action LOGIN --json
  tessera audit --service https://wiki.example.org/ --follow`;

/** Adds `audit` to `program`. */
export function registerAuditCommand(program: Command, context: CommandContext): void {
  program
    .command('audit')
    .description('what users, applications and operators did; see docs/audit.md')
    .option('--user <name>', 'of this user')
    .option('--service <url>', 'of services whose URL begins with this')
    .addOption(new Option('--action <action>', 'of this kind').choices(AUDIT_ACTIONS))
    .addOption(new Option('--outcome <outcome>', 'with this outcome').choices(AUDIT_OUTCOMES))
    .option('--since <time>', 'from this time on')
    .option('--until <time>', 'before this time')
    .option('--limit <number>', 'at most so many, the newest', '100')
    .option('--json', 'one JSON object a line')
    .option('--follow', 'go on with new events until Ctrl-C')
    .addHelpText('after', NOTES)
    .action((options: AuditOptions) => searchAudit(options, context));
}

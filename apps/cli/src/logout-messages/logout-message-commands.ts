// The commands `tessera logout-messages …` with their options.
import type { Command } from 'commander';
import type { CommandContext } from '../database.js';

const NOTES = `
An application that was not told of a logout goes on with its own session. Messages are kept for 30 days.`;

// Imported on demand, with the libraries that it needs.
const actions = () => import('./failed-messages.js');

/** Adds `logout-messages` and its subcommands to `program`. */
export function registerLogoutMessageCommands(program: Command, context: CommandContext): void {
  const messages = program
    .command('logout-messages')
    .description('messages of single logout that failed for good')
    .addHelpText('after', NOTES);
  messages
    .command('list')
    .description('all of them, the oldest first')
    .option('--json', 'as a JSON array')
    .action(async (options: object) => (await actions()).listFailedMessages(options, context));
  messages
    .command('retry')
    .description('send them again')
    .argument('[ids...]', 'those that list shows')
    .option('--all', 'send all of them')
    .action(async (ids: readonly string[], options: object) =>
      (await actions()).retryFailedMessages(ids, options, context),
    );
}

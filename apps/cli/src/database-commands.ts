// The commands that work on the database, with all they stand on: a file of its own, so that it is
// loaded only where it is needed.
import 'reflect-metadata';
import type { Command } from 'commander';
import { databaseOpener } from './database.js';
import { registerServiceCommands } from './services/service-commands.js';
import type { Terminal } from './terminal.js';
import { registerUserCommands } from './users/user-commands.js';

/** @param settings the `--key=value` among the arguments */
export function registerDatabaseCommands(
  program: Command,
  settings: readonly string[],
  terminal: Terminal,
): void {
  const openDatabase = databaseOpener(settings, terminal);
  registerUserCommands(program, { openDatabase, terminal });
  registerServiceCommands(program, openDatabase);
}

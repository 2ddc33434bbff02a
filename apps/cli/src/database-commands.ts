// The commands that need the database. The program imports this file on demand, because its imports are large.
import 'reflect-metadata';
import type { Command } from 'commander';
import { registerAuditCommand } from './audit/audit-command.js';
import { databaseOpener } from './database.js';
import { registerLogoutMessageCommands } from './logout-messages/logout-message-commands.js';
import { registerOidcCommands } from './oidc/oidc-commands.js';
import { registerSchemaCommand } from './schema/schema-command.js';
import { registerServiceCommands } from './services/service-commands.js';
import type { Terminal } from './terminal.js';
import { registerUserCommands } from './users/user-commands.js';

/** @param settings the `--key=value` arguments */
export function registerDatabaseCommands(
  program: Command,
  settings: readonly string[],
  terminal: Terminal,
): void {
  const openDatabase = databaseOpener(settings, terminal);
  registerUserCommands(program, { openDatabase, terminal });
  registerServiceCommands(program, openDatabase);
  registerLogoutMessageCommands(program, { openDatabase, terminal });
  registerOidcCommands(program, { openDatabase, terminal });
  registerAuditCommand(program, { openDatabase, terminal });
  const openUnchanged = databaseOpener(settings, terminal, { migrates: false });
  registerSchemaCommand(program, { openDatabase: openUnchanged, terminal });
}

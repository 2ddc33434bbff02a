// What every command that touches the database works with.
import type { OpenDatabase } from './database.js';
import type { Terminal } from './terminal.js';

export interface CommandContext {
  readonly openDatabase: OpenDatabase;
  readonly terminal: Terminal;
}

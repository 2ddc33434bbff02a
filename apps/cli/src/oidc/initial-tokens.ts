// `tessera oidc initial-token add`, `list` and `remove`: the initial access tokens of RFC 7591.
import { parseDuration } from '@tessera/config';
import { InitialAccessTokens } from '@tessera/services';
import { changing } from '../audit/changes.js';
import { CliError } from '../cli-error.js';
import { type CommandContext, withDatabase } from '../database.js';
import { columns, escapeForTerminal, fieldLines, indentedJson, writeLine } from '../terminal.js';
import type { ShowOptions } from './signing-key-list.js';

/** In seconds: a minute, and 90 days. */
const MIN_LIFETIME = 60;
const MAX_LIFETIME = 7_776_000;

export interface NewTokenOptions extends ShowOptions {
  readonly lifetime: string;
}

/** Prints the token. @throws CliError for an invalid lifetime */
export async function addToken(
  { lifetime, json }: NewTokenOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const seconds = (parseDuration(lifetime) ?? 0) / 1_000;
  if (seconds < MIN_LIFETIME || seconds > MAX_LIFETIME) {
    throw new CliError('--lifetime must be a duration from 1m to 90d, such as 12h');
  }
  const { token, id, expiresAt } = await withDatabase(openDatabase, (database) =>
    changing(database, async ({ manager, record }) => {
      const added = await new InitialAccessTokens(manager).add(seconds);
      const details = { expires: added.expiresAt };
      await record({ action: 'ADD_INITIAL_ACCESS_TOKEN', subject: added.id, details });
      return added;
    }),
  );
  const shown = { token, id, expires: expiresAt.toISOString() };
  writeLine(terminal.stdout, json ? indentedJson(shown) : fieldLines(Object.entries(shown)));
}

export async function listTokens(
  { json }: ShowOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const tokens = await withDatabase(openDatabase, ({ dataSource }) =>
    new InitialAccessTokens(dataSource.manager).list(),
  );
  const shown = tokens.map(({ id, expiresAt }) => ({ id, expires: expiresAt.toISOString() }));
  const table = (): string => columns(['ID', 'EXPIRES'], shown.map(Object.values));
  writeLine(terminal.stdout, json ? indentedJson(shown) : table());
}

/** @throws CliError for an unknown token */
export async function removeToken(
  id: string,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  await withDatabase(openDatabase, (database) =>
    changing(database, async ({ manager, record }) => {
      if (!(await new InitialAccessTokens(manager).remove(id))) {
        // It may be the token itself.
        throw new CliError(
          'no initial access token has this id: "tessera oidc initial-token list" shows them',
        );
      }
      await record({ action: 'REMOVE_INITIAL_ACCESS_TOKEN', subject: id });
    }),
  );
  writeLine(terminal.stdout, `removed ${escapeForTerminal(id)}`);
}

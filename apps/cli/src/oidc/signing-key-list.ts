// `tessera oidc keys list`, and how the other commands show keys.
import { SigningKeyStore, type StoredSigningKey } from '@tessera/signing-keys';
import { withDatabase, type CommandContext } from '../database.js';
import { columns, indentedJson, writeLine, type Terminal } from '../terminal.js';

export interface ShowOptions {
  readonly json?: boolean;
}

export async function listSigningKeys(
  options: ShowOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const keys = await withDatabase(openDatabase, ({ dataSource }) =>
    new SigningKeyStore(dataSource.manager).readAll(),
  );
  showKeys(keys, options, terminal);
}

export function showKeys(
  keys: readonly StoredSigningKey[],
  { json }: ShowOptions,
  { stdout }: Terminal,
): void {
  writeLine(stdout, json ? indentedJson(keys.map(keyAsJson)) : table(keys));
}

export function keyAsJson(key: StoredSigningKey): object {
  const { kid, algorithm, state, createdAt, usableFrom, publishedUntil } = key;
  return { kid, algorithm, state, created: createdAt, signsFrom: usableFrom, publishedUntil };
}

function table(keys: readonly StoredSigningKey[]): string {
  const rows = keys.map(({ kid, algorithm, state, usableFrom, publishedUntil }) => [
    kid,
    algorithm,
    state,
    usableFrom?.toISOString() ?? 'never',
    publishedUntil?.toISOString() ?? '',
  ]);
  return columns(['KID', 'ALGORITHM', 'STATE', 'SIGNS FROM', 'PUBLISHED UNTIL'], rows);
}

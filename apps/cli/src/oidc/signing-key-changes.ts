// `tessera oidc keys rotate`, `remove` and `import`.
import { parseDuration } from '@tessera/config';
import {
  importSigningKeys,
  type KeySealing,
  type KeystoreFile,
  openKeySealing,
  readKeystore,
  removeSigningKey,
  rotateSigningKeys,
  SigningKeyStore,
  type StoredSigningKey,
  USABLE_IN,
} from '@tessera/signing-keys';
import { type Change, changing } from '../audit/changes.js';
import { CliError } from '../cli-error.js';
import { withDatabase, type CommandContext, type OpenDatabase } from '../database.js';
import { readInputFile } from '../input.js';
import type { CliSettings } from '../settings.js';
import { escapeForTerminal, indentedJson, writeLine } from '../terminal.js';
import { keyAsJson, showKeys, type ShowOptions } from './signing-key-list.js';

const MINUTE_MS = 60_000;
const MAX_USABLE_IN = 30 * 24 * 60 * MINUTE_MS;

export interface RotateOptions extends ShowOptions {
  readonly usableIn?: string;
  readonly now?: boolean;
}

export interface ImportOptions extends ShowOptions {
  readonly verifyOnly?: boolean;
}

/** @throws CliError for an invalid option */
export async function rotateKeys(
  options: RotateOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const usableIn = readUsableIn(options);
  const keys = await changingKeys(openDatabase, async ({ store, settings, record }) => {
    const done = await rotateSigningKeys(store, await sealingOf(settings), usableIn);
    const now = usableIn === undefined;
    await record({ action: 'ROTATE_SIGNING_KEYS', details: { ...done, usableIn, now } });
    return store.readAll();
  });
  showKeys(keys, options, terminal);
  writeLine(terminal.stderr, `tessera: ${outcomeOf(usableIn)}`);
}

function outcomeOf(usableIn: number | undefined): string {
  return usableIn === undefined
    ? 'the former keys are published no more: applications refuse what they signed, once they have read the keys again'
    : 'the new keys are published, and sign from the time above on';
}

/** @returns milliseconds; undefined: at once */
function readUsableIn({ usableIn, now = false }: RotateOptions): number | undefined {
  if (usableIn === undefined) return now ? undefined : USABLE_IN;
  if (now) throw new CliError('give --usable-in or --now');
  const milliseconds = parseDuration(usableIn) ?? 0;
  if (milliseconds >= MINUTE_MS && milliseconds <= MAX_USABLE_IN) return milliseconds;
  throw new CliError('--usable-in must be a duration from 1m to 30d, such as 10m');
}

/** @throws SigningKeyError for a key that is unknown or signs */
export async function removeKey(
  kid: string,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  await changingKeys(openDatabase, async ({ store, record }) => {
    await removeSigningKey(store, kid);
    await record({ action: 'REMOVE_SIGNING_KEY', subject: kid });
  });
  writeLine(terminal.stdout, `removed ${escapeForTerminal(kid)}`);
}

/** @throws CliError, or SigningKeyError KEYSTORE_INVALID; then nothing is imported */
export async function importKeys(
  path: string,
  { json = false, verifyOnly = false }: ImportOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const file = readKeystore((await readInputFile(path)).toString('utf8'));
  if (file.keys.length === 0) throw new CliError(nothingIn(path, file));
  const report = await changingKeys(openDatabase, async ({ store, settings, record }) => {
    const sealing = await sealingOf(settings);
    const done = await importSigningKeys(store, file, { sealing, verifyOnly });
    const details = { added: done.added, skipped: file.skipped.length, verifyOnly };
    if (done.added.length > 0) {
      await record({ action: 'IMPORT_SIGNING_KEYS', subject: path, details });
    }
    return { ...done, skipped: file.skipped, keys: await store.readAll() };
  });
  writeLine(terminal.stdout, json ? indentedJson(asJson(report)) : linesOf(report).join('\n'));
}

interface ImportReport {
  readonly added: readonly string[];
  readonly unchanged: readonly string[];
  readonly skipped: KeystoreFile['skipped'];
  /** All that are stored now. */
  readonly keys: readonly StoredSigningKey[];
}

function asJson({ added, unchanged, skipped, keys }: ImportReport): object {
  const shown = keys.filter(({ kid }) => added.includes(kid));
  return { added: shown.map(keyAsJson), unchanged, skipped };
}

function linesOf({ added, unchanged, skipped, keys }: ImportReport): readonly string[] {
  const stored = keys.filter(({ kid }) => added.includes(kid) || unchanged.includes(kid));
  return [
    ...stored.map((key) => {
      const before = unchanged.includes(key.kid) ? 'was here before, ' : '';
      return `${key.kid}: ${before}${stateOf(key)}`;
    }),
    ...skipped.map(skippedLine),
    `imported ${added.length}, unchanged ${unchanged.length}, skipped ${skipped.length}`,
  ].map(escapeForTerminal);
}

function stateOf({ algorithm, state, usableFrom, publishedUntil }: StoredSigningKey): string {
  if (state === 'signs') return `signs ${algorithm}`;
  if (state === 'next') return `signs ${algorithm} from ${usableFrom?.toISOString()} on`;
  return `${algorithm}, published until ${publishedUntil?.toISOString()}`;
}

function nothingIn(path: string, { skipped }: KeystoreFile): string {
  return [`${path} has no key to import`, ...skipped.map(skippedLine)].join('\n');
}

function skippedLine({ kid, reason }: KeystoreFile['skipped'][number]): string {
  return `${kid ?? 'a key without an id'}: skipped, ${reason}`;
}

function sealingOf(settings: CliSettings): Promise<KeySealing> {
  const { sealingKeys } = settings.signingKeys;
  return openKeySealing({ sealingKeys, generatesKey: settings.isActive('dev') });
}

interface KeyChangeContext {
  readonly store: SigningKeyStore;
  readonly settings: CliSettings;
  readonly record: (change: Change) => Promise<void>;
}

/** Runs `work` in a transaction, while no other change of signing keys runs. */
function changingKeys<T>(
  openDatabase: OpenDatabase,
  work: (context: KeyChangeContext) => Promise<T>,
): Promise<T> {
  return withDatabase(openDatabase, (database) =>
    changing(database, ({ manager, record }) =>
      new SigningKeyStore(manager).changing((store) =>
        work({ store, record, settings: database.settings }),
      ),
    ),
  );
}

// `tessera user add`, `passwd`, `set`, `disable`, `enable` and `remove`: changes of one account.
import { AccountError, AccountStore, type AccountAttributes } from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { EXPIRY_RULE, parseExpiry } from '@tessera/runtime';
import { CliError } from '../cli-error.js';
import { type ChangeContext, changing } from '../audit/changes.js';
import { withDatabase, type CommandContext, type OpenDatabase } from '../database.js';
import { readPassword, type PasswordOptions } from '../input.js';
import { escapeForTerminal, writeLine, type Terminal } from '../terminal.js';

interface AccountOptions {
  /** Each `name=value`. */
  readonly attribute?: readonly string[];
  readonly expires?: string;
}

export type AddOptions = AccountOptions & PasswordOptions;

export interface SetOptions extends AccountOptions {
  /** Names. */
  readonly removeAttribute?: readonly string[];
}

/** Adds an account. The prompt for the password comes after all other checks. */
export async function addAccount(
  name: string,
  options: AddOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const attributes = readAttributes(options.attribute ?? []);
  const expiresAt = readExpiry(options.expires ?? 'never');
  await withDatabase(openDatabase, async (database) => {
    if (await AccountStore.of(database.dataSource).find(name)) {
      throw new AccountError('ACCOUNT_EXISTS', `there is an account named ${name} already`);
    }
    const password = await readPassword(options, terminal);
    const passwordHash = await new PasswordHashing(database.settings.argon2).hash(password);
    await changing(database, async ({ manager, record }) => {
      await AccountStore.of(manager).add({ name, passwordHash, attributes, expiresAt });
      await record({ action: 'ADD_USER', subject: name, details: { attributes, expiresAt } });
    });
  });
  printLine(terminal, `added ${name}`);
}

/** Sets the password of an existing account. */
export async function setAccountPassword(
  name: string,
  options: PasswordOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  await withDatabase(openDatabase, async (database) => {
    if (!(await AccountStore.of(database.dataSource).find(name))) {
      throw new AccountError('ACCOUNT_NOT_FOUND', `there is no account named ${name}`);
    }
    const password = await readPassword(options, terminal);
    const passwordHash = await new PasswordHashing(database.settings.argon2).hash(password);
    await changing(database, async ({ manager, record }) => {
      await AccountStore.of(manager).setPassword(name, passwordHash);
      await record({ action: 'CHANGE_USER', subject: name, details: { changed: 'password' } });
    });
  });
  printLine(terminal, `set the password of ${name}`);
}

/** Changes the attributes and the expiry that the options name. */
export async function setAccount(
  name: string,
  { attribute = [], removeAttribute = [], expires }: SetOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const set = readAttributes(attribute);
  const both = removeAttribute.find((each) => Object.hasOwn(set, each));
  if (both !== undefined) {
    throw new CliError(`attribute ${both} is both set and removed`);
  }
  const removed = removeAttribute.map((each) => [each, []] as const);
  const change = {
    attributes: Object.fromEntries([...Object.entries(set), ...removed]),
    expiresAt: expires === undefined ? undefined : readExpiry(expires),
  };
  const isChanged = await changingUser(openDatabase, async (accounts, record) => {
    const isDifferent = await accounts.change(name, change);
    if (isDifferent) await record({ action: 'CHANGE_USER', subject: name, details: change });
    return isDifferent;
  });
  printLine(terminal, `${isChanged ? 'updated' : 'unchanged'} ${name}`);
}

/** Removes an account. Its sessions end. */
export async function removeAccount(
  name: string,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  await changingUser(openDatabase, async (accounts, record) => {
    await accounts.remove(name);
    await record({ action: 'REMOVE_USER', subject: name });
  });
  printLine(terminal, `removed ${name}`);
}

/** Disables or enables an account. Sessions of a disabled one end. */
export async function setAccountDisabled(
  name: string,
  disabled: boolean,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  await changingUser(openDatabase, async (accounts, record) => {
    await (disabled ? accounts.disable(name) : accounts.enable(name));
    await record({ action: 'CHANGE_USER', subject: name, details: { disabled } });
  });
  printLine(terminal, `${disabled ? 'disabled' : 'enabled'} ${name}`);
}

function changingUser<T>(
  openDatabase: OpenDatabase,
  work: (accounts: AccountStore, record: ChangeContext['record']) => Promise<T>,
): Promise<T> {
  return withDatabase(openDatabase, (database) =>
    changing(database, ({ manager, record }) => work(AccountStore.of(manager), record)),
  );
}

/** Escapes the line, because names may contain control characters. */
function printLine({ stdout }: Terminal, line: string): void {
  writeLine(stdout, escapeForTerminal(line));
}

function readAttributes(texts: readonly string[]): AccountAttributes {
  const attributes = new Map<string, readonly string[]>();
  for (const text of texts) {
    const separator = text.indexOf('=');
    if (separator < 1) {
      throw new CliError(`an attribute is written name=value, not ${text}`);
    }
    const name = text.slice(0, separator);
    const value = text.slice(separator + 1);
    if (value === '') throw new CliError(`attribute ${name} has no value`);
    attributes.set(name, [...(attributes.get(name) ?? []), value]);
  }
  return Object.fromEntries(attributes);
}

function readExpiry(text: string): Date | null {
  const expiry = parseExpiry(text);
  if (expiry === undefined) {
    throw new CliError(`--expires must be ${EXPIRY_RULE}`);
  }
  return expiry;
}

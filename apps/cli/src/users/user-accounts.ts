// `tessera user add`, `passwd`, `disable` and `enable`: one account at a time.
import {
  AccountError,
  AccountStore,
  EXPIRY_RULE,
  parseExpiry,
  type AccountAttributes,
} from '@tessera/accounts';
import { PasswordHashing } from '@tessera/crypto';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { withDatabase } from '../database.js';
import { readPassword, type PasswordOptions } from '../password-input.js';
import { writeLine } from '../terminal.js';

export interface AddOptions extends PasswordOptions {
  /** Each `name=value`. */
  readonly attribute?: readonly string[];
  readonly expires?: string;
}

/** Adds an account; the password is asked for only when nothing else is wrong. */
export async function addAccount(
  name: string,
  options: AddOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  const attributes = readAttributes(options.attribute ?? []);
  const expiresAt = readExpiry(options.expires ?? 'never');
  await withDatabase(openDatabase, async ({ dataSource, settings }) => {
    const accounts = new AccountStore(dataSource);
    if (await accounts.find(name)) {
      throw new AccountError('ACCOUNT_EXISTS', `there is an account named ${name} already`);
    }
    const password = await readPassword(options, terminal);
    const passwordHash = await new PasswordHashing(settings.argon2).hash(password);
    await accounts.add({ name, passwordHash, attributes, expiresAt });
  });
  writeLine(terminal.stdout, `added ${name}`);
}

/** Sets the password of an account that exists. */
export async function setAccountPassword(
  name: string,
  options: PasswordOptions,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  await withDatabase(openDatabase, async ({ dataSource, settings }) => {
    const accounts = new AccountStore(dataSource);
    if (!(await accounts.find(name))) {
      throw new AccountError('ACCOUNT_NOT_FOUND', `there is no account named ${name}`);
    }
    const password = await readPassword(options, terminal);
    await accounts.setPassword(name, await new PasswordHashing(settings.argon2).hash(password));
  });
  writeLine(terminal.stdout, `set the password of ${name}`);
}

/** Disables or enables an account. Sessions that are open stay open. */
export async function setAccountDisabled(
  name: string,
  disabled: boolean,
  { openDatabase, terminal }: CommandContext,
): Promise<void> {
  await withDatabase(openDatabase, async ({ dataSource }) => {
    const accounts = new AccountStore(dataSource);
    await (disabled ? accounts.disable(name) : accounts.enable(name));
  });
  writeLine(terminal.stdout, `${disabled ? 'disabled' : 'enabled'} ${name}`);
}

function readAttributes(texts: readonly string[]): AccountAttributes {
  const attributes = new Map<string, readonly string[]>();
  for (const text of texts) {
    const separator = text.indexOf('=');
    if (separator < 1) {
      throw new CliError(`an attribute is written name=value, not ${text}`);
    }
    const name = text.slice(0, separator);
    attributes.set(name, [...(attributes.get(name) ?? []), text.slice(separator + 1)]);
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

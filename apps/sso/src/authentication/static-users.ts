// Reads the users of the static handler from the settings.
import { accountName, NAME_RULE } from '@tessera/accounts';
import type { Attributes } from '@tessera/services';
import type { ViolationText } from '@tessera/config';

/** Separates name and password in the setting. */
const SEPARATOR = '::';

/** Attributes by user name; a single value needs no list. */
export type StaticAttributes = Readonly<
  Record<string, Readonly<Record<string, string | readonly string[]>>>
>;

export interface StaticUser {
  readonly name: string;
  readonly password: string;
  readonly attributes: Attributes;
}

/** The users cannot be read. The message quotes user names, but no passwords. */
export class StaticUsersError extends Error {
  override readonly name = 'StaticUsersError';
  /** The message without user names. */
  readonly rule: string;

  constructor(violations: readonly Required<ViolationText>[]) {
    super(violations.map(({ message }) => message).join('; '));
    this.rule = violations.map(({ rule }) => rule).join('; ');
  }
}

/**
 * Parses users from a list of `name::password`, and adds their attributes.
 *
 * @throws StaticUsersError with all violations, each with its position in the list
 */
export function readStaticUsers(
  list: readonly string[],
  attributes: StaticAttributes,
): readonly StaticUser[] {
  const users = new Map<string, StaticUser>();
  const violations: Required<ViolationText>[] = [];
  for (const [index, text] of list.entries()) {
    const separator = text.indexOf(SEPARATOR);
    const name = separator < 0 ? undefined : accountName(text.slice(0, separator).trim());
    const password = separator < 0 ? '' : text.slice(separator + SEPARATOR.length);
    if (name === undefined || password === '') {
      const message = `user ${index + 1} is not "name${SEPARATOR}password" (name: ${NAME_RULE})`;
      violations.push({ message, rule: message });
    } else if (users.has(name)) {
      const rule = `user ${index + 1} has the name of an earlier one`;
      violations.push({ message: `${rule}, ${name}`, rule });
    } else {
      users.set(name, { name, password, attributes: attributesOf(name, attributes) });
    }
  }
  for (const [index, key] of Object.keys(attributes).entries()) {
    if (users.has(accountName(key) ?? '')) continue;
    const message = `attributes are given for ${key}, who is no user`;
    violations.push({ message, rule: `entry ${index + 1} of the attributes is of no user` });
  }
  if (violations.length > 0) throw new StaticUsersError(violations);
  return [...users.values()];
}

/** A subscript would find `constructor` in every object. */
function attributesOf(name: string, all: StaticAttributes): Attributes {
  const own = Object.entries(all).find(([user]) => accountName(user) === name)?.[1] ?? {};
  return Object.fromEntries(
    Object.entries(own).map(([attribute, value]) => [attribute, [value].flat()]),
  );
}

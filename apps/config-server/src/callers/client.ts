// Owns what a client of the config server is, and reading one as it stands in the settings.
import { PasswordHashing } from '@tessera/crypto';
import type { ViolationText } from '@tessera/settings';
import { PERMISSIONS, type Permission } from './callers.js';

export interface Client {
  readonly name: string;
  /** Of what comes as Basic; any hash that accounts may have. */
  readonly passwordHash?: string;
  /** SHA-256 of what comes as Bearer, in hexadecimal digits. */
  readonly tokenHash?: string;
  /** Names of applications, or `*` for all. */
  readonly applications: ReadonlySet<string>;
  readonly permissions: ReadonlySet<Permission>;
}

/** As settings give it: each field a list of texts. */
export type WrittenClient = Readonly<Record<string, readonly string[]>>;

const FIELDS: ReadonlySet<string> = new Set([
  'password-hash',
  'token-hash',
  'applications',
  'permissions',
]);
const TOKEN_HASH = /^(?:sha256:)?([0-9a-f]{64})$/i;
const NAME = /^[^:\p{Cc}]{1,255}$/u;
/** What stands for all applications. */
export const ALL = '*';
/** As names in paths, `(_)` being a slash. */
const APPLICATION = /^[A-Za-z0-9_-][A-Za-z0-9._/-]*$/;
const hashing = new PasswordHashing();

/** A client, or what is wrong with each of its fields. */
export function readClient(
  name: string,
  written: WrittenClient,
): Client | readonly ViolationText[] {
  const faults = [...faultsIn(name, written)];
  if (faults.length > 0) return faults;
  const passwordHash = written['password-hash']?.[0];
  const tokenHash = digestIn(written);
  return {
    name,
    ...(passwordHash !== undefined && { passwordHash }),
    ...(tokenHash !== undefined && { tokenHash }),
    applications: new Set(parts(written['applications'])),
    permissions: new Set(permissionsIn(written).filter(isPermission)),
  };
}

function* faultsIn(name: string, written: WrittenClient): Iterable<ViolationText> {
  if (!NAME.test(name)) {
    yield { message: 'its name may hold neither colons nor control characters' };
  }
  yield* unknownFields(written);
  yield* faultsOfProofs(written);
  const applications = parts(written['applications']);
  if (applications.length === 0) yield { message: 'applications must name some, or be *' };
  for (const application of applications) {
    if (application === ALL || APPLICATION.test(application)) continue;
    const rule = 'applications may hold names and *, no patterns';
    yield { message: `${rule}: ${JSON.stringify(application)}`, rule };
  }
  if (!permissionsIn(written).every(isPermission)) {
    yield { message: `permissions may only be ${PERMISSIONS.join(', ')}` };
  }
}

function* faultsOfProofs(written: WrittenClient): Iterable<ViolationText> {
  const passwordHash = written['password-hash']?.[0];
  const hasToken = written['token-hash'] !== undefined;
  if (passwordHash === undefined && !hasToken) {
    yield { message: 'needs a password-hash or a token-hash' };
  }
  if (passwordHash !== undefined && !hashing.supports(passwordHash)) {
    yield { message: 'password-hash is none that can be verified; argon2id is one that can' };
  }
  if (hasToken && digestIn(written) === undefined) {
    yield { message: 'token-hash must be the SHA-256 of the token in 64 hexadecimal digits' };
  }
}

function* unknownFields(written: WrittenClient): Iterable<ViolationText> {
  const known = [...FIELDS].join(', ');
  for (const field of Object.keys(written)) {
    if (FIELDS.has(field)) continue;
    const message = `has no field ${JSON.stringify(field)}: ${known}`;
    yield { message, rule: `has a field that is none of ${known}` };
  }
}

function digestIn(written: WrittenClient): string | undefined {
  return TOKEN_HASH.exec(written['token-hash']?.[0] ?? '')?.[1]?.toLowerCase();
}

function permissionsIn(written: WrittenClient): readonly string[] {
  return parts(written['permissions'] ?? ['read']);
}

/** A list as a list, or as text with commas. */
function parts(written: readonly string[] | undefined): readonly string[] {
  return (written ?? [])
    .flatMap((text) => text.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isPermission(text: string): text is Permission {
  return PERMISSIONS.some((permission) => permission === text);
}

// A client of the config server, and its validation.
import { PasswordHashing } from '@tessera/crypto';
import type { ViolationText } from '@tessera/config';

/** The permissions of a client. `files` means plain files; `files` and `refresh` belong to no application. */
export const PERMISSIONS = ['read', 'files', 'encrypt', 'decrypt', 'refresh'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export interface Client {
  readonly name: string;
  /** For Basic credentials: any hash that an account may have. */
  readonly passwordHash?: string;
  /** For Bearer tokens: SHA-256 in hexadecimal digits. */
  readonly tokenHash?: string;
  /** Names of applications, or `*` for all. */
  readonly applications: ReadonlySet<string>;
  readonly permissions: ReadonlySet<Permission>;
}

/** As in the settings: each field is a list of texts. */
export type ClientEntry = Readonly<Record<string, readonly string[]>>;

const FIELDS: ReadonlySet<string> = new Set([
  'password-hash',
  'token-hash',
  'applications',
  'permissions',
]);
const TOKEN_HASH = /^(?:sha256:)?([0-9a-f]{64})$/i;
const NAME = /^[^:\p{Cc}]{1,255}$/u;
/** All applications. */
export const ALL = '*';
/** As in paths, where `(_)` means a slash. */
const APPLICATION = /^[A-Za-z0-9_-][A-Za-z0-9._/-]*$/;
const hashing = new PasswordHashing();

/** A client, or the violations of its fields. */
export function readClient(name: string, entry: ClientEntry): Client | readonly ViolationText[] {
  const violations = [...violationsOf(name, entry)];
  if (violations.length > 0) return violations;
  const passwordHash = entry['password-hash']?.[0];
  const tokenHash = digestIn(entry);
  return {
    name,
    ...(passwordHash !== undefined && { passwordHash }),
    ...(tokenHash !== undefined && { tokenHash }),
    applications: new Set(parts(entry['applications'])),
    permissions: new Set(permissionsIn(entry).filter(isPermission)),
  };
}

function* violationsOf(name: string, entry: ClientEntry): Iterable<ViolationText> {
  if (!NAME.test(name)) {
    yield { message: 'its name may hold neither colons nor control characters' };
  }
  yield* unknownFields(entry);
  yield* credentialViolations(entry);
  const applications = parts(entry['applications']);
  if (applications.length === 0) yield { message: 'applications must name some, or be *' };
  for (const application of applications) {
    if (application === ALL || APPLICATION.test(application)) continue;
    const rule = 'applications may hold names and *, no patterns';
    yield { message: `${rule}: ${JSON.stringify(application)}`, rule };
  }
  if (!permissionsIn(entry).every(isPermission)) {
    yield { message: `permissions may only be ${PERMISSIONS.join(', ')}` };
  }
}

function* credentialViolations(entry: ClientEntry): Iterable<ViolationText> {
  const passwordHash = entry['password-hash']?.[0];
  const hasToken = entry['token-hash'] !== undefined;
  if (passwordHash === undefined && !hasToken) {
    yield { message: 'needs a password-hash or a token-hash' };
  }
  if (passwordHash !== undefined && !hashing.supports(passwordHash)) {
    yield { message: 'password-hash is none that can be verified; argon2id is one that can' };
  }
  if (hasToken && digestIn(entry) === undefined) {
    yield { message: 'token-hash must be the SHA-256 of the token in 64 hexadecimal digits' };
  }
}

function* unknownFields(entry: ClientEntry): Iterable<ViolationText> {
  const known = [...FIELDS].join(', ');
  for (const field of Object.keys(entry)) {
    if (FIELDS.has(field)) continue;
    const message = `has no field ${JSON.stringify(field)}: ${known}`;
    yield { message, rule: `has a field that is none of ${known}` };
  }
}

function digestIn(entry: ClientEntry): string | undefined {
  return TOKEN_HASH.exec(entry['token-hash']?.[0] ?? '')?.[1]?.toLowerCase();
}

function permissionsIn(entry: ClientEntry): readonly string[] {
  return parts(entry['permissions'] ?? ['read']);
}

/** The elements of a list, or of a text with commas. */
function parts(texts: readonly string[] | undefined): readonly string[] {
  return (texts ?? [])
    .flatMap((text) => text.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isPermission(text: string): text is Permission {
  return PERMISSIONS.some((permission) => permission === text);
}

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
export type WrittenClient = Readonly<Record<string, readonly string[]>>;

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
export function readClient(
  name: string,
  written: WrittenClient,
): Client | readonly ViolationText[] {
  const violations = [...violationsOf(name, written)];
  if (violations.length > 0) return violations;
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

function* violationsOf(name: string, written: WrittenClient): Iterable<ViolationText> {
  if (!NAME.test(name)) {
    yield { message: 'its name may hold neither colons nor control characters' };
  }
  yield* unknownFields(written);
  yield* credentialViolations(written);
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

function* credentialViolations(written: WrittenClient): Iterable<ViolationText> {
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

/** The elements of a list, or of a text with commas. */
function parts(written: readonly string[] | undefined): readonly string[] {
  return (written ?? [])
    .flatMap((text) => text.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isPermission(text: string): text is Permission {
  return PERMISSIONS.some((permission) => permission === text);
}

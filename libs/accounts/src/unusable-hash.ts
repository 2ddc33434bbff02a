// Explains why a password hash cannot be imported, without quoting it.

/** Unsupported kinds. The first match counts. */
const UNSUPPORTED: ReadonlyArray<readonly [form: RegExp, kind: string]> = [
  [/^\*[0-9A-F]{40}$/i, 'is a SHA hash of MySQL without salt, which is too weak'],
  [/^(?:\{CRYPT\})?[!*]/i, 'is not a hash but the mark of a locked account'],
  [/^\{(?:SASL|KERBEROS)\}/i, 'is not a hash but points to another server'],
  [/^\$apr1\$/, 'is an MD5 hash of Apache (apr1), which is too weak'],
  [/^\$[PH]\$/, 'is an MD5 hash of phpass, which is too weak'],
  [/^(?:unsalted_)?(?:md5|sha1)\$/, 'is an MD5 or SHA hash of Django, which is too weak'],
  [/^(?:\{CRYPT\})?\$1\$|^\{S?MD5\}/i, 'is an MD5 hash, which is too weak'],
  [/^[0-9a-f]{32}$/i, 'is an MD5 or NT hash without salt, which is too weak'],
  [
    /^\{SHA-?\d*\}|^(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i,
    'is a SHA hash without salt, which is too weak',
  ],
  [/^(?:\{CRYPT\})?[./0-9A-Za-z]{13}$/i, 'is a DES crypt hash, which is too weak'],
  [/^(?:\{CRYPT\})?\$g?y\$/i, 'is a yescrypt hash, which is not read'],
  [/^(?:\{\w+\}|argon2)?\$argon2d\$/i, 'is an argon2d hash; only argon2id and argon2i are read'],
  [/^(?:\{\w+\}|argon2)?\$argon2id?\$(?:v=16\$|m=)/i, 'is a hash of an old version of argon2'],
  [/^bcrypt_sha256\$|^\$bcrypt-sha256\$/, 'is bcrypt of a SHA-256 digest, which is not read'],
  [/^\{PBKDF2_SHA256\}/i, 'is the old PBKDF2 hash of 389 Directory Server, which is not read'],
];

/** The beginnings of hashes of supported families. */
const FAMILIES: ReadonlyArray<readonly [beginning: RegExp, family: string]> = [
  [/^(?:\{\w+\}|argon2)?\$argon2id?\$/i, 'argon2'],
  [/^(?:\{\w+\}|bcrypt\$)?\$2[aby]\$/i, 'bcrypt'],
  [/^(?:\{\w+\})?\$[56]\$/, 'SHA-crypt'],
  [/^\$?scrypt\$/, 'scrypt'],
  [/^\$pbkdf2(?:-sha(?:256|512))?\$|^pbkdf2_sha(?:1|256)\$/, 'PBKDF2'],
  [/^\{PBKDF2(?:-SHA(?:1|256|512))?\}\d+\$/i, 'PBKDF2'],
  [/^\{SSHA(?:256|512)?\}/i, 'salted SHA'],
];

/** The reason, and what to do about it. */
export function unusableHash(hash: string): string {
  const kind =
    unsupportedKind(hash) ?? damagedFamily(hash) ?? 'is of no kind that docs/users.md lists';
  return `${kind}: put the hash of a new password in its place, such as htpasswd -B makes`;
}

function unsupportedKind(hash: string): string | undefined {
  return UNSUPPORTED.find(([form]) => form.test(hash))?.[1];
}

function damagedFamily(hash: string): string | undefined {
  const family = FAMILIES.find(([beginning]) => beginning.test(hash))?.[1];
  return family && `is a hash of ${family} that is damaged or costs more than docs/users.md allows`;
}

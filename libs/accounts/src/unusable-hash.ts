// Says, for people, what a password is that is kept in a form we do not read; it never quotes it.

const KINDS: ReadonlyArray<readonly [form: RegExp, kind: string]> = [
  [/^(?:\{CRYPT\})?[!*]/i, 'is not a hash but the mark of a locked account'],
  [/^\{(?:SASL|KERBEROS)\}/i, 'is not a hash but points to another server'],
  [/^\$apr1\$/, 'is an MD5 hash of Apache (apr1), which is too weak'],
  [/^(?:\{CRYPT\})?\$1\$|^\{S?MD5\}/i, 'is an MD5 hash, which is too weak'],
  [/^\{SHA-?\d*\}/i, 'is a SHA hash without salt, which is too weak'],
  [/^(?:\{CRYPT\})?[./0-9A-Za-z]{13}$/i, 'is a DES crypt hash, which is too weak'],
];

/** What is wrong with a hash that cannot be imported, and what to do about it. */
export function unusableHash(hash: string): string {
  const kind =
    KINDS.find(([form]) => form.test(hash))?.[1] ??
    'is damaged, costs too much, or is of no kind that docs/users.md lists';
  return `${kind}: put the hash of a new password in its place, such as htpasswd -B makes`;
}

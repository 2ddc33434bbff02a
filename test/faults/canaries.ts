// The secrets of the programs under test, and the detection of a secret in a text: whole or in part, plain or encoded.
import { randomBytes } from 'node:crypto';
import { KeyRing, passwordRingKey } from '@tessera/crypto';

/** Length of each of the two pieces near the end of a secret that are searched for. Two also find a truncated secret. */
const PIECE_LENGTH = 10;
/** Length of the end of a ticket, which logs may show. */
const VISIBLE_END = 4;

interface Pattern {
  readonly name: string;
  readonly form: string;
  readonly needle: string;
}

class Canaries {
  private readonly patterns: Pattern[] = [];

  /** Returns a new secret whose characters need no escaping anywhere. */
  make(name: string): string {
    return this.watch(
      name,
      `CANARY-${name}-${randomBytes(PIECE_LENGTH + VISIBLE_END).toString('hex')}`,
    );
  }

  /** Adds a secret that was generated elsewhere. */
  watch(name: string, text: string): string {
    const end = text.length - VISIBLE_END;
    for (const piece of [
      text.slice(end - 2 * PIECE_LENGTH, end - PIECE_LENGTH),
      text.slice(end - PIECE_LENGTH, end),
    ]) {
      for (const [form, needles] of Object.entries(encodingsOf(piece))) {
        this.patterns.push(...needles.map((needle) => ({ name, form, needle: normalise(needle) })));
      }
    }
    return text;
  }

  /** Names of the secrets found in a text, with their encoding: `vault-token (base64)`. */
  foundIn(text: string): readonly string[] {
    const haystack = normalise(text);
    const found = this.patterns.filter(({ needle }) => haystack.includes(needle));
    return [...new Set(found.map(({ name, form }) => `${name} (${form})`))].toSorted();
  }
}

function encodingsOf(piece: string): Readonly<Record<string, readonly string[]>> {
  const bytes = Buffer.from(piece);
  const each = (prefix: string, digits: number): string =>
    [...bytes].map((byte) => prefix + byte.toString(16).padStart(digits, '0')).join('');
  return {
    plain: [piece],
    hex: [bytes.toString('hex')],
    base64: [0, 1, 2].map((before) => base64Within(bytes, before)),
    url: [each('%', 2)],
    json: [each(String.raw`\u`, 4)],
  };
}

/** The Base64 characters that depend on these bytes alone. @param before bytes that precede them in a group of three */
function base64Within(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const isWhole = (before + bytes.length) % 3 === 0;
  return text.slice(Math.ceil((before * 4) / 3), isWhole ? undefined : -1);
}

/** Ignores case and the difference between Base64 and Base64url. */
function normalise(text: string): string {
  return text.toLowerCase().replaceAll('+', '-').replaceAll('/', '_');
}

export const canaries = new Canaries();

export const secrets = {
  database: canaries.make('database-password'),
  wrongDatabase: canaries.make('wrong-database-password'),
  user: canaries.make('static-user'),
  caller: canaries.make('wrong-password-of-a-caller'),
  bind: canaries.make('bind-password'),
  management: canaries.make('management-token'),
  secretId: canaries.make('secret-id'),
  wrongSecretId: canaries.make('wrong-secret-id'),
  vaultToken: canaries.make('vault-token'),
  basic: canaries.make('basic-password'),
  bearer: canaries.make('bearer-token'),
  standalone: canaries.make('standalone-password'),
  otherStandalone: canaries.make('other-standalone-password'),
  plain: canaries.make('plain-text'),
  passphrase: canaries.make('passphrase-of-a-key'),
  wrongPassphrase: canaries.make('wrong-passphrase-of-a-key'),
  encryptKey: canaries.make('encrypt-key'),
  keyStore: canaries.make('key-store-password'),
  wrongKeyStore: canaries.make('wrong-key-store-password'),
  git: canaries.make('git-password'),
  ofVault: canaries.make('role-in-vault'),
  ofCredential: canaries.make('filter-in-a-credential-file'),
  unlikeItsKey: canaries.make('wrong-value'),
  traces: canaries.make('key-of-a-receiver-of-traces'),
};

const keyRings = new Map<string, Promise<KeyRing>>();

/** Encrypts a value of a settings file, as an operator does. */
export async function protect(plain: string, password = secrets.standalone): Promise<string> {
  const open = async (): Promise<KeyRing> => {
    const key = { alias: 'p', password, salt: 'deadbeef', format: 'aes-gcm' } as const;
    return new KeyRing([await passwordRingKey(key)]);
  };
  const keys = keyRings.get(password) ?? open();
  keyRings.set(password, keys);
  return `{cipher}${await (await keys).encrypt(Buffer.from(plain))}`;
}

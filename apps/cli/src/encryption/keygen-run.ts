// What `tessera keygen` makes: keys in files, and the proofs of clients.
import { generateKeyPair } from 'node:crypto';
import { basename, extname } from 'node:path';
import { promisify } from 'node:util';
import {
  formOf,
  newKeyFile,
  PasswordHashing,
  randomId,
  sha256,
  writeKeyFile,
} from '@tessera/crypto';
import { CliError } from '../cli-error.js';
import { readPassword } from '../password-input.js';
import { writeLine, type Terminal } from '../terminal.js';

export interface KeygenOptions {
  readonly id?: string;
  /** Bits. */
  readonly rsa?: string;
  readonly token?: boolean;
  readonly passwordHash?: boolean;
  readonly json?: boolean;
}

// 62 characters of which each may be any: 256 bits.
const TOKEN_LENGTH = 43;
const [FEWEST_BITS, MOST_BITS] = [2048, 4096];

interface NewKey {
  /** What `{key:…}` calls it, and for an AES key what its texts carry. */
  readonly id: string;
  /** What belongs into the file. */
  readonly text: string;
}

/** @throws CliError, or CryptoError for a file that cannot be written */
export async function keygen(
  path: string | undefined,
  options: KeygenOptions,
  terminal: Terminal,
): Promise<void> {
  const { token = false, passwordHash = false } = options;
  if (path !== undefined && (token || passwordHash)) {
    throw new CliError('a token or hash goes to standard output, not to a file');
  }
  writeLine(terminal.stdout, await made(path, options, terminal));
}

async function made(
  path: string | undefined,
  options: KeygenOptions,
  terminal: Terminal,
): Promise<string> {
  if (options.token) return shown(newToken(), options);
  if (options.passwordHash) {
    const password = await readPassword({}, terminal);
    return shown({ 'password-hash': await new PasswordHashing().hash(password) }, options);
  }
  const key = await newKey(path, options);
  return path === undefined ? shownKey(key, options) : storeKey(key, path, options);
}

async function newKey(path: string | undefined, { id, rsa }: KeygenOptions): Promise<NewKey> {
  if (rsa !== undefined) return newRsaKey(path, rsa);
  const text = newKeyFile(id);
  return { id: formOf(text).slice('v1.'.length), text };
}

async function newRsaKey(path: string | undefined, bits: string): Promise<NewKey> {
  const modulusLength = /^\d+$/.test(bits) ? Number(bits) : 0;
  if (modulusLength < FEWEST_BITS || modulusLength > MOST_BITS) {
    throw new CliError(
      `--rsa takes ${FEWEST_BITS} to ${MOST_BITS} bits; the file stands before it`,
    );
  }
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength });
  const text = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { id: path === undefined ? '' : basename(path, extname(path)), text };
}

/** @throws CliError where there is such a file, which stays as it is */
async function storeKey(
  { id, text }: NewKey,
  path: string,
  { json }: KeygenOptions,
): Promise<string> {
  if (!(await writeKeyFile(path, text))) {
    throw new CliError(`there is a file ${path} already: nothing was written`);
  }
  return json
    ? JSON.stringify({ id, file: path })
    : `wrote the key ${id} to ${path}\n${NEXT_STEPS}`;
}

function shownKey({ id, text }: NewKey, { json }: KeygenOptions): string {
  const key = text.trimEnd();
  return json ? JSON.stringify({ ...(id !== '' && { id }), key }) : key;
}

const NEXT_STEPS = `Keep a copy in a safe place: whoever loses it loses every value it protects.
To use it: put it last in encrypt.key-files and reload each node, then first, and reload again (one node alone: first at once).
Then run tessera rotate; docs/encryption.md has the steps.`;

function newToken(): Readonly<Record<string, string>> {
  const token = randomId(TOKEN_LENGTH);
  return { token, 'token-hash': `sha256:${sha256(token)}` };
}

/** One alone as it is, several with their names. */
function shown(values: Readonly<Record<string, string>>, { json }: KeygenOptions): string {
  if (json) return JSON.stringify(values);
  const rows = Object.entries(values);
  return rows.map(([name, value]) => (rows.length === 1 ? value : `${name}: ${value}`)).join('\n');
}
